/** Renders a document completely before it is sent, because it is cached and sent to all visitors. */
import type { ReactNode } from 'react'
import { renderToReadableStream } from 'react-dom/server'
import { SectionBoundary } from '#web/ui/section-boundary.tsx'

interface RenderOptions {
  nonce: string | undefined
  signal: AbortSignal
  /** A section failed and was left out; the document is still sent. `section`: the component inside the boundary. */
  onSectionFailure(section: string, error: unknown): void
  /** Any other failure. */
  onError(error: unknown): void
}

/** The complete document. Rejects when something outside of every section failed. */
export async function renderDocument(page: ReactNode, options: RenderOptions): Promise<ReadableStream> {
  const stream = await renderToReadableStream(page, {
    ...(options.nonce ? { nonce: options.nonce } : {}),
    signal: options.signal,
    // Keep large sections in place: React would otherwise stream them late and move them with a script, which crawlers may not run.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError(error, { componentStack }) {
      const section = failedSection(componentStack ?? '')
      if (section === null) options.onError(error)
      else options.onSectionFailure(section, error)
    },
  })
  await stream.allReady
  return stream
}

/**
 * The component directly inside the boundary that caught the failure, from React's component stack (innermost first); null if no
 * boundary did.
 */
function failedSection(componentStack: string): string | null {
  const names = [...componentStack.matchAll(/^\s*at (?:new )?([\w$.]+)/gm)].map(([, name]) => sourceName(name ?? ''))
  const boundary = names.indexOf(sourceName(SectionBoundary.name))
  return boundary < 0 ? null : (names.slice(0, boundary).findLast((name) => name !== 'Suspense') ?? 'unknown')
}

/** The name of a component in our source: a bundle appends "$1" to the second of two functions with one name. */
const sourceName = (name: string): string => name.replace(/\$\d+$/, '')
