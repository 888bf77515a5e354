/** Messages that are sent when a customer changes to a state (docs/domain.md BR7, BR8). */
import { asc } from 'drizzle-orm'
import { AUTOMATION_WINDOW_DAYS, type Automation, MAX_AUTOMATIONS, type automations as wire } from '#contract/automations.ts'
import { BROADCAST_MAX, BROADCAST_WHATSAPP_MAX } from '#contract/broadcasts.ts'
import { customerStateLabels } from '#contract/copy/customer-list.ts'
import type { Sent } from '#contract/crud.ts'
import { refuse } from '#contract/errors.ts'
import { localDate, wallClock } from '#contract/time.ts'
import { plainListVerbs } from '#server/modules/crud.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { refreshBeforeReading } from '#server/modules/customers/customers.ts'
import { authorshipOf } from '#server/modules/people/people.ts'
import type { Tx } from '#server/platform/db.ts'
import {
  type AutomationRow,
  countAutomations,
  findAutomationFigures,
  listEnabledAutomations,
  listEntered,
  lockAutomation,
} from './automation-store.ts'
import { mayAuthor, requireVariables } from './broadcasts.ts'
import { insertBroadcast, insertRecipients } from './store.ts'
import { automation } from './tables.ts'

const DAY_MS = 86_400_000
/** From this hour on nothing is sent until the next day. */
const LAST_HOUR = 22

type Input = Sent<typeof wire>

const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * DAY_MS)

async function onWire(row: AutomationRow, ctx: Ctx): Promise<Automation> {
  const { by, uid, reached, left_out, last_at } = await findAutomationFigures(ctx.db, row)
  const isAllowed = !row.enabled || (await mayAuthor(ctx, { ...row, uid }))
  const { automation_id, customer_state, channels, subject, text, button, hour, again_after_days, enabled } = row
  return {
    automation_id,
    customer_state,
    channels,
    subject,
    text,
    button,
    hour,
    again_after_days,
    enabled,
    by,
    reached,
    left_out,
    updatedAt: row.updatedAt.toISOString(),
    last_at: last_at?.toISOString() ?? null,
    stopped_because: isAllowed ? null : `${by} ya no puede enviar mensajes: que lo guarde alguien que sí.`,
  }
}

/** INVALID_INPUT: a variable that does not exist, or a text that is too long for WhatsApp. */
function requireText({ subject, text, channels }: Pick<AutomationRow, 'subject' | 'text' | 'channels'>): void {
  requireVariables({ subject, text })
  if (channels.includes('whatsapp') && text.length > BROADCAST_WHATSAPP_MAX)
    throw refuse('INVALID_INPUT', { issues: [{ path: 'text', message: `Por WhatsApp caben ${BROADCAST_WHATSAPP_MAX} caracteres.` }] })
}

export const automationList = plainListVerbs({
  table: automation,
  id: 'automation_id',
  topic: null,
  order: [asc(automation.automation_id)],
  isSoftDelete: true,
  shown: onWire,
  values({ customer_state, channels, subject, text, button, hour, again_after_days, enabled }: Input, before, ctx) {
    const { staff } = ctx
    if (!staff) throw refuse('FORBIDDEN')
    requireText({
      subject: subject ?? before?.subject ?? '',
      text: text ?? before?.text ?? '',
      channels: channels ?? before?.channels ?? [],
    })
    const isSwitchedOn = enabled === true && before?.enabled === false
    const isOtherState = customer_state !== undefined && customer_state !== before?.customer_state
    return {
      customer_state,
      channels,
      subject,
      text,
      button,
      hour,
      again_after_days,
      enabled,
      ...(before === null || isSwitchedOn || isOtherState ? { since: ctx.now } : {}),
      staff_id: staff.staff_id,
      ...authorshipOf(ctx),
      updatedAt: ctx.now,
    }
  },
  async after(tx) {
    if ((await countAutomations(tx)) > MAX_AUTOMATIONS)
      throw refuse('INVALID_INPUT', { issues: [{ path: 'subject', message: `Caben ${MAX_AUTOMATIONS}: elimina alguno primero.` }] })
  },
})

/** Whether an automation is sent now: once a day, from its hour on. */
export function isDue({ hour, last_at }: { hour: number; last_at: Date | null }, now: Date, zone: string): boolean {
  const hourNow = wallClock(now, zone).getUTCHours()
  return hourNow >= hour && hourNow < LAST_HOUR && (last_at === null || localDate(last_at, zone) < localDate(now, zone))
}

/**
 * Job: makes a broadcast for each automation whose hour has come, for the customers who changed to its state. Consent, the limit per week,
 * the link to unsubscribe and the record are those of broadcasts. An automation whose author lost the right to send messages is skipped
 * until another person saves it.
 */
export async function sweepAutomations(ctx: Ctx): Promise<void> {
  const due = (await listEnabledAutomations(ctx.db)).filter((automation) => isDue(automation, ctx.now, ctx.zone))
  if (due.length === 0) return
  await refreshBeforeReading(ctx)
  for (const automation of due) if (await mayAuthor(ctx, automation)) await ctx.tx((tx) => sendTo(tx, ctx, automation.automation_id))
}

async function sendTo(tx: Tx, ctx: Ctx, automation_id: number): Promise<void> {
  const row = await lockAutomation(tx, automation_id)
  if (!row || !isDue(row, ctx.now, ctx.zone)) return
  const ids = await listEntered(tx, row, {
    since: daysBefore(ctx.now, AUTOMATION_WINDOW_DAYS),
    again: daysBefore(ctx.now, row.again_after_days),
    weekBefore: daysBefore(ctx.now, 7),
    perWeek: ctx.settings.messages_per_person_week,
    limit: BROADCAST_MAX,
  })
  if (ids.length === 0) return
  const broadcast_id = await insertBroadcast(tx, {
    staff_id: row.staff_id,
    rights: row.rights,
    api_key_id: row.api_key_id,
    automation_id,
    state: 'scheduled',
    audience: {},
    is_promotion: true,
    label: `Pasaron a ${customerStateLabels[row.customer_state]}`,
    channels: row.channels,
    subject: row.subject,
    text: row.text,
    button: row.button,
    at: ctx.now,
    createdAt: ctx.now,
    resolvedAt: ctx.now,
  })
  await insertRecipients(tx, broadcast_id, ids)
  await tx.send({ name: 'broadcasts.run', data: { broadcast_id }, key: String(broadcast_id) })
}
