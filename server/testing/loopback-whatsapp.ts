/**
 * A fake of Meta's Cloud API on loopback, as strict as the real one about authentication, version, template, language and number of
 * parameters. The last digits of a phone number select the result of its messages.
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as z from 'zod'
import { templates } from '#server/adapters/whatsapp/templates.ts'

const asked = z.strictObject({
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

export interface LoopbackWhatsApp {
  url: string
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

export async function loopbackWhatsApp(options: { token: string; phoneId: string }): Promise<LoopbackWhatsApp> {
  const delivered: Delivered[] = []
  let requests = 0
  const server = createServer(async (req, res) => {
    requests++
    const say = (status: number, body: object) => res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const fail = (status: number, code: number, message: string, details = message) =>
      say(status, {
        error: {
          message: `(#${code}) ${message}`,
          type: 'OAuthException',
          code,
          error_data: { messaging_product: 'whatsapp', details },
          fbtrace_id: 'x',
        },
      })
    if (req.method !== 'POST' || req.url !== `/v23.0/${options.phoneId}/messages`) return fail(404, 100, 'Unsupported request')
    if (req.headers.authorization !== `Bearer ${options.token}`) return fail(401, 190, 'Invalid OAuth access token')
    const read = asked.safeParse(JSON.parse(await bodyOf(req)))
    if (!read.success) return fail(400, 100, 'Invalid parameter', read.error.message)
    const { to, template, biz_opaque_callback_data } = read.data
    const known = Object.values(templates).find(({ name }) => name === template.name)
    if (!known) return fail(404, 132001, 'Template does not exist in the translation')
    const [body, button] = template.components
    const blanks = body.parameters.map(({ text }) => text)
    if (blanks.length !== new Set(known.body.match(/\{\{\d\}\}/g)).size) return fail(400, 132000, 'Number of parameters does not match')
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
    return say(200, { messaging_product: 'whatsapp', contacts: [{ input: to, wa_id }], messages: [{ id, message_status: 'accepted' }] })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    delivered,
    get requests() {
      return requests
    },
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of req.setEncoding('utf8')) text += part
  return text
}
