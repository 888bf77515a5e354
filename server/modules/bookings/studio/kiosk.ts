/** Kiosk mode: customers check themselves in on a device of the studio (docs/domain.md, Q8). */

import { spotName } from '#contract/copy/names.ts'
import { refuse } from '#contract/errors.ts'
import type { CheckinResult } from '#contract/front-desk.ts'
import type { KioskChoice } from '#contract/kiosk.ts'
import { formatWall } from '#contract/time.ts'
import { EARLY_MS } from '#server/modules/bookings/attendance-rules.ts'
import { type Arrival, listArrivals, listRosterReservations } from '#server/modules/bookings/store/attendance-store.ts'
import { timetable } from '#server/modules/bookings/timetable/timetable.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { searchWords } from '#server/platform/search.ts'
import { checkIn, reservationOfCode } from './checkin.ts'

interface Answer {
  result: CheckinResult
  message: string
  name: string | null
  about: string | null
  choices: KioskChoice[]
}

/** Check-ins per device and minute: more than people walk past, fewer than a search for strangers needs. */
const ATTEMPTS = { max: 40, seconds: 60 }
/** Letters that a typed name needs, and how many people it may match. */
const SHORTEST_NAME = 3
const MOST_CHOICES = 6

/** What the customer reads for each result; details about a class of another day or about money are for the reception. */
const MESSAGES: Record<Exclude<CheckinResult, 'ok' | 'choose'>, string> = {
  already: 'Tu llegada ya estaba registrada.',
  owed: 'Pasa a recepción para terminar tu pago.',
  not_today: 'Tu clase no es ahora. Pregunta en recepción.',
  elsewhere: 'Tu lugar es en otro estudio. Pregunta en recepción.',
  cancelled: 'Este lugar se canceló. Pregunta en recepción.',
  not_found: 'No encontramos tu lugar para ahora. Pregunta en recepción.',
}

/**
 * Checks a customer in on a device in kiosk mode, as the staff member who opened the kiosk. NOT_FOUND outside kiosk mode, DEVICE_LOCKED
 * where the device waits for a PIN.
 */
export async function checkInAtKiosk(
  ctx: Ctx,
  { typed, class_reservation_id }: { typed?: string | undefined; class_reservation_id?: number | undefined },
): Promise<Answer> {
  const device = ctx.sharedDevice
  if (!device?.kiosk) throw refuse(device && !ctx.staff ? 'DEVICE_LOCKED' : 'NOT_FOUND')
  await ctx.throttle({ name: 'kiosk', subject: String(device.shared_device_id), ...ATTEMPTS })
  const { staff, location_id } = device.kiosk
  const opener = ctx.asStaff(staff)
  const register = (id: number) => checkInOne(opener, id, location_id)
  if (class_reservation_id !== undefined) return register(class_reservation_id)

  const text = (typed ?? '').trim()
  const digits = text.replace(/\D/g, '')
  const isPhone = digits.length === 10 && /^[\d\s()+-]+$/.test(text)
  const code = isPhone ? null : reservationOfCode(text)
  if (code !== null) return register(code)

  const location_ids = location_id === null ? opener.locationIds : [location_id]
  const startsBefore = new Date(ctx.now.getTime() + EARLY_MS + 1)
  const arrivals = await listArrivals(ctx.db, { now: ctx.now, startsBefore, location_ids })
  if (isPhone) {
    const found = arrivals.filter((arrival) => arrival.phone === digits)
    const open = found.filter((arrival) => arrival.attend !== true)
    const [first, ...others] = open.length > 0 ? open : found
    if (!first) return answer('not_found')
    return others.length > 0 && open.length > 0 ? choose(opener, open) : register(first.class_reservation_id)
  }
  const words = searchWords(text)
  if (words.join('').length < SHORTEST_NAME) return answer('not_found')
  const found = arrivals.filter((arrival) => {
    const parts = searchWords(`${arrival.name} ${arrival.last_name}`)
    return words.every((word) => parts.some((part) => part.startsWith(word)))
  })
  const open = found.filter((arrival) => arrival.attend !== true)
  if (open.length > MOST_CHOICES) return { ...answer('choose'), message: 'Escribe también tu apellido.' }
  // A name proves nothing, so the person confirms which place is theirs.
  if (open.length > 0) return choose(opener, open)
  const [here, ...others] = found
  if (!here) return answer('not_found')
  return answer('already', others.length > 0 ? null : firstName(here.name))
}

const answer = (result: CheckinResult, name: string | null = null): Answer => ({
  result,
  message: result === 'ok' || result === 'choose' ? '' : MESSAGES[result],
  name,
  about: null,
  choices: [],
})

async function checkInOne(ctx: Ctx, class_reservation_id: number, location_id: number | null): Promise<Answer> {
  const { result, class_reservation: row, single_class: cls } = await checkIn(ctx, { class_reservation_id, location_id, allow_owed: false })
  const isHere = result === 'ok' || result === 'already'
  const name = row && (isHere || result === 'owed') ? firstName(row.name) : null
  if (!isHere || !cls) return answer(result, name)
  const about = [`${cls.class_type}, ${formatWall(cls.class_date, 'hour')}`, row?.spot && spotName(row.spot, row.seat_label)]
    .filter(Boolean)
    .join(' · ')
  return { ...answer(result, name), ...(result === 'ok' ? { message: 'Registramos tu llegada.' } : {}), about }
}

const firstName = (name: string): string => name.trim().split(/\s+/)[0] ?? ''

async function choose(ctx: Ctx, arrivals: readonly Arrival[]): Promise<Answer> {
  const rows = await listRosterReservations(
    ctx.db,
    arrivals.slice(0, MOST_CHOICES).map((arrival) => arrival.class_reservation_id),
  )
  const classes = await timetable(ctx.studio).byId([...new Set(rows.map((row) => row.single_class_id))])
  const choices = rows.flatMap((row) => {
    const cls = classes.find((cls) => cls.single_class_id === row.single_class_id)
    if (!cls) return []
    const about = `${cls.shown.class_type.name}, ${formatWall(cls.shown.class_date, 'hour')}`
    return [{ class_reservation_id: row.class_reservation_id, name: firstName(row.name), about }]
  })
  return { ...answer('choose'), message: 'Elige tu lugar.', choices }
}
