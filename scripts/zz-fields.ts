import { router } from '/work/wt/strict/server/router.ts'
import { OpenAPIGenerator } from '@orpc/openapi'
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4'
const g = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] })
const doc: any = await g.generate(router as any, { info: { title: 'x', version: '1' } })
const req = new Map<string, Set<string>>(), res = new Map<string, Set<string>>()
let nr=0, ns=0
function walk(schema: any, where: string, into: Map<string, Set<string>>, seen = new Set()) {
  if (!schema || typeof schema !== 'object' || seen.has(schema)) return
  seen.add(schema)
  for (const [k, v] of Object.entries(schema.properties ?? {})) { if (into===req) nr++; else ns++; if (!into.has(k)) into.set(k, new Set()); into.get(k)!.add(where); walk(v, where + '.' + k, into, seen) }
  for (const k of ['items', 'additionalProperties', 'not']) walk(schema[k], where, into, seen)
  for (const k of ['anyOf', 'oneOf', 'allOf']) for (const s of schema[k] ?? []) walk(s, where, into, seen)
}
for (const [path, ops] of Object.entries<any>(doc.paths)) for (const [m, op] of Object.entries<any>(ops)) {
  for (const p of op.parameters ?? []) { nr++; if (!req.has(p.name)) req.set(p.name, new Set()); req.get(p.name)!.add(`${m} ${path}`) }
  walk(op.requestBody?.content?.['application/json']?.schema, `${m} ${path}`, req)
  walk(op.responses?.['200']?.content?.['application/json']?.schema, `${m} ${path}`, res)
}
console.log(nr, req.size, ns, res.size, new Set([...req.keys(), ...res.keys()]).size, Object.keys(doc.components?.schemas ?? {}).length)
for (const k of process.argv.slice(2)) console.log(k, '|', [...(req.get(k)??[])].slice(0,4).join(', '), '| RES', [...(res.get(k)??[])].slice(0,3).join(', '))
