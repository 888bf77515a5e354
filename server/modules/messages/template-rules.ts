/** Texts of automatic messages: which variables they may have, and how they are replaced. Pure: docs/domain.md, "Messages". */
import type { AutomaticEvent, Channel } from '#contract/channels.ts'
import { blankKeys, type VariableKey } from '#contract/copy/message-variables.ts'
import { templates, whyNotBody } from '#server/adapters/whatsapp/templates.ts'
import type { MessageTexts } from './tables.ts'

/** A variable in a text. */
const VARIABLE = /\{\{\s*([^{}]*?)\s*\}\}/g

export type TemplateValues = Partial<Record<VariableKey, string>>

interface Template {
  subject: string | null
  text: string | null
}

/** The default texts, written with variables. */
export function defaultTexts(event: AutomaticEvent, channel: Channel): { subject: string; text: string } {
  if (channel === 'whatsapp')
    return {
      subject: '',
      text: templates[event].body.replace(/\{\{(\d)\}\}/g, (_all, n: string) => `{{${blankKeys[event][Number(n) - 1]}}}`),
    }
  return { subject: '{{asunto}}', text: channel === 'mail' ? 'Hola, {{nombre}}.\n\n{{detalles}}' : '{{detalles}}' }
}

/** The variables that a text or subject may have. */
export function variablesFor(event: AutomaticEvent, channel: Channel, part: 'subject' | 'text'): VariableKey[] {
  const always: VariableKey[] = [...blankKeys[event], 'negocio']
  if (channel === 'whatsapp') return always
  return [...always, part === 'subject' ? 'asunto' : 'detalles']
}

/** Why a text cannot be used, as a Spanish sentence; null when it can. */
function whyNotText(event: AutomaticEvent, channel: Channel, part: 'subject' | 'text', text: string): string | null {
  const allowed: readonly string[] = variablesFor(event, channel, part)
  const unknown = [...text.matchAll(VARIABLE)].map(([, key = '']) => key).find((key) => !allowed.includes(key))
  if (unknown !== undefined) return `“{{${unknown}}}” no es un dato de este mensaje.`
  if (/\{\{|\}\}/.test(text.replace(VARIABLE, ''))) return 'Hay llaves {{ }} sin cerrar.'
  return channel === 'whatsapp' && part === 'text' ? whyNotBody(numberVariables(text).body) : null
}

/** The issues of the texts of a request, for INVALID_INPUT. Empty texts restore the default, so they have none. */
export function templateIssues(
  event: AutomaticEvent,
  channel: Channel,
  texts: { subject?: string | undefined; text?: string | undefined },
): { path: 'subject' | 'text'; message: string }[] {
  return (['subject', 'text'] as const).flatMap((part) => {
    const text = texts[part]?.trim()
    const message = text ? whyNotText(event, channel, part, text) : null
    return message ? [{ path: part, message }] : []
  })
}

/** A text with numbered blanks, as WhatsApp takes it, and the variable of each. */
export function numberVariables(text: string): { body: string; keys: VariableKey[] } {
  const keys: VariableKey[] = []
  const body = text.replace(VARIABLE, (_all, key: VariableKey) => {
    if (!keys.includes(key)) keys.push(key)
    return `{{${keys.indexOf(key) + 1}}}`
  })
  return { body, keys }
}

/** A text with its values, in one pass: a value in the form of a variable stays text. */
export const fillTemplate = (text: string, values: TemplateValues): string =>
  text.replace(VARIABLE, (_all, key: VariableKey) => values[key] ?? '')

/** The values of the variables of one message. */
export function templateValues(event: AutomaticEvent, texts: MessageTexts, business: string): TemplateValues {
  const { title, subject, lines } = texts.replaced ?? texts
  const named = blankKeys[event].map((key, at) => [key, texts.blanks[at] ?? ''] as const)
  return { ...Object.fromEntries(named), negocio: business, asunto: subject ?? title, detalles: lines.join('\n') }
}

/** The words of a message with the studio's own text; links, buttons and small print stay. */
export function withOwnText(
  event: AutomaticEvent,
  channel: Exclude<Channel, 'whatsapp'>,
  texts: MessageTexts,
  own: Template,
  business: string,
): MessageTexts {
  const values = templateValues(event, texts, business)
  const defaults = defaultTexts(event, channel)
  const oneLine = fillTemplate(own.subject ?? defaults.subject, values)
    .replace(/\s+/g, ' ')
    .trim()
  const lines = fillTemplate(own.text ?? defaults.text, values)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  const { title, subject, lines: before, language: _, ...rest } = texts
  return {
    ...rest,
    title,
    ...(subject === undefined ? {} : { subject }),
    ...(oneLine === '' ? {} : channel === 'mail' ? { subject: oneLine } : { title: oneLine }),
    lines: lines.length ? lines : before,
    replaced: { title, ...(subject === undefined ? {} : { subject }), lines: before },
  }
}

/** The words of a WhatsApp message by a template of the studio. */
export function withOwnTemplate(
  event: AutomaticEvent,
  texts: MessageTexts,
  { name, body, keys }: { name: string; body: string; keys: readonly VariableKey[] },
  business: string,
): MessageTexts {
  const values = templateValues(event, texts, business)
  return { ...texts, template: { name, body, blanks: keys.map((key) => values[key] ?? '') } }
}
