/**
 * Parts of a document that must not be sent to the browser a second time as data: the brand's CSS and the nonce of inline styles (only
 * in documents with PayPal's button). On the server they come from this context; in the browser they are read from the document.
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

/** The parts: from the context on the server, from the document in the browser. */
export function useDocumentParts(): DocumentParts {
  return use(Parts) ?? findParts()
}
