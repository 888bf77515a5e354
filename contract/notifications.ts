/** Messages to customers: notifications, channel preferences, and the delivery log (docs/domain.md, "Messages"). */
import * as z from 'zod'
import { CHANNELS, MESSAGE_EVENTS, type MessageEvent } from './channels.ts'
import { done, endpoint, id, instant, localDay, pageNumber, pathId, refusals, rowsPerPage, singleLine } from './endpoint.ts'
import { MESSAGES_PER_PAGE } from './paging.ts'
import { phoneWire } from './people.ts'

export const channel = z.enum(CHANNELS)
export const messageEvent = z.enum(MESSAGE_EVENTS as [MessageEvent, ...MessageEvent[]])

/** A notification in the customer's own area. */
export const notification = z.object({
  message_id: id,
  event: messageEvent,
  title: z.string(),
  lines: z.array(z.string()),
  /** Its link, a path of the site. */
  action: z.object({ label: z.string(), path: z.string() }).nullable(),
  createdAt: instant,
  readAt: instant.nullable(),
})
export type Notification = z.infer<typeof notification>

/** `waiting` until its time or the next attempt; `unknown`: delivery cannot be determined, and it is not sent again. */
export const messageStatus = z.enum(['waiting', 'sending', 'sent', 'delivered', 'read', 'failed', 'unknown', 'moot'])

/** An entry of the delivery log. */
export const loggedMessage = z.object({
  message_id: id,
  event: messageEvent,
  channel,
  status: messageStatus,
  customer_id: id.nullable(),
  staff_id: id.nullable(),
  /** Name of the recipient. */
  name: z.string(),
  title: z.string(),
  /** The text sent by WhatsApp or mail. */
  text: z.string(),
  /** Why it failed or was not sent. */
  reason: z.string().nullable(),
  tries: z.int(),
  createdAt: instant,
  /** Not sent before this instant: quiet hours or the next attempt. */
  next_at: instant.nullable(),
  sentAt: instant.nullable(),
  address: z.string().nullable().describe('Correo o teléfono que hoy tiene el cliente para este medio; null en los demás mensajes.'),
  has_account: z.boolean().describe('El cliente tiene cuenta: su correo lo cambia desde ella.'),
  resends: z.int().describe('Cuántas veces lo reenvió el equipo.'),
  resendable: z.boolean().describe('Se puede reenviar.'),
})
export type LoggedMessage = z.infer<typeof loggedMessage>

/** A mail stored instead of sent because no mail server is configured. */
export const storedMail = z.object({
  mail_id: id,
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  /** Names of its attachments. */
  files: z.array(z.string()),
  createdAt: instant,
})
export type StoredMail = z.infer<typeof storedMail>

export const messagePreferences = z.object({
  /** Consent to WhatsApp, with its date; null = never asked. */
  whatsapp: z.object({ allowed: z.boolean(), changedAt: instant }).nullable(),
  /** Reminders and notices of expiring credits by mail. Confirmations and changes are always sent. */
  mail: z.object({ allowed: z.boolean(), changedAt: instant }).nullable(),
  marketing: z
    .object({ allowed: z.boolean(), changedAt: instant })
    .nullable()
    .describe('Permiso para recibir promociones, con su fecha; null: no ha dicho, y no las recibe.'),
  /** The number for WhatsApp; null = unknown. */
  phone: z.string().nullable(),
})
export type MessagePreferences = z.infer<typeof messagePreferences>

/** Filters of the delivery log; its file takes the same. */
export const messageFilter = {
  query: singleLine(100).optional().describe('Palabras del nombre, correo o teléfono de quien lo recibe.'),
  from: localDay.optional().describe('Desde este día.'),
  to: localDay.optional().describe('Hasta este día.'),
  customer_id: pathId.optional(),
  channel: channel.optional(),
  status: messageStatus.optional(),
  event: messageEvent.optional(),
  sort: z.enum(['created', '-created']).default('-created').describe('El orden: por fecha; con `-`, lo más nuevo primero.'),
}

export const messages = {
  /** The customer's notifications, newest first; pages count from 1. */
  list: endpoint('GET', '/messages', 'customer', 'Mensajes', 'Mis avisos')
    .input(z.object({ page: pageNumber.default(1) }))
    .output(z.object({ messages: z.array(notification), unread: z.int(), total: z.int() })),
  /** Marks notifications as read; all of them when none is named. */
  read: endpoint('POST', '/messages/read', 'customer', 'Mensajes', 'Marcar como leídos')
    .input(z.object({ message_ids: z.array(id).max(200).optional() }))
    .output(done),
  preferences: endpoint('GET', '/message_preferences', 'customer', 'Mensajes', 'Por dónde quiero recibir mensajes').output(
    z.object({ preferences: messagePreferences }),
  ),
  /** Gives or withdraws consent; the date is stored. */
  setPreferences: endpoint('PUT', '/message_preferences', 'customer', 'Mensajes', 'Cambiar por dónde quiero recibir mensajes')
    .input(z.object({ whatsapp: z.boolean().optional(), mail: z.boolean().optional(), marketing: z.boolean().optional() }))
    .output(z.object({ preferences: messagePreferences })),
  /**
   * The delivery log: messages sent, waiting and failed, with recipient and reason. All filters hold together; days are days of the
   * studio's zone, both included.
   */
  log: endpoint('GET', '/admin/messages', 'staff:customers.read', 'Mensajes', 'Bitácora de mensajes')
    .input(
      z.object({
        page: pageNumber.default(1),
        per_page: rowsPerPage(MESSAGES_PER_PAGE),
        message_id: pathId.optional(),
        ...messageFilter,
      }),
    )
    .output(
      z.object({
        messages: z.array(loggedMessage),
        total: z.int().describe('Cuántos coinciden; se cuentan hasta 5,000 después de la página.'),
        has_more: z.boolean().describe('Hay más de los que se contaron.'),
      }),
    ),
  /**
   * Sends a message again with the same text (rule M10). `email` or `phone` corrects the customer's address of its channel first; the other
   * one is ignored. MESSAGE_NOT_RESENDABLE: not sent yet, without purpose by now, or only in the person's account.
   */
  resend: endpoint('POST', '/admin/messages/{message_id}/resend', 'staff:customers.edit', 'Mensajes', 'Reenviar un mensaje')
    .input(
      z.object({
        message_id: pathId,
        email: z.email().max(254).optional().describe('Correo corregido del cliente, para un mensaje por correo.'),
        phone: phoneWire.optional().describe('Teléfono corregido del cliente, para un mensaje por WhatsApp.'),
      }),
    )
    .errors(
      refusals(
        'NOT_FOUND',
        'MESSAGE_NOT_RESENDABLE',
        'MESSAGE_WITHOUT_CONSENT',
        'PHONE_IN_USE',
        'ACCOUNT_EXISTS',
        'IDEMPOTENCY_KEY_REUSED',
      ),
    )
    .output(z.object({ status: z.literal('waiting').describe('Queda por enviar.'), next_at: instant.describe('Cuándo sale.') })),
  /**
   * Every mail stored instead of sent, including password links: only with the right `settings.code`. `kept`: whether mails are being
   * stored.
   */
  outbox: endpoint('GET', '/admin/mails', 'staff:settings.code', 'Mensajes', 'Correos que se quedaron en el estudio')
    .input(z.object({ page: pageNumber.default(1) }))
    .output(z.object({ mails: z.array(storedMail), total: z.int(), kept: z.boolean() })),
}
