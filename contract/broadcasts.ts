/** Messages that staff write to many customers at once (docs/domain.md, "Broadcasts"). */
import * as z from 'zod'
import { BROADCAST_CHANNELS } from './channels.ts'
import { customerFilter } from './customer-list.ts'
import { done, endpoint, id, instant, pageNumber, pathId, refusals, singleLine } from './endpoint.ts'

/** Customers of one broadcast. */
export const BROADCAST_MAX = 20_000
/** Longest text; by WhatsApp it is one line of at most `BROADCAST_WHATSAPP_MAX`. */
export const BROADCAST_TEXT_MAX = 3_000
/** What the approved WhatsApp template takes as its text. */
export const BROADCAST_WHATSAPP_MAX = 300
/** People who are left out, as a preview names them. */
export const BROADCAST_LEFT_OUT_SHOWN = 100

export const broadcastChannel = z.enum(BROADCAST_CHANNELS)

export const LEFT_OUT_REASONS = ['no_consent', 'no_address', 'limit', 'gone'] as const
const leftOutReason = z
  .enum(LEFT_OUT_REASONS)
  .describe('No aceptó promociones, no tiene por dónde, ya recibió los de la semana, o ya no es cliente.')
export type LeftOutReason = z.infer<typeof leftOutReason>

export const BROADCAST_STATES = ['scheduled', 'sending', 'paused', 'cancelled', 'sent'] as const
const broadcastState = z.enum(BROADCAST_STATES).describe('Programado, enviándose, en pausa, cancelado o enviado.')
export type BroadcastState = z.infer<typeof broadcastState>

export const BROADCAST_BUTTONS = ['none', 'calendar', 'packages'] as const
const button = z.enum(BROADCAST_BUTTONS).describe('A dónde lleva su botón: a ninguna parte, al calendario o a los paquetes.')
export type BroadcastButton = z.infer<typeof button>

const { sort: _, ...filterFields } = customerFilter
const audience = z
  .object({
    segment_id: id.optional().describe('Los clientes de este segmento, cuando salga el mensaje.'),
    single_class_id: id.optional().describe('Quienes tienen lugar en esta clase, cuando salga el mensaje.'),
    customer_ids: z.array(id).min(1).max(BROADCAST_MAX).optional().describe('Estos clientes.'),
    filter: z.object(filterFields).optional().describe('Los clientes que cumplen este filtro de la lista al escribirlo.'),
  })
  .refine((audience) => Object.values(audience).filter((value) => value !== undefined).length === 1, {
    message: 'Elige a quiénes: un segmento, una clase, clientes o un filtro.',
  })
  .describe('A quiénes: una sola de las cuatro formas.')
export type BroadcastAudience = z.infer<typeof audience>

/** The texts of a broadcast or an automation. */
export const broadcastTexts = {
  subject: singleLine(150).min(1, 'Escribe el asunto.').describe('El asunto del correo, y el título en la cuenta.'),
  text: z
    .string()
    .trim()
    .min(1, 'Escribe el mensaje.')
    .max(BROADCAST_TEXT_MAX)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL refuses NUL, so it stops here.
    .regex(/^[^\u0000]*$/, 'Este texto tiene caracteres que no se aceptan.')
    .describe('El mensaje. {{nombre}} es el nombre de cada persona, {{negocio}} el del estudio.'),
}

const texts = { ...broadcastTexts, button: button.default('none') }

const leftOut = z.object({ customer_id: id, name: z.string(), reason: leftOutReason })

const reach = {
  total: z.int().describe('A cuántas personas va dirigido.'),
  reached: z.int().describe('A cuántas les llega por algún medio.'),
  by_channel: z
    .array(
      z.object({
        channel: broadcastChannel,
        reached: z.int().describe('A cuántas les llega por este medio.'),
        without_consent: z.int().describe('Cuántas no dieron permiso para este medio.'),
        without_address: z.int().describe('De cuántas no sabemos correo, teléfono o cuenta.'),
      }),
    )
    .describe('Los medios elegidos.'),
  left_out: z.array(leftOut).describe('A quienes no les llega y por qué; los primeros 100.'),
  left_out_total: z.int().describe('A cuántas personas no les llega.'),
  left_out_by: z.array(z.object({ reason: leftOutReason, count: z.int().describe('Cuántas personas.') })).describe('Cuántas, por motivo.'),
}
const preview = z.object(reach)
export type BroadcastPreview = z.infer<typeof preview>

const broadcast = z.object({
  broadcast_id: id,
  state: broadcastState,
  is_promotion: z.boolean().describe('Si necesita que la persona haya aceptado promociones; los de una clase no.'),
  audience: z.string().describe('A quiénes, en palabras.'),
  channels: z.array(broadcastChannel).describe('Por dónde.'),
  subject: z.string(),
  text: z.string(),
  button,
  by: z.string().describe('Quién lo escribió.'),
  at: instant.describe('Cuándo sale o salió.'),
  createdAt: instant,
  finishedAt: instant.nullable().describe('Cuándo terminó o se canceló.'),
  paused_because: z.string().nullable().describe('Por qué se detuvo solo; null: lo detuvo alguien, o no está en pausa.'),
  total: z.int().nullable().describe('A cuántas personas va dirigido; null: todavía no sale.'),
  done: z.int().describe('Cuántas personas ya se vieron.'),
  left_out: z.int().describe('A cuántas no les llega.'),
  sent: z.int().describe('Mensajes que salieron, por todos los medios.'),
  failed: z.int().describe('Mensajes que no se pudieron entregar.'),
  waiting: z.int().describe('Mensajes por salir.'),
  unsubscribed: z.int().describe('Personas que dejaron las promociones desde este mensaje.'),
})
export type Broadcast = z.infer<typeof broadcast>

const results = z.object({
  by_channel: z
    .array(
      z.object({
        channel: broadcastChannel,
        sent: z.int(),
        delivered: z.int().describe('Entregados, según el medio.'),
        read: z.int().describe('Leídos, según el medio o en la cuenta.'),
        failed: z.int().describe('Que no se pudieron entregar.'),
        waiting: z.int().describe('Por salir.'),
        stopped: z.int().describe('Que ya no salieron: se canceló, o la persona dejó las promociones.'),
      }),
    )
    .describe('Qué pasó por cada medio.'),
  left_out: z.array(leftOut).describe('A quienes no les llegó y por qué; los primeros 100.'),
  left_out_by: z.array(z.object({ reason: leftOutReason, count: z.int().describe('Cuántas personas.') })).describe('Cuántas, por motivo.'),
})
export type BroadcastResults = z.infer<typeof results>

const named = z.object({ broadcast_id: pathId })
const whole = z.object({ broadcast: broadcast.describe('El mensaje a muchos.') })
const RIGHT = ['staff:messages.send', 'Mensajes'] as const
const token = z.string().regex(/^[\w.-]{1,200}$/)
const subscription = z.object({
  name: z.string().describe('Nombre de la persona.'),
  subscribed: z.boolean().describe('Si recibe promociones.'),
})

export const broadcasts = {
  /**
   * Writes to many customers. `dry_run`: its recipients by channel, and who is left out and why; nothing is written. Otherwise it is sent
   * at once or `at` its time. Each recipient gets it once per channel. BROADCAST_TOO_LARGE, BROADCAST_EMPTY. Send `Idempotency-Key`.
   */
  create: endpoint('POST', '/admin/broadcasts', ...RIGHT, 'Escribir a muchos clientes')
    .input(
      z
        .object({
          audience,
          channels: z
            .array(broadcastChannel)
            .min(1, 'Elige por dónde.')
            .max(BROADCAST_CHANNELS.length)
            .transform((channels) => BROADCAST_CHANNELS.filter((channel) => channels.includes(channel)))
            .describe('Por dónde: correo, WhatsApp o en su cuenta.'),
          ...texts,
          at: instant.nullish().describe('Cuándo sale; null: ahora.'),
          dry_run: z.boolean().default(false).describe('Solo dice a quiénes les llegaría.'),
        })
        .refine(({ channels, text }) => !channels.includes('whatsapp') || text.length <= BROADCAST_WHATSAPP_MAX, {
          message: `Por WhatsApp caben ${BROADCAST_WHATSAPP_MAX} caracteres.`,
          path: ['text'],
        }),
    )
    .errors(refusals('NOT_FOUND', 'BROADCAST_TOO_LARGE', 'BROADCAST_EMPTY', 'IDEMPOTENCY_KEY_REUSED'))
    .output(
      z.object({
        broadcast: broadcast.nullable().describe('El mensaje; null con `dry_run`.'),
        preview: preview.nullable().describe('A quiénes les llegaría; null sin `dry_run`.'),
      }),
    ),
  /** Newest first, 50 per page. */
  list: endpoint('GET', '/admin/broadcasts', ...RIGHT, 'Mensajes a muchos clientes')
    .input(z.object({ page: pageNumber.default(1) }))
    .output(z.object({ broadcasts: z.array(broadcast).describe('Los mensajes a muchos.'), total: z.int(), pages: z.int() })),
  one: endpoint('GET', '/admin/broadcasts/{broadcast_id}', ...RIGHT, 'Un mensaje a muchos, con lo que pasó con él')
    .input(named)
    .errors(refusals('NOT_FOUND'))
    .output(whole.extend({ results: results.describe('Lo que pasó con él.') })),
  /** Stops it, also what waits in the outbox, until it is resumed. BROADCAST_OVER: it is sent or cancelled. */
  pause: endpoint('POST', '/admin/broadcasts/{broadcast_id}/pause', ...RIGHT, 'Detener un mensaje a muchos')
    .input(named)
    .errors(refusals('NOT_FOUND', 'BROADCAST_OVER'))
    .output(whole),
  resume: endpoint('POST', '/admin/broadcasts/{broadcast_id}/resume', ...RIGHT, 'Seguir enviando un mensaje a muchos')
    .input(named)
    .errors(refusals('NOT_FOUND', 'BROADCAST_OVER'))
    .output(whole),
  /** Ends it: what has not left will not. What has left stays. */
  cancel: endpoint('POST', '/admin/broadcasts/{broadcast_id}/cancel', ...RIGHT, 'Cancelar un mensaje a muchos')
    .input(named)
    .errors(refusals('NOT_FOUND', 'BROADCAST_OVER'))
    .output(whole),
  /** Sends it to the caller only, through the same outbox. NO_OWN_PHONE, NO_OWN_ACCOUNT. */
  test: endpoint('POST', '/admin/broadcasts/test', ...RIGHT, 'Mandarme una prueba de un mensaje a muchos')
    .input(z.object({ channel: broadcastChannel.describe('Por dónde.'), ...texts }))
    .errors(refusals('NO_OWN_PHONE', 'NO_OWN_ACCOUNT'))
    .output(done.extend({ to: z.string().describe('A dónde se mandó.') })),
  /** What the link in a message shows; the signed link is the permission. Reading changes nothing. UNSUBSCRIBE_INVALID. */
  subscription: endpoint('GET', '/unsubscribe/{token}', 'public', 'Mensajes', 'Mis promociones, con un enlace')
    .input(z.object({ token }))
    .errors(refusals('UNSUBSCRIBE_INVALID'))
    .output(subscription),
  /** Stops promotions, or allows them again, without logging in. Twice answers the same. */
  subscribe: endpoint('POST', '/unsubscribe/{token}', 'public', 'Mensajes', 'Dejar las promociones, con un enlace')
    .input(z.object({ token, subscribed: z.boolean().default(false).describe('Si quiere recibirlas.') }))
    .errors(refusals('UNSUBSCRIBE_INVALID'))
    .output(subscription),
}
