// Speeds up module loading; loaded with --import by every process of the project. Measure all parts again at each update of Node or
// drizzle-orm.
import { enableCompileCache, registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const ROOT = pathToFileURL(`${join(import.meta.dirname, '..')}/`).href
/** Our own code (package.json, "imports"): always modules of TypeScript, whose extension is written. */
const OWN = /^#(?:client|contract|server|web)\/.*\.ts$/
/** Packages of many files, all of them modules. */
const MODULES = /\/node_modules\/(?:drizzle-orm|jose|react-router|zod)\//

/** Zod's texts in fifty languages: one source text in each, of which we use none (contract/copy/validation.ts has our own). */
const ZOD_LOCALES = /\/node_modules\/zod\/v4\/(?:classic|core|mini)\//

/** What our own files import by the name of a package. */
const packages = new Map()

/** Characters that make the engine keep a whole source text with two bytes for each of its characters, not one. */
const WIDE = /[\u0100-\uffff]/
const WIDE_ALL = /[\u0100-\uffff]/g
/** Where an escape would not mean the character: after a backslash, and in templates that are read as they are written. */
const NOT_ESCAPABLE = /^\ufeff|\\[\u0100-\uffff]|String\.raw/
const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

// Node 24 reads a package.json again for each import that it resolves and for each file whose type it must learn; that of drizzle-orm has
// 179 kB. With this an import of the whole server takes half of the processor time, and of drizzle-orm alone 14 MB instead of 240 MB.
registerHooks({
  resolve(specifier, context, next) {
    const from = context.parentURL ?? ''
    if (!context.conditions?.includes('import')) return next(specifier, context)
    if (specifier === '../locales/index.js' && ZOD_LOCALES.test(from))
      return { url: new URL('../locales/en.js', from).href, format: 'module', shortCircuit: true }
    if (MODULES.test(from)) {
      if (specifier.startsWith('.') && specifier.endsWith('.js'))
        return { url: new URL(specifier, from).href, format: 'module', shortCircuit: true }
      return next(specifier, context)
    }
    if (!from.startsWith(ROOT) || from.includes('/node_modules/')) return next(specifier, context)
    if (OWN.test(specifier)) return { url: ROOT + specifier.slice(1), format: 'module-typescript', shortCircuit: true }
    if (specifier.startsWith('.')) {
      if (!specifier.endsWith('.ts')) return next(specifier, context)
      return { url: new URL(specifier, from).href, format: 'module-typescript', shortCircuit: true }
    }
    const known = packages.get(specifier)
    if (known) return known
    const found = next(specifier, context)
    packages.set(specifier, { url: found.url, format: found.format, shortCircuit: true })
    return found
  },
  // Characters beyond Latin 1 are written as escapes, which mean the same in strings, templates, patterns and comments: 5 MiB less.
  load(url, context, next) {
    const loaded = next(url, context)
    if (loaded.format !== 'module' && loaded.format !== 'module-typescript') return loaded
    const text = typeof loaded.source === 'string' ? loaded.source : Buffer.from(loaded.source).toString()
    if (!WIDE.test(text) || NOT_ESCAPABLE.test(text)) return loaded
    return { ...loaded, source: text.replace(WIDE_ALL, escaped) }
  },
})

// Caches the compiled code of 300 TypeScript files and as many of libraries until `npm ci`: saves a third of the CPU of a start.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/node'))
