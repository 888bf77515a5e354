/** Renders a document completely before it is sent: it is going to be cached and sent to everybody. */
import type { ReactNode } from 'react'
import { renderToReadableStream } from 'react-dom/server'
import { SectionBoundary } from '#web/ui/section-boundary.tsx'

interface RenderOptions {
  nonce: string | undefined
  signal: AbortSignal
  /** A section failed and was left out; the document stands. `section`: the component inside the boundary. */
  onSectionFailure(section: string, error: unknown): void
  /** Anything else failed. */
  onError(error: unknown): void
}

/** The whole document, or a rejection when it failed outside of every section. */
export async function renderDocument(page: ReactNode, options: RenderOptions): Promise<ReadableStream> {
  const stream = await renderToReadableStream(page, {
    ...(options.nonce ? { nonce: options.nonce } : {}),
    signal: options.signal,
    // Complete sections stay in their places: otherwise large ones would be moved there by a script, which not every reader runs.
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

/** The component directly inside the boundary that caught the failure, from React's component stack, innermost first; null without one. */
function failedSection(componentStack: string): string | null {
  const names = [...componentStack.matchAll(/^\s*at (?:new )?([\w$.]+)/gm)].map(([, name]) => name ?? '')
  const boundary = names.indexOf(SectionBoundary.name)
  return boundary < 0 ? null : (names.slice(0, boundary).findLast((name) => name !== 'Suspense') ?? 'unknown')
}
