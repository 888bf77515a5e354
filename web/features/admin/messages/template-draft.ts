/** Texts of automatic messages in words, and with a sample's values. */
import type { MessageTemplate, TemplateSample } from '#contract/message-templates.ts'
import type { BadgeTone } from '#web/ui/badge.tsx'

type Approval = NonNullable<MessageTemplate['approval']>

export const APPROVAL_NAMES: Readonly<Record<Approval['status'], { label: string; tone: BadgeTone }>> = {
  unknown: { label: 'Sin revisar', tone: 'outline' },
  pending: { label: 'WhatsApp lo revisa', tone: 'warn' },
  approved: { label: 'Aprobado', tone: 'ok' },
  rejected: { label: 'Rechazado', tone: 'danger' },
  paused: { label: 'Detenido por WhatsApp', tone: 'danger' },
}

/** A text with the values of a sample; unknown variables stay unchanged. */
export const filledSample = (text: string, { values }: TemplateSample): string =>
  text.replace(/\{\{\s*([^{}]*?)\s*\}\}/g, (all, key: string) => values[key] ?? all)
