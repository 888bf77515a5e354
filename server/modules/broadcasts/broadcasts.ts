/** Messages to many customers (docs/domain.md, "Broadcasts"): preview, sending job, pause and cancel, and unsubscribing from promotions. */
import { randomUUID } from 'node:crypto'
import type * as z from 'zod'
import {
  BROADCAST_LEFT_OUT_SHOWN,
  BROADCAST_MAX,
  type Broadcast,
  type BroadcastAudience,
  type BroadcastButton,
  type BroadcastPreview,
  type BroadcastResults,
  type broadcasts as wire,
} from '#contract/broadcasts.ts'
import type { BroadcastChannel } from '#contract/channels.ts'
import { type ErrorCode, Refusal, refuse } from '#contract/errors.ts'
import { pageCount } from '#contract/paging.ts'
import { messagePaths, paths } from '#contract/paths.ts'
import { formatInstant } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { customersOfSegment, listCustomerIds } from '#server/modules/customers/customers.ts'
import {
  countMessagesAbout,
  dropWaitingMessages,
  enqueueMessages,
  enqueueTest,
  holdWaitingMessages,
  type MessageTexts,
  oneByOne,
  type Relevance,
  recordPromotionConsent,
  resumeWaitingMessages,
} from '#server/modules/messages/messages.ts'
import { type Authorship, authorshipOf, customerById, findCustomer, getAuthor } from '#server/modules/people/people.ts'
import type { Tx } from '#server/platform/db.ts'
import type { JobRun } from '#server/platform/job-types.ts'
import { buildPreview, filledText, planFor, type Terms, unknownVariable } from './rules.ts'
import {
  type BroadcastRow,
  broadcastAbout,
  countBroadcasts,
  findBroadcast,
  findClassName,
  findSendState,
  insertBroadcast,
  insertRecipients,
  listBroadcasts,
  listClassCustomers,
  listDueBroadcasts,
  listLeftOut,
  listRecipientFacts,
  listWaiting,
  lockBroadcast,
  lockWeeklyLimit,
  markUnsubscribed,
  settleRecipients,
  updateBroadcast,
} from './store.ts'

type Input = z.output<NonNullable<(typeof wire)['create']['~orpc']['inputSchema']>>
type TestInput = z.output<NonNullable<(typeof wire)['test']['~orpc']['inputSchema']>>

/** Recipients of one transaction of the sending job. */
const BATCH = 50
const PER_PAGE = 50
const WEEK_MS = 7 * 86_400_000
/** The use of the signed links that stop promotions. */
const UNSUBSCRIBE_USE = 'unsubscribe'

interface Audience {
  ids: readonly number[]
  total: number
  /** In words. */
  label: string
}

/** The current customers of an audience, at most `BROADCAST_MAX` and one more. NOT_FOUND, FORBIDDEN. */
async function peopleOf(ctx: Ctx, { segment_id, single_class_id, customer_ids, filter }: BroadcastAudience): Promise<Audience> {
  if (segment_id !== undefined) {
    const { name, ids, total } = await customersOfSegment(ctx, segment_id, BROADCAST_MAX + 1)
    return { ids, total, label: `Segmento ${name}` }
  }
  if (single_class_id !== undefined) {
    const found = await findClassName(ctx.db, single_class_id)
    if (!found) throw refuse('NOT_FOUND')
    ctx.requireLocation('messages.send', found.location_id)
    const ids = await listClassCustomers(ctx.db, single_class_id)
    return { ids, total: ids.length, label: `${found.name}, ${formatInstant(found.starts_at, found.zone ?? ctx.zone, 'class')}` }
  }
  const distinct = [...new Set(customer_ids)]
  const { ids, total } = filter ? await listCustomerIds(ctx, filter, BROADCAST_MAX + 1) : { ids: distinct, total: distinct.length }
  return { ids, total, label: total === 1 ? '1 cliente elegido' : `${total.toLocaleString('es-MX')} clientes elegidos` }
}

const termsOf = (ctx: Ctx, { channels, is_promotion }: { channels: readonly BroadcastChannel[]; is_promotion: boolean }): Terms => ({
  channels,
  is_promotion,
  limit: ctx.settings.messages_per_person_week,
})

const weekBefore = (now: Date) => new Date(now.getTime() - WEEK_MS)

/** INVALID_INPUT for a variable that does not exist. */
export function requireVariables({ subject, text }: { subject: string; text: string }): void {
  const issues = Object.entries({ subject, text }).flatMap(([path, written]) => {
    const unknown = unknownVariable(written)
    return unknown === null ? [] : [{ path, message: `“${unknown}” no es un dato: sirven {{nombre}} y {{negocio}}.` }]
  })
  if (issues.length) throw refuse('INVALID_INPUT', { issues })
}

/** POST /admin/broadcasts. INVALID_INPUT, NOT_FOUND, BROADCAST_TOO_LARGE with `total` and `max`, BROADCAST_EMPTY. */
export async function createBroadcast(ctx: Ctx, input: Input): Promise<{ broadcast: Broadcast | null; preview: BroadcastPreview | null }> {
  const { audience, channels, subject, text, button, dry_run } = input
  const { staff } = ctx
  if (!staff) throw refuse('FORBIDDEN')
  requireVariables(input)
  const at = input.at ? new Date(input.at) : null
  if (at && at < ctx.now) throw refuse('INVALID_INPUT', { issues: [{ path: 'at', message: 'Esa hora ya pasó.' }] })
  const { ids, total, label } = await peopleOf(ctx, audience)
  if (total > BROADCAST_MAX) throw refuse('BROADCAST_TOO_LARGE', { total, max: BROADCAST_MAX })
  const is_promotion = audience.single_class_id === undefined
  if (dry_run) {
    const facts = await listRecipientFacts(ctx.db, ids, { since: weekBefore(ctx.now), except: null })
    return { broadcast: null, preview: buildPreview(facts, termsOf(ctx, { channels, is_promotion }), BROADCAST_LEFT_OUT_SHOWN) }
  }
  if (total === 0 && !at) throw refuse('BROADCAST_EMPTY')
  // Customers chosen in the list are fixed now; a segment or a class is read when the broadcast is sent.
  const { customer_ids, filter, ...group } = audience
  const isChosen = customer_ids !== undefined || filter !== undefined
  const broadcast_id = await ctx.once('broadcasts.create', input, async (tx) => {
    const broadcast = await insertBroadcast(tx, {
      ...authorshipOf(ctx),
      staff_id: staff.staff_id,
      state: 'scheduled',
      audience: group,
      label,
      is_promotion,
      channels,
      subject,
      text,
      button,
      at: at ?? ctx.now,
      createdAt: ctx.now,
      resolvedAt: isChosen ? ctx.now : null,
    })
    if (isChosen) await insertRecipients(tx, broadcast, ids)
    await ctx.audit(tx, {
      action: 'broadcast.create',
      entity: 'broadcast',
      entity_id: broadcast,
      after: { subject, label, channels, at: (at ?? ctx.now).toISOString() },
    })
    if (!at) await tx.send({ name: 'broadcasts.run', data: { broadcast_id: broadcast }, key: String(broadcast) })
    return broadcast
  })
  return { broadcast: await oneOf(ctx, broadcast_id), preview: null }
}

type Figures = Awaited<ReturnType<typeof listBroadcasts>>[number]

const serialize = ({ row, by, total, ...figures }: Figures): Broadcast => ({
  broadcast_id: row.broadcast_id,
  state: row.state,
  is_promotion: row.is_promotion,
  audience: row.label,
  channels: row.channels,
  subject: row.subject,
  text: row.text,
  button: row.button,
  by,
  paused_because: row.paused_because,
  at: row.at.toISOString(),
  createdAt: row.createdAt.toISOString(),
  finishedAt: row.finishedAt?.toISOString() ?? null,
  total: row.resolvedAt ? total : null,
  ...figures,
})

/** NOT_FOUND also for one about a class where the caller does not work. */
async function oneOf(ctx: Ctx, broadcast_id: number): Promise<Broadcast> {
  const [found] = await listBroadcasts(ctx.db, ctx.locationIds, { broadcast_id })
  if (!found) throw refuse('NOT_FOUND')
  return serialize(found)
}

/** GET /admin/broadcasts. */
export async function allBroadcasts(ctx: Ctx, { page }: { page: number }) {
  const [rows, total] = await Promise.all([
    listBroadcasts(ctx.db, ctx.locationIds, { limit: PER_PAGE, offset: (page - 1) * PER_PAGE }),
    countBroadcasts(ctx.db, ctx.locationIds),
  ])
  return { broadcasts: rows.map(serialize), total, pages: pageCount(total, PER_PAGE) }
}

/** GET /admin/broadcasts/{broadcast_id}. NOT_FOUND. */
export async function readBroadcast(
  ctx: Ctx,
  { broadcast_id }: { broadcast_id: number },
): Promise<{ broadcast: Broadcast; results: BroadcastResults }> {
  const [shown, counts, left] = await Promise.all([
    oneOf(ctx, broadcast_id),
    countMessagesAbout(ctx.db, 'broadcast', broadcastAbout(broadcast_id)),
    listLeftOut(ctx.db, broadcast_id, BROADCAST_LEFT_OUT_SHOWN),
  ])
  const by_channel = shown.channels.map((channel) => {
    const of = (...states: readonly string[]) =>
      counts.filter((count) => count.channel === channel && states.includes(count.status)).reduce((sum, count) => sum + count.count, 0)
    return {
      channel,
      sent: of('sent', 'delivered', 'read', 'unknown'),
      delivered: of('delivered', 'read'),
      read: of('read'),
      failed: of('failed'),
      waiting: of('waiting', 'sending'),
      stopped: of('moot'),
    }
  })
  return { broadcast: shown, results: { by_channel, left_out: left.people, left_out_by: left.counts } }
}

/** Changes the state of a broadcast that is not over. NOT_FOUND, BROADCAST_OVER. */
async function move(
  ctx: Ctx,
  broadcast_id: number,
  action: 'broadcast.pause' | 'broadcast.resume' | 'broadcast.cancel',
  work: (tx: Tx, row: BroadcastRow) => Promise<void>,
): Promise<{ broadcast: Broadcast }> {
  await oneOf(ctx, broadcast_id)
  await ctx.tx(async (tx) => {
    const row = await lockBroadcast(tx, broadcast_id)
    if (!row) throw refuse('NOT_FOUND')
    if (row.finishedAt && action !== 'broadcast.cancel') throw refuse('BROADCAST_OVER')
    await work(tx, row)
    await ctx.audit(tx, { action, entity: 'broadcast', entity_id: broadcast_id, after: { subject: row.subject } })
  })
  return { broadcast: await oneOf(ctx, broadcast_id) }
}

/** POST /admin/broadcasts/{broadcast_id}/pause. NOT_FOUND, BROADCAST_OVER. */
export const pauseBroadcast = (ctx: Ctx, { broadcast_id }: { broadcast_id: number }) =>
  move(ctx, broadcast_id, 'broadcast.pause', async (tx) => {
    await updateBroadcast(tx, broadcast_id, { state: 'paused', paused_because: null })
    await holdWaitingMessages(tx, 'broadcast', broadcastAbout(broadcast_id))
  })

/** POST /admin/broadcasts/{broadcast_id}/resume. NOT_FOUND, BROADCAST_OVER. One whose time has not come waits for it. */
export const resumeBroadcast = (ctx: Ctx, { broadcast_id }: { broadcast_id: number }) =>
  move(ctx, broadcast_id, 'broadcast.resume', async (tx, row) => {
    if (row.state !== 'paused') return
    await updateBroadcast(tx, broadcast_id, { state: row.at > ctx.now ? 'scheduled' : 'sending', paused_because: null })
    await resumeWaitingMessages(tx, ctx, 'broadcast', broadcastAbout(broadcast_id))
    if (row.at <= ctx.now) await tx.send({ name: 'broadcasts.run', data: { broadcast_id }, key: String(broadcast_id) })
  })

/** POST /admin/broadcasts/{broadcast_id}/cancel. NOT_FOUND, BROADCAST_OVER: nothing of it waits any more. */
export const cancelBroadcast = (ctx: Ctx, { broadcast_id }: { broadcast_id: number }) =>
  move(ctx, broadcast_id, 'broadcast.cancel', async (tx, row) => {
    const dropped = await dropWaitingMessages(tx, 'broadcast', broadcastAbout(broadcast_id), 'cancelled')
    if (row.state === 'cancelled' || (row.state === 'sent' && dropped === 0)) throw refuse('BROADCAST_OVER')
    await updateBroadcast(tx, broadcast_id, { state: 'cancelled', finishedAt: ctx.now, paused_because: null })
  })

const BUTTONS: Readonly<Record<BroadcastButton, (ctx: Ctx) => MessageTexts['action']>> = {
  none: () => null,
  calendar: () => ({ label: 'Reservar', path: paths.mystudio.calendar }),
  packages: ({ settings }) => ({ label: 'Ver paquetes', path: paths.packages(settings) }),
}

/** The message to one person. `unsubscribe`: the path that stops promotions; null for what is not one. */
function textsFor(ctx: Ctx, of: Pick<BroadcastRow, 'subject' | 'text' | 'button'>, name: string, unsubscribe: string | null): MessageTexts {
  const values = { nombre: name, negocio: ctx.settings.business_name }
  const text = filledText(of.text, values)
  return {
    title: filledText(of.subject, values).replace(/\s+/g, ' ').trim(),
    lines: text
      .split('\n')
      .map((text) => text.trim())
      .filter(Boolean),
    notes: [],
    action: BUTTONS[of.button](ctx),
    blanks: [name, ctx.settings.business_name, text],
    ...(unsubscribe === null ? {} : { unsubscribe }),
  }
}

const unsubscribePath = (ctx: Ctx, customer_id: number, broadcast_id: number): string =>
  messagePaths.unsubscribe(ctx.studio.signer.sign(UNSUBSCRIBE_USE, `${customer_id}-${broadcast_id}`))

const NOT_ALLOWED = 'Quien lo escribió ya no puede enviar mensajes.'

/** Whether the author may still send messages, with what they wrote it with. */
export const mayAuthor = async (ctx: Ctx, of: Authorship & { uid: string | null }): Promise<boolean> =>
  (await getAuthor(ctx, of)).may('messages.send')

/**
 * Sends a broadcast. Each batch decides about its recipients, puts their messages into the outbox and records both in one transaction, so
 * that a killed job resumes without duplicates; the key of the outbox refuses a second copy in any case.
 */
export async function runBroadcast(
  ctx: Ctx,
  { broadcast_id }: { broadcast_id: number },
  { signal }: Pick<JobRun, 'signal'>,
): Promise<void> {
  const row = await findBroadcast(ctx.db, broadcast_id)
  if (!row || (row.state !== 'scheduled' && row.state !== 'sending') || row.at > ctx.now) return
  if (!row.resolvedAt) await resolve(ctx, row)
  for (;;) {
    signal.throwIfAborted()
    const isAllowed = await mayAuthor(ctx, row)
    if ((await ctx.tx((tx) => runBatch(tx, ctx, broadcast_id, isAllowed))) === 'over') return
  }
}

const GROUP_GONE: Partial<Record<ErrorCode, string>> = {
  NOT_FOUND: 'El grupo al que iba ya no existe.',
  FORBIDDEN: 'Quien lo escribió ya no trabaja donde es esa clase.',
}

/** The people of a broadcast as its author would see them now, or why there are none. Another failure is the job's: it is tried again. */
async function peopleNow(ctx: Ctx, row: BroadcastRow & { uid: string | null }): Promise<Audience | string> {
  const author = await getAuthor(ctx, row)
  // A dismissed author has no locations, which would be read as all of them.
  if (!author.may('messages.send')) return NOT_ALLOWED
  try {
    return await peopleOf(author, row.audience)
  } catch (error) {
    const why = error instanceof Refusal ? GROUP_GONE[error.code] : undefined
    if (why === undefined) throw error
    return why
  }
}

/**
 * Reads the people of a segment or class at the time of sending; pauses when there are too many, the group is gone, or the author may not
 * send messages.
 */
async function resolve(ctx: Ctx, row: BroadcastRow & { uid: string | null }): Promise<void> {
  const found = await peopleNow(ctx, row)
  await ctx.tx(async (tx) => {
    const locked = await lockBroadcast(tx, row.broadcast_id)
    if (!locked || locked.resolvedAt || (locked.state !== 'scheduled' && locked.state !== 'sending')) return
    if (typeof found === 'string' || found.total > BROADCAST_MAX) {
      const paused_because = typeof found === 'string' ? found : `Son más de ${BROADCAST_MAX.toLocaleString('es-MX')} personas.`
      return updateBroadcast(tx, row.broadcast_id, { state: 'paused', paused_because })
    }
    await insertRecipients(tx, row.broadcast_id, found.ids)
    await updateBroadcast(tx, row.broadcast_id, { resolvedAt: ctx.now })
  })
}

async function runBatch(tx: Tx, ctx: Ctx, broadcast_id: number, isAllowed: boolean): Promise<'more' | 'over'> {
  const row = await lockBroadcast(tx, broadcast_id)
  if (!row?.resolvedAt || (row.state !== 'scheduled' && row.state !== 'sending')) return 'over'
  if (!isAllowed) {
    await updateBroadcast(tx, broadcast_id, { state: 'paused', paused_because: NOT_ALLOWED })
    return 'over'
  }
  const ids = await listWaiting(tx, broadcast_id, BATCH)
  if (ids.length === 0) {
    await updateBroadcast(tx, broadcast_id, { state: 'sent', finishedAt: ctx.studio.clock() })
    return 'over'
  }
  if (row.state === 'scheduled') await updateBroadcast(tx, broadcast_id, { state: 'sending' })
  if (row.is_promotion) await lockWeeklyLimit(tx)
  const facts = await listRecipientFacts(tx, ids, { since: weekBefore(ctx.now), except: broadcast_id })
  const plans = facts.map((of) => ({ of, plan: planFor(of, termsOf(ctx, row)) }))
  const queued = plans.filter(({ plan }) => plan.reason === null)
  await enqueueMessages(
    tx,
    ctx,
    queued.map(({ of: { customer_id }, plan }) => ({
      event: 'broadcast' as const,
      about: broadcastAbout(broadcast_id),
      to: { customer_id },
      texts: (name: string) => textsFor(ctx, row, name, row.is_promotion ? unsubscribePath(ctx, customer_id, broadcast_id) : null),
      before: null,
      channels: plan.channels,
    })),
  )
  const idsOf = (which: typeof plans) => which.map(({ of }) => of.customer_id)
  await settleRecipients(tx, broadcast_id, idsOf(queued), { state: 'queued', queuedAt: ctx.now })
  for (const reason of new Set(plans.flatMap(({ plan }) => plan.reason ?? [])))
    await settleRecipients(tx, broadcast_id, idsOf(plans.filter(({ plan }) => plan.reason === reason)), { state: 'left_out', reason })
  return 'more'
}

/** Sends the jobs of broadcasts whose time has come, and of those whose job was lost. */
export async function sweepBroadcasts(ctx: Ctx): Promise<void> {
  const due = await listDueBroadcasts(ctx.db, ctx.now)
  await ctx.tx(async (tx) => {
    for (const broadcast_id of due) await tx.send({ name: 'broadcasts.run', data: { broadcast_id }, key: String(broadcast_id) })
  })
}

/** Checked right before a message is sent: not for a cancelled broadcast, nor for a customer who unsubscribed meanwhile. */
export const broadcastRelevance: Relevance = {
  broadcast: oneByOne(async (ctx, { about, customer_id }) => {
    const broadcast_id = Number(about.slice(broadcastAbout(0).length - 1))
    if (customer_id === null) return null
    const found = await findSendState(ctx.db, { broadcast_id, customer_id })
    if (!found || found.state === 'cancelled') return 'cancelled'
    return found.is_promotion && !found.promotions ? 'unsubscribed' : null
  }),
}

/** POST /admin/broadcasts/test. INVALID_INPUT, NO_OWN_PHONE, NO_OWN_ACCOUNT. */
export async function testBroadcast(ctx: Ctx, { channel, ...input }: TestInput): Promise<{ ok: true; to: string }> {
  const { staff } = ctx
  if (!staff) throw refuse('FORBIDDEN')
  requireVariables(input)
  const customer = ctx.customerOrNull
  const row = customer ? await customerById(ctx.db, customer.customer_id) : null
  if (channel !== 'mail' && !row) throw refuse(channel === 'app' ? 'NO_OWN_ACCOUNT' : 'NO_OWN_PHONE')
  if (channel === 'whatsapp' && !row?.phone) throw refuse('NO_OWN_PHONE')
  const texts = { ...textsFor(ctx, input, staff.name, null), notes: ['Es una prueba.'] }
  const to = channel === 'mail' || !row ? { staff_id: staff.staff_id } : { customer_id: row.customer_id }
  await ctx.tx((tx) => enqueueTest(tx, ctx, { event: 'broadcast', to, channel, texts, id: randomUUID() }))
  const email = ctx.actor.kind === 'identity' ? ctx.actor.email : ''
  return { ok: true, to: channel === 'mail' ? email : channel === 'app' ? 'tu cuenta' : (row?.phone ?? '') }
}

/** The person and broadcast of a link. UNSUBSCRIBE_INVALID. */
async function ofLink(ctx: Ctx, token: string) {
  const [customer_id = 0, broadcast_id = 0] = (ctx.studio.signer.read(UNSUBSCRIBE_USE, token) ?? '').split('-').map(Number)
  const found = customer_id > 0 ? await findSendState(ctx.db, { broadcast_id, customer_id }) : null
  const row = found && (await findCustomer(ctx.db, customer_id))
  if (!found || !row) throw refuse('UNSUBSCRIBE_INVALID')
  return { customer_id, broadcast_id, name: row.name, subscribed: found.promotions }
}

/** GET /unsubscribe/{token}. UNSUBSCRIBE_INVALID. */
export async function readSubscription(ctx: Ctx, { token }: { token: string }): Promise<{ name: string; subscribed: boolean }> {
  const { name, subscribed } = await ofLink(ctx, token)
  return { name, subscribed }
}

/** POST /unsubscribe/{token}. UNSUBSCRIBE_INVALID. The consent gets its date, and the audit entry names the message. */
export async function changeSubscription(
  ctx: Ctx,
  { token, subscribed }: { token: string; subscribed: boolean },
): Promise<{ name: string; subscribed: boolean }> {
  const { name, ...ids } = await ofLink(ctx, token)
  await ctx.tx(async (tx) => {
    await recordPromotionConsent(tx, ctx, { customer_id: ids.customer_id, allowed: subscribed, broadcast_id: ids.broadcast_id })
    await markUnsubscribed(tx, ids, subscribed ? null : ctx.now)
  })
  return { name, subscribed }
}
