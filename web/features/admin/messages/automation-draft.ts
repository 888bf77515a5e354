/** The form of a message that is sent when a customer changes to a state. */
import type { Automation } from '#contract/automations.ts'
import type { BroadcastButton } from '#contract/broadcasts.ts'
import type { BroadcastChannel } from '#contract/channels.ts'
import type { CustomerState } from '#contract/copy/customer-list.ts'

export interface AutomationDraft {
  customer_state: CustomerState
  channels: readonly BroadcastChannel[]
  subject: string
  text: string
  button: BroadcastButton
  hour: number
  /** As typed. */
  again: string
  enabled: boolean
}

/** The limits of contract/automations.ts and contract/broadcasts.ts, without loading their schemas. */
export const HOURS = Array.from({ length: 13 }, (_, at) => at + 8)
const AGAIN = { from: 7, to: 365 }
const TEXT_MAX = 3_000
const WHATSAPP_MAX = 300

/** What is proposed for each state; short enough for WhatsApp. */
export const TEXTS_OF_STATE: Readonly<Record<CustomerState, Pick<AutomationDraft, 'subject' | 'text' | 'button'>>> = {
  at_risk: {
    subject: 'Te extrañamos en {{negocio}}',
    text: 'Hola {{nombre}}: hace días que no te vemos y todavía tienes clases. ¿Te apartamos lugar esta semana?',
    button: 'calendar',
  },
  expiring: {
    subject: 'Tus clases están por vencer',
    text: 'Hola {{nombre}}: lo que tienes vence pronto. Úsalo esta semana o renueva para no perder tu ritmo.',
    button: 'packages',
  },
  inactive: {
    subject: 'Tu lugar te espera',
    text: 'Hola {{nombre}}: hace tiempo que no vienes a {{negocio}}. Vuelve cuando quieras: aquí están los paquetes.',
    button: 'packages',
  },
  lost: {
    subject: '¿Nos das otra oportunidad?',
    text: 'Hola {{nombre}}: en {{negocio}} hay clases y horarios nuevos. Nos dará gusto verte otra vez.',
    button: 'packages',
  },
  trial: {
    subject: 'Tu primera clase en {{negocio}}',
    text: 'Hola {{nombre}}: llega diez minutos antes y trae agua. Cualquier duda, escríbenos.',
    button: 'calendar',
  },
  new: {
    subject: 'Qué gusto tenerte en {{negocio}}',
    text: 'Hola {{nombre}}: gracias por venir. Aparta desde hoy tus próximas clases.',
    button: 'calendar',
  },
  active: {
    subject: 'Gracias por entrenar en {{negocio}}',
    text: 'Hola {{nombre}}: qué gusto verte seguido. Invita a alguien a tu próxima clase.',
    button: 'calendar',
  },
}

export const toDraft = (automation: Automation | null): AutomationDraft =>
  automation
    ? {
        customer_state: automation.customer_state,
        channels: automation.channels,
        subject: automation.subject,
        text: automation.text,
        button: automation.button,
        hour: automation.hour,
        enabled: automation.enabled,
        again: String(automation.again_after_days),
      }
    : { customer_state: 'at_risk', channels: ['mail', 'app'], ...TEXTS_OF_STATE.at_risk, hour: 10, again: '60', enabled: true }

/** What is missing or wrong, by field. */
export function automationProblems({ channels, subject, text, again }: AutomationDraft) {
  const longest = channels.includes('whatsapp') ? WHATSAPP_MAX : TEXT_MAX
  const days = /^\d{1,3}$/.test(again.trim()) ? Number(again) : Number.NaN
  const problems: Partial<Record<'channels' | 'subject' | 'text' | 'again', string>> = {
    ...(channels.length ? {} : { channels: 'Elige por dónde.' }),
    ...(subject.trim() ? {} : { subject: 'Escribe el asunto.' }),
    ...(days >= AGAIN.from && days <= AGAIN.to ? {} : { again: `Escribe de ${AGAIN.from} a ${AGAIN.to} días.` }),
  }
  if (!text.trim()) problems.text = 'Escribe el mensaje.'
  else if (text.trim().length > longest)
    problems.text = `Caben ${longest.toLocaleString('es-MX')} caracteres; llevas ${text.trim().length}.`
  return problems
}

/** What is sent: everything of a new one, otherwise its id, the version from which it was changed and what is different. */
export function automationChanges(automation: Automation | null, draft: AutomationDraft): Record<string, unknown> {
  const values: Record<string, unknown> = {
    customer_state: draft.customer_state,
    channels: [...draft.channels],
    subject: draft.subject.trim(),
    text: draft.text.trim(),
    button: draft.button,
    hour: draft.hour,
    again_after_days: Number(draft.again),
    enabled: draft.enabled,
  }
  if (!automation) return values
  const before = automation as unknown as Record<string, unknown>
  const changed = Object.entries(values).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key]))
  return { automation_id: automation.automation_id, if_updatedAt: automation.updatedAt, ...Object.fromEntries(changed) }
}
