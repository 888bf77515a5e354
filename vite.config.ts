import { join } from 'node:path'
import { minifyContractRouter } from '@orpc/contract'
import { reactRouter } from '@react-router/dev/vite'
import { defineConfig, type Plugin } from 'vite'

/** The browser needs the contract's paths and methods, not its schemas: 24 kB less. Rendering needs not even those. */
function slimContract(): Plugin {
  const SLIM = '\0slim-contract'
  return {
    name: 'slim-contract',
    enforce: 'pre',
    resolveId(id) {
      return id === '#contract/index.ts' ? SLIM : null
    },
    async load(id) {
      if (id !== SLIM) return null
      const { contract } = await import('./contract/index.ts')
      return `export const contract = ${JSON.stringify(minifyContractRouter(contract))}`
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

/**
 * Four files instead of forty small ones: together they compress 7 kB better. What needs the API or the identity service
 * stays out of the second one, and so does what only signed-in pages share: dialogs first of all.
 */
const groups = [
  { name: 'react', test: /[\\/]node_modules[\\/](?:react|react-dom|react-router|scheduler|cookie|set-cookie-parser)[\\/]/ },
  {
    name: 'base',
    minShareCount: 6,
    test: /[\\/](?:web[\\/](?:ui|lib|features)|contract)[\\/](?!api|customer|dialog|form|errors|live|identity|login|signup|(?:\w+-)?field|check|choice|session\.|provider|pricing|list-page).*\.tsx?$|[\\/]@tabler[\\/](?!.*Icon(?:Check|Lock|InfoCircle|Cash|BrandGoogle)\.)/,
  },
  // What forms share, and what stands around every public page: small files that come together anyway.
  { name: 'fields', minShareCount: 3, test: /[\\/]web[\\/](?:ui|features)[\\/](?:(?:\w+-)?field|checkbox|submit-button)\.tsx?$/ },
  { name: 'frame', minShareCount: 2, test: /[\\/]web[\\/]features[\\/](?:footer|site-navbar|site-header)\.tsx$/ },
]

export default defineConfig({
  plugins: [slimContract(), looseSchemas(), singleIcons(), reactRouter()],
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
