/** WhatsApp through Meta's Cloud API. Plain HTTP: there is no maintained official library, and two requests need none. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod'
import { assertNotInTransaction } from '#server/platform/db.ts'
import {
  type AcceptedMessage,
  checkWhatsApp,
  NotFromWhatsApp,
  type TemplateState,
  type TemplateStatus,
  type WebhookResult,
  type WhatsAppPort,
  WhatsAppRefused,
  WhatsAppUnknown,
} from './port.ts'
import { toBlank } from './templates.ts'

export interface CloudOptions {
  token: string
  /** Meta's id of the studio's number, not the number itself. */
  phoneId: string
  /** Meta's id of the business account; without it the templates' states are unknown and none can be handed in. */
  businessId?: string | undefined
  /** Base of the addresses that buttons open. */
  publicUrl: string
  /** Base URL; only tests change it. */
  base?: string | undefined
  /** Verifies the signature of webhooks. */
  appSecret?: string | undefined
  /** The token that Meta sends to verify the webhook's URL. */
  verifyToken?: string | undefined
  timeoutMs?: number
}

const BASE = 'https://graph.facebook.com'
const VERSION = 'v23.0'
const LANGUAGE = 'es_MX'

const answer = z.object({
  contacts: z.array(z.object({ wa_id: z.string().optional() })).optional(),
  messages: z.array(z.object({ id: z.string().min(1) })).min(1),
})
const failure = z.object({
  error: z.object({
    code: z.number(),
    message: z.string().default(''),
    error_subcode: z.number().optional(),
    error_user_msg: z.string().optional(),
    error_data: z.object({ details: z.string().optional() }).optional(),
  }),
})

/** Subcode of a template whose name exists in this language. */
const ALREADY_THERE = '2388024'
/** Pages of templates that are read; an account has at most 6,000. */
const MAX_PAGES = 60

const TEMPLATE_STATES: Readonly<Record<string, TemplateStatus>> = {
  APPROVED: 'approved',
  PENDING: 'pending',
  IN_APPEAL: 'pending',
  REJECTED: 'rejected',
}
const templateList = z.object({
  data: z.array(z.object({ name: z.string(), status: z.string(), language: z.string(), rejected_reason: z.string().nullish() })),
  paging: z.object({ next: z.string().optional(), cursors: z.object({ after: z.string().optional() }).optional() }).optional(),
})

/** Transient error codes: service down or busy, rate limits, and our own log-in, which can be repaired. */
const PASSING = new Set([0, 1, 2, 3, 4, 10, 190, 80007, 130429, 131000, 131005, 131016, 131042, 131048, 131049, 131056, 131057, 133004])
const isPassing = (code: number) => PASSING.has(code) || (code >= 200 && code <= 299)

/** Errors before a connection existed: the request cannot have been sent. */
const NEVER_LEFT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])

function causeCode(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) if ('code' in at && typeof at.code === 'string') return at.code
  return undefined
}

export function cloudWhatsApp(options: CloudOptions): WhatsAppPort {
  const url = `${options.base ?? BASE}/${VERSION}/${encodeURIComponent(options.phoneId)}/messages`
  /** One request that is not a message: safe to repeat. */
  async function call(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${options.base ?? BASE}/${VERSION}/${path}`, {
      method,
      headers: { authorization: `Bearer ${options.token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(options.timeoutMs ?? 10_000),
      redirect: 'error',
    })
    const content: unknown = await response.json().catch(() => null)
    if (response.ok) return content
    const failed = failure.safeParse(content)
    if (!failed.success) throw new Error(`WhatsApp answered ${response.status} without words.`)
    const { code, message, error_subcode, error_data, error_user_msg } = failed.data.error
    const reason = `WhatsApp ${error_subcode ?? code}: ${error_user_msg ?? error_data?.details ?? message}`.slice(0, 300)
    throw isPassing(code) || response.status === 429 ? new Error(reason) : new WhatsAppRefused(reason)
  }
  return {
    async send(message): Promise<AcceptedMessage> {
      assertNotInTransaction('The WhatsApp port')
      const { to, template } = checkWhatsApp(message)
      const text = (value: string) => ({ type: 'text', text: value })
      const body = {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to,
        type: 'template',
        template: {
          name: template.name,
          language: { code: LANGUAGE },
          components: [
            { type: 'body', parameters: message.blanks.map((value) => text(toBlank(value))) },
            { type: 'button', sub_type: 'url', index: '0', parameters: [text(message.path.slice(1))] },
          ],
        },
        // Meta includes it in every webhook event about this message.
        biz_opaque_callback_data: message.messageId,
      }
      let response: Response
      let content: unknown
      try {
        response = await fetch(url, {
          method: 'POST',
          headers: { authorization: `Bearer ${options.token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(options.timeoutMs ?? 10_000),
          redirect: 'error',
        })
        content = await response.json().catch(() => null)
      } catch (error) {
        if (NEVER_LEFT.has(causeCode(error) ?? '')) throw new Error('WhatsApp could not be reached.', { cause: error })
        throw new WhatsAppUnknown('WhatsApp did not answer.', { cause: error })
      }
      return read(response.status, content)
    },

    managesTemplates: Boolean(options.businessId),

    async listTemplates() {
      assertNotInTransaction('The WhatsApp port')
      if (!options.businessId) return null
      const found: TemplateState[] = []
      let after: string | undefined
      for (let page = 0; page < MAX_PAGES; page++) {
        const query = new URLSearchParams({ fields: 'name,status,language,rejected_reason', limit: '100', ...(after ? { after } : {}) })
        const read = templateList.parse(await call('GET', `${options.businessId}/message_templates?${query}`))
        for (const { name, status, language, rejected_reason } of read.data)
          if (language === LANGUAGE)
            found.push({
              name,
              status: TEMPLATE_STATES[status] ?? 'paused',
              reason: rejected_reason === 'NONE' ? null : (rejected_reason ?? null),
            })
        after = read.paging?.next ? read.paging.cursors?.after : undefined
        if (!after) break
      }
      return found
    },

    async submitTemplate({ name, body, button, samples }) {
      assertNotInTransaction('The WhatsApp port')
      if (!options.businessId) throw new WhatsAppRefused('No business account is configured.')
      const components = [
        { type: 'BODY', text: body, ...(samples.length ? { example: { body_text: [samples.map(toBlank)] } } : {}) },
        {
          type: 'BUTTONS',
          buttons: [{ type: 'URL', text: button, url: `${options.publicUrl}/{{1}}`, example: [`${options.publicUrl}/mystudio`] }],
        },
      ]
      try {
        await call('POST', `${options.businessId}/message_templates`, { name, language: LANGUAGE, category: 'UTILITY', components })
      } catch (error) {
        // It was handed in before, by an attempt whose answer was lost.
        if (!(error instanceof WhatsAppRefused && error.message.includes(ALREADY_THERE))) throw error
      }
    },

    verifyWebhook({ signature, body }): WebhookResult[] {
      if (!options.appSecret) throw new NotFromWhatsApp('No secret is configured.')
      const ours = createHmac('sha256', options.appSecret).update(body).digest()
      const theirs = Buffer.from(/^sha256=([0-9a-f]{64})$/.exec(signature ?? '')?.[1] ?? '', 'hex')
      if (theirs.length !== ours.length || !timingSafeEqual(ours, theirs)) throw new NotFromWhatsApp('The signature is not ours.')
      const read = webhookBody.safeParse(JSON.parse(body.toString('utf8')))
      if (!read.success) return []
      return read.data.entry.flatMap(({ changes }) =>
        changes.flatMap(({ value }) =>
          (value.statuses ?? []).flatMap(({ id, status, errors }): WebhookResult[] => {
            const state = STATES.find((state) => state === status)
            const [error] = errors ?? []
            return state ? [{ provider_id: id, state, reason: error ? `${error.code} ${error.title ?? ''}`.trim() : null }] : []
          }),
        ),
      )
    },

    greet({ mode, token, challenge }) {
      if (!options.verifyToken || mode !== 'subscribe' || challenge === undefined) return null
      const [ours, theirs] = [Buffer.from(options.verifyToken), Buffer.from(token ?? '')]
      return ours.length === theirs.length && timingSafeEqual(ours, theirs) ? challenge : null
    },

    jobs: () => [],
  }
}

const STATES = ['sent', 'delivered', 'read', 'failed'] as const
const webhookBody = z.object({
  entry: z.array(
    z.object({
      changes: z.array(
        z.object({
          value: z.object({
            statuses: z
              .array(
                z.object({
                  id: z.string(),
                  status: z.string(),
                  errors: z.array(z.object({ code: z.number(), title: z.string().optional() })).optional(),
                }),
              )
              .optional(),
          }),
        }),
      ),
    }),
  ),
})

/** Maps a response: accepted, refused for good, to be retried, or unknown. */
function read(status: number, content: unknown): AcceptedMessage {
  const parsed = answer.safeParse(content)
  if (status >= 200 && status < 300 && parsed.success) {
    const [message] = parsed.data.messages
    return { provider_id: message?.id ?? null, provider_person: parsed.data.contacts?.[0]?.wa_id ?? null }
  }
  const failed = failure.safeParse(content)
  if (failed.success) {
    const { code, message, error_data } = failed.data.error
    const reason = `WhatsApp ${code}: ${error_data?.details ?? message}`.slice(0, 300)
    if (isPassing(code) || status === 429) throw new Error(reason)
    throw new WhatsAppRefused(reason)
  }
  if (status === 429 || status === 401 || status === 403) throw new Error(`WhatsApp answered ${status}.`)
  throw new WhatsAppUnknown(`WhatsApp answered ${status} without words.`)
}
