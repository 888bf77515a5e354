import { join } from 'node:path'
import { reactRouter } from '@react-router/dev/vite'
import { defineConfig, type Plugin } from 'vite'
import { englishTexts } from './scripts/english-build.ts'
import { unusedParts } from './scripts/unused-parts.ts'

/** The browser needs the contract's paths and methods, not its schemas: each of the two modules of endpoints is replaced by its value. */
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
 * Removes the contract's schemas from pages that import its pure functions (Zod with them: 36 kB of all scripts, decision 021). Top-level
 * calls of contract files have no side effects, so each is marked as pure and dropped when its value is unused.
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

/** The icons' index has 6,000 files; each icon is imported from its own file. */
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

/** Removes the unused names of icons, and joins the paths of line icons: fewer bytes and elements. */
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

/** A lazy import preloads the imports of its file. This list leaves out those that the importing file has loaded already. */
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

/** Chunks without their dependencies may add exports to the file of a page; by default React Router requires exact exports. */
function sharedEntries(): Plugin {
  return {
    name: 'shared-entries',
    enforce: 'post',
    config: () => ({ environments: { client: { build: { rolldownOptions: { preserveEntrySignatures: 'allow-extension' } } } } }),
  }
}

type Graph = { getModuleInfo(id: string): { importers: readonly string[]; dynamicImporters: readonly string[] } | null }

/** The frame of every page of an area, the first pages after a log-in, and the pages with classes. */
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
 * The users of a module: the areas of the pages that import it statically, the frames and pages that are marked above, and as "later
 * account" the areas that reach it by any import. Pages linked from mails call the API, so they count with the account.
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
      users.add(`page ${area}/${page}`)
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

/** What decides whether a module belongs to a chunk: its users, its file, and how many pages import it statically. */
type Belongs = (needs: (...users: string[]) => boolean, id: string, pages: number) => boolean

/**
 * A chunk of modules that several pages share; `of` decides by its users whether a module belongs there. Earlier chunks take precedence.
 */
const shared = (name: string, minShareCount: number, of: Belongs, test: RegExp = OURS) => ({
  name: (id: string, graph: Graph) => {
    const users = usersOf(id, graph)
    const pages = [...users].filter((one) => one.startsWith('page ')).length
    return of((...some) => some.every((one) => users.has(one)), id, pages) ? name : null
  },
  debugName: name,
  minShareCount,
  test,
})
/**
 * Dialogs, payment, cards of packages and modules that call the API have chunks of their own; the menu uses their styles, and must not load
 * their scripts.
 */
const OURS =
  /[\\/](?:web[\\/](?:ui|lib|features[\\/]\w+)|contract(?:[\\/]copy)?)[\\/](?!copy|api|bearer|stored-token|on-demand|lazy-part|customer|package-card|package-number|price|dialog|provider|choice|checkout|errors-account|new-password|signup-reason|phone-field)[^?]*\.tsx?$|[\\/]@tabler[\\/]/
/** What the visitor's checkout, where one logs in too, shares with the pages behind the log-in: it loads nothing else of theirs. */
const OF_VISITORS = /[\\/](?:lib[\\/](?:stored-token|resumed-session)\.ts|ui[\\/]choice\.(?:tsx|css)|IconArrowLeft\.mjs)$/
const EITHER = new RegExp(`${OURS.source}|${OF_VISITORS.source}`)
const FIELDS = /[\\/](?:ui[\\/]field\.tsx|lib[\\/](?:form|typed-early)\.ts|account[\\/]google-button\.tsx|IconEye(?:Off)?\.mjs)$/
/**
 * Modules of pages behind the log-in: all of ours without the contract's schemas, and the query cache without the parts that only a few
 * pages need.
 */
const SIGNED_IN =
  /[\\/](?:contract[\\/](?:copy[\\/][\w-]+|admin-paths|paging|role-labels|setting-areas)\.ts$|web[\\/](?:ui|lib|areas[\\/]account(?=[^?]*(?:\.css|page-head\.tsx)$)|features[\\/][\w-]+(?:[\\/][\w-]+)?)[\\/][\w-]+\.(?:tsx?|css)$|@tabler[\\/]|@tanstack[\\/](?!.*(?:queriesObserver|useQueries)))/

/** Small modules that several pages behind the log-in load: over HTTP/1.1 a file of its own costs more time than 10 kB. */
const PARTS =
  /[\\/](?:ui[\\/](?:dialog|choice)|features[\\/]site[\\/]loaded|contract[\\/]paging|lib[\\/](?:use-dialog-param|on-demand|list-page))\.tsx?$/
const ACCOUNT_PARTS = /[\\/](?:account[\\/](?:page-head|no-customer)|lib[\\/]deferred-answer|[\w-]+[\\/]owed-text)\.tsx?$/
const VIEW_LINKS = /[\\/]view-links\.(?:tsx|css)$/

/**
 * These chunks take only the named modules, without their dependencies: a dependency has the same users or more, so it is in an earlier
 * chunk or one of its own.
 */
const behind = (name: string, minShareCount: number, of: Belongs) => ({
  ...shared(name, minShareCount, (needs, id, pages) => !needs('site') && !needs('door') && of(needs, id, pages), SIGNED_IN),
  includeDependenciesRecursively: false,
})

/**
 * Few chunks, because together they compress better than thirty small ones; and several, because a page should not load the code of other
 * areas: signing in loads no calendar, and a public page no forms.
 */
const groups = [
  {
    name: 'react',
    test: /[\\/]node_modules[\\/](?:react|react-dom|react-router|scheduler|cookie|set-cookie-parser)[\\/]|preload-helper/,
  },
  shared(
    'base',
    1,
    (needs, _id, pages) => needs('root') || (pages >= 6 && (needs('site', 'access', 'account') || needs('site', 'account', 'admin'))),
  ),
  // The parts of forms: the calendar, a roster and the lists of the administration have none before a dialog opens.
  {
    ...shared('fields', 3, (needs) => needs('access', 'account'), FIELDS),
    includeDependenciesRecursively: false,
  },
  shared('inside', 4, (needs, id) => needs('access', 'account') || OF_VISITORS.test(id), EITHER),
  shared('signup', 1, (needs) => needs('access'), /[\\/](?:new-password|signup-reason|phone-field)\.tsx$/),
  shared('frame', 1, (needs, id) => needs('site', 'account') && (needs('site frame') || VIEW_LINKS.test(id))),
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
  {
    name: 'prices',
    test: /[\\/](?:checkout[\\/]package-text|contract[\\/](?:pricing|package-sections))\.ts$/,
    includeDependenciesRecursively: false,
  },
  // What the account and the administration both need, now or in a dialog of either.
  behind(
    'signed',
    2,
    (needs, id) =>
      (needs('account') && (needs('admin frame') || (needs('admin') && (id.endsWith('.css') || PARTS.test(id))))) ||
      (needs('admin frame') && (needs('later account') || needs('later access'))),
  ),
  // With the styles of all its pages.
  behind(
    'account',
    1,
    (needs, id, pages) =>
      needs('account') &&
      !needs('access') &&
      !needs('page access/offer') &&
      !needs('page access/card-change') &&
      !needs('admin') &&
      ((id.endsWith('.css') && !needs('page account/checkout')) ||
        ACCOUNT_PARTS.test(id) ||
        (pages >= 2 && needs('account frame') && !needs('later site') && !needs('later admin'))),
  ),
  behind('admin', 2, (needs) => needs('admin frame') && !needs('later site')),
  behind('booking', 2, (needs) => needs('calendar', 'reservations') && !needs('admin')),
  // The figures of Hoy and the reports.
  { name: 'figures', test: /[\\/]today[\\/](?:figure-text|period-switch)\.tsx?$/, includeDependenciesRecursively: false },
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
    // Served as they are: pre-bundling each one when it is found would reload the page.
    exclude: ['@tabler/icons-react'],
  },
})
