/**
 * The rules that the settings make, in sentences with examples: drawn while they are edited. The rules themselves: docs/domain.md R, W, A.
 */
import { twoDigits, type WindowUnit } from '#contract/time.ts'

type Values = Readonly<Record<string, unknown>>

const number = (values: Values, key: string): number => (typeof values[key] === 'number' ? (values[key] as number) : 0)
const is = (values: Values, key: string): boolean => values[key] === true

/** The class of the examples starts at this minute of its day. */
const CLASS_MINUTE = 19 * 60
const DAY = 1_440
const UNIT_SECONDS: Readonly<Record<WindowUnit, number>> = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 }

const count = (n: number, singular: string, many: string) => `${n.toLocaleString('es-MX')} ${n === 1 ? singular : many}`

/** "las 18:00", "las 07:00 del día anterior": this number of seconds before the class of the example. */
function clockBefore(seconds: number): string {
  const minutes = CLASS_MINUTE - Math.ceil(seconds / 60)
  const days = -Math.floor(minutes / DAY)
  const ofDay = ((minutes % DAY) + DAY) % DAY
  const hour = twoDigits(Math.floor(ofDay / 60))
  const clock = `las ${hour}:${twoDigits(ofDay % 60)}`
  return days === 0 ? clock : days === 1 ? `${clock} del día anterior` : `${clock}, ${days} días antes`
}

function bookingSentence(values: Values): string {
  const cutoff = number(values, 'reservation_timeframe_hours') * 3_600 + number(values, 'reservation_timeframe_minutes') * 60
  const opens = number(values, 'reservation_opens_days')
  const from = opens > 0 ? `desde ${count(opens, 'día', 'días')} antes, a la misma hora,` : 'desde que se publica'
  const until = cutoff > 0 ? `hasta ${clockBefore(cutoff)}` : 'hasta que empieza'
  return `Con esto: una clase de las 19:00 se puede reservar ${from} ${until}.`
}

function cancelSentence(values: Values): string {
  const early = is(values, 'allow_cancel_reservations')
  const late = is(values, 'allow_cancel_after_treshold')
  const limit = values.max_cancels_per_available_class
  const undo = number(values, 'undo_minutes')
  const window = number(values, 'cancel_timeframe_value')
  const unit = (values.cancel_timeframe_unit ?? 'hours') as WindowUnit
  const until = window > 0 ? clockBefore(window * UNIT_SECONDS[unit]) : null
  const rule =
    !early && !late
      ? 'quien reserva no puede cancelar.'
      : until === null
        ? 'una clase de las 19:00 se puede cancelar hasta que empieza sin perder el crédito.'
        : `una clase de las 19:00 se puede cancelar sin perder el crédito hasta ${until}; después ${late ? 'se puede cancelar, pero el crédito se pierde' : 'ya no se puede cancelar'}.`
  const undoing = undo > 0 ? ` Lo que se acaba de reservar se deshace sin costo durante ${count(undo, 'minuto', 'minutos')}.` : ''
  const limited =
    typeof limit === 'number' && (early || late) ? ` Con un mismo crédito se cancela ${count(limit, 'vez', 'veces')} como máximo.` : ''
  return `Con esto: ${rule}${undoing}${limited}`
}

function waitlistSentence(values: Values): string {
  if (!is(values, 'waitlist_enabled'))
    return 'Con esto: una clase llena no acepta a nadie más; el lugar que se libera es de quien lo encuentre.'
  const mode = values.waitlist_mode
  const all = number(values, 'waitlist_tell_all_minutes')
  const how =
    mode === 'oferta'
      ? `se aparta para la primera persona de la lista, por ${count(number(values, 'waitlist_offer_minutes'), 'minuto', 'minutos')} como máximo; si no lo toma, pasa a la siguiente`
      : mode === 'auto'
        ? 'se le da a la primera persona de la lista que lo pidió así, sin preguntarle, mientras todavía pueda cancelar sin costo'
        : 'se avisa a todas las personas de la lista y gana quien reserve primero'
  const end =
    mode !== 'todos' && all > 0 ? ` Desde ${count(all, 'minuto', 'minutos')} antes de que cierre la reservación se avisa a todas.` : ''
  return `Con esto: cuando se libera un lugar, ${how}.${end}`
}

function penaltySentence(values: Values): string {
  const grace = number(values, 'no_show_grace_hours')
  const closes = `La lista se cierra sola ${grace > 0 ? `${count(grace, 'hora', 'horas')} después de la clase` : 'al terminar la clase'}.`
  if (!is(values, 'unlimited_membership_penalties_enabled')) return `Con esto: faltar no tiene consecuencias además del crédito. ${closes}`
  const misses = number(values, 'unlimited_max_no_shows_for_penalty')
  const days = number(values, 'unlimited_penalty_days')
  const streak = misses === 1 ? 'falta una vez' : `falta ${misses} veces seguidas`
  return `Con esto: quien tiene un paquete ilimitado y ${streak} no puede reservar durante ${count(days, 'día', 'días')}. ${closes}`
}

function quietSentence(values: Values): string {
  const [start, end] = [number(values, 'quiet_hours_start'), number(values, 'quiet_hours_end')]
  if (start === end) return 'Con esto: los WhatsApp se mandan a cualquier hora.'
  const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`
  return `Con esto: entre las ${clock(start)} y las ${clock(end)} no se manda ningún WhatsApp que pueda esperar; sale a las ${clock(end)}.`
}

function counterSentence(values: Values): string {
  const percent = number(values, 'pos_discount_max_percent')
  const refund = Number(values.pos_refund_max ?? 0)
  const discount = percent > 0 ? `puede bajar un precio hasta ${percent} %, con motivo` : 'no puede bajar precios'
  const refunds = refund > 0 ? `devuelve hasta $${refund.toFixed(2)} por cargo` : 'no devuelve dinero'
  return `Con esto: recepción ${discount}, y ${refunds}.`
}

function overdueSentence(values: Values): string {
  if (!is(values, 'subscriptions_enabled')) return 'Con esto: no se venden suscripciones nuevas.'
  const grace = number(values, 'subscription_grace_days')
  const failed = grace > 0 ? `se reintenta durante ${count(grace, 'día', 'días')} y después termina` : 'termina la suscripción'
  return `Con esto: se avisa ${count(number(values, 'renewal_notice_days'), 'día', 'días')} antes de cada cobro; una renovación que no pasa ${failed}.`
}

const SENTENCES: Readonly<Record<string, (values: Values) => string>> = {
  'reservas Cuándo se reserva': bookingSentence,
  'reservas Cancelar': cancelSentence,
  'espera Lista de espera': waitlistSentence,
  'espera Faltas': penaltySentence,
  'mensajes Horas': quietSentence,
  'pagos Recepción y caja': counterSentence,
  'pagos Suscripciones': overdueSentence,
}

/** What the settings of a group mean with these values, with an example; null: the group makes no rule. */
export function ruleSentence(area: string, group: string, values: Values): string | null {
  return SENTENCES[`${area} ${group}`]?.(values) ?? null
}
