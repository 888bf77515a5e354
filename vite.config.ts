import { join } from 'node:path'
import { reactRouter } from '@react-router/dev/vite'
import { defineConfig, type Plugin } from 'vite'
import { englishTexts } from './scripts/english-build.ts'
import { unusedParts } from './scripts/unused-parts.ts'

/** The browser needs the contract's paths and methods, not its schemas: each half of them is replaced by its value. */
function slimContract(): Plugin {
  const HALF = /[\\/]web[\\/]lib[\\/](customer|staff)-endpoints\.ts$/
  return {
    name: 'slim-contract',
    enforce: 'pre',
    async load(id) {
      const [, half] = HALF.exec(id) ?? []
      if (!half) return null
      const { customerEndpoints, staffEndpoints } = await import('./contract/endpoints-by-access.ts')
      return `export const endpoints = ${JSON.stringify(half === 'staff' ? staffEndpoints() : customerEndpoints())}`
    },
  }
}

/**
 * Pages use pure functions of the contract; the schemas beside them must not come along (Zod with them: 36 kB of all scripts, decision 021). What a contract
 * file makes at its top level has no effect but its value, so each is marked as removable when nobody reads it.
 */
function looseSchemas(): Plugin {
  const folder = join(import.meta.dirname, 'contract/')
  return {
    name: 'loose-schemas',
    apply: 'build',
    transform(code, id) {
      if (!id.startsWith(folder)) return null
      let marked = code
      const found = this.parse(code).body.flatMap((node) => {
        const declared = node.type === 'ExportNamedDeclaration' ? node.declaration : node
        return declared?.type === 'VariableDeclaration' && declared.kind === 'const' ? declared.declarations : []
      })
      for (const { init } of found.reverse())
        if (init && init.type !== 'ArrowFunctionExpression' && init.type !== 'Literal')
          marked = `${marked.slice(0, init.start)}/*#__PURE__*/ (() => (${marked.slice(init.start, init.end)}))()${marked.slice(init.end)}`
      return { code: marked, map: null }
    },
  }
}

/** The icons' index has 6 000 files; each icon is taken from its own. */
function singleIcons(): Plugin {
  const IMPORT = /import\s*\{([^}]*)\}\s*from\s*['"]@tabler\/icons-react['"]\s*;?/g
  return {
    name: 'single-icons',
    enforce: 'pre',
    transform(code, id) {
      if (!code.includes('@tabler/icons-react') || id.includes('/node_modules/')) return null
      return code.replace(IMPORT, (_all, names: string) =>
        names
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name && !name.startsWith('type '))
          .map((name) => {
            const [icon = name, local = icon] = name.split(/\s+as\s+/)
            return `import ${local} from '@tabler/icons-react/dist/esm/icons/${icon}.mjs';`
          })
          .join(''),
      )
    },
  }
}

/** Icons without names, which nothing reads, and those of lines as one path instead of several: less to send, and fewer elements. */
function shortIcons(): Plugin {
  const NODES = /(?<=const __iconNode = )\[.*\](?=;)/
  const NAMES = /(?<=createReactComponent\("outline", )"[^"]*", "[^"]*"/
  const CLASSES = /\[`tabler-icon`, .*\]\.filter\(Boolean\)\.join\(" "\)/
  type IconNode = readonly [tag: string, attributes: Readonly<Record<string, string>>]
  const isLine = ([tag, { d, key, ...others }]: IconNode) => tag === 'path' && d?.startsWith('M') && key && Object.keys(others).length === 0
  return {
    name: 'short-icons',
    enforce: 'pre',
    transform(code, id) {
      if (/@tabler\/icons-react\/dist\/esm\/createReactComponent\.mjs/.test(id)) {
        if (!CLASSES.test(code)) throw new Error('The classes of icons are written in another way: see vite.config.ts')
        return { code: code.replace(CLASSES, 'className').replace(/^ *Component\.displayName = .*$/m, ''), map: null }
      }
      if (!id.includes('/@tabler/icons-react/dist/esm/icons/') || !NAMES.test(code)) return null
      const nodes = JSON.parse(NODES.exec(code)?.[0] ?? '[]') as IconNode[]
      const lines = nodes.filter(isLine)
      const [first] = lines
      const one: IconNode[] = first ? [['path', { ...first[1], d: lines.map(([, { d }]) => d).join('') }]] : []
      const left = [...one, ...nodes.filter((node) => !isLine(node))]
      return { code: code.replace(NODES, () => JSON.stringify(left)).replace(NAMES, '"", ""'), map: null }
    },
  }
}

/**
 * Whoever loads a file later asks for the files that it imports at the same time. Those that the page has already, because the file that asks
 * needs them too, are left out of these lists.
 */
function shortPreloads(): Plugin {
  let imports: Readonly<Record<string, readonly string[]>> = {}
  const needsOf = (file: string, found = new Set<string>()): ReadonlySet<string> => {
    if (found.has(file)) return found
    found.add(file)
    for (const one of imports[file] ?? []) needsOf(one, found)
    return found
  }
  return {
    name: 'short-preloads',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    config: () => ({
      build: {
        modulePreload: {
          resolveDependencies(_file, needed, { hostId }) {
            const there = needsOf(hostId)
            return needed.filter((one) => !there.has(one))
          },
        },
      },
    }),
    generateBundle(_options, bundle) {
      imports = Object.fromEntries(Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file.imports]] : [])))
    },
  }
}

/** Groups that do not take what their modules import may export more from the file of a page than the page does; React Router asks for exact exports. */
function sharedEntries(): Plugin {
  return {
    name: 'shared-entries',
    enforce: 'post',
    config: () => ({ environments: { client: { build: { rolldownOptions: { preserveEntrySignatures: 'allow-extension' } } } } }),
  }
}

type Graph = { getModuleInfo(id: string): { importers: readonly string[]; dynamicImporters: readonly string[] } | null }

/** The frame that comes with every page of an area, the first pages of somebody who logs in, and the pages with classes. */
const MARKED: readonly (readonly [RegExp, string])[] = [
  [/^site\/layout$/, 'site frame'],
  [/^account\/(?:shell|mystudio)$/, 'account frame'],
  [/^admin\/shell$/, 'admin frame'],
  [/^access\/(?:layout|login|signup|recovery)$/, 'door'],
  [/^site\/landing$/, 'landing'],
  [/^site\/schedule$/, 'schedule'],
  [/^account\/calendar$/, 'calendar'],
  [/^account\/reservations$/, 'reservations'],
]
const AREA = /[\\/]web[\\/]areas[\\/](site|access|account|admin)[\\/]([\w-]+)\.tsx/

const known = new Map<string, ReadonlySet<string>>()

/**
 * Who needs a module: the areas of the pages that reach it as soon as they are there, the frames and pages that are marked above, and as
 * "later account" the areas that reach it in any way. Pages that a mail leads to call the API, so they count with the account.
 */
function usersOf(id: string, graph: Graph): ReadonlySet<string> {
  const before = known.get(id)
  if (before) return before
  const users = new Set<string>()
  const climb = (one: string, later: boolean, seen: Set<string>) => {
    if (seen.has(one)) return
    seen.add(one)
    const [, area = '', page = ''] = AREA.exec(one) ?? []
    if (area && later) users.add(`later ${area}`)
    else if (area) {
      users.add(area === 'access' && /^(?:offer|card-change)$/.test(page) ? 'account' : area)
      for (const [which, mark] of MARKED) if (which.test(`${area}/${page}`)) users.add(mark)
    } else if (!later && /[\\/]web[\\/]root\.tsx/.test(one)) {
      for (const each of ['root', 'site', 'access', 'account', 'admin', ...MARKED.map(([, mark]) => mark)]) users.add(each)
    }
    const info = graph.getModuleInfo(one)
    for (const above of info?.importers ?? []) climb(above, later, seen)
    if (later) for (const above of info?.dynamicImporters ?? []) climb(above, later, seen)
  }
  climb(id, false, new Set())
  climb(id, true, new Set())
  known.set(id, users)
  return users
}

/** A chunk of what several pages share; `of` says from its users whether a module belongs there. Earlier chunks take first. */
const shared = (name: string, minShareCount: number, of: (needs: (...users: string[]) => boolean) => boolean, test: RegExp = OURS) => ({
  name: (id: string, graph: Graph) => {
    const users = usersOf(id, graph)
    return of((...some) => some.every((one) => users.has(one))) ? name : null
  },
  debugName: name,
  minShareCount,
  test,
})
/** Dialogs, payment, cards of packages and what calls the API have chunks of their own; their styles are also the menu's, which must not bring them along. */
const OURS =
  /[\\/](?:web[\\/](?:ui|lib|features[\\/]\w+)|contract(?:[\\/]copy)?)[\\/](?!copy|api|bearer|stored-token|on-demand|customer|package-card|package-number|price|dialog|provider|choice|check|errors-account|new-password|signup-reason|phone-field)[^?]*\.tsx?$|[\\/]@tabler[\\/]/
const FIELDS = /[\\/](?:ui[\\/]field\.tsx|lib[\\/](?:form|typed-early)\.ts|account[\\/]google-button\.tsx|IconEye(?:Off)?\.mjs)$/
/** What is behind the log-in: all of ours without the contract's schemas, and the query cache without what a few pages need of it. */
const SIGNED_IN =
  /[\\/](?:contract[\\/](?:copy[\\/][\w-]+|admin-paths)\.ts$|web[\\/](?:ui|lib|features[\\/][\w-]+(?:[\\/][\w-]+)?)[\\/][\w-]+\.tsx?$|@tabler[\\/]|@tanstack[\\/](?!.*(?:queriesObserver|useQueries)))/

/** These take only what they name: a module that one of them reaches has the same users or more, so it is in an earlier one or on its own. */
const behind = (name: string, minShareCount: number, of: (needs: (...users: string[]) => boolean) => boolean) => ({
  ...shared(name, minShareCount, (needs) => !needs('site') && !needs('door') && of(needs), SIGNED_IN),
  includeDependenciesRecursively: false,
})

/**
 * Few files, because together they compress better than thirty small ones; and several, because a page should not bring what
 * only other areas need: signing in brings no calendar, and a public page no forms.
 */
const groups = [
  { name: 'react', test: /[\\/]node_modules[\\/](?:react|react-dom|react-router|scheduler|cookie|set-cookie-parser)[\\/]/ },
  // On its own, or it would bring along whatever loads something later.
  { name: 'preload', test: /preload-helper/ },
  shared('base', 6, (needs) => needs('site', 'access', 'account') || needs('site', 'account', 'admin frame')),
  // What forms are made of: the calendar, a roster and the lists of the administration have none before a dialog opens.
  {
    ...shared('fields', 3, (needs) => needs('access', 'account'), FIELDS),
    includeDependenciesRecursively: false,
  },
  shared('inside', 4, (needs) => needs('access', 'account')),
  shared('signup', 1, (needs) => needs('access'), /[\\/](?:new-password|signup-reason|phone-field)\.tsx$/),
  shared('frame', 1, (needs) => needs('site frame', 'account') && !needs('root')),
  shared(
    'classes',
    4,
    (needs) => needs('site', 'account'),
    /[\\/](?:calendar[\\/]class-(?:facts|name)|coach-portrait|ui[\\/]marks(?:-count)?)\.tsx?$/,
  ),
  shared(
    'week',
    2,
    (needs) => needs('landing', 'schedule', 'calendar') && !needs('site frame'),
    /[\\/](?:features[\\/]calendar[\\/][\w-]+|ui[\\/]week-[\w-]+)\.tsx?$/,
  ),
  shared('site', 1, (needs) => needs('site frame') || (needs('site') && !['access', 'account', 'admin'].some((area) => needs(area)))),
  shared('studio', 8, (needs) => needs('site', 'account')),
  behind('signed', 4, (needs) => needs('account', 'admin frame')),
  // What dialogs of the account bring later, and the frame of the administration at once.
  behind('late', 2, (needs) => needs('admin frame') && (needs('later account') || needs('later access'))),
  behind('account', 2, (needs) => needs('account frame') && !needs('access') && !needs('later site') && !needs('later admin')),
  behind('admin', 2, (needs) => needs('admin frame') && !needs('later site')),
  behind('booking', 2, (needs) => needs('calendar', 'reservations') && !needs('admin')),
]

export default defineConfig({
  plugins: [
    ...(process.env.PAGES_LANGUAGE === 'en' ? [englishTexts(import.meta.dirname)] : []),
    slimContract(),
    looseSchemas(),
    singleIcons(),
    shortIcons(),
    shortPreloads(),
    unusedParts(),
    reactRouter(),
    sharedEntries(),
  ],
  build: { target: 'es2022', assetsInlineLimit: 0, sourcemap: false, reportCompressedSize: false },
  environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } } },
  // Bundled into the server build: 0.7 s and 50 MB less at start. React and its router stay outside, one instance each.
  ssr: { noExternal: [/^@tabler\//, /^@tanstack\//, /^@orpc\//] },
  optimizeDeps: {
    entries: ['web/entry.client.tsx', 'web/root.tsx', 'web/areas/**/*.tsx'],
    include: ['react-dom/client', 'react-router/dom'],
    // Served as they are: one by one found late, each would reload the page.
    exclude: ['@tabler/icons-react'],
  },
})
