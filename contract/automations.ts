/** Messages that are sent when a customer changes to a state (docs/domain.md BR7, BR8). */
import * as z from 'zod'
import { BROADCAST_BUTTONS, broadcastChannel, broadcastTexts } from './broadcasts.ts'
import { BROADCAST_CHANNELS } from './channels.ts'
import { CUSTOMER_STATES } from './copy/customer-list.ts'
import { crud, versioned } from './crud.ts'
import { id, instant, numberBetween } from './endpoint.ts'

/** Automations that a studio has at most. */
export const MAX_AUTOMATIONS = 20
/** Hours of the day at which they may be sent, on the studio's clocks. */
export const AUTOMATION_HOURS = { from: 8, to: 20 } as const
/** Customers who changed to the state longer ago than this get no message, for example after an outage. */
export const AUTOMATION_WINDOW_DAYS = 7
/** Days after which the same person may get the same automation again. At least the window, or one entry would be sent twice. */
export const AUTOMATION_AGAIN_DAYS = { from: AUTOMATION_WINDOW_DAYS, to: 365 } as const

const customerState = z.enum(CUSTOMER_STATES)
const button = z.enum(BROADCAST_BUTTONS)

const fields = {
  ...versioned.sent,
  customer_state: customerState.describe('Al pasar a qué estado se manda.'),
  channels: z
    .array(broadcastChannel)
    .min(1, 'Elige por dónde.')
    .max(BROADCAST_CHANNELS.length)
    .transform((channels) => BROADCAST_CHANNELS.filter((channel) => channels.includes(channel)))
    .describe('Por dónde: correo, WhatsApp o en su cuenta.'),
  ...broadcastTexts,
  button: button.optional().describe('A dónde lleva su botón: a ninguna parte, al calendario o a los paquetes. Sin ella, a ninguna.'),
  hour: numberBetween(AUTOMATION_HOURS.from, AUTOMATION_HOURS.to).optional().describe('A qué hora del día sale; sin ella, a las 10.'),
  again_after_days: numberBetween(AUTOMATION_AGAIN_DAYS.from, AUTOMATION_AGAIN_DAYS.to)
    .optional()
    .describe('Días que pasan antes de mandárselo otra vez a la misma persona; sin ellos, 60.'),
  enabled: z.boolean().optional().describe('Si está encendido; sin él, sí.'),
}

const row = {
  customer_state: fields.customer_state,
  channels: z.array(broadcastChannel).describe('Por dónde.'),
  subject: z.string().describe('El asunto.'),
  text: z.string().describe('El mensaje.'),
  button: button.describe('A dónde lleva su botón.'),
  hour: z.int().describe('A qué hora del día sale.'),
  again_after_days: z.int().describe('Días que pasan antes de mandárselo otra vez a la misma persona.'),
  enabled: z.boolean().describe('Si está encendido.'),
  by: z.string().describe('Quién lo guardó: sale con su permiso.'),
  ...versioned.row,
  reached: z.int().describe('Cuántas veces se le ha mandado a alguien.'),
  left_out: z.int().describe('Cuántas veces alguien se quedó sin él, por consentimiento, dirección o el límite de la semana.'),
  last_at: instant.nullable().describe('Cuándo salió por última vez; null: nunca.'),
  stopped_because: z.string().nullable().describe('Por qué no sale aunque esté encendido; null: sí sale.'),
}
const automation = z.object({ automation_id: id, ...row })
export type Automation = z.infer<typeof automation>

export const automations = crud({
  path: '/automations',
  one: 'automation',
  many: 'automations',
  id: 'automation_id',
  tag: 'Mensajes',
  called: 'mensajes al cambiar de estado',
  access: 'staff:messages.send',
  fields,
  row,
})
