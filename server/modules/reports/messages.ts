/** Mensajes: what was sent, and what of it arrived (docs/domain.md M7, RE23). */

import { sql } from 'drizzle-orm'
import { adminPaths } from '#contract/admin-paths.ts'
import type { Channel, MessageEvent } from '#contract/channels.ts'
import { messageChannelLabels, messageEventLabels } from '#contract/copy/message-log.ts'
import type { LocalDate } from '#contract/time.ts'
import { toPercent } from '#server/modules/today/today.ts'
import { barChart, stepChart } from './charts.ts'
import { type Body, column, type Headline, type Measures, oncePerReport, type ReportSpec, type Scope, screenLink } from './report.ts'
import { daysIn, lastFourWeeks, type Period, sumBy } from './rules.ts'
import { amountText, changeText, countText } from './sentences.ts'

interface Sent extends Record<string, unknown> {
  event: MessageEvent
  channel: Channel
  day: LocalDate
  /** Without those that are still to be sent, or became pointless. */
  tried: number
  /** Sent or later: the furthest state that a channel reports. */
  arrived: number
  read: number
  failed: number
}

/**
 * Day by day, each a stretch of the index `message_created`: the day of every message on the clock of a zone took longer than to
 * count them.
 */
const listSent = oncePerReport(async ({ ctx }: Scope, period: Period): Promise<Sent[]> => {
  const days = daysIn(period, ctx.zone)
  const instants = (read: (day: (typeof days)[number]) => Date) =>
    sql`${`{${days.map((day) => read(day).toISOString()).join(',')}}`}::timestamptz[]`
  const { rows } = await ctx.db.execute<Sent>(sql`
    select m.event, m.channel, d.day, m.tried, m.arrived, m.read, m.failed
    from unnest(${`{${days.map(({ day }) => day).join(',')}}`}::text[], ${instants(({ from }) => from)}, ${instants(({ until }) => until)}) d (day, starts, ends)
    cross join lateral (
      select m.event, m.channel,
      (count(*) filter (where m.status in ('sent', 'delivered', 'read', 'failed', 'unknown')))::float8 as tried,
      (count(*) filter (where m.status in ('sent', 'delivered', 'read')))::float8 as arrived,
      (count(*) filter (where m.status = 'read'))::float8 as read, (count(*) filter (where m.status = 'failed'))::float8 as failed
      from message m where m."createdAt" >= d.starts and m."createdAt" < d.ends group by 1, 2) m
    order by 1, 2, 3`)
  return rows
})

const total = (rows: readonly Sent[], key: 'tried' | 'arrived' | 'read' | 'failed') => sumBy(rows, (row) => row[key])
const arrivedShare = (rows: readonly Sent[]) => toPercent(total(rows, 'arrived'), total(rows, 'tried'))
/** Emails and push notifications report no reads. */
const readable = (rows: readonly Sent[]) => rows.filter(({ channel }) => channel !== 'mail' && channel !== 'push')
const readShare = (rows: readonly Sent[]) => toPercent(total(readable(rows), 'read'), total(readable(rows), 'tried'))

async function measure(scope: Scope, period: Period): Promise<Measures> {
  const rows = await listSent(scope, period)
  return { arrived: arrivedShare(rows), sent: total(rows, 'tried'), read: readShare(rows), failed: total(rows, 'failed') }
}

const logLink = (scope: Scope, more: Record<string, string> = {}, days = scope.now.days) =>
  screenLink(adminPaths.messages, { now: scope.now, location_id: undefined }, more, days)

function headlineOf(scope: Scope, { now, before }: { now: Measures; before: Measures | null }): Headline | null {
  if (!now.sent) return null
  const change = changeText(now.arrived, before?.arrived, 'percent', scope)
  return {
    text: now.failed
      ? `${countText(now.failed, 'mensaje no llegó', 'mensajes no llegaron')} de ${amountText(now.sent, 'count')}. Corrige el correo o el teléfono y ${now.failed === 1 ? 'reenvíalo' : 'reenvíalos'}.`
      : `${now.sent === 1 ? 'Llegó el mensaje' : `Llegaron los ${amountText(now.sent, 'count')} mensajes`}${change ? `: ${change}` : ''}.`,
    detail: now.read == null ? null : `De los que dicen si se leyeron, se leyó el ${amountText(now.read, 'percent')}.`,
    actions: now.failed ? [{ label: 'Ver los que no llegaron', path: logLink(scope, { estado: 'failed' }) }] : [],
  }
}

async function build(scope: Scope, measures: { now: Measures; before: Measures | null }): Promise<Body> {
  const { now, before, group } = scope
  const [rows, earlier] = await Promise.all([listSent(scope, now), before && listSent(scope, before)])
  const keyOf = (row: Sent) => (group === 'day' ? row.day : `${row.event} ${row.channel}`)
  const groups = [...new Set(rows.map(keyOf))].map((key) => ({ key, rows: rows.filter((row) => keyOf(row) === key) }))
  if (group === 'channel')
    groups.sort((a, b) => total(b.rows, 'failed') - total(a.rows, 'failed') || total(b.rows, 'tried') - total(a.rows, 'tried'))
  else groups.sort((a, b) => a.key.localeCompare(b.key))
  const channels = [...new Set(rows.map(({ channel }) => channel))]
  return {
    headline: headlineOf(scope, measures),
    charts: [
      stepChart(scope, { title: 'Enviados', unit: 'count', rows, before: earlier }, (rows) => total(rows, 'tried')),
      barChart(
        'Llegaron, por canal',
        'percent',
        channels.map((channel) => ({
          name: messageChannelLabels[channel],
          value: arrivedShare(rows.filter((row) => row.channel === channel)),
          ...(earlier ? { before: arrivedShare(earlier.filter((row) => row.channel === channel)) } : {}),
        })),
      ),
    ],
    table_title: group === 'day' ? 'Día por día' : 'Por mensaje y canal, primero los que no llegaron',
    columns: [
      column('name', group === 'day' ? 'Día' : 'Mensaje', group === 'day' ? 'day' : 'text'),
      ...(group === 'day' ? [] : [column('channel', 'Canal')]),
      column('tried', 'Enviados', 'count'),
      column('failed', 'No llegaron', 'count'),
      column('read', 'Leídos', 'count'),
      column('arrived', 'Llegaron', 'percent', false),
    ],
    rows: groups.map(({ key, rows: own }) => {
      const [first] = own
      return {
        id: key,
        cells: {
          name: group === 'day' || !first ? key : messageEventLabels[first.event],
          channel: first ? messageChannelLabels[first.channel] : '',
          tried: total(own, 'tried'),
          failed: total(own, 'failed'),
          read: total(own, 'read'),
          arrived: arrivedShare(own),
        },
        link:
          group === 'day'
            ? logLink(scope, {}, { from: key, to: key })
            : first
              ? logLink(scope, { mensaje: first.event, por: first.channel })
              : null,
        action: null,
      }
    }),
    totals: { arrived: measures.now.arrived ?? null },
    notes: scope.locations === null ? [] : ['Los mensajes no son de un estudio: están todos.'],
  }
}

export const messageReport: ReportSpec = {
  key: 'mensajes',
  title: 'Mensajes',
  about: 'Enviados, entregados y leídos',
  question: 'selling',
  right: 'reports.activity',
  groups: ['channel', 'day'],
  usualDays: lastFourWeeks,
  figures: [
    {
      key: 'arrived',
      label: 'Llegaron',
      unit: 'percent',
      better: 'more',
      definition:
        'De los mensajes del periodo que ya se intentaron, los que el correo o WhatsApp aceptó, entregó o dijo leídos. No cuentan los que están por enviarse ni los que ya no hicieron falta.',
      link: (scope) => logLink(scope),
    },
    {
      key: 'sent',
      label: 'Enviados',
      unit: 'count',
      better: null,
      definition: 'Mensajes del periodo que se intentaron, uno por persona y canal, también a tu equipo.',
      link: (scope) => logLink(scope),
    },
    {
      key: 'read',
      label: 'Leídos',
      unit: 'percent',
      better: 'more',
      definition: 'De los mensajes por WhatsApp y en la cuenta, los que se leyeron. El correo y las notificaciones no lo dicen.',
      link: (scope) => logLink(scope, { estado: 'read' }),
    },
    {
      key: 'failed',
      label: 'No llegaron',
      unit: 'count',
      better: 'less',
      definition: 'Mensajes cuyo envío falló para siempre: la dirección no existe, el teléfono no tiene WhatsApp o el canal los rechazó.',
      link: (scope) => logLink(scope, { estado: 'failed' }),
    },
  ],
  measure,
  build,
}
