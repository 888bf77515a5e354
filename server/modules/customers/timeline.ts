/** The timeline of a customer: everything that happened, in sentences (docs/domain.md X16). */
import { adminPaths } from '#contract/admin-paths.ts'
import { auditSentence } from '#contract/copy/audit.ts'
import { TIMELINE_KINDS, type TimelineKind } from '#contract/copy/customer-timeline.ts'
import { messageChannelLabels } from '#contract/copy/message-log.ts'
import { spotName } from '#contract/copy/names.ts'
import { cancelledByLabels } from '#contract/copy/reservation-list.ts'
import { TIMELINE_PER_PAGE, type TimelineEntry } from '#contract/customer-records.ts'
import { formatMoney } from '#contract/money.ts'
import { capitalize } from '#contract/text.ts'
import { formatInstant } from '#contract/time.ts'
import { seatsByRoom } from '#server/modules/bookings/bookings.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { customerById } from '#server/modules/people/people.ts'
import { seatLabelsOf, seatsOfRow } from '#server/modules/schedule/schedule.ts'
import { listTimeline, type TimelineRow } from './timeline-store.ts'

type Facts = TimelineRow['facts']
/** The entry without what every entry has. */
type EntryText = Pick<TimelineEntry, 'title' | 'detail' | 'link'>

const textIn = (facts: Facts, key: string): string | null => {
  const value = facts[key]
  return typeof value === 'string' && value !== '' ? value : null
}
const numberIn = (facts: Facts, key: string): number => (typeof facts[key] === 'number' ? facts[key] : 0)
const joined = (...parts: (string | null | false)[]): string | null => parts.filter(Boolean).join(' · ') || null

const reservation = (id: number) => adminPaths.reservationDetails(id)
const sale = (facts: Facts) => adminPaths.sale(numberIn(facts, 'purchase_id'))

/** "Reformer, mar 24 nov, 19:00", on the clocks of the class's location. */
const classText = (facts: Facts, zone: string) =>
  `${textIn(facts, 'type') ?? 'una clase'}, ${formatInstant(new Date(textIn(facts, 'starts_at') ?? 0), textIn(facts, 'zone') ?? zone, 'class')}`

const BOOKED: Readonly<Record<string, string>> = {
  waitlist: 'Tomó un lugar de la lista de espera en',
  move: 'Pasó de otra clase a',
  repeat: 'Quedó en',
  restored: 'Recuperó su lugar en',
}
const SOURCES: Readonly<Record<string, string>> = { customer: 'En el sitio', staff: 'El equipo', repeat: 'Cada semana' }

const CREDITS: Readonly<Record<string, string>> = {
  grant: 'Recibió',
  give_back: 'Recuperó',
  remove: 'Se le restaron',
  revoke: 'Se le quitaron',
  adjust: 'Se ajustaron',
  extend: 'Cambió el último día de sus clases',
}

function creditsText(facts: Facts): string {
  const kind = textIn(facts, 'kind') ?? ''
  const verb = CREDITS[kind] ?? 'Cambiaron sus clases'
  const amount = Math.abs(numberIn(facts, 'amount'))
  if (kind === 'extend') return verb
  if (amount === 0) return kind === 'grant' ? 'Recibió acceso ilimitado' : kind === 'revoke' ? 'Se le quitó su acceso' : verb
  return `${verb} ${amount === 1 ? '1 clase' : `${amount} clases`}`
}

const TEXTS: Readonly<Record<TimelineKind, (facts: Facts, id: number, zone: string, author: string | null) => EntryText>> = {
  booked: (facts, id, zone) => {
    const source = textIn(facts, 'source') ?? ''
    const guest = textIn(facts, 'guest')
    const spot = textIn(facts, 'spot')
    return {
      title: `${BOOKED[source] ?? 'Reservó'} ${classText(facts, zone)}`,
      detail: joined(
        SOURCES[source] ?? null,
        spot && spotName(spot, textIn(facts, 'seat_label')),
        guest && `lugar de ${guest}`,
        facts.owed === true && 'por cobrar',
      ),
      link: reservation(id),
    }
  },
  cancelled: (facts, id, zone) => {
    const by = textIn(facts, 'by') ?? ''
    const guest = textIn(facts, 'guest')
    return {
      title: `${by === 'studio' ? 'Se canceló' : 'Canceló'} ${classText(facts, zone)}`,
      detail: joined(
        Object.hasOwn(cancelledByLabels, by) && `La canceló ${cancelledByLabels[by as keyof typeof cancelledByLabels]}`,
        facts.late === true && 'tarde',
        guest && `lugar de ${guest}`,
      ),
      link: reservation(id),
    }
  },
  attended: (facts, id, zone) => ({
    title: `Asistió a ${classText(facts, zone)}`,
    detail: joined(textIn(facts, 'guest') && `Lugar de ${textIn(facts, 'guest')}`),
    link: reservation(id),
  }),
  no_show: (facts, id, zone) => ({
    title: `No asistió a ${classText(facts, zone)}`,
    detail: joined(
      textIn(facts, 'excuse') && `Justificada: ${textIn(facts, 'excuse')}`,
      textIn(facts, 'guest') && `lugar de ${textIn(facts, 'guest')}`,
    ),
    link: reservation(id),
  }),
  waitlist: (facts, _, zone) => ({
    title: `Entró a la lista de espera de ${classText(facts, zone)}`,
    detail: null,
    link: adminPaths.roster(numberIn(facts, 'class_id')),
  }),
  penalty: (facts, _, zone) => ({
    title: `Penalización hasta el ${formatInstant(new Date(textIn(facts, 'until') ?? 0), zone, 'long')}`,
    detail: textIn(facts, 'reason'),
    link: null,
  }),
  purchase: (facts, id) => ({
    title: `${facts.gift === true ? 'Recibió de regalo' : 'Compró'} ${textIn(facts, 'title') ?? ''}`,
    detail: joined(
      facts.gift !== true && formatMoney(numberIn(facts, 'total')),
      textIn(facts, 'code') && `con ${textIn(facts, 'code')}`,
      textIn(facts, 'location') ?? 'en el sitio',
      textIn(facts, 'status') === 'failed' && 'no se pudo cobrar',
      textIn(facts, 'status') === 'pending' && 'por pagar',
    ),
    link: adminPaths.sale(id),
  }),
  charge: (facts) => ({
    title: `${textIn(facts, 'status') === 'failed' ? 'No pasó el cargo de' : 'Pagó'} ${formatMoney(numberIn(facts, 'total'))}`,
    detail: joined(textIn(facts, 'title'), textIn(facts, 'by'), textIn(facts, 'status') === 'disputed' && 'en disputa con el banco'),
    link: sale(facts),
  }),
  refund: (facts) => {
    const state = textIn(facts, 'state')
    const verb = state === 'done' ? 'Se le devolvieron' : state === 'refused' ? 'No se le pudieron devolver' : 'Se le van a devolver'
    return {
      title: `${verb} ${formatMoney(numberIn(facts, 'amount'))}`,
      detail: joined(textIn(facts, 'title'), textIn(facts, 'reason')),
      link: sale(facts),
    }
  },
  credits: (facts) => ({ title: creditsText(facts), detail: joined(textIn(facts, 'title'), textIn(facts, 'reason')), link: null }),
  message: (facts) => {
    const channels = Object.entries((facts.channels ?? {}) as Record<string, string>)
    return {
      title: textIn(facts, 'title') ?? 'Mensaje',
      detail: joined(
        ...channels.map(([channel, status]) => {
          const label = messageChannelLabels[channel as keyof typeof messageChannelLabels] ?? channel
          return status === 'failed' ? `${label}: no llegó` : status === 'waiting' ? `${label}: por enviar` : label
        }),
      ),
      link: null,
    }
  },
  change: (facts, _, __, author) => {
    const sentence = auditSentence('', textIn(facts, 'action') ?? '', {
      subject: textIn(facts, 'customer'),
      before: facts.before,
      after: facts.after,
    })
    return {
      title: capitalize(sentence.trim()),
      detail: joined(textIn(facts, 'reason'), author === null && 'Automático o la persona'),
      link: null,
    }
  },
}

/** GET /admin/customers/{customer_id}/timeline. NOT_FOUND. */
export async function getTimeline(
  ctx: Ctx,
  { customer_id, page, kinds }: { customer_id: number; page: number; kinds?: readonly TimelineKind[] | undefined },
): Promise<{ entries: TimelineEntry[]; has_more: boolean }> {
  await customerById(ctx.db, customer_id)
  const rows = await listTimeline(ctx.db, {
    customer_id,
    locations: ctx.locationIds,
    kinds: kinds?.length ? kinds : TIMELINE_KINDS,
    limit: TIMELINE_PER_PAGE + 1,
    offset: (page - 1) * TIMELINE_PER_PAGE,
  })
  const rooms = await seatsByRoom(ctx)
  const labelled = (facts: Facts): Facts => {
    const cls = { room_id: numberIn(facts, 'room'), spot_map: textIn(facts, 'spot_map') }
    return { ...facts, ...seatLabelsOf(seatsOfRow(rooms, cls), { spot: textIn(facts, 'spot') }) }
  }
  return {
    entries: rows.slice(0, TIMELINE_PER_PAGE).map(({ at, kind, id, who, facts }) => ({
      entry_id: `${kind}-${id}`,
      at,
      kind,
      who,
      ...TEXTS[kind](labelled(facts), id, ctx.zone, who),
    })),
    has_more: rows.length > TIMELINE_PER_PAGE,
  }
}
