/** The log of deliveries as staff read it, and messages sent again from there (M7, M9, M10). */
import { refuse } from '#contract/errors.ts'
import type { LoggedMessage, StoredMail } from '#contract/notifications.ts'
import { MESSAGES_PER_PAGE } from '#contract/paging.ts'
import { addDays, startOfDay } from '#contract/time.ts'
import { filledBody, filledTemplate } from '#server/adapters/whatsapp/templates.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { changeCustomer } from '#server/modules/people/people.ts'
import { loadPeople, sendDue } from './delivery.ts'
import { consentsTo, isResendable, leavesAt } from './rules.ts'
import { type LogFilter, listLog, lockMessage, type MessageRow, updateMessage } from './store.ts'

/** Emails that were not sent because no mail server is configured, newest first (M9). */
export async function listOutbox(ctx: Ctx, input: { page: number }): Promise<{ mails: StoredMail[]; total: number; kept: boolean }> {
  const found = await ctx.ports.mail.listStored?.({ number: input.page, size: MESSAGES_PER_PAGE })
  const mails = (found?.mails ?? []).map((mail) => ({ ...mail, createdAt: mail.createdAt.toISOString() }))
  return { mails, total: found?.total ?? 0, kept: found !== undefined }
}

/**
 * Sends a message again with the same text, after its customer's email or phone was corrected if `email` or `phone` is given (M10).
 * NOT_FOUND, MESSAGE_NOT_RESENDABLE, MESSAGE_WITHOUT_CONSENT, and the refusals of a changed customer.
 */
export function resend(
  ctx: Ctx,
  input: { message_id: number; email?: string | undefined; phone?: string | undefined },
): Promise<{ status: 'waiting'; next_at: string }> {
  return ctx.once('messages.resend', input, async (tx) => {
    const row = await lockMessage(tx, input.message_id)
    if (!row) throw refuse('NOT_FOUND')
    const { message_id, event, channel, customer_id, staff_id } = row
    if (channel === 'app' || channel === 'push' || !isResendable(row, ctx.now)) throw refuse('MESSAGE_NOT_RESENDABLE')
    const corrected = channel === 'mail' ? { email: input.email } : { phone: input.phone }
    if (Object.values(corrected).some((value) => value !== undefined)) {
      if (customer_id === null) throw refuse('MESSAGE_NOT_RESENDABLE')
      await changeCustomer(ctx, tx, customer_id, corrected)
    }
    const person = (await loadPeople(tx, [row]))(row)
    if (!person) throw refuse('MESSAGE_NOT_RESENDABLE')
    if (!consentsTo(event, person, channel)) throw refuse('MESSAGE_WITHOUT_CONSENT')
    const nextAt = leavesAt(channel, ctx.now, row.mootAt, ctx.settings, ctx.zone)
    const fresh = { status: 'waiting' as const, nextAt, tries: 0, resends: row.resends + 1 }
    await updateMessage(tx, message_id, { ...fresh, reason: null, sentAt: null, provider_id: null, provider_person: null })
    if (nextAt <= ctx.now) await sendDue(tx, [{ message_id, channel }])
    const about =
      customer_id !== null
        ? { entity: 'customer' as const, entity_id: customer_id }
        : { entity: 'staff' as const, entity_id: staff_id ?? 0 }
    await ctx.audit(tx, { action: 'message.resend', ...about, after: { message_id, event, channel } })
    return { status: 'waiting' as const, next_at: nextAt.toISOString() }
  })
}

export type LogInput = Omit<LogFilter, 'since' | 'until'> & { from?: string | undefined; to?: string | undefined }

/** Messages are counted up to this number after the shown page. */
const COUNT_AHEAD = 5_000

/** A page of the delivery log (M7). */
export async function deliveryLog(ctx: Ctx, { page, per_page, ...input }: LogInput & { page: number; per_page: number }) {
  const countLimit = page * per_page + COUNT_AHEAD
  const { messages, total } = await loggedMessages(ctx, input, { number: page, size: per_page }, countLimit + 1)
  return { messages, total: Math.min(total, countLimit), has_more: total > countLimit }
}

/** The same with pages of any size, counted up to a limit. */
export async function loggedMessages(
  ctx: Ctx,
  { from, to, ...filter }: LogInput,
  page: { number: number; size: number },
  countLimit: number,
): Promise<{ messages: LoggedMessage[]; total: number }> {
  const since = from === undefined ? undefined : startOfDay(from, ctx.zone)
  const until = to === undefined ? undefined : startOfDay(addDays(to, 1), ctx.zone)
  const { rows, total } = await listLog(ctx.db, { ...filter, since, until }, page, countLimit)
  return {
    messages: rows.map(({ message: row, name, email, phone, has_account }) => ({
      message_id: row.message_id,
      event: row.event,
      channel: row.channel,
      status: row.status,
      customer_id: row.customer_id,
      staff_id: row.staff_id,
      name,
      title: row.texts.title,
      text: sentText(row),
      reason: row.reason,
      tries: row.tries,
      createdAt: row.createdAt.toISOString(),
      next_at: row.status === 'waiting' ? row.nextAt.toISOString() : null,
      sentAt: row.sentAt?.toISOString() ?? null,
      address: row.channel === 'mail' ? email : row.channel === 'whatsapp' ? phone : null,
      has_account,
      resends: row.resends,
      resendable: isResendable(row, ctx.now),
    })),
    total,
  }
}

/** The text as it was sent. */
function sentText({ channel, event, texts }: MessageRow): string {
  if (channel !== 'whatsapp') return texts.lines.join('\n')
  return texts.template ? filledBody(texts.template.body, texts.template.blanks) : filledTemplate(event, texts.blanks)
}
