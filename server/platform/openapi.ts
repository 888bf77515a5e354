/** The OpenAPI document and its browsable page (architecture section 1; no script of another host). */
import { dirname } from 'node:path'
import { createRequire } from 'node:module'
import fastifyStatic from '@fastify/static'
import { OpenAPIGenerator } from '@orpc/openapi'
import type { AnyRouter } from '@orpc/server'
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4'
import type { FastifyInstance } from 'fastify'

const PAGE = `<!doctype html><html lang="es-MX"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>API de Estudio</title><link rel="stylesheet" href="ui/swagger-ui.css"></head><body><div id="swagger-ui"></div>
<script src="ui/swagger-ui-bundle.js"></script><script src="start.js"></script></body></html>`
const START = `window.ui = SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#swagger-ui', deepLinking: true })`
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'"

export async function openApiReference(app: FastifyInstance, router: AnyRouter, publicUrl: string): Promise<void> {
  let made: Promise<string> | undefined
  const document = () =>
    new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] })
      .generate(router, {
        info: { title: 'Estudio', version: '1', description: 'La API del estudio. Los importes son pesos con dos decimales, en texto.' },
        servers: [{ url: `${publicUrl}/api` }],
        components: { securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
      })
      .then((found) => JSON.stringify(found))
  app.get('/api/openapi.json', async (_req, reply) => {
    made ??= document()
    return reply.type('application/json').send(await made)
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
