/** The OpenAPI document and its browsable page (whose scripts are served by this host). */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { AnyContractRouter } from '@orpc/contract'
import { type OpenAPI, OpenAPIGenerator } from '@orpc/openapi'
import { traverseContractProcedures } from '@orpc/server'
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { type Access, type EndpointMeta, isStaffAccess, rightOf, type StaffAccess } from '#contract/endpoint.ts'
import { fieldDescriptions } from '#contract/field-descriptions.ts'
import { rolesText } from '#contract/rights.ts'
import { webhookMessage } from '#contract/webhook-data.ts'
import { type WebhookEvent, webhookEvents } from '#contract/webhooks.ts'
import { onWorkerThread } from '#server/platform/worker-thread.ts'

const PAGE = `<!doctype html><html lang="es-MX"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>API de Estudio</title><link rel="icon" href="/favicon.svg"><link rel="stylesheet" href="ui/swagger-ui.css"></head><body><div id="swagger-ui"></div>
<script src="ui/swagger-ui-bundle.js"></script><script src="start.js"></script></body></html>`
const START = `window.ui = SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#swagger-ui', deepLinking: true, validatorUrl: null })`
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'"

const TOKEN = { token: [] }
/** Each kind of access, in words for readers and as OpenAPI security requirements for programs. */
const ACCESS: Record<Exclude<Access, StaffAccess>, { text: string; security: object[] }> = {
  public: { text: 'Cualquiera.', security: [] },
  optional: { text: 'Cualquiera; con sesión responde más.', security: [{}, TOKEN] },
  identity: { text: 'Quien inició sesión, aunque todavía no sea cliente.', security: [TOKEN] },
  customer: { text: 'Clientes, solo sobre lo suyo.', security: [TOKEN] },
}

function accessInfo(access: Access): { text: string; security: object[] } {
  if (!isStaffAccess(access)) return ACCESS[access]
  const needs = rightOf(access)
  const text =
    access === 'staff-session'
      ? 'Cualquiera del equipo, también en un dispositivo compartido que espera un PIN.'
      : needs
        ? `Equipo con el derecho \`${needs}\`, que de inicio es de: ${rolesText(needs)}.`
        : 'Cualquiera del equipo.'
  return { text, security: [TOKEN] }
}
const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Una clave por intención: repetir la solicitud con ella tiene un solo efecto, y la respuesta dice cómo está ahora lo que se pidió.',
  schema: { type: 'string', minLength: 1, maxLength: 200 },
}

interface Schema {
  description?: string
  properties?: Record<string, Schema>
  [keyword: string]: unknown
}

interface Operation {
  description?: string
  security?: object[]
  parameters?: { name: string; description?: string; schema?: Schema }[]
  requestBody?: { content?: Record<string, { schema?: Schema }> }
  responses?: Record<string, { description?: string; content?: Record<string, { schema?: { oneOf?: unknown[] } }> }>
}

type RefusalSchema = OpenAPI.SchemaObject & {
  properties: { code: { const?: string }; message: { default?: string } }
}

const isRefusal = (schema: unknown): schema is RefusalSchema =>
  typeof schema === 'object' && schema !== null && 'properties' in schema && 'code' in (schema.properties as object)

/** Moves every refusal into a named component schema, by its code, and the generator's schema for undeclared errors too. */
function nameRefusals(operation: Operation, schemas: Record<string, OpenAPI.SchemaObject>): void {
  for (const response of Object.values(operation.responses ?? {})) {
    const schema = response.content?.['application/json']?.schema
    if (!schema?.oneOf?.every(isRefusal)) continue
    response.description =
      schema.oneOf.map((refusalSchema) => refusalSchema.properties.message.default).find(Boolean) ?? response.description
    schema.oneOf = schema.oneOf.map((refusalSchema) => {
      const name = refusalSchema.properties.code.const ?? 'OTHER'
      schemas[name] = refusalSchema
      return { $ref: `#/components/schemas/${name}` }
    })
  }
}

/** The keywords of a JSON schema that hold other schemas. */
const INNER = ['items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf'] as const

/** Finds the description of a field by its holder and name; records which entries were used and which fields have none. */
class Describer {
  readonly taken = new Set<string>()
  readonly undescribed = new Set<string>()

  #describe(field: { description?: string }, holder: string, name: string): void {
    if (field.description) return
    const entry = [`${holder}.${name}`, name].find((key) => Object.hasOwn(fieldDescriptions, key))
    if (!entry) return void this.undescribed.add(`${holder}.${name}`)
    this.taken.add(entry)
    field.description = fieldDescriptions[entry]
  }

  /** Describes every field below a schema. `holder`: the field that the schema belongs to, or the path of the endpoint. */
  schema(schema: unknown, holder: string): void {
    if (typeof schema !== 'object' || schema === null) return
    const { properties = {}, ...rest } = schema as Schema
    for (const [name, field] of Object.entries(properties)) {
      this.#describe(field, holder, name)
      this.schema(field, name)
    }
    for (const keyword of INNER) for (const inner of [rest[keyword]].flat()) this.schema(inner, holder)
  }

  operation(path: string, { parameters = [], requestBody, responses = {} }: Operation): void {
    for (const parameter of parameters) this.#describe(parameter, path, parameter.name)
    for (const part of [requestBody, responses['200']])
      for (const { schema } of Object.values(part?.content ?? {})) this.schema(schema, path)
  }
}

const UNKNOWN_FIELDS = {
  refused: 'Un campo desconocido se rechaza con INVALID_INPUT.',
  ignored: 'Los campos desconocidos se ignoran.',
}

interface OpenApiDocument {
  document: object
  /** Fields without an entry in contract/field-descriptions.ts, as `holder.field`; `npm run check` fails on them. */
  undescribed: string[]
  /** Entries of contract/field-descriptions.ts that match no field. */
  unusedDescriptions: string[]
}

/** How programs use the API, for the top of the page. Its examples are run by api-guide.test.ts. */
export const apiGuide = (): string => readFileSync(new URL('./api-guide.md', import.meta.url), 'utf8')

/** The example of a schema, made of those of its fields. */
function exampleOf({ properties = {}, ...schema }: Schema): unknown {
  if ('example' in schema) return schema.example
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, exampleOf(field)]))
}

/** The message of each event, as what a receiver is sent. */
function webhookOperations(): Record<string, OpenAPI.PathItemObject> {
  const events = Object.entries(webhookEvents) as [WebhookEvent, string][]
  return Object.fromEntries(
    events.map(([event, summary]) => {
      const { $schema: _, ...schema } = z.toJSONSchema(webhookMessage(event), { target: 'draft-2020-12' })
      const content = { 'application/json': { schema, example: exampleOf(schema as Schema) } }
      const responses = { '2XX': { description: 'Se recibió. Cualquier otra respuesta se intenta otra vez durante tres días.' } }
      const post = { operationId: event, summary, tags: ['Webhooks'], requestBody: { required: true, content }, responses }
      return [event, { post } as OpenAPI.PathItemObject]
    }),
  )
}

/** The document of every endpoint: generated from the contract, with each endpoint's access and the description of every field. */
export async function openApiDocument(router: AnyContractRouter, publicUrl: string): Promise<OpenApiDocument> {
  const document = await new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] }).generate(router, {
    info: { title: 'Estudio', version: '1', description: apiGuide() },
    servers: [{ url: `${publicUrl}/api` }],
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'El token de una sesión; para programas del estudio, una llave de API (`est_…`) con los derechos que se le dieron.',
        },
      },
    },
  })
  const paths = document.paths as Record<string, Record<string, Operation>>
  const schemas: Record<string, OpenAPI.SchemaObject> = {}
  const describer = new Describer()
  traverseContractProcedures({ router, path: [] }, ({ contract }) => {
    const { route, meta, errorMap } = contract['~orpc']
    const operation = paths[route.path ?? '']?.[(route.method ?? '').toLowerCase()]
    if (!operation) throw new Error(`${route.method} ${route.path} is missing from the OpenAPI document.`)
    const { access, unknownFields } = meta as EndpointMeta
    const { text, security } = accessInfo(access)
    operation.security = security
    operation.description = [operation.description, `Acceso: ${text}`, UNKNOWN_FIELDS[unknownFields]].filter(Boolean).join('\n\n')
    describer.operation(route.path ?? '', operation)
    if ('IDEMPOTENCY_KEY_REUSED' in errorMap) operation.parameters = [...(operation.parameters ?? []), IDEMPOTENCY_KEY]
    nameRefusals(operation, schemas)
  })
  document.components = { ...document.components, schemas }
  document.webhooks = webhookOperations()
  return {
    document,
    undescribed: [...describer.undescribed],
    unusedDescriptions: Object.keys(fieldDescriptions).filter((entry) => !describer.taken.has(entry)),
  }
}

const generate = onWorkerThread<(publicUrl: string) => Promise<string>>(new URL('./openapi-task.ts', import.meta.url), 'openApiText')

/** Registers `/api/openapi.json`, generated at the first request, and `/api/reference/`. */
export async function openApiReference(app: FastifyInstance, publicUrl: string): Promise<void> {
  let promise: Promise<string> | undefined
  app.get('/api/openapi.json', async (_req, reply) => {
    promise ??= generate(publicUrl)
    promise.catch(() => {
      promise = undefined
    })
    return reply.type('application/json').send(await promise)
  })
  await app.register(async (page) => {
    page.addHook('onRequest', async (_req, reply) => void reply.raw.setHeader('content-security-policy', POLICY))
    page.get('/api/reference', async (_req, reply) => reply.redirect('/api/reference/'))
    page.get('/api/reference/', async (_req, reply) => reply.type('text/html').send(PAGE))
    page.get('/api/reference/start.js', async (_req, reply) => reply.type('text/javascript').send(START))
    await page.register(fastifyStatic, {
      root: dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')),
      prefix: '/api/reference/ui/',
      index: false,
      decorateReply: false,
      allowedPath: (path) => ['/swagger-ui.css', '/swagger-ui-bundle.js'].includes(path),
    })
  })
}
