import { createHash } from 'node:crypto'
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Config } from '@react-router/dev/config'
import { areaOf } from './web/lib/paths.ts'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Assets are compressed once, at build time, at the highest level; the server sends the finished files. */
async function precompress(folder: string): Promise<void> {
  const texts = (await readdir(folder)).filter((name) => /\.(?:js|css|svg|json)$/.test(name))
  await Promise.all(
    texts.map(async (name) => {
      const file = join(folder, name)
      const bytes = await readFile(file)
      const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
      const [br, gz] = await Promise.all([brotli(bytes, { params }), zip(bytes, { level: 9 })])
      await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)])
    }),
  )
}

interface Manifest {
  url: string
  version: string
  entry: { module: string }
  routes: Record<string, { id: string; parentId?: string; path?: string; index?: boolean; hasDefaultExport: boolean }>
}

/**
 * Shortens the route list: empty properties of a route are left out, and the imports of its file. The document preloads the imports of its
 * page; a file that is imported later preloads its own.
 */
const brief = (route: object) => Object.fromEntries(Object.entries(route).filter(([name, value]) => name !== 'imports' && value !== false))

/**
 * The route list that the browser gets, one per area: going to another area is a full load, so its routes would never be
 * used. `build/server/areas.json` has the list of each area for the server.
 */
async function splitManifest(build: string): Promise<void> {
  const assets = join(build, 'client/assets')
  const name = (await readdir(assets)).find((file) => /^manifest-\w+\.js$/.test(file))
  if (!name) throw new Error('React Router wrote no manifest')
  const START = 'window.__reactRouterManifest='
  const text = await readFile(join(assets, name), 'utf8')
  const manifest: Manifest = JSON.parse(text.slice(text.indexOf(START) + START.length).replace(/;\s*$/, ''))

  const above = (id: string | undefined): string[] => (id === undefined ? [] : [...above(manifest.routes[id]?.parentId), id])
  const pathOf = (id: string) =>
    `/${above(id)
      .flatMap((one) => manifest.routes[one]?.path ?? [])
      .filter(Boolean)
      .join('/')}`
  const parents = new Set(Object.values(manifest.routes).map((route) => route.parentId))
  const areas: Record<string, Set<string>> = {}
  for (const id of Object.keys(manifest.routes))
    if (!parents.has(id)) {
      const area = areaOf(pathOf(id))
      areas[area] ??= new Set()
      for (const one of above(id)) areas[area].add(one)
    }

  const index: Record<string, { url: string; routes: string[] }> = {}
  for (const [area, ids] of Object.entries(areas)) {
    // Resource routes (an icon, the site map) are no pages: no link inside the app leads to them.
    const listed = Object.entries(manifest.routes).filter(([id, route]) => ids.has(id) && (route.hasDefaultExport || parents.has(id)))
    const routes = Object.fromEntries(listed.map(([id, route]) => [id, brief(route)]))
    const hash = createHash('sha256')
      .update(JSON.stringify([manifest.version, routes]))
      .digest('hex')
      .slice(0, 8)
    const url = `${manifest.url.slice(0, manifest.url.lastIndexOf('/'))}/routes-${area}-${hash}.js`
    await writeFile(
      join(assets, url.slice(url.lastIndexOf('/') + 1)),
      `${START}${JSON.stringify({ ...manifest, entry: { module: manifest.entry.module, imports: [] }, url, routes })};`,
    )
    index[area] = { url, routes: [...ids] }
  }
  await writeFile(join(build, 'server/areas.json'), JSON.stringify(index))
}

/** The second build has the pages in English (scripts/english-build.ts). */
const inEnglish = process.env.PAGES_LANGUAGE === 'en'

export default {
  appDirectory: 'web',
  buildDirectory: inEnglish ? 'build/english' : 'build',
  ssr: true,
  // Route lists in hashed files: the server has no address whose response depends on the links of a page.
  routeDiscovery: { mode: 'initial' },
  async buildEnd({ reactRouterConfig: { buildDirectory } }) {
    await splitManifest(buildDirectory)
    await precompress(join(buildDirectory, 'client/assets'))
    // One folder is served; files of both builds, such as styles and fonts, have the same names.
    if (inEnglish) await cp(join(buildDirectory, 'client/assets'), join(buildDirectory, '../client/assets'), { recursive: true })
  },
} satisfies Config
