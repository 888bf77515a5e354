/** The messages that a customer reads in their account. */
import type { Notification } from '#contract/notifications.ts'
import { MESSAGES_PER_PAGE } from '#contract/paging.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { listNotifications, markRead } from './store.ts'

/** The caller's notifications, newest first, fifty per page. */
export async function listMyNotifications(
  ctx: Ctx,
  input: { page: number },
): Promise<{ messages: Notification[]; total: number; unread: number }> {
  const { rows, total, unread } = await listNotifications(ctx.db, ctx.customer.customer_id, { number: input.page, size: MESSAGES_PER_PAGE })
  const messages = rows.map(({ message_id, event, texts, createdAt, readAt }) => ({
    message_id,
    event,
    title: texts.title,
    lines: texts.lines,
    action: texts.action,
    createdAt: createdAt.toISOString(),
    readAt: readAt?.toISOString() ?? null,
  }))
  return { messages, total, unread }
}

/** Marks the caller's notifications as read; other people's ids are ignored. */
export async function markNotificationsRead(ctx: Ctx, input: { message_ids?: number[] | undefined }): Promise<{ ok: true }> {
  await ctx.tx((tx) => markRead(tx, ctx.customer.customer_id, input.message_ids ?? null, ctx.now))
  return { ok: true }
}
