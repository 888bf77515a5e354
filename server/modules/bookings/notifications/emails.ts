/** Message templates about classes and reservations. The texts use the data of the moment in which the message is queued. */

import { instructorName } from '#contract/copy/instructor-names.ts'
import { spotInSentence } from '#contract/copy/names.ts'
import { isErrorCode, sentence } from '#contract/errors.ts'
import { messagePaths, type PackagesPath, paths } from '#contract/paths.ts'
import { formatInstant, formatWall } from '#contract/time.ts'
import { type ClassFacts, timetable } from '#server/modules/bookings/timetable/timetable.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { MessageTexts, OutgoingMessage } from '#server/modules/messages/messages.ts'

const MY_RESERVATIONS = { label: 'Ver mis reservaciones', path: paths.mystudio.reservations }
const CALENDAR = { label: 'Ver el horario', path: paths.mystudio.calendar }

/** A class as text, in the forms that the templates use. */
export interface ClassTexts {
  facts: ClassFacts
  type: string
  /** "mié 18 nov, 18:00" */
  when: string
  location: string
  /** "Reformer Flow, mié 18 nov, 18:00, con Rena." */
  line: string
  where: string
}

export async function findClassTexts(ctx: Ctx, single_class_id: number): Promise<ClassTexts | null> {
  return (await findTextsOfClasses(ctx, [single_class_id])).get(single_class_id) ?? null
}

/** Classes by id, as text; unknown ids are left out. */
export async function findTextsOfClasses(ctx: Ctx, ids: readonly number[]): Promise<Map<number, ClassTexts>> {
  const classes = await timetable(ctx.studio).listPossiblyStale([...new Set(ids)])
  return new Map(classes.map((facts) => [facts.single_class_id, classTexts(facts)]))
}

export function classTexts(facts: ClassFacts): ClassTexts {
  const { shown } = facts
  const type = shown.class_type.name
  const when = formatWall(facts.wall, 'class')
  const coaches = shown.class_instructors.map(({ instructor }) => instructorName(instructor)).join(' y ')
  return {
    facts,
    type,
    when,
    location: shown.location.name,
    line: coaches ? `${type}, ${when}, con ${coaches}.` : `${type}, ${when}.`,
    where: `${[shown.location.name, shown.location.address].filter(Boolean).join(', ')}.`,
  }
}

interface ReservationTexts {
  class_reservation_id: number
  customer_id: number
  spot: string | null
  guest: string | null
  guest_spot: string | null
}

function seat({ facts: { seats } }: ClassTexts, { spot, guest, guest_spot }: ReservationTexts): string[] {
  const nameOf = (at: string) => spotInSentence(at, seats?.labels.get(at))
  return [
    spot ? `Tu lugar: ${nameOf(spot)}.` : '',
    guest ? (guest_spot ? `Viene contigo: ${guest}, ${nameOf(guest_spot)}.` : `Viene contigo: ${guest}.`) : '',
  ].filter(Boolean)
}

/** Delivery options of messages about a class: not sent after it begins, urgent when it is near. */
const aboutClass = (cls: ClassTexts) => ({ before: cls.facts.starts_at, starts: cls.facts.starts_at })

export function confirmationEmail(cls: ClassTexts, reservation: ReservationTexts, notes: string[]): OutgoingMessage {
  return {
    event: 'reservation_confirmed',
    about: `reservation:${reservation.class_reservation_id}`,
    to: { customer_id: reservation.customer_id },
    ...aboutClass(cls),
    texts: confirmedTexts(cls, seat(cls, reservation), notes),
  }
}

/** The words of a confirmation; `seats`: the sentences about the seats. */
export const confirmedTexts =
  (cls: Omit<ClassTexts, 'facts'>, seats: readonly string[], notes: string[]) =>
  (name: string): MessageTexts => ({
    title: 'Tu lugar está reservado',
    subject: `Tu lugar en ${cls.type}, ${cls.when}`,
    lines: [cls.line, cls.where, ...seats],
    notes,
    action: MY_RESERVATIONS,
    blanks: [name, cls.type, cls.when, cls.location],
  })

/** One message for all reservations of a weekly repeat. */
export function confirmedAll(
  all: readonly ClassTexts[],
  customer_id: number,
  ids: readonly number[],
  notes: string[],
): OutgoingMessage | null {
  const [first] = all
  if (!first) return null
  const isMany = all.length > 1
  return {
    event: 'reservation_confirmed',
    about: `reservation:${ids.join('+')}`.slice(0, 200),
    to: { customer_id },
    ...aboutClass(first),
    texts: (name) => ({
      title: isMany ? 'Tus lugares están reservados' : 'Tu lugar está reservado',
      subject: isMany
        ? `Tu lugar en ${all.length} clases de ${first.type}, desde el ${first.when}`
        : `Tu lugar en ${first.type}, desde el ${first.when}`,
      lines: [...all.map((cls) => cls.line), first.where],
      notes,
      action: MY_RESERVATIONS,
      blanks: [name, isMany ? `${all.length} clases` : first.type, `desde el ${first.when}`, first.location],
    }),
  }
}

export function reminder(cls: ClassTexts, reservation: ReservationTexts, notes: string[]): OutgoingMessage {
  return {
    event: 'reservation_reminder',
    about: `reservation:${reservation.class_reservation_id}:${cls.facts.starts_at.toISOString()}`,
    to: { customer_id: reservation.customer_id },
    ...aboutClass(cls),
    texts: (name) => ({
      title: `Te esperamos: ${cls.type}, ${cls.when}`,
      lines: [cls.line, cls.where, ...seat(cls, reservation)],
      notes,
      action: MY_RESERVATIONS,
      blanks: [name, cls.type, cls.when, cls.location],
    }),
  }
}

const CREDIT_TEXTS: Record<string, string> = {
  returned: 'Tu crédito regresó.',
  courtesy: 'Tu crédito había expirado; te dimos uno de cortesía.',
  kept: 'Por la hora, el crédito no regresa.',
  unpaid: 'No recibimos el pago en efectivo a tiempo.',
  revoked: 'Ya no cuentas con los créditos con los que lo reservaste.',
}

export function cancelled(
  cls: ClassTexts,
  reservation: { class_reservation_id: number; customer_id: number },
  credit: string,
): OutgoingMessage {
  const back = CREDIT_TEXTS[credit] ?? ''
  return {
    event: 'reservation_cancelled',
    about: `reservation:${reservation.class_reservation_id}`,
    to: { customer_id: reservation.customer_id },
    ...aboutClass(cls),
    texts: (name) => ({
      title: 'Tu lugar quedó cancelado',
      subject: `Lugar cancelado: ${cls.type}, ${cls.when}`,
      lines: [cls.line, back].filter(Boolean),
      notes: [],
      action: CALENDAR,
      blanks: [name, cls.type, cls.when, back || 'Ya no hay nada pendiente.'],
    }),
  }
}

type To = OutgoingMessage['to']

/** The studio cancelled a class. `back`: until when the returned credit can be used; null if none was paid. */
export function classCancelled(
  cls: ClassTexts,
  to: To,
  input: { at: string; reason: string; part: 'booked' | 'waiting' | 'staff'; back: string | null; others: readonly ClassTexts[] },
): OutgoingMessage {
  const returned = input.back ? `Tu crédito regresó y puedes usarlo hasta el ${input.back}.` : ''
  const waiting = 'Ya no hay lista de espera para esta clase.'
  const sentence = { booked: returned || 'No se te cobró nada.', waiting, staff: 'Ya avisamos a quienes tenían lugar.' }[input.part]
  const others = input.others.map((other) => other.line)
  return {
    event: 'class_cancelled',
    about: `class:${cls.facts.single_class_id}:${input.at}`,
    to,
    ...aboutClass(cls),
    texts: (name) => ({
      title: 'Cancelamos tu clase',
      subject: `Se canceló ${cls.type}, ${cls.when}`,
      lines: [cls.line, input.reason, sentence, ...(others.length ? ['Otras clases con lugar:', ...others] : [])].filter(Boolean),
      notes: [],
      action:
        input.part === 'staff'
          ? CALENDAR
          : { label: 'Ver otras clases', path: messagePaths.insteadOf(cls.facts.single_class_id, cls.facts.date) },
      blanks: [name, cls.type, cls.when, sentence],
    }),
  }
}

/** The studio restored a cancelled class. */
export function classRestored(
  cls: ClassTexts,
  to: To,
  input: { at: string; part: 'booked' | 'lost' | 'waiting' | 'staff' },
): OutgoingMessage {
  const sentence = {
    booked: 'Tu lugar es tuyo otra vez, con el mismo crédito.',
    lost: 'Tu lugar no se pudo recuperar; tu crédito sigue contigo.',
    waiting: 'Sigues en la lista de espera.',
    staff: 'Ya avisamos a quienes tenían lugar.',
  }[input.part]
  return {
    event: 'class_restored',
    about: `class:${cls.facts.single_class_id}:${input.at}`,
    to,
    ...aboutClass(cls),
    texts: (name) => ({
      title: 'Tu clase sí se da',
      subject: `Sí hay clase: ${cls.type}, ${cls.when}`,
      lines: [cls.line, cls.where, sentence],
      notes: [],
      action: MY_RESERVATIONS,
      blanks: [name, cls.type, cls.when, sentence],
    }),
  }
}

/** Another hour, location or instructor. `before`: the previous state, as text. */
export function classChanged(
  cls: ClassTexts,
  to: To,
  input: { at: string; before: string; changes: readonly string[]; free: boolean },
): OutgoingMessage {
  const changes = input.changes.join(' ')
  return {
    event: 'class_changed',
    about: `class:${cls.facts.single_class_id}:${input.at}`,
    to,
    ...aboutClass(cls),
    texts: (name) => ({
      title: 'Cambió tu clase',
      subject: `Cambió ${cls.type}: ${cls.when}`,
      lines: [`Antes: ${input.before}`, `Ahora: ${cls.line}`, cls.where, ...input.changes],
      notes: input.free ? ['Si ya no te acomoda, puedes cancelar sin perder tu crédito hasta que comience.'] : [],
      action: MY_RESERVATIONS,
      blanks: [
        name,
        cls.type,
        input.before.replace(/\.$/, ''),
        `${changes} ${input.free ? 'Si no te acomoda, cancela sin perder tu crédito.' : ''}`,
      ],
    }),
  }
}

export function waitlistOpeningEmail(cls: ClassTexts, customer_id: number, opening: number): OutgoingMessage {
  return {
    event: 'waitlist_open',
    about: `opening:${opening}`,
    to: { customer_id },
    ...aboutClass(cls),
    texts: (name) => ({
      title: 'Se liberó un lugar',
      subject: `Hay lugar en ${cls.type}, ${cls.when}`,
      lines: [cls.line, cls.where, 'Quien reserve primero se lo queda.'],
      notes: [],
      action: { label: 'Reservar', path: paths.mystudio.reserve(cls.facts.single_class_id) },
      blanks: [name, cls.type, cls.when, cls.location],
    }),
  }
}

export function waitlistOfferEmail(
  cls: ClassTexts,
  entry: { waitlist_id: number; customer_id: number; offers: number; offer_until: Date },
  path: string,
): OutgoingMessage {
  const until = formatInstant(entry.offer_until, cls.facts.zone, 'class')
  return {
    event: 'waitlist_offer',
    about: `offer:${entry.waitlist_id}:${entry.offers}`,
    to: { customer_id: entry.customer_id },
    before: entry.offer_until,
    starts: cls.facts.starts_at,
    texts: (name) => ({
      title: 'Hay un lugar para ti',
      subject: `Un lugar para ti en ${cls.type}, ${cls.when}`,
      lines: [cls.line, cls.where, `Lo apartamos hasta el ${until}. Después pasa a la siguiente persona.`],
      notes: ['Este enlace es solo tuyo: no hace falta iniciar sesión para responder.'],
      action: { label: 'Responder', path },
      blanks: [name, cls.type, cls.when, `el ${until}`],
    }),
  }
}

export function waitlistBookedEmail(cls: ClassTexts, reservation: ReservationTexts, notes: string[]): OutgoingMessage {
  return {
    event: 'waitlist_booked',
    about: `reservation:${reservation.class_reservation_id}`,
    to: { customer_id: reservation.customer_id },
    ...aboutClass(cls),
    texts: (name) => ({
      title: 'Entraste a la clase',
      subject: `Entraste a ${cls.type}, ${cls.when}`,
      lines: [cls.line, cls.where, ...seat(cls, reservation)],
      notes,
      action: MY_RESERVATIONS,
      blanks: [name, cls.type, cls.when, cls.location],
    }),
  }
}

/** How a customer can fix the reason for which the waitlist skipped them. `settings`: the address of the studio's packages page. */
function nextStep(code: string, settings: PackagesPath): { text: string; action: MessageTexts['action'] } {
  const buy = { label: 'Comprar clases', path: paths.mystudio.packages(settings) }
  switch (code) {
    case 'NO_CREDITS':
      return { text: 'No tienes créditos para esta clase.', action: buy }
    case 'NO_MATCHING_CREDITS':
      return { text: 'Tus créditos no aplican en esta clase.', action: buy }
    case 'CLASS_SOLD_AS_PACKAGE':
      return { text: 'Esta clase se compra por separado.', action: CALENDAR }
    case 'OVERLAPPING_RESERVATION':
      return { text: 'Ya tienes otra clase a esa hora.', action: MY_RESERVATIONS }
    case 'DOCUMENTS_REQUIRED':
      return { text: 'Falta que aceptes un documento.', action: { label: 'Ver mi cuenta', path: paths.mystudio.calendar } }
    default:
      return { text: isErrorCode(code) ? sentence(code) : '', action: CALENDAR }
  }
}

export function waitlistSkippedEmail(
  cls: ClassTexts,
  entry: { waitlist_id: number; customer_id: number },
  code: string,
  settings: PackagesPath,
): OutgoingMessage {
  const step = nextStep(code, settings)
  return {
    event: 'waitlist_skipped',
    about: `entry:${entry.waitlist_id}:${code}`,
    to: { customer_id: entry.customer_id },
    ...aboutClass(cls),
    texts: (name) => ({
      title: 'No pudimos darte el lugar',
      subject: `Lista de espera de ${cls.type}, ${cls.when}`,
      lines: [`Hubo un lugar en ${cls.line}`, step.text, 'Sigues en la lista de espera.'],
      notes: [],
      action: step.action,
      blanks: [name, cls.type, cls.when, step.text],
    }),
  }
}

export function noShow(
  cls: ClassTexts,
  reservation: { class_reservation_id: number; customer_id: number },
  count: number,
  max: number,
): OutgoingMessage {
  return {
    event: 'no_show_warning',
    about: `reservation:${reservation.class_reservation_id}`,
    to: { customer_id: reservation.customer_id },
    before: null,
    texts: (name) => ({
      title: `No te vimos en ${cls.type}`,
      lines: [
        cls.line,
        `Es tu falta ${count} de ${max} seguidas. Al llegar a ${max}, tus reservas se pausan unos días.`,
        'Si sí viniste, escríbenos y lo corregimos.',
      ],
      notes: [],
      action: MY_RESERVATIONS,
      blanks: [name, cls.type, cls.when, `${count} de ${max}`],
    }),
  }
}

interface PenaltyFacts {
  class_reservation_penalty_id: number
  customer_id: number
  reason: string
  ends_at: Date
}

export function penalised(row: PenaltyFacts, zone: string): OutgoingMessage {
  const day = formatInstant(row.ends_at, zone, 'date')
  return {
    event: 'penalty',
    about: `penalty:${row.class_reservation_penalty_id}`,
    to: { customer_id: row.customer_id },
    before: row.ends_at,
    texts: (name) => ({
      title: 'Tus reservas están en pausa',
      lines: [`Motivo: ${row.reason}.`, `Podrás reservar de nuevo el ${day}. Los lugares que ya tienes siguen siendo tuyos.`],
      notes: [],
      action: MY_RESERVATIONS,
      blanks: [name, row.reason, day],
    }),
  }
}

export function forgiven(row: PenaltyFacts & { forgive_reason: string | null }): OutgoingMessage {
  const why = row.forgive_reason ?? ''
  return {
    event: 'penalty_forgiven',
    about: `penalty:${row.class_reservation_penalty_id}`,
    to: { customer_id: row.customer_id },
    before: null,
    texts: (name) => ({
      title: 'Ya puedes reservar de nuevo',
      lines: [`Quitamos la pausa de tus reservas: ${why}.`],
      notes: [],
      action: CALENDAR,
      blanks: [name, why],
    }),
  }
}
