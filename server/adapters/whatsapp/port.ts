/** The port for sending WhatsApp messages: one approved template to one telephone. Called after a commit, from a job. */
import type { MessageEvent } from '#contract/channels.ts'
import type { JobHandler } from '#server/platform/job-types.ts'
import { blankCount, type Template, templates } from './templates.ts'

export interface WhatsApp {
  /** As the studio stored it; must be convertible by `internationalNumber`. */
  phone: string
  event: MessageEvent
  /** The studio's own approved template; absent: the one of the event. */
  own?: Pick<Template, 'name' | 'body'>
  /** Values of the template's placeholders, in order. */
  blanks: readonly string[]
  /** Path of the site that the button opens, "/mystudio?clase=7". */
  path: string
  /** Chosen by the sender. */
  messageId: string
}

/** The provider's response. */
export interface AcceptedMessage {
  /** The provider's id of the message, by which later notices name it. */
  provider_id: string | null
  /** The provider's id of the person: for a number from before 2020 it may contain the former 1. */
  provider_person: string | null
}

/** What the provider decided about a template. Only approved ones may be sent. */
export const TEMPLATE_STATUSES = ['pending', 'approved', 'rejected', 'paused'] as const
export type TemplateStatus = (typeof TEMPLATE_STATUSES)[number]

export interface TemplateState {
  name: string
  status: TemplateStatus
  /** Why it was rejected or paused, in the provider's words. */
  reason: string | null
}

/** A template to be approved, with a sample of each blank. */
export interface NewTemplate extends Template {
  samples: readonly string[]
}

/** The delivery state of an accepted message. */
export interface WebhookResult {
  provider_id: string
  state: 'sent' | 'delivered' | 'read' | 'failed'
  reason: string | null
}

export interface WhatsAppPort {
  /**
   * Sends a message once. Throws `WhatsAppRefused` when it can never arrive, `WhatsAppUnknown` when it is unknown whether it was accepted
   * (do not repeat it: the provider does not recognise repetitions), any other error when a retry makes sense.
   */
  send(message: WhatsApp): Promise<AcceptedMessage>
  /** Whether templates can be handed in and their states read. */
  readonly managesTemplates: boolean
  /** All templates of the account; null = the account does not let us see them. */
  listTemplates(): Promise<TemplateState[] | null>
  /**
   * Hands a template in for approval; one of the same name that is there already stays. Throws `WhatsAppRefused` when the provider does not
   * take it at all.
   */
  submitTemplate(template: NewTemplate): Promise<void>
  /** Reads a notice of the provider; throws `NotFromWhatsApp` when its signature is not the provider's. */
  verifyWebhook(delivery: { signature: string | undefined; body: Buffer }): WebhookResult[]
  /** The response to the provider's verification request of the webhook; null = it is not the provider. */
  greet(question: { mode: string | undefined; token: string | undefined; challenge: string | undefined }): string | null
  /** Housekeeping. */
  jobs(): JobHandler[]
}

/** It cannot be delivered, now or later: no such account, blocked, the template is not approved. */
export class WhatsAppRefused extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.name = 'WhatsAppRefused'
  }
}

/** The request left and no answer came back. */
export class WhatsAppUnknown extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.name = 'WhatsAppUnknown'
  }
}

export class NotFromWhatsApp extends Error {}

/**
 * "52" and ten digits, without the mobile 1 and the prefixes 01, 044 and 045 that ended in 2019 (settled 36). Null when there are no
 * ten digits in it.
 */
export function internationalNumber(phone: string): string | null {
  const digits = phone.replace(/\D/g, '')
  const ten = [/^521?(\d{10})$/, /^(?:01|044|045)(\d{10})$/, /^(\d{10})$/].map((shape) => shape.exec(digits)?.[1]).find(Boolean)
  return ten ? `52${ten}` : null
}

/** Throws when a message could not be one template to one telephone: before any implementation. */
export function checkWhatsApp(message: WhatsApp): { to: string; template: Pick<Template, 'name' | 'body'> } {
  const to = internationalNumber(message.phone)
  if (!to) throw new WhatsAppRefused('The telephone is not a Mexican number of ten digits.')
  const { name, body } = message.own ?? templates[message.event]
  if (message.blanks.length !== blankCount(body)) throw new WhatsAppRefused(`The template ${name} has ${blankCount(body)} blanks.`)
  if (!/^\/(?!\/)/.test(message.path)) throw new WhatsAppRefused('The button leads nowhere on the site.')
  return { to, template: { name, body } }
}
