/**
 * What happened around the classes of a demo's year: substitutes, waitlists, penalties, closed days, messages and broadcasts, and
 * customers' answers about themselves.
 */
import { asc } from 'drizzle-orm'
import type { MessageEvent } from '#contract/channels.ts'
import { addDays, formatInstant, type LocalDate, localDate } from '#contract/time.ts'
import { classRefusal, reservationPenalty, waitlistEntry } from '#server/modules/bookings/tables.ts'
import { broadcast, broadcastRecipient } from '#server/modules/broadcasts/tables.ts'
import { message, messageConsent } from '#server/modules/messages/tables.ts'
import { staff } from '#server/modules/people/tables.ts'
import { holiday, substitution, substitutionRequest } from '#server/modules/planning/tables.ts'
import type { Tx } from '#server/platform/db.ts'
import type { Brand } from './brand.ts'
import { insertMany, newIds } from './bulk.ts'
import { Chance } from './chance.ts'
import type { Crowd, Patron, PlannedReservation } from './crowd.ts'
import { closedDays } from './season.ts'
import { type PlannedClass, zoneOfBrand } from './week.ts'
import { type BrandIds, findRows } from './write.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const REASONS = ['Consulta médica', 'Viaje familiar', 'Gripa', 'Certificación en Guadalajara', 'Su hija está enferma', 'Mudanza']
const SUBSTITUTIONS = 90

/** Gives some past classes to another coach of the same location who teaches nothing that day. Changes the classes. */
export function planSubstitutions(brand: Brand, classes: readonly PlannedClass[], now: Date): void {
  const chance = new Chance(19_330_801)
  const busy = new Set(classes.flatMap((cls) => cls.coaches.map((coach) => `${coach} ${cls.date}`)))
  const at = new Map<string, Set<string>>()
  for (const { location, coach } of brand.week) at.set(location, (at.get(location) ?? new Set()).add(coach))
  const past = classes.filter((cls) => cls.ends_at.getTime() < now.getTime() - 2 * DAY && cls.package === null)
  for (let n = 0; n < SUBSTITUTIONS && past.length > 0; n++) {
    const cls = chance.one(past)
    const [coach] = cls.coaches
    const free = [...(at.get(cls.location) ?? [])].filter((coach) => !busy.has(`${coach} ${cls.date}`))
    if (cls.substitutesFor !== undefined || coach === undefined || free.length === 0) continue
    const substitute = chance.one(free)
    cls.substitutesFor = coach
    cls.coaches = [substitute]
    busy.add(`${substitute} ${cls.date}`)
  }
}

export interface Around {
  tx: Tx
  brand: Brand
  brandIds: BrandIds
  classes: readonly PlannedClass[]
  classIds: ReadonlyMap<PlannedClass, number>
  crowd: Crowd
  reservationIds: ReadonlyMap<PlannedReservation, number>
  patrons: readonly Patron[]
  now: Date
}

/** Writes all of it. */
export async function writeStudioLife(around: Around): Promise<void> {
  const members = await around.tx.select({ staff_id: staff.staff_id, role: staff.role }).from(staff).orderBy(asc(staff.staff_id))
  const idOf = (role: string) => members.find((member) => member.role === role)?.staff_id ?? members[0]?.staff_id ?? 0
  const ids = { manager: idOf('manager'), reception: idOf('reception') }
  await writeSubstitutions(around, ids.manager)
  await writeWaitlists(around)
  await writePenalties(around)
  await writeClosedDays(around)
  await writeMessages(around)
  await writeBroadcasts(around, ids.manager)
}

async function writeSubstitutions({ tx, brand, brandIds, classes, classIds, now }: Around, staff_id: number): Promise<void> {
  const chance = new Chance(19_130_214)
  const done = classes.filter((cls) => cls.substitutesFor !== undefined)
  const soon = classes.find((cls) => cls.starts_at.getTime() > now.getTime() + 3 * DAY && cls.package === null && cls.calledOff === null)
  const rows = [...done, ...(soon ? [soon] : [])]
  const ids = await newIds(tx, substitution, 'substitution_id', rows.length)
  await insertMany(
    tx,
    substitution,
    rows.map((cls, n) => {
      const isDone = cls.substitutesFor !== undefined
      const [teaches = ''] = cls.coaches
      const at = isDone ? new Date(cls.starts_at.getTime() - chance.between(2, 6) * DAY) : new Date(now.getTime() - 5 * HOUR)
      return {
        substitution_id: ids[n],
        single_class_id: classIds.get(cls),
        instructor_id: findRows(brandIds.coaches, cls.substitutesFor ?? teaches),
        staff_id,
        reason: chance.one(REASONS),
        state: isDone ? 'done' : 'open',
        substitute_id: isDone ? findRows(brandIds.coaches, teaches) : null,
        createdAt: at,
        updatedAt: isDone ? new Date(at.getTime() + 7 * HOUR) : at,
      }
    }),
  )
  const others = (cls: PlannedClass) =>
    [...new Set(brand.week.filter(({ location }) => location === cls.location).map(({ coach }) => coach))].filter(
      (coach) => !cls.coaches.includes(coach),
    )
  await insertMany(
    tx,
    substitutionRequest,
    rows.flatMap((cls, n) => {
      const isDone = cls.substitutesFor !== undefined
      const candidates = others(cls).filter((coach) => coach !== cls.substitutesFor)
      const answered = new Date((isDone ? cls.starts_at.getTime() - 2 * DAY : now.getTime()) - 2 * HOUR)
      const [declined] = candidates
      return [
        ...(isDone ? [{ coach: cls.coaches[0] ?? '', answer: 'accepted', answeredAt: answered }] : []),
        ...(declined === undefined ? [] : [{ coach: declined, answer: 'declined', answeredAt: answered }]),
        ...(isDone ? [] : candidates.slice(1, 3).map((coach) => ({ coach, answer: null, answeredAt: null }))),
      ].map(({ coach, ...answer }) => ({ substitution_id: ids[n], instructor_id: findRows(brandIds.coaches, coach), ...answer }))
    }),
  )
}

/**
 * Writes waitlists of full past classes; in some of them the last reservation came from the waitlist. In some somebody found the class full
 * and did not join the waitlist.
 */
async function writeWaitlists({ tx, classes, classIds, crowd, reservationIds, patrons, now }: Around): Promise<void> {
  const [chance, refusals] = [new Chance(19_510_930), new Chance(19_120_623)]
  const refused: { single_class_id: number | undefined; customer_id: number; createdAt: Date }[] = []
  const full = classes.filter((cls) => cls.ends_at < now && cls.calledOff === null && cls.package === null && crowd.freeSpots(cls) === 0)
  const inClass = new Map<PlannedClass, PlannedReservation[]>()
  for (const reservation of crowd.reservations) inClass.set(reservation.cls, [...(inClass.get(reservation.cls) ?? []), reservation])
  const rows = full.flatMap((cls) => {
    if (!chance.happens(0.85)) return []
    const there = inClass.get(cls) ?? []
    const customerIds = new Set(there.map(({ customer_id }) => customer_id))
    const alive = patrons.filter(
      (patron) =>
        patron.location === cls.location &&
        (patron.since ?? cls.starts_at) <= cls.starts_at &&
        (!patron.until || patron.until > cls.ends_at),
    )
    const waiting = chance
      .shuffled(alive.filter(({ customer_id }) => !customerIds.has(customer_id)))
      .slice(0, 1 + Math.floor(chance.next() * 3))
      .map(({ customer_id }) => {
        const createdAt = new Date(cls.starts_at.getTime() - chance.between(3, 40) * HOUR)
        return { customer_id, status: chance.happens(0.2) ? 'left' : 'closed', class_reservation_id: null as number | null, createdAt }
      })
    const last = there.filter(({ deletedAt, host }) => deletedAt === null && host === null).at(-1)
    const waits = new Set(waiting.map(({ customer_id }) => customer_id))
    const others = alive.filter(({ customer_id }) => !customerIds.has(customer_id) && !waits.has(customer_id))
    const filledAt = last?.createdAt.getTime() ?? cls.starts_at.getTime()
    if (others.length > 0 && refusals.happens(0.35)) {
      const createdAt = new Date(refusals.between(filledAt, Math.max(filledAt, cls.starts_at.getTime())))
      refused.push({ single_class_id: classIds.get(cls), customer_id: refusals.one(others).customer_id, createdAt })
    }
    const came = last?.fromWaitlist
      ? [
          {
            customer_id: last.customer_id,
            status: 'booked',
            class_reservation_id: reservationIds.get(last) ?? null,
            createdAt: new Date(last.createdAt.getTime() - 3 * HOUR),
          },
        ]
      : []
    return [...waiting, ...came].map((row) => ({
      single_class_id: classIds.get(cls),
      ...row,
      auto: false,
      priority: 0,
      offers: row.status === 'booked' ? 1 : 0,
      opening: 0,
      updatedAt: row.status === 'closed' ? cls.starts_at : row.createdAt,
    }))
  })
  await insertMany(tx, waitlistEntry, rows)
  await insertMany(tx, classRefusal, refused)
}

/** Marks, before reservations are written, which of them came from the waitlist of a full class. */
export function planWaitlists(classes: readonly PlannedClass[], crowd: Crowd, now: Date): void {
  const chance = new Chance(19_680_707)
  const last = new Map<PlannedClass, PlannedReservation>()
  for (const reservation of crowd.reservations)
    if (reservation.deletedAt === null && reservation.host === null) last.set(reservation.cls, reservation)
  for (const cls of classes) {
    const reservation = last.get(cls)
    if (reservation && cls.ends_at < now && crowd.freeSpots(cls) === 0 && chance.happens(0.35)) reservation.fromWaitlist = true
  }
}

async function writePenalties({ tx, crowd, reservationIds, now }: Around): Promise<void> {
  const missed = crowd.reservations.filter(({ attend, host }) => attend === false && host === null)
  const rows = missed
    .filter((_, n) => n % 90 === 40)
    .map((reservation) => {
      const starts_at = new Date(reservation.cls.ends_at.getTime() + 6 * HOUR)
      const ends_at = new Date(starts_at.getTime() + 2 * DAY)
      return { reservation, starts_at, ends_at }
    })
    .filter(({ ends_at }) => ends_at < now)
  await insertMany(
    tx,
    reservationPenalty,
    rows.map(({ reservation, starts_at, ends_at }, n) => ({
      customer_id: reservation.customer_id,
      class_reservation_ids: [reservationIds.get(reservation) ?? 0],
      reason: 'Faltó dos veces sin cancelar',
      starts_at,
      ends_at,
      createdAt: starts_at,
      forgivenAt: n % 4 === 1 ? new Date(starts_at.getTime() + 5 * HOUR) : null,
      forgive_reason: n % 4 === 1 ? 'Avisó por teléfono' : null,
    })),
  )
}

async function writeClosedDays({ tx, brand, now }: Around): Promise<void> {
  const today = localDate(now, zoneOfBrand(brand))
  await insertMany(
    tx,
    holiday,
    closedDays(addDays(today, -364), addDays(today, 90)).map(({ day, name }) => ({
      name,
      from_day: day,
      to_day: day,
      createdAt: now,
      updatedAt: now,
    })),
  )
}

/** The texts of a message, as its templates write them. */
const texts = (title: string, lines: string[]) => ({ title, lines, notes: [], action: null, blanks: [] })

/** Of a hundred reservations of the year, how many still have their messages in the log. */
const LOGGED = 4

async function writeMessages({ tx, brand, crowd, reservationIds, now }: Around): Promise<void> {
  const chance = new Chance(19_231_016)
  const zone = zoneOfBrand(brand)
  const rows: object[] = []
  const log = (event: MessageEvent, about: string, customer_id: number, channel: 'mail' | 'whatsapp' | 'app', at: Date, texts: object) => {
    if (at >= now) return
    const failed = channel !== 'app' && chance.happens(0.012)
    const status = failed
      ? 'failed'
      : channel === 'mail'
        ? 'sent'
        : chance.happens(0.72)
          ? 'read'
          : channel === 'app'
            ? 'sent'
            : 'delivered'
    rows.push({
      event,
      about,
      customer_id,
      channel,
      status,
      texts,
      nextAt: at,
      tries: failed ? 3 : 1,
      resends: 0,
      createdAt: at,
      reason: failed ? (channel === 'mail' ? 'El buzón no existe.' : 'El número no tiene WhatsApp.') : null,
      sentAt: failed ? null : at,
      readAt: status === 'read' ? new Date(Math.min(now.getTime(), at.getTime() + chance.between(0.05, 9) * HOUR)) : null,
    })
  }
  for (const reservation of crowd.reservations) {
    if (reservation.host !== null || !chance.happens(LOGGED / 100)) continue
    const id = reservationIds.get(reservation)
    const name = brand.types[reservation.cls.type]?.name ?? ''
    const when = formatInstant(reservation.cls.starts_at, brand.locations[reservation.cls.location]?.timezone ?? zone, 'class')
    const confirmed = texts('Tu lugar está apartado', [`${name}, ${when}.`])
    for (const channel of ['mail', 'app'] as const)
      log('reservation_confirmed', `reservation:${id}`, reservation.customer_id, channel, reservation.createdAt, confirmed)
    if (reservation.deletedAt)
      log(
        'reservation_cancelled',
        `reservation:${id}`,
        reservation.customer_id,
        'mail',
        reservation.deletedAt,
        texts('Cancelaste tu lugar', [`${name}, ${when}.`]),
      )
    else if (chance.happens(0.6)) {
      const at = new Date(Math.max(reservation.createdAt.getTime() + 60_000, reservation.cls.starts_at.getTime() - 12 * HOUR))
      const about = `reservation:${id}:${reservation.cls.starts_at.toISOString()}`
      log(
        'reservation_reminder',
        about,
        reservation.customer_id,
        chance.happens(0.6) ? 'whatsapp' : 'mail',
        at,
        texts('Tu clase es pronto', [`${name}, ${when}.`]),
      )
    }
  }
  await insertMany(tx, message, rows)
}

/** Broadcasts of the year: days ago, subject, text, whether it is a promotion, and its audience. */
const BROADCASTS = [
  [338, 'Horario de las fiestas', 'Hola, {{nombre}}: del 24 al 1 abrimos solo por la mañana. Revisa el calendario antes de venir.', false],
  [322, 'Enero con ganas', 'Hola, {{nombre}}: esta semana hay lugares nuevos a las 7:00. Reserva el tuyo.', true],
  [285, 'Trae a quien quieras', 'Hola, {{nombre}}: el 14 de febrero tu invitado viene con tu crédito. Reserva juntos.', true],
  [230, 'Semana Santa', 'Hola, {{nombre}}: el Viernes Santo cerramos. Los demás días hay clases por la mañana.', false],
  [198, 'Regala clases a tu mamá', 'Hola, {{nombre}}: hay tarjetas de regalo en recepción, del monto que quieras.', true],
  [140, 'Verano sin pausa', 'Hola, {{nombre}}: en julio tus créditos duran quince días más.', true],
  [85, 'Volvemos al horario completo', 'Hola, {{nombre}}: desde el lunes regresan las clases de las 20:30.', false],
  [41, 'Te extrañamos', 'Hola, {{nombre}}: hace un mes que no te vemos. Escríbenos si algo no te gustó.', true],
  [12, 'Nuevas regaderas', 'Hola, {{nombre}}: ya puedes usar las regaderas nuevas. Gracias por la paciencia.', false],
] as const

async function writeBroadcasts({ tx, patrons, brand, now }: Around, staff_id: number): Promise<void> {
  const chance = new Chance(19_800_229)
  const consents = patrons.filter(() => chance.happens(0.62))
  await insertMany(
    tx,
    messageConsent,
    consents.map(({ customer_id, since }) => ({
      customer_id,
      channel: 'marketing',
      allowed: true,
      changedAt: since ?? new Date(now.getTime() - 380 * DAY),
    })),
  )
  const agreed = new Set(consents.map(({ customer_id }) => customer_id))
  const ids = await newIds(tx, broadcast, 'broadcast_id', BROADCASTS.length)
  const zone = zoneOfBrand(brand)
  const sent = BROADCASTS.map(([daysAgo, subject, text, is_promotion], n) => {
    const day: LocalDate = addDays(localDate(now, zone), -daysAgo)
    return { broadcast_id: ids[n] ?? 0, subject, text, is_promotion, at: new Date(`${day}T18:00:00.000Z`) }
  })
  await insertMany(
    tx,
    broadcast,
    sent.map(({ at, ...broadcast }) => ({
      ...broadcast,
      staff_id,
      state: 'sent',
      audience: {},
      label: broadcast.subject === 'Te extrañamos' ? 'Clientes que dejaron de venir' : 'Clientes activos',
      channels: ['mail', 'app'],
      button: broadcast.is_promotion ? 'packages' : 'calendar',
      at,
      createdAt: new Date(at.getTime() - 2 * HOUR),
      resolvedAt: at,
      finishedAt: new Date(at.getTime() + 10 * 60_000),
    })),
  )
  const people = sent.flatMap((broadcast) =>
    patrons
      .filter(({ since, until }) => (since === null || since < broadcast.at) && (!until || until > broadcast.at))
      .map(({ customer_id }) => ({ ...broadcast, customer_id, getsIt: !broadcast.is_promotion || agreed.has(customer_id) })),
  )
  await insertMany(
    tx,
    broadcastRecipient,
    people.map(({ broadcast_id, customer_id, getsIt, at }) => ({
      broadcast_id,
      customer_id,
      state: getsIt ? 'queued' : 'left_out',
      reason: getsIt ? null : 'no_consent',
      queuedAt: getsIt ? at : null,
    })),
  )
  await insertMany(
    tx,
    message,
    people
      .filter(({ getsIt }) => getsIt)
      .map(({ broadcast_id, customer_id, subject, text, at }, n) => {
        const failed = n % 97 === 13
        return {
          event: 'broadcast',
          about: `broadcast:${broadcast_id}`,
          customer_id,
          channel: 'mail',
          status: failed ? 'failed' : 'sent',
          texts: texts(subject, [text.replace('Hola, {{nombre}}: ', '')]),
          nextAt: at,
          tries: failed ? 3 : 1,
          resends: 0,
          reason: failed ? 'El buzón no existe.' : null,
          createdAt: at,
          sentAt: failed ? null : at,
        }
      }),
  )
}

/** Answers of some customers at sign-up about how they found the studio. */
const SIGNUP_REASONS = ['Instagram', 'Una amiga', 'Pasé por aquí', 'Google', 'TikTok', 'Mi oficina'] as const

export function profileOf(chance: Chance, now: Date): { birthdate: LocalDate | null; signup_reason: string | null } {
  const age = 19 + Math.floor(chance.next() ** 1.3 * 42)
  const born = new Date(now.getTime() - (age * 365.25 + chance.next() * 365) * DAY)
  return {
    birthdate: chance.happens(0.74) ? (born.toISOString().slice(0, 10) as LocalDate) : null,
    signup_reason: chance.happens(0.66) ? chance.one(SIGNUP_REASONS) : null,
  }
}
