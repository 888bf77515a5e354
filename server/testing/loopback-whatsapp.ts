/**
 * A fake of Meta's Cloud API on loopback, as strict as the real one about authentication, version, template, language and number of
 * parameters. The last digits of a phone number select the result of its messages.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as z from 'zod'
import { templates } from '#server/adapters/whatsapp/templates.ts'

const templateInput = z.strictObject({
  messaging_product: z.literal('whatsapp'),
  recipient_type: z.literal('individual'),
  to: z.string().regex(/^\d{12}$/),
  type: z.literal('template'),
  template: z.strictObject({
    name: z.string(),
    language: z.strictObject({ code: z.literal('es_MX') }),
    components: z.tuple([
      z.strictObject({
        type: z.literal('body'),
        parameters: z.array(z.strictObject({ type: z.literal('text'), text: z.string().min(1) })),
      }),
      z.strictObject({
        type: z.literal('button'),
        sub_type: z.literal('url'),
        index: z.literal('0'),
        parameters: z.tuple([z.strictObject({ type: z.literal('text'), text: z.string().min(1) })]),
      }),
    ]),
  }),
  biz_opaque_callback_data: z.string().max(512),
})

export interface Delivered {
  to: string
  template: string
  blanks: string[]
  path: string
  id: string
  callback: string
}

/** A template at the fake, in es_MX. */
export interface FakeTemplate {
  name: string
  status: 'APPROVED' | 'PENDING' | 'REJECTED' | 'PAUSED'
  body: string
  rejected_reason: string
}

const submitted = z.strictObject({
  name: z.string().regex(/^[a-z0-9_]{1,512}$/),
  language: z.literal('es_MX'),
  category: z.enum(['UTILITY', 'MARKETING']),
  components: z.tuple([
    z.strictObject({
      type: z.literal('BODY'),
      text: z.string().min(1).max(1_024),
      example: z.strictObject({ body_text: z.tuple([z.array(z.string().min(1))]) }).optional(),
    }),
    z.strictObject({
      type: z.literal('BUTTONS'),
      buttons: z.tuple([
        z.strictObject({
          type: z.literal('URL'),
          text: z.string().min(1).max(25),
          url: z.string().regex(/^https?:\/\/.*\{\{1\}\}$/),
          example: z.tuple([z.string().regex(/^https?:\/\//)]),
        }),
      ]),
    }),
  ]),
})

/** The provider's rules for the blanks of a body: counted from 1, a sample of each, not at the ends, not side by side, enough words. */
function isValidBody(text: string, samples: readonly string[]): boolean {
  const found = [...text.matchAll(/\{\{(\d+)\}\}/g)].map(([, n]) => Number(n))
  const count = new Set(found).size
  const words =
    text
      .split(/\{\{\d+\}\}/)
      .join(' ')
      .match(/\p{L}+/gu)?.length ?? 0
  return Math.max(0, ...found) === count && samples.length === count && words > 2 * count && !/^\s*\{\{|\}\}\s*$|\}\}\s*\{\{/.test(text)
}

export interface LoopbackWhatsApp {
  url: string
  /** Templates of the account, the studio's fixed ones included; a test decides on those that wait. */
  templates: FakeTemplate[]
  delivered: Delivered[]
  /** Number of requests, including refused ones. */
  requests: number
  close(): Promise<void>
}

/**
 * By the last three digits: the error instead of accepting the message. 900 closes the connection, 901 does not answer, 902 answers without
 * a body.
 */
const ERRORS: Record<string, [number, number, string]> = {
  '026': [400, 131026, 'Message undeliverable'],
  '030': [400, 131030, 'Recipient phone number not in allowed list'],
  '429': [429, 130429, 'Rate limit hit'],
  '016': [503, 131016, 'Service unavailable'],
  '190': [401, 190, 'Access token has expired'],
}

export async function loopbackWhatsApp(options: { token: string; phoneId: string; businessId?: string }): Promise<LoopbackWhatsApp> {
  const delivered: Delivered[] = []
  const registered: FakeTemplate[] = Object.values(templates).map(({ name, body }) => ({
    name,
    body,
    status: 'APPROVED',
    rejected_reason: 'NONE',
  }))
  let requests = 0
  const server = createServer(async (req, res) => {
    requests++
    const reply = (status: number, body: object) => res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const fail = (status: number, code: number, message: string, details = message) =>
      reply(status, {
        error: {
          message: `(#${code}) ${message}`,
          type: 'OAuthException',
          code,
          error_data: { messaging_product: 'whatsapp', details },
          fbtrace_id: 'x',
        },
      })
    const own = `/v23.0/${options.businessId ?? '-'}/message_templates`
    if (req.url?.startsWith(own)) {
      if (req.headers.authorization !== `Bearer ${options.token}`) return fail(401, 190, 'Invalid OAuth access token')
      if (req.method === 'GET') return reply(200, pageOf(registered, new URL(req.url, 'http://meta').searchParams))
      const parsed = submitted.safeParse(JSON.parse(await bodyOf(req)))
      if (!parsed.success) return fail(400, 100, 'Invalid parameter', parsed.error.message)
      const { name, components } = parsed.data
      const [{ text, example }] = components
      if (!isValidBody(text, example?.body_text[0] ?? []))
        return fail(400, 100, 'Invalid parameter', 'Leading, trailing or adjacent params')
      if (registered.some((template) => template.name === name))
        return reply(400, {
          error: { message: 'Invalid parameter', type: 'OAuthException', code: 100, error_subcode: 2388024, fbtrace_id: 'x' },
        })
      registered.push({ name, body: text, status: 'PENDING', rejected_reason: 'NONE' })
      return reply(200, { id: String(registered.length), status: 'PENDING', category: parsed.data.category })
    }
    if (req.method !== 'POST' || req.url !== `/v23.0/${options.phoneId}/messages`) return fail(404, 100, 'Unsupported request')
    if (req.headers.authorization !== `Bearer ${options.token}`) return fail(401, 190, 'Invalid OAuth access token')
    const read = templateInput.safeParse(JSON.parse(await bodyOf(req)))
    if (!read.success) return fail(400, 100, 'Invalid parameter', read.error.message)
    const { to, template, biz_opaque_callback_data } = read.data
    const known = registered.find(({ name }) => name === template.name)
    if (known?.status === 'PAUSED') return fail(400, 132015, 'Template is paused')
    if (known?.status !== 'APPROVED') return fail(404, 132001, 'Template does not exist in the translation')
    const [body, button] = template.components
    const blanks = body.parameters.map(({ text }) => text)
    if (blanks.length !== new Set(known.body.match(/\{\{\d+\}\}/g)).size) return fail(400, 132000, 'Number of parameters does not match')
    if (blanks.some((text) => /[\n\t]| {4}/.test(text))) return fail(400, 132012, 'Parameter format does not match')
    const last = to.slice(-3)
    if (last === '900') return req.socket.destroy()
    if (last === '901') return
    if (last === '902') return void res.writeHead(502).end('<html>Bad gateway</html>')
    const error = ERRORS[last]
    if (error) return fail(...error)
    const id = `wamid.${Buffer.from(`${delivered.length}`).toString('base64')}`
    delivered.push({ to, template: template.name, blanks, path: `/${button.parameters[0].text}`, id, callback: biz_opaque_callback_data })
    // Accounts from before 2020 still have the old 1 in their id.
    const wa_id = last === '521' ? `521${to.slice(2)}` : to
    return reply(200, { messaging_product: 'whatsapp', contacts: [{ input: to, wa_id }], messages: [{ id, message_status: 'accepted' }] })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    delivered,
    templates: registered,
    get requests() {
      return requests
    },
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** A page of the templates, with a cursor to the next as the provider gives it. */
function pageOf(all: readonly FakeTemplate[], query: URLSearchParams): object {
  const from = Number(query.get('after') ?? 0)
  const to = from + Math.min(Number(query.get('limit') ?? 25), 10)
  const data = all.slice(from, to).map(({ body: _, ...template }, at) => ({ ...template, id: String(from + at), language: 'es_MX' }))
  return { data, paging: { cursors: { after: String(to) }, ...(to < all.length ? { next: 'https://graph' } : {}) } }
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of req.setEncoding('utf8')) text += part
  return text
}
