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
 * Pages use pure functions of the contract; the schemas beside them must not come along (24 kB of Zod). What a contract
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

type Importers = (id: string) => readonly string[]

/**
 * Who needs a module as soon as it is there: the areas of the pages that reach it, and the frame around every public page. Pages
 * that a mail leads to call the API, so they count with the account.
 */
function usersOf(id: string, importers: Importers, seen = new Set<string>(), users = new Set<string>()): Set<string> {
  if (seen.has(id)) return users
  seen.add(id)
  const [, area, page = ''] = /[\\/]web[\\/](?:areas[\\/](site|access|account)[\\/]([\w-]+)|root)\.tsx/.exec(id) ?? []
  if (/[\\/]web[\\/]root\.tsx/.test(id)) for (const one of ['site', 'access', 'account']) users.add(one)
  if (area) users.add(area === 'access' && /^(?:offer|card-change)$/.test(page) ? 'account' : area)
  if (area === 'site' && page === 'layout') users.add('frame')
  for (const above of importers(id)) usersOf(above, importers, seen, users)
  return users
}

/** A chunk of what several pages share; `of` says from its users whether a module belongs there. Earlier chunks take first. */
const shared = (name: string, minShareCount: number, of: (users: ReadonlySet<string>) => boolean) => ({
  name: (id: string, graph: { getModuleInfo(id: string): { importers: readonly string[] } | null }) =>
    of(usersOf(id, (one) => graph.getModuleInfo(one)?.importers ?? [])) ? name : null,
  minShareCount,
  test: OURS,
})
/** Dialogs, payment, cards of packages and what calls the API have chunks of their own; their styles are also the menu's, which must not bring them along. */
const OURS =
  /[\\/](?:web[\\/](?:ui|lib|features[\\/]\w+)|contract(?:[\\/]copy)?)[\\/](?!copy|api|bearer|stored-token|on-demand|customer|package-card|package-number|price|dialog|provider|choice|check|errors-account)[^?]*\.tsx?$|[\\/]@tabler[\\/]/

/** One file for the icons that `user` imports, without those that something outside `area` imports too. */
const icons = (name: string, user: RegExp, area: RegExp) => ({
  name: (id: string, graph: { getModuleInfo(id: string): { importers: readonly string[] } | null }) => {
    const importers = graph.getModuleInfo(id)?.importers ?? []
    return importers.some((one) => user.test(one)) && importers.every((one) => area.test(one)) ? name : null
  },
  test: /[\\/]@tabler[\\/]/,
})

/**
 * Few files, because together they compress better than thirty small ones; and several, because a page should not bring what
 * only other areas need: signing in brings no calendar, and a public page no forms.
 */
const groups = [
  { name: 'react', test: /[\\/]node_modules[\\/](?:react|react-dom|react-router|scheduler|cookie|set-cookie-parser)[\\/]/ },
  // On its own, or it would bring along whatever loads something later.
  { name: 'preload', test: /preload-helper/ },
  shared('base', 6, (users) => ['site', 'access', 'account'].every((area) => users.has(area))),
  shared('inside', 4, (users) => users.has('access') && users.has('account')),
  shared('site', 1, (users) => users.has('frame') || (users.has('site') && users.size === 1)),
  shared('studio', 8, (users) => users.has('site') && users.has('account')),
  icons('frame-icons', /[\\/]admin[\\/]frame[\\/]/, /[\\/]admin[\\/]/),
  icons('account-icons', /[\\/]account[\\/]account-bar\.tsx/, /[\\/](?:account|admin)[\\/]/),
]

export default defineConfig({
  plugins: [
    ...(process.env.PAGES_LANGUAGE === 'en' ? [englishTexts(import.meta.dirname)] : []),
    slimContract(),
    looseSchemas(),
    singleIcons(),
    unusedParts(),
    reactRouter(),
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
