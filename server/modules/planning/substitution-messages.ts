/** Emails to coaches and owners about substitutions (L12). Customers get the message about a changed class. */
import { adminPaths } from '#contract/admin-paths.ts'
import { formatInstant } from '#contract/time.ts'
import { findClassTexts } from '#server/modules/bookings/bookings.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { enqueueMessages, type MessageTexts } from '#server/modules/messages/messages.ts'
import {
  claimUnanswered,
  claimUrgent,
  listOwners,
  listStaffOfCoaches,
  listSubstitutionRows,
  type SubstitutionRow,
} from './substitution-store.ts'

const HOUR_MS = 3_600_000
/** Time after which coaches without an answer are reminded, in ms. */
const REMIND_MS = 2 * HOUR_MS
/** Time before the class at which the owners are warned that it has no substitute, in ms. */
const WARN_MS = 6 * HOUR_MS

const PATH = adminPaths.substitutions

type Part = 'asked' | 'reminded' | 'refused' | 'warned'

/** Sends one email per person and part, while the substitution is in one of these states. */
async function send(
  ctx: Ctx,
  substitution_id: number,
  { part, states, label }: { part: Part; states: readonly SubstitutionRow['state'][]; label: string },
  {
    recipients,
    text,
  }: {
    recipients: (row: SubstitutionRow) => Promise<number[]>
    text: (row: SubstitutionRow, type: string, when: string) => Pick<MessageTexts, 'title' | 'lines'>
  },
): Promise<void> {
  const [row] = await listSubstitutionRows(ctx.db, { ids: [substitution_id] }, null, ctx.now)
  const cls = row?.is_current && states.includes(row.state) ? await findClassTexts(ctx, row.single_class_id) : null
  if (!row || !cls) return
  const to = await recipients(row)
  const { title, lines } = text(row, cls.type, cls.when)
  const { starts_at } = cls.facts
  await ctx.tx((tx) =>
    enqueueMessages(
      tx,
      ctx,
      to.map((staff_id) => ({
        event: 'class_changed',
        about: `substitution:${row.single_class_id}:${substitution_id}:${part}`,
        to: { staff_id },
        before: starts_at,
        starts: starts_at,
        texts: (name) => ({
          title,
          subject: `Suplencia: ${cls.type}, ${cls.when}`,
          lines: [cls.line, cls.where, ...lines],
          notes: [],
          action: { label, path: PATH },
          blanks: [name, cls.type, cls.when, title],
        }),
      })),
    ),
  )
}

/** Emails the request to the coaches who have not answered; `again`: as a reminder. */
export function sendSubstitutionRequests(ctx: Ctx, { substitution_id, again }: { substitution_id: number; again: boolean }): Promise<void> {
  return send(
    ctx,
    substitution_id,
    { part: again ? 'reminded' : 'asked', states: ['open'], label: 'Responder' },
    {
      recipients: (row) =>
        listStaffOfCoaches(
          ctx.db,
          (row.asked ?? []).flatMap(({ instructor_id, answer }) => (answer === null ? [instructor_id] : [])),
          row.location_id,
        ),
      text: ({ reason }) => ({
        title: again ? 'Todavía se busca quién dé esta clase' : '¿Puedes dar esta clase?',
        lines: [`Motivo: ${reason}`],
      }),
    },
  )
}

export function notifyRefusedCoach(ctx: Ctx, input: { substitution_id: number; instructor_id: number }): Promise<void> {
  return send(
    ctx,
    input.substitution_id,
    { part: 'refused', states: ['open', 'accepted', 'done'], label: 'Ver suplencias' },
    {
      recipients: (row) =>
        row.substitute_id === input.instructor_id
          ? Promise.resolve([])
          : listStaffOfCoaches(ctx.db, [input.instructor_id], row.location_id),
      text: () => ({ title: 'Esta vez la clase la dará alguien más', lines: ['Gracias por ofrecerte.'] }),
    },
  )
}

export function notifyOwners(ctx: Ctx, { substitution_id }: { substitution_id: number }): Promise<void> {
  return send(
    ctx,
    substitution_id,
    { part: 'warned', states: ['open', 'accepted'], label: 'Ver suplencias' },
    {
      recipients: () => listOwners(ctx.db),
      text: (row) => ({
        title: row.state === 'accepted' ? 'Falta aprobar a quien suple' : 'Falta quién dé esta clase',
        lines: [`La clase empieza a las ${formatInstant(new Date(row.starts), ctx.zone, 'hour')}. Motivo: ${row.reason}`],
      }),
    },
  )
}

/** Reminds coaches who have not answered for two hours, and warns the owners six hours before the class; once each. */
export async function followUpSubstitutions(ctx: Ctx): Promise<void> {
  await ctx.tx(async (tx) => {
    for (const substitution_id of await claimUnanswered(tx, { openedBefore: new Date(ctx.now.getTime() - REMIND_MS), now: ctx.now }))
      await tx.send({ name: 'substitution-asked', data: { substitution_id, again: true } })
    for (const substitution_id of await claimUrgent(tx, { startsBefore: new Date(ctx.now.getTime() + WARN_MS), now: ctx.now }))
      await tx.send({ name: 'substitution-warned', data: { substitution_id } })
  })
}
