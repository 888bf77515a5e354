/** Renders one document: calls the build's renderer with what loaders may use, and completes its answer with policy and tracking codes. */
import { randomBytes } from 'node:crypto'
import { RouterContextProvider } from 'react-router'
import { answerInEnglish } from '#contract/english/answers.ts'
import { refuse } from '#contract/errors.ts'
import type { Language } from '#contract/language.ts'
import type { ProviderSites } from '#contract/processors.ts'
import type { Area, DocumentTag, IconShape, Vendor } from '#contract/rendering.ts'
import type { Settings } from '#contract/settings.ts'
import type { PolicyProvider } from '#server/adapters/payments/in-browser.ts'
import { isPassing } from '#server/platform/db.ts'
import { sanitizeHtml } from '#server/platform/html.ts'
import type { Rendered } from '#server/platform/page-cache.ts'
import type { ReadyBuild } from './build.ts'
import { cspFor, DOCUMENT_HEADERS, hashMarkedScripts, hashMarkedStyles, insertCodes, needsStyleNonce, runsTracking } from './csp.ts'
import type { DocumentAddress } from './document-address.ts'
import { insertEnglishOffer } from './english-offer.ts'
import { RETRY_SECONDS } from './fallback-error-page.ts'
import { asPreview } from './preview.ts'

export interface RenderOptions<Client> {
  /** Vite renders and reloads; nothing is cached. */
  dev: boolean
  /** Origin of the studio, without a final slash. */
  publicUrl: string
  vendor: Vendor
  now: () => Date
  /** The API in this process, as an anonymous visitor sees it. */
  client: Client
  settings: () => Settings
  log: { error(details: object, text: string): void }
  /** Origins of card frames beside our own. */
  cardFrames?: readonly string[]
  /** Origins of processors' scripts, and which of them the policy allows under the given settings. */
  processors: { sites: ProviderSites; open(settings: Settings): readonly PolicyProvider[] }
  /** Draws the icon of a studio that uploaded none, as an SVG file. */
  brandIcon(settings: Settings, shape: IconShape): string
}

const RENDER_MS = 10_000
const ALWAYS: readonly DocumentTag[] = ['settings']
/** How long a document is cached whose data was partly unavailable, in ms. */
const INCOMPLETE_MS = 10_000
/** Headers of the renderer's answer that are passed on. */
const PASSED_ON = ['location', 'x-remix-response', 'x-remix-reload-document', 'x-remix-redirect', 'x-remix-status']

/** Whether a failure is transient: the database is unreachable or overloaded, or an endpoint refused with BUSY. */
export const isBusy = (error: unknown): boolean => isPassing(error) || (error instanceof Error && 'code' in error && error.code === 'BUSY')

/** The API client whose responses have the server's texts in English. */
function clientInEnglish<Client>(client: Client): Client {
  const callable = (..._input: unknown[]) => undefined
  const wrapped = (node: unknown): unknown =>
    typeof node !== 'object' && typeof node !== 'function'
      ? node
      : new Proxy(callable, {
          get: (_target, name) => wrapped(Reflect.get(node as object, name)),
          apply: async (_target, _self, input) => answerInEnglish(await Reflect.apply(node as typeof callable, undefined, input)),
        })
  return wrapped(client) as Client
}

/**
 * `certification`: for the host of `certification_host`. `preview`: the token of a preview, which changes the finished document
 * (preview.ts). Throws BUSY when the renderer takes longer than 10 s.
 */
export async function renderDocument<Client>(
  options: RenderOptions<Client>,
  { entry, handlers }: ReadyBuild<Client>,
  address: DocumentAddress,
  {
    certification = false,
    preview = null,
    language = 'es-MX',
  }: { certification?: boolean; preview?: string | null; language?: Language } = {},
): Promise<Rendered> {
  const { dev, publicUrl, now, client, log } = options
  const area = entry.areaOf(address.url)
  const settings = options.settings()
  const scriptMark = randomBytes(18).toString('base64url')
  const styleNonce = randomBytes(18).toString('base64url')
  const tags = new Set<DocumentTag>(ALWAYS)
  let freshUntil: Date | null = null
  let busy = false
  const startedAt = now()
  const limitFreshness = (at: Date) => {
    if (!freshUntil || at < freshUntil) freshUntil = at
  }
  const sectionFailed = (section: string, error: unknown) => {
    log.error({ section, error, document: address.key }, 'page.section_failed')
    limitFreshness(new Date(startedAt.getTime() + INCOMPLETE_MS))
  }
  const context = new RouterContextProvider()
  context.set(entry.rendering, {
    client: language === 'en' ? clientInEnglish(client) : client,
    settings,
    publicUrl,
    vendor: options.vendor,
    certification,
    isPreview: preview !== null,
    cardFrames: options.cardFrames ?? [],
    providerSites: options.processors.sites,
    now: startedAt,
    styleNonce,
    scriptMark: dev ? '' : scriptMark,
    brandIcon: (shape) => options.brandIcon(settings, shape),
    safeHtml: sanitizeHtml,
    dependsOn: (...more) => {
      for (const tag of more) tags.add(tag)
    },
    async attempt(section, load) {
      try {
        return await load()
      } catch (error) {
        if (isBusy(error) || error instanceof Response) throw error
        sectionFailed(section, error)
        return null
      }
    },
    sectionFailed,
    report: (error) => {
      busy ||= isBusy(error)
      log.error({ error, document: address.key }, 'page.render_failed')
    },
    freshUntil: limitFreshness,
  })
  const signal = AbortSignal.timeout(RENDER_MS)
  const response = await handlers(area)(new Request(publicUrl + address.url, { signal }), context)
  // On timeout React Router returns an empty response.
  if (signal.aborted) throw refuse('BUSY')
  const status = busy && response.status === 500 ? 503 : response.status
  const contentType = response.headers.get('content-type') ?? 'text/plain; charset=utf-8'
  const headers = [...DOCUMENT_HEADERS]
  if (status === 503) headers.push(['retry-after', RETRY_SECONDS])
  for (const name of PASSED_ON) {
    const value = response.headers.get(name)
    if (value !== null) headers.push([name, value])
  }
  const text = await response.text()
  if (preview !== null) return asPreview({ status, contentType, text, styleNonce, token: preview })
  const page = contentType.startsWith('text/html')
    ? withPolicy(text, { options, area, language, settings, scriptMark, styleNonce })
    : { body: text }
  return {
    status,
    contentType,
    body: page.body,
    ...('fingerprint' in page ? { fingerprint: page.fingerprint } : {}),
    headers: 'policy' in page ? [...headers, ['content-security-policy', page.policy]] : headers,
    tags,
    freshUntil,
    keep: !dev && status === 200,
  }
}

interface Marked {
  options: Pick<RenderOptions<unknown>, 'dev' | 'cardFrames' | 'processors'>
  area: Area
  language: Language
  settings: Settings
  scriptMark: string
  styleNonce: string
}

/** The finished HTML, its content security policy, and what its etag is computed from: the document without what differs per rendering. */
function withPolicy(text: string, { options, area, language, settings, scriptMark, styleNonce }: Marked) {
  const { dev, cardFrames = [] } = options
  const providers = options.processors.open(settings)
  const coded = runsTracking(area) ? insertCodes(text, settings, scriptMark) : text
  const offering = insertEnglishOffer(coded, { area, language, settings, mark: scriptMark })
  const { html, scriptHashes } = hashMarkedScripts(offering, scriptMark)
  const unsigned = hashMarkedStyles(html, styleNonce)
  const policy = { area, styleHashes: unsigned.styleHashes, settings, dev, cardFrames, providers }
  return {
    body: needsStyleNonce(area, providers) ? html : unsigned.html,
    policy: cspFor({ ...policy, styleNonce, scriptHashes }),
    fingerprint: unsigned.html + cspFor({ ...policy, scriptHashes: [] }),
  }
}
