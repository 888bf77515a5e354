/** "Tu semana en {studio}": what happened last week and three things to do, by mail on Monday morning (docs/domain.md RE27). */

import { sql } from 'drizzle-orm'
import { adminPaths } from '#contract/admin-paths.ts'
import type { ReportKey } from '#contract/copy/reports.ts'
import { addDays, type LocalDate, localDate, wallClock } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { enqueueMessages, type MessageTexts } from '#server/modules/messages/messages.ts'
import type { Reader } from '#server/platform/db.ts'
import type { Measures } from './report.ts'
import { readSpec } from './reports.ts'
import { amountText, changeText, dayText } from './sentences.ts'

const MONDAY = 1
/** Sent from this hour of the studio's day on; a server that was down sends it later on the same Monday. */
const FROM_HOUR = 7

/** Whether it is the time of the email on the clocks of a zone. */
export function isEmailTime(now: Date, zone: string): boolean {
  const wall = wallClock(now, zone)
  return wall.getUTCDay() === MONDAY && wall.getUTCHours() >= FROM_HOUR
}

/** What happened: the main figure of these reports, in this order. */
const FIGURES: readonly ReportKey[] = ['cobrado', 'ventas', 'ocupacion', 'asistencia', 'clientes', 'suscripciones']

/** Reports that may suggest an action, the most urgent first, with the condition. */
const ASKING: readonly { key: ReportKey; isDue: (now: Measures) => boolean }[] = [
  { key: 'suscripciones', isDue: ({ past_due }) => (past_due ?? 0) > 0 },
  { key: 'riesgo', isDue: ({ risk }) => (risk ?? 0) > 0 },
  { key: 'calificaciones', isDue: ({ low }) => (low ?? 0) > 0 },
  { key: 'ocupacion', isDue: ({ waiting }) => (waiting ?? 0) > 0 },
  { key: 'creditos', isDue: ({ people }) => (people ?? 0) > 0 },
  { key: 'mensajes', isDue: ({ failed }) => (failed ?? 0) > 0 },
  { key: 'cortes', isDue: ({ open, differing }) => (open ?? 0) + (differing ?? 0) > 0 },
  { key: 'primera-clase', isDue: ({ tried, bought }) => (tried ?? 0) > (bought ?? 0) },
]
const SUGGESTIONS = 3

/** The texts of the email about the seven days before a Monday; null when nothing happened in them. */
export async function weeklyEmail(ctx: Ctx, monday: LocalDate): Promise<Pick<MessageTexts, 'title' | 'lines' | 'notes' | 'action'> | null> {
  const days = { from: addDays(monday, -7), to: addDays(monday, -1) }
  const figures: string[] = []
  let happened = false
  for (const key of FIGURES) {
    const { spec, scope, now, before } = await readSpec(ctx, { key, compare: 'before', ...days })
    const [figure] = spec.figures
    const value = now[figure.key]
    if (value == null) continue
    happened ||= value !== 0
    const change = changeText(value, before?.[figure.key], figure.unit, scope)
    figures.push(`${figure.label}: ${amountText(value, figure.unit)}${change ? ` (${change})` : ''}`)
  }
  if (!happened) return null
  const suggestions: string[] = []
  for (const { key, isDue } of ASKING) {
    if (suggestions.length === SUGGESTIONS) break
    const { spec, scope, now, before } = await readSpec(ctx, { key, compare: 'before', ...days })
    if (!isDue(now)) continue
    const { headline } = await spec.build(scope, { now, before })
    if (headline) suggestions.push(headline.text)
  }
  return {
    title: `Tu semana en ${ctx.settings.business_name}`,
    lines: [
      `Del ${dayText(days.from)} al ${dayText(days.to)}, contra la semana anterior.`,
      ...figures,
      ...(suggestions.length > 0
        ? [suggestions.length === 1 ? 'Una cosa por hacer:' : `${suggestions.length === 2 ? 'Dos' : 'Tres'} cosas por hacer:`]
        : []),
      ...suggestions.map((text, at) => `${at + 1}. ${text}`),
    ],
    notes: ['Este correo llega los lunes a la propiedad. Se apaga en Ajustes, en Mensajes.'],
    action: { label: 'Abrir los reportes', path: `${adminPaths.reports}?periodo=semana` },
  }
}

/** The owners who have an account and did not get it yet. */
async function listRecipients(db: Reader, about: string): Promise<number[]> {
  const { rows } = await db.execute<{ staff_id: number }>(sql`
    select s.staff_id from staff s where s.role = 'owner' and s."disabledAt" is null and s.uid is not null
      and not exists (select from message m where m.staff_id = s.staff_id and m.event = 'weekly_email' and m.about = ${about})
    order by 1`)
  return rows.map((row) => row.staff_id)
}

/** Job: sends the email of this Monday to the owners, once to each. Nothing while the switch `weekly_email` is off. */
export async function sendWeeklyEmail(ctx: Ctx): Promise<void> {
  if (!ctx.settings.weekly_email || !isEmailTime(ctx.now, ctx.zone)) return
  const monday = localDate(ctx.now, ctx.zone)
  const about = `week:${monday}`
  const owners = await listRecipients(ctx.db, about)
  if (owners.length === 0) return
  const email = await weeklyEmail(ctx, monday)
  if (!email) return
  await ctx.tx((tx) =>
    enqueueMessages(
      tx,
      ctx,
      owners.map((staff_id) => ({
        event: 'weekly_email',
        about,
        to: { staff_id },
        before: null,
        texts: (name) => ({ ...email, subject: email.title, blanks: [name, email.title, email.lines.join(' ')] }),
      })),
    ),
  )
}
