/**
 * Leaves out of the browser's files what React Router has for applications that send forms through it, load parts of pages by fetchers,
 * find their routes little by little or use server components: 6 kB of every page. None of it can be shaken off, because the router's one
 * large function contains it, or because a component's `displayName` is set beside it. `biome.json` forbids the imports that need it.
 */
import type { Plugin } from 'vite'

/** Functions that nothing of ours reaches; the text is what their body becomes. */
const UNUSED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'router/router.js': {
    // No form is submitted through the router, and there are no fetchers.
    handleAction: '',
    fetch: '',
    handleFetcherAction: '',
    handleFetcherLoader: '',
    normalizeNavigateOptions: 'return { path }',
    // All routes of an area are in its list (`routeDiscovery` of react-router.config.ts).
    discoverRoutes: '',
    patchRoutesImpl: '',
  },
  'router/instrumentation.js': { getRouteInstrumentationUpdates: '', instrumentClientSideRouter: '' },
  'dom/ssr/fog-of-war.js': { useFogOFWarDiscovery: '', getPatchRoutesOnNavigationFunction: '', isFogOfWarEnabled: 'return false' },
  'dom/ssr/single-fetch.js': { singleFetchActionStrategy: '', singleFetchLoaderFetcherStrategy: '', nonSsrStrategy: '' },
  'dom/ssr/routes.js': { createClientRoutesWithHMRRevalidationOptOut: '' },
  // No link asks for the prefetching of a page.
  'dom/ssr/components.js': { PrefetchPageLinks: 'return null' },
  // Components of forms and links that nothing renders.
  'dom/lib.js': {},
  'hooks.js': { RSCErrorHandler: '' },
}

const FILE = /[\\/]react-router[\\/]dist[\\/]production[\\/]lib[\\/](.+\.js)$/

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly id?: { readonly name: string } | null
  readonly body?: Node
}

/** Every function declaration of a tree, also those inside others. */
function functionsOf(tree: unknown, found: Node[] = []): Node[] {
  if (tree === null || typeof tree !== 'object') return found
  if ('type' in tree && tree.type === 'FunctionDeclaration') found.push(tree as Node)
  for (const inner of Object.values(tree)) functionsOf(inner, found)
  return found
}

export function unusedParts(): Plugin {
  const missing = new Set(Object.keys(UNUSED))
  return {
    name: 'unused-parts',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    transform(code, id) {
      const file = FILE.exec(id)?.[1]?.replaceAll('\\', '/')
      const bodies = file === undefined ? undefined : UNUSED[file]
      if (file === undefined || !bodies) return null
      missing.delete(file)
      const functions = functionsOf(this.parse(code))
      const cuts = Object.entries(bodies).map(([name, text]) => {
        const [one, ...others] = functions.filter((each) => each.id?.name === name)
        if (!one?.body || others.length > 0)
          throw new Error(`React Router's ${file} has ${one ? 'several' : 'no'} ${name}: see scripts/unused-parts.ts`)
        return { start: one.body.start, end: one.body.end, text: `{ ${text} }` }
      })
      let left = code
      for (const { start, end, text } of cuts.sort((a, b) => b.start - a.start)) left = left.slice(0, start) + text + left.slice(end)
      const shaken = left.replace(/^\w+\.displayName = .*;$/gm, '').replace(/(= )(React\$1\.forwardRef\()/g, '$1/* @__PURE__ */ $2')
      return { code: shaken, map: null }
    },
    buildEnd(error) {
      if (!error && missing.size > 0) throw new Error(`Not found in React Router: ${[...missing].join(', ')} (scripts/unused-parts.ts)`)
    },
  }
}
