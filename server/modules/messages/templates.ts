/** The texts of automatic messages as staff manage them (M11 to M13). */
import { randomUUID } from 'node:crypto'
import { AUTOMATIC_EVENTS, type AutomaticEvent, CHANNELS, type Channel, isAlwaysSent, messageEvents } from '#contract/channels.ts'
import { sendingTime } from '#contract/copy/automatic-messages.ts'
import { messageVariables, type VariableKey } from '#contract/copy/message-variables.ts'
import { refuse } from '#contract/errors.ts'
import type { EventTemplates, MessageTemplate, TemplateSample } from '#contract/message-templates.ts'
import { paths } from '#contract/paths.ts'
import type { Settings } from '#contract/settings.ts'
import { TEMPLATE_STATUSES, type TemplateStatus, WhatsAppRefused } from '#server/adapters/whatsapp/port.ts'
import { templates } from '#server/adapters/whatsapp/templates.ts'
import { refuseChanged } from '#server/modules/changed-meanwhile.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { customerById, getsPush } from '#server/modules/people/people.ts'
import { changeSetting } from '#server/modules/settings/settings.ts'
import { sendDue } from './delivery.ts'
import { enabledChannels, testAbout } from './rules.ts'
import { insertMessages } from './store.ts'
import type { MessageTexts } from './tables.ts'
import {
  defaultTexts,
  numberVariables,
  type TemplateValues,
  templateIssues,
  templateValues,
  variablesFor,
  withOwnTemplate,
  withOwnText,
} from './template-rules.ts'
import {
  insertOwnTemplate,
  listLiveTemplates,
  listSampleMessages,
  listTemplateRows,
  listTemplatesInUse,
  listUnsubmitted,
  lockTemplateRow,
  type MessageTemplateRow,
  retireTemplates,
  updateWhatsAppTemplate,
  upsertFixedTemplate,
  upsertTemplateRow,
  type WhatsAppTemplateRow,
} from './template-store.ts'

type OwnRow = MessageTemplateRow & { by: string | null }

/** Samples that a preview chooses from. */
const SAMPLES = 5

function approvalOf(event: AutomaticEvent, own: OwnRow | undefined, known: readonly WhatsAppTemplateRow[]): MessageTemplate['approval'] {
  const ofEvent = known.filter((row) => row.event === event)
  const latest = ofEvent.findLast((row) => row.is_own === Boolean(own?.text))
  return {
    status: latest?.status ?? (own?.text ? 'pending' : 'unknown'),
    reason: latest?.reason ?? null,
    is_live: own?.text ? latest?.status === 'approved' : true,
  }
}

function serialize(
  event: AutomaticEvent,
  channel: Channel,
  settings: Settings,
  own: OwnRow | undefined,
  known: readonly WhatsAppTemplateRow[],
): MessageTemplate {
  const defaults = defaultTexts(event, channel)
  return {
    channel,
    enabled: enabledChannels(event, settings).includes(channel),
    default_enabled: messageEvents[event].channels.includes(channel),
    locked: isAlwaysSent(event, channel),
    subject: own?.subject ?? defaults.subject,
    text: own?.text ?? defaults.text,
    is_own: Boolean(own && (own.subject !== null || own.text !== null)),
    default_subject: defaults.subject,
    default_text: defaults.text,
    approval: channel === 'whatsapp' ? approvalOf(event, own, known) : null,
    updatedAt: own?.updatedAt.toISOString() ?? null,
    updated_by: own?.by ?? null,
  }
}

/** GET /admin/message_templates. */
export async function messageTemplates(ctx: Ctx): Promise<{ templates: EventTemplates[]; whatsapp_connected: boolean }> {
  const [rows, known] = await Promise.all([listTemplateRows(ctx.db), listTemplatesInUse(ctx.db)])
  const shown = AUTOMATIC_EVENTS.map((event) => ({
    event,
    when: sendingTime(event, ctx.settings),
    channels: CHANNELS.map((channel) =>
      serialize(
        event,
        channel,
        ctx.settings,
        rows.find((row) => row.event === event && row.channel === channel),
        known,
      ),
    ),
  }))
  return { templates: shown, whatsapp_connected: ctx.studio.ports.whatsapp.managesTemplates }
}

/** GET /admin/message_templates/{event}/samples. */
export async function templateSamples(ctx: Ctx, { event }: { event: AutomaticEvent }) {
  const keys: VariableKey[] = [...variablesFor(event, 'mail', 'text'), 'asunto']
  const rows = await listSampleMessages(ctx.db, event, SAMPLES)
  const { business_name } = ctx.settings
  const sampleValues = Object.fromEntries(keys.map((key) => [key, messageVariables[key].sample]))
  // Messages from before templates had variables have no values of their own.
  const samples: TemplateSample[] = rows.map(({ name, texts }) => ({
    name,
    values: complete(templateValues(event, texts, business_name), { ...sampleValues, nombre: name }),
  }))
  return {
    variables: keys.map((key) => ({ key, label: messageVariables[key].label })),
    samples: samples.length ? samples : [{ name: messageVariables.nombre.sample, values: { ...sampleValues, negocio: business_name } }],
  }
}

const complete = (values: TemplateValues, samples: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value || (samples[key] ?? '')]))

interface ChangeInput {
  event: AutomaticEvent
  channel: Channel
  subject?: string | undefined
  text?: string | undefined
  enabled?: boolean | undefined
  if_updatedAt?: string | null | undefined
}

/** A text as it is stored; null for the default one. */
const stored = (typed: string | undefined, before: string | null, standard: string): string | null => {
  if (typed === undefined) return before
  const text = typed.replaceAll('\r\n', '\n').trim()
  return text === '' || text === standard ? null : text
}

/**
 * PUT /admin/message_templates/{event}/{channel}. INVALID_INPUT, MESSAGE_ALWAYS_SENT, TEMPLATES_NOT_CONNECTED, CHANGED_MEANWHILE. Text and
 * switch are written together or not at all.
 */
export async function changeTemplate(ctx: Ctx, input: ChangeInput): Promise<{ template: MessageTemplate }> {
  const { event, channel, enabled } = input
  if (enabled === false && isAlwaysSent(event, channel)) throw refuse('MESSAGE_ALWAYS_SENT')
  const issues = templateIssues(event, channel, input)
  if (issues.length) throw refuse('INVALID_INPUT', { issues })
  const standard = defaultTexts(event, channel)
  await ctx.tx(async (tx) => {
    const before = await lockTemplateRow(tx, event, channel)
    if (input.if_updatedAt !== undefined && (before?.updatedAt.toISOString() ?? null) !== input.if_updatedAt) {
      const by = (await listTemplateRows(tx)).find((row) => row.event === event && row.channel === channel)?.by
      throw refuseChanged(ctx, by, before?.updatedAt ?? null)
    }
    const row = {
      subject: channel === 'whatsapp' ? null : stored(input.subject, before?.subject ?? null, standard.subject),
      text: stored(input.text, before?.text ?? null, standard.text),
    }
    if (row.subject !== (before?.subject ?? null) || row.text !== (before?.text ?? null)) {
      await upsertTemplateRow(tx, { event, channel, ...row, updatedAt: ctx.now, updated_by: ctx.staff?.staff_id ?? null })
      await ctx.audit(tx, {
        action: 'message_template.change',
        entity: 'message_template',
        entity_id: `${event}/${channel}`,
        before: { subject: before?.subject ?? null, text: before?.text ?? null },
        after: row,
      })
      if (channel === 'whatsapp') {
        if (row.text === null) await retireTemplates(tx, event, ctx.now)
        else {
          if (!ctx.studio.ports.whatsapp.managesTemplates) throw refuse('TEMPLATES_NOT_CONNECTED')
          await insertOwnTemplate(tx, templates[event].name, { event, ...numberVariables(row.text), createdAt: ctx.now })
          await tx.send({ name: 'messages.templates', data: {}, key: 'templates' })
        }
      }
    }
    if (enabled !== undefined) await changeSetting(tx, ctx, 'message_channels', (matrix) => switched(matrix, event, channel, enabled))
  })
  if (enabled !== undefined) await ctx.studio.refreshSettings()
  const [rows, known] = await Promise.all([listTemplateRows(ctx.db), listTemplatesInUse(ctx.db)])
  const own = rows.find((row) => row.event === event && row.channel === channel)
  return { template: serialize(event, channel, ctx.studio.settings(), own, known) }
}

/** The matrix of channels with one switch changed; an event that is as by default is not in it. */
function switched(
  matrix: Settings['message_channels'],
  event: AutomaticEvent,
  channel: Channel,
  on: boolean,
): Settings['message_channels'] {
  const before: readonly Channel[] = matrix[event] ?? messageEvents[event].channels
  const after = CHANNELS.filter((option) => (option === channel ? on : before.includes(option)))
  const { [event]: _, ...others } = matrix
  const standard = messageEvents[event].channels
  return after.length === standard.length && after.every((channel) => standard.includes(channel)) ? others : { ...others, [event]: after }
}

/**
 * POST /admin/message_templates/{event}/{channel}/test: a message to the caller, through the same outbox as all others. INVALID_INPUT,
 * NO_OWN_PHONE, NO_OWN_ACCOUNT, NO_OWN_PUSH, TEMPLATE_NOT_APPROVED.
 */
export async function testTemplate(
  ctx: Ctx,
  input: { event: AutomaticEvent; channel: Channel; subject?: string | undefined; text?: string | undefined },
): Promise<{ ok: true; to: string }> {
  const { event, channel } = input
  const { staff } = ctx
  if (!staff) throw refuse('FORBIDDEN')
  const issues = templateIssues(event, channel, input)
  if (issues.length) throw refuse('INVALID_INPUT', { issues })
  const customer = ctx.customerOrNull
  const [row, rows, live, [sample]] = await Promise.all([
    customer ? customerById(ctx.db, customer.customer_id) : null,
    listTemplateRows(ctx.db),
    listLiveTemplates(ctx.db, [event]),
    listSampleMessages(ctx.db, event, 1),
  ])
  const own = rows.find((own) => own.event === event && own.channel === channel)
  const standard = defaultTexts(event, channel)
  const text = stored(input.text, own?.text ?? null, standard.text)
  const subject = stored(input.subject, own?.subject ?? null, standard.subject)
  const texts = testTexts(sample?.texts ?? (await sampleTexts(ctx, event)), staff.name)
  const business = ctx.settings.business_name
  const render = (): MessageTexts => {
    if (channel !== 'whatsapp') return withOwnText(event, channel, texts, { subject, text }, business)
    if (text === null) return texts
    const [approved] = live
    if (approved?.body !== numberVariables(text).body) throw refuse('TEMPLATE_NOT_APPROVED')
    return withOwnTemplate(event, texts, approved, business)
  }
  if (channel !== 'mail' && !row) throw refuse(channel === 'whatsapp' ? 'NO_OWN_PHONE' : 'NO_OWN_ACCOUNT')
  if (channel === 'whatsapp' && !row?.phone) throw refuse('NO_OWN_PHONE')
  if (channel === 'push' && !(row && (await getsPush(ctx.db, row.customer_id)))) throw refuse('NO_OWN_PUSH')
  const email = ctx.actor.kind === 'identity' ? ctx.actor.email : ''
  const status = channel === 'app' ? ('sent' as const) : ('waiting' as const)
  await ctx.tx(async (tx) => {
    const to = channel === 'mail' ? { staff_id: staff.staff_id } : { customer_id: row?.customer_id }
    const about = testAbout(randomUUID())
    const sentAt = channel === 'app' ? ctx.now : null
    await sendDue(
      tx,
      (
        await insertMessages(tx, [{ event, about, ...to, channel, status, texts: render(), nextAt: ctx.now, createdAt: ctx.now, sentAt }])
      ).filter((message) => message.status === 'waiting'),
    )
  })
  const to: Record<Channel, string> = { mail: email, whatsapp: row?.phone ?? '', push: 'tus dispositivos', app: 'tu cuenta' }
  return { ok: true, to: to[channel] }
}

/** The words of a real message, addressed to the caller and without its link, which may log its owner in. */
function testTexts(texts: MessageTexts, name: string): MessageTexts {
  const { title, subject, lines } = texts.replaced ?? texts
  const [, ...others] = texts.blanks
  return {
    title,
    ...(subject === undefined ? {} : { subject }),
    lines,
    notes: ['Es una prueba.'],
    action: texts.action ? { label: texts.action.label, path: paths.mystudio.calendar } : null,
    blanks: [name, ...others],
  }
}

async function sampleTexts(ctx: Ctx, event: AutomaticEvent): Promise<MessageTexts> {
  const [sample] = (await templateSamples(ctx, { event })).samples
  const values = sample?.values ?? {}
  const { keys } = numberVariables(defaultTexts(event, 'whatsapp').text)
  return {
    title: messageVariables.asunto.sample,
    lines: [messageVariables.detalles.sample],
    notes: [],
    action: { label: templates[event].button, path: paths.mystudio.calendar },
    blanks: keys.map((key) => values[key] ?? ''),
  }
}

/** Hands in templates that were not yet, and reads what the provider decided about all of them. */
export async function syncTemplates(ctx: Ctx): Promise<void> {
  const { whatsapp } = ctx.ports
  if (!whatsapp.managesTemplates) return
  for (const { name, event, body, keys } of await listUnsubmitted(ctx.db)) {
    const samples = keys.map((key) => messageVariables[key].sample)
    try {
      await whatsapp.submitTemplate({ name, body, button: templates[event].button, samples })
      await ctx.tx((tx) => updateWhatsAppTemplate(tx, name, { submittedAt: ctx.now }))
    } catch (error) {
      if (!(error instanceof WhatsAppRefused)) throw error
      await ctx.tx((tx) => updateWhatsAppTemplate(tx, name, { submittedAt: ctx.now, status: 'rejected', reason: error.message }))
    }
  }
  const states = new Map((await whatsapp.listTemplates())?.map((template) => [template.name, template]))
  const known = await listTemplatesInUse(ctx.db)
  await ctx.tx(async (tx) => {
    for (const event of AUTOMATIC_EVENTS) {
      const { name, body } = templates[event]
      const found = states.get(name)
      const status: TemplateStatus = found?.status ?? 'rejected'
      const reason = found ? found.reason : 'No está registrada en la cuenta.'
      const { keys } = numberVariables(defaultTexts(event, 'whatsapp').text)
      await upsertFixedTemplate(tx, { name, event, is_own: false, body, keys, status, reason, createdAt: ctx.now })
    }
    for (const row of known) {
      const found = states.get(row.name)
      if (!row.is_own || !found || (found.status === row.status && found.reason === row.reason)) continue
      if (TEMPLATE_STATUSES.includes(found.status))
        await updateWhatsAppTemplate(tx, row.name, { status: found.status, reason: found.reason })
    }
  })
}
