/**
 * The build of the web part: React Router's server build from `build/` in production, modules of a Vite server in this process in
 * development.
 */
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createRequestHandler, type RequestHandler, type RouterContext, type ServerBuild } from 'react-router'
import type { Language } from '#contract/language.ts'
import type { Area, Rendering } from '#contract/rendering.ts'
import type { Settings } from '#contract/settings.ts'
import { addresses } from './document-address.ts'

/**
 * Exports of `web/entry.server.tsx` besides the renderer, which React Router's type does not list. The context key must be the bundle's own
 * instance, so it is imported from there.
 */
export interface EntryModule<Client> {
  rendering: RouterContext<Rendering<Client>>
  areaOf(address: string): Area
  livePaths(client: Client, settings: Settings): Promise<ReadonlySet<string>>
}

/** A build that can render. */
export interface ReadyBuild<Client> {
  entry: EntryModule<Client>
  /** The request handler for an area of the product. */
  handlers: (area: Area) => RequestHandler
  addressOf: ReturnType<typeof addresses>
}

export interface WebBuild<Client> {
  /** In development the current state of the files, in Spanish only. Rejects before `register`. */
  ready(language: Language): Promise<ReadyBuild<Client>>
  /** Serves `/assets/*`, or in development what Vite serves. `notFound` answers for a file that does not exist. */
  register(app: FastifyInstance, notFound: (req: FastifyRequest, reply: FastifyReply) => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** `root`: folder of the project. */
export const openBuild = <Client>(root: string, dev: boolean): Promise<WebBuild<Client>> =>
  dev ? Promise.resolve(developmentBuild<Client>(root)) : productionBuild<Client>(root)

const entryOf = <Client>(build: ServerBuild) => build.entry.module as unknown as EntryModule<Client>

async function productionBuild<Client>(root: string): Promise<WebBuild<Client>> {
  const load = async (folder: string): Promise<ReadyBuild<Client>> => {
    const build: ServerBuild = await import(pathToFileURL(join(folder, 'server/index.js')).href)
    return { entry: entryOf<Client>(build), handlers: areaHandlers(build, await areaLists(folder)), addressOf: addresses(build.routes) }
  }
  const spanish = await load(join(root, 'build'))
  // Loaded for the first reader of English: most studios never have one.
  let english: Promise<ReadyBuild<Client>> | undefined
  return {
    async ready(language) {
      if (language !== 'en') return spanish
      // While a release writes the folder it cannot be loaded: the next reader tries again.
      english ??= load(join(root, 'build/english')).catch((error: unknown) => {
        english = undefined
        throw error
      })
      return english
    },
    async register(app, notFound) {
      // A page that was opened before a release still loads the files of its build, and a release writes the first folder while this
      // process serves (scripts/earlier-assets.mjs).
      const earlier = join(root, 'build/earlier')
      // Nothing to serve from there where the folder may not be written.
      await mkdir(earlier, { recursive: true }).catch(() => {})
      await app.register(
        async (assets) => {
          await assets.register(fastifyStatic, {
            root: [join(root, 'build/client/assets'), earlier],
            prefix: '/',
            index: false,
            decorateReply: false,
            preCompressed: true,
            immutable: true,
            maxAge: '365d',
            setHeaders: (reply) => void reply.header('x-content-type-options', 'nosniff'),
          })
          assets.setNotFoundHandler(notFound)
        },
        { prefix: '/assets' },
      )
    },
    async close() {},
  }
}

/** The routes that the manifest of each area lists (written by `react-router.config.ts`); without the file, all routes. */
type AreaLists = Partial<Record<Area, { url: string; routes: string[] }>>

async function areaLists(folder: string): Promise<AreaLists> {
  const text = await readFile(join(folder, 'server/areas.json'), 'utf8').catch(() => '{}')
  return JSON.parse(text)
}

/** One request handler per area: the same build with a manifest that lists only the area's routes. */
function areaHandlers(build: ServerBuild, lists: AreaLists): (area: Area) => RequestHandler {
  const whole = createRequestHandler(build, 'production')
  const handlers = new Map<string, RequestHandler>()
  for (const [area, { url, routes }] of Object.entries(lists)) {
    const listed = Object.fromEntries(routes.map((id) => [id, build.assets.routes[id]]))
    handlers.set(area, createRequestHandler({ ...build, assets: { ...build.assets, url, routes: listed } }, 'production'))
  }
  return (area) => handlers.get(area) ?? whole
}

function developmentBuild<Client>(root: string): WebBuild<Client> {
  let vite: import('vite').ViteDevServer | undefined
  return {
    async ready() {
      if (!vite) throw new Error('the pages are not registered yet')
      const build = (await vite.ssrLoadModule('virtual:react-router/server-build')) as ServerBuild
      return {
        entry: entryOf<Client>(build),
        handlers: () => createRequestHandler(build, 'development'),
        addressOf: addresses(build.routes),
      }
    },
    async register(app) {
      vite = await developmentServer(root, app)
    },
    async close() {
      await vite?.close()
    },
  }
}

/** Starts Vite in this process: it serves modules and styles and reloads what changes. */
async function developmentServer(root: string, app: FastifyInstance) {
  // Vite's listeners would end the process on SIGTERM before our own shutdown, so they are removed again.
  const term = new Set(process.listeners('SIGTERM'))
  const end = new Set(process.stdin.listeners('end'))
  const { createServer } = await import('vite')
  const vite = await createServer({ root, appType: 'custom', server: { middlewareMode: true, hmr: { server: app.server } } })
  for (const listener of process.listeners('SIGTERM')) if (!term.has(listener)) process.removeListener('SIGTERM', listener)
  for (const listener of process.stdin.listeners('end')) if (!end.has(listener)) process.stdin.removeListener('end', listener as () => void)
  app.addHook('onRequest', (req, reply, done) => {
    if (/^\/(?:api|identidad|identitytoolkit\.googleapis\.com|securetoken\.googleapis\.com)(?:\/|$)/.test(req.url)) done()
    else vite.middlewares(req.raw, reply.raw, () => done())
  })
  return vite
}
