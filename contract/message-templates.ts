/** The texts of automatic messages, by event and channel (docs/domain.md M11 to M13). */
import * as z from 'zod'
import { AUTOMATIC_EVENTS, type AutomaticEvent } from './channels.ts'
import { done, endpoint, instant, refusals, singleLine } from './endpoint.ts'
import { channel } from './notifications.ts'

export const automaticEvent = z.enum(AUTOMATIC_EVENTS as [AutomaticEvent, ...AutomaticEvent[]])

/** Longest text of a template. */
export const TEMPLATE_TEXT_MAX = 2_000
/** Longest subject of a template. */
export const TEMPLATE_SUBJECT_MAX = 150

const approval = z.object({
  status: z
    .enum(['unknown', 'pending', 'approved', 'rejected', 'paused'])
    .describe('Lo que WhatsApp dice de la plantilla; `unknown`: todavía no se sabe.'),
  reason: z.string().nullable().describe('Por qué la rechazó o la detuvo, en sus palabras.'),
  is_live: z.boolean().describe('Si es el texto que se manda; si no, mientras se manda el último aprobado o el de costumbre.'),
})

export const messageTemplate = z.object({
  channel,
  enabled: z.boolean().describe('Si el mensaje sale por este medio.'),
  default_enabled: z.boolean().describe('Si sale por este medio de costumbre.'),
  locked: z.boolean().describe('Siempre sale: no se puede apagar.'),
  subject: z.string().describe('El asunto, o el título en su cuenta; vacío por WhatsApp.'),
  text: z.string().describe('El texto, con sus variables como {{nombre}}.'),
  is_own: z.boolean().describe('Si el texto es del estudio; si no, el de costumbre.'),
  default_subject: z.string().describe('El asunto de costumbre.'),
  default_text: z.string().describe('El texto de costumbre.'),
  approval: approval.nullable().describe('La revisión de WhatsApp; null en los demás medios.'),
  updatedAt: instant.nullable().describe('Cuándo cambió el texto por última vez; null: nunca.'),
  updated_by: z.string().nullable().describe('Quién cambió el texto por última vez.'),
})
export type MessageTemplate = z.infer<typeof messageTemplate>

const eventTemplates = z.object({
  event: automaticEvent,
  when: z.string().describe('Cuándo sale, según los ajustes: "12 horas antes de la clase".'),
  channels: z.array(messageTemplate).describe('Un elemento por medio.'),
})
export type EventTemplates = z.infer<typeof eventTemplates>

const sample = z.object({
  name: z.string().describe('De quién son los datos.'),
  values: z.record(z.string(), z.string()).describe('El valor de cada variable.'),
})
export type TemplateSample = z.infer<typeof sample>

const text = z
  .string()
  .max(TEMPLATE_TEXT_MAX)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL refuses NUL, so it stops here.
  .regex(/^[^\u0000]*$/, 'Este texto tiene caracteres que no se aceptan.')
const subject = singleLine(TEMPLATE_SUBJECT_MAX)

const slot = {
  event: automaticEvent.describe('El mensaje.'),
  channel: channel.describe('El medio.'),
}

export const messageTemplates = {
  /** Every automatic message with its channels, texts and, by WhatsApp, the state of its template at Meta. */
  all: endpoint('GET', '/admin/message_templates', 'staff:messages.send', 'Mensajes', 'Textos de los mensajes automáticos').output(
    z.object({
      templates: z.array(eventTemplates).describe('Los mensajes automáticos.'),
      whatsapp_connected: z.boolean().describe('Si se pueden mandar textos a revisión de WhatsApp.'),
    }),
  ),
  /** The variables of one message, with the values that the latest ones had, for a preview; samples where none was sent yet. */
  samples: endpoint(
    'GET',
    '/admin/message_templates/{event}/samples',
    'staff:messages.send',
    'Mensajes',
    'Datos para ver cómo queda un mensaje automático',
  )
    .input(z.object({ event: slot.event }))
    .output(
      z.object({
        variables: z
          .array(z.object({ key: z.string().describe('Se escribe {{clave}}.'), label: z.string() }))
          .describe('Las variables que el texto puede llevar.'),
        samples: z.array(sample).describe('Datos de los últimos mensajes, uno por persona.'),
      }),
    ),
  /**
   * Changes the text of a message for one channel, whether it is sent by that channel, or both. '' restores the default text. INVALID_INPUT
   * names an unknown variable, and by WhatsApp what Meta would refuse. A new WhatsApp text is submitted for approval; meanwhile the last
   * approved one is sent. MESSAGE_ALWAYS_SENT: it cannot be switched off. TEMPLATES_NOT_CONNECTED: the WhatsApp account takes no
   * templates from here.
   */
  change: endpoint(
    'PUT',
    '/admin/message_templates/{event}/{channel}',
    'staff:messages.send',
    'Mensajes',
    'Cambiar el texto de un mensaje automático',
  )
    .input(
      z.object({
        ...slot,
        subject: subject.optional().describe('El asunto nuevo; vacío: el de costumbre.'),
        text: text.optional().describe('El texto nuevo; vacío: el de costumbre.'),
        enabled: z.boolean().optional().describe('Si sale por este medio.'),
        if_updatedAt: instant.nullable().optional(),
      }),
    )
    .errors(refusals('MESSAGE_ALWAYS_SENT', 'TEMPLATES_NOT_CONNECTED', 'CHANGED_MEANWHILE'))
    .output(z.object({ template: messageTemplate.describe('El mensaje por ese medio, ya guardado.') })),
  /** Sends the text, saved or not, to the caller: with the values of a real message. NO_OWN_PHONE, NO_OWN_PUSH,
   * TEMPLATE_NOT_APPROVED by WhatsApp. */
  test: endpoint('POST', '/admin/message_templates/{event}/{channel}/test', 'staff:messages.send', 'Mensajes', 'Mandarme una prueba')
    .input(z.object({ ...slot, subject: subject.optional().describe('El asunto.'), text: text.optional().describe('El texto.') }))
    .errors(refusals('NO_OWN_PHONE', 'NO_OWN_ACCOUNT', 'NO_OWN_PUSH', 'TEMPLATE_NOT_APPROVED'))
    .output(done.extend({ to: z.string().describe('A dónde se mandó.') })),
}
