// Loaded with --import. Node 24 reads drizzle-orm's package.json (179 kB) again for each of its files: 240 MB and 0.65 s to import it,
// against 14 MB and 0.07 s with this. Measure again at each update of Node or drizzle-orm and drop it when it stops paying.
import { registerHooks } from 'node:module'

registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL?.includes('/node_modules/drizzle-orm/'))
      return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
    return next(specifier, context)
  },
})
