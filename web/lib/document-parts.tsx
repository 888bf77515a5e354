/**
 * Parts of a document that only the server knows and the browser must not get twice: the brand's rules and the nonce of
 * inline styles, which stands in documents with PayPal's button only. The server gives them through this context; the browser finds them in the document.
 */
import { createContext, use } from 'react'

export interface DocumentParts {
  css: string
  styleNonce: string
}

const Parts = createContext<DocumentParts | null>(null)
export const DocumentPartsProvider = Parts.Provider

let found: DocumentParts | undefined

function findParts(): DocumentParts {
  found ??= {
    css: document.getElementById('brand')?.textContent ?? '',
    styleNonce: document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '',
  }
  return found
}

export function useDocumentParts(): DocumentParts {
  return use(Parts) ?? findParts()
}
