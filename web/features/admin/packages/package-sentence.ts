/** The sentence that describes a package, in parts, so that changed ones can be marked. */
import { timesText } from '#contract/allowed-times.ts'
import { formatMoney, parsePesos } from '#contract/money.ts'
import { capitalize } from '#contract/text.ts'
import type { PeriodUnit } from '#contract/time.ts'
import { type PackageDraft, toFields } from './package-draft.ts'

export interface SentencePart {
  key: string
  text: string
}

interface Names {
  /** all locations of the studio, by id */
  locations: ReadonlyMap<number, string>
  types: ReadonlyMap<number, string>
}

const UNITS: Record<PeriodUnit, readonly [one: string, many: string]> = {
  day: ['día', 'días'],
  month: ['mes', 'meses'],
  year: ['año', 'años'],
}
const count = (n: number, [singular, many]: readonly [string, string]): string => `${n} ${n === 1 ? singular : many}`
const every = (interval: number, unit: PeriodUnit): string =>
  interval === 1 ? `cada ${UNITS[unit][0]}` : `cada ${count(interval, UNITS[unit])}`
const classes = (n: number): string => (n === -1 ? 'clases sin límite' : count(n, ['clase', 'clases']))
const list = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} y ${items.at(-1)}`

function money(text: string | null): string {
  const centavos = text === null ? null : parsePesos(text)
  return centavos === null ? 'sin precio todavía' : formatMoney(centavos)
}

/** The parts of the sentence of a draft; together, with spaces between them, they are whole sentences. */
export function packageSentence(draft: PackageDraft, { locations, types }: Names): SentencePart[] {
  const fields = toFields(draft)
  const { class_amount, expiration_days, is_subscription, subscription_interval, subscription_period, free_trial_length } = fields
  const period = is_subscription ? every(subscription_interval || 1, subscription_period ?? 'month') : ''
  const parts: SentencePart[] = []
  const add = (key: string, text: string) => parts.push({ key, text })

  if (draft.kind === 'signup') add('what', 'Una inscripción: no da clases.')
  else {
    const byType = (fields.class_package_types ?? []).map(
      (classPackageType) => `${classes(classPackageType.class_amount)} de ${types.get(classPackageType.class_type_id) ?? 'un tipo'}`,
    )
    const amount = Number.isFinite(class_amount) && class_amount !== 0 ? classes(class_amount) : 'clases'
    const what = draft.kind === 'online' ? 'acceso a los videos' : byType.length ? list(byType) : amount
    add('what', capitalize(what))
    const days = count(expiration_days || 0, ['día', 'días'])
    if (is_subscription) add('days', draft.kind === 'online' ? `${period}.` : `${period}, que vencen en ${days}.`)
    else {
      add('days', draft.kind === 'online' ? `por ${days}` : `para usar en ${days}`)
      add('clock', fields.clock_starts === 'first_class' ? 'desde la primera.' : 'desde la compra.')
    }
  }

  const price = money(fields.sale_price ?? fields.price)
  if (!is_subscription) add('price', `Se paga una vez, ${price}.`)
  else {
    const unit = UNITS[fields.free_trial_period ?? 'day']
    if (free_trial_length) add('trial', `Los primeros ${count(free_trial_length, unit)} son gratis.`)
    add('price', `Se cobra ${price} ${period} hasta que se cancela.`)
  }

  const limit = fields.limit_per_customer
  const limitText =
    limit === null || limit === undefined
      ? 'cada persona puede comprarlo las veces que quiera.'
      : limit === 1
        ? 'cada persona puede comprarlo una vez.'
        : `cada persona puede comprarlo hasta ${limit} veces.`
  if (locations.size > 1 && draft.kind !== 'online' && draft.kind !== 'signup') {
    const names = (fields.location_ids ?? []).map((id) => locations.get(id) ?? '')
    add('locations', fields.location_ids ? `Sirve en ${list(names)}` : 'Sirve en todos los estudios')
    add('limit', `y ${limitText}`)
  } else add('limit', capitalize(limitText))
  if (fields.allowed_times?.length) add('times', `Solo ${timesText(fields.allowed_times)}.`)
  if (fields.capacity != null) add('stock', `Se venden ${fields.capacity} en total.`)
  return parts
}

/** The keys of the parts that differ from another draft. */
export function changedParts(now: readonly SentencePart[], before: readonly SentencePart[]): Set<string> {
  const old = new Map(before.map(({ key, text }) => [key, text]))
  return new Set(now.filter(({ key, text }) => old.get(key) !== text).map(({ key }) => key))
}
