/** Renders documents on the server. */
import { type EntryContext, type HandleErrorFunction, isRouteErrorResponse, type RouterContextProvider, ServerRouter } from 'react-router'
import type { Settings } from '#contract/settings.ts'
import type { Client } from './lib/client.ts'
import { DocumentPartsProvider } from './lib/document-parts.tsx'
import { areaOf } from './lib/paths.ts'
import { renderDocument } from './lib/render-document.tsx'
import { rendering } from './lib/rendering.ts'
import { headCss } from './lib/site.server.ts'

export { areaOf, rendering }

/** Paths without a route of their own that exist: the configurable packages path and one per content page (S1-2.20, S1-2.24). */
export async function livePaths(client: Client, settings: Settings): Promise<ReadonlySet<string>> {
  const { pages } = await client.content.pages()
  return new Set([settings.class_packages_path, ...pages.map((page) => `/${page.slug}`)])
}

/** Renders a document with the brand's CSS and the nonce. Status 500 if something outside of every section failed. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const current = context.get(rendering)
  const nonce = current.scriptMark || undefined
  let failed: unknown
  const page = (
    <DocumentPartsProvider
      value={{ css: headCss(current.settings, areaOf(new URL(request.url).pathname)), styleNonce: current.styleNonce }}
    >
      <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
    </DocumentPartsProvider>
  )
  const stream = await renderDocument(page, {
    nonce,
    signal: request.signal,
    onSectionFailure: current.sectionFailed,
    onError(error) {
      failed ??= error
      current.report(error)
    },
  })
  headers.set('content-type', 'text/html; charset=utf-8')
  // An error inside another Suspense boundary left its fallback in the document: status 500, so that it is not cached.
  return new Response(stream, { status: failed === undefined ? status : 500, headers })
}

/** Reports errors of loaders and rendering; not those of aborted requests, nor route responses such as a 404. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isRouteErrorResponse(error)) return
  context.get(rendering).report(error)
}

/** How long React Router waits for promises of loaders, in ms. */
export const streamTimeout = 9_000
