/** A package while it is edited: its fields as they are typed, what they mean for the API, and what differs from what is stored. */
import type { AllowedTime } from '#contract/credits.ts'
import { parsePesos } from '#contract/money.ts'
import type { PackageInput, StudioPackage } from '#contract/studio-packages.ts'
import type { PeriodUnit } from '#contract/time.ts'

/** What is sold; decides which fields there are. */
export const PACKAGE_KINDS = {
  package: 'Paquete',
  membership: 'Membresía',
  unlimited: 'Ilimitado',
  trial: 'Primera clase',
  event: 'Evento',
  online: 'Online',
  signup: 'Inscripción',
} as const
export type PackageKind = keyof typeof PACKAGE_KINDS

/** Credits of one class type, where they differ by type. */
export interface DraftType {
  class_type_id: number
  class_amount: string
  expiration_days: string
}

export interface PackageDraft {
  kind: PackageKind
  /** Charged again each period. */
  renews: boolean
  unlimited: boolean
  title: string
  short_description: string
  description: string
  /** The description is HTML with more than paragraphs, and edited as such. */
  has_markup: boolean
  price: string
  sale_price: string
  class_amount: string
  expiration_days: string
  clock_starts: 'purchase' | 'first_class'
  limit_per_customer: string
  capacity: string
  subscription_interval: string
  subscription_period: PeriodUnit
  free_trial_length: string
  free_trial_period: PeriodUnit
  /** null = all */
  location_ids: readonly number[] | null
  allowed_times: readonly AllowedTime[]
  types: readonly DraftType[]
  guests_use_credit: boolean
  available: boolean
  is_home: boolean
  is_featured: boolean
  image: string
  downloadable: string
  /** per cent; '' = the studio's */
  tax_rate: string
  sat_key: string
}

export const NEW_DRAFT: PackageDraft = {
  kind: 'package',
  renews: false,
  unlimited: false,
  title: '',
  short_description: '',
  description: '',
  has_markup: false,
  price: '',
  sale_price: '',
  class_amount: '',
  expiration_days: '30',
  clock_starts: 'purchase',
  limit_per_customer: '',
  capacity: '',
  subscription_interval: '1',
  subscription_period: 'month',
  free_trial_length: '',
  free_trial_period: 'day',
  location_ids: null,
  allowed_times: [],
  types: [],
  guests_use_credit: true,
  available: true,
  is_home: false,
  is_featured: false,
  image: '',
  downloadable: '',
  tax_rate: '',
  sat_key: '',
}

/** What choosing a kind fills in. */
const PRESETS: Record<PackageKind, Partial<PackageDraft>> = {
  package: { renews: false, unlimited: false },
  membership: { renews: true, unlimited: false, clock_starts: 'purchase' },
  unlimited: { renews: false, unlimited: true },
  trial: { renews: false, unlimited: false, class_amount: '1', limit_per_customer: '1', expiration_days: '7' },
  event: { renews: false, unlimited: false, class_amount: '1' },
  online: { renews: true, unlimited: true, clock_starts: 'purchase' },
  signup: { renews: false, unlimited: false, limit_per_customer: '1' },
}

/** The draft as another kind of package. What does not apply to the kind is not sent. */
export const asKind = (draft: PackageDraft, kind: PackageKind): PackageDraft => ({ ...draft, ...PRESETS[kind], kind })

/** Which parts of the form a kind has. */
export const hasClasses = ({ kind }: PackageDraft): boolean => kind !== 'signup'
export const mayRenew = ({ kind }: PackageDraft): boolean => kind === 'online' || kind === 'unlimited' || kind === 'membership'
export const mayBeUnlimited = ({ kind }: PackageDraft): boolean => kind === 'online' || kind === 'membership'
export const isForRooms = ({ kind }: PackageDraft): boolean => kind !== 'online' && kind !== 'signup'

function kindOf(row: StudioPackage): PackageKind {
  if (row.is_trial) return 'trial'
  if (row.is_special_event) return 'event'
  if (row.is_online) return 'online'
  if (row.class_amount === 0) return 'signup'
  if (row.class_amount === -1) return 'unlimited'
  return row.is_subscription ? 'membership' : 'package'
}

/** A description of plain paragraphs as text, so that it is edited without tags; null if it has more than that. */
export function plainDescription(html: string): string | null {
  const inside = html.replace(/^\s*<p>|<\/p>\s*$/g, '').replace(/<\/p>\s*<p>/g, '\n\n')
  if (/[<>]/.test(inside.replace(/<br ?\/?>/g, ''))) return null
  return inside
    .replace(/<br ?\/?>/g, '\n')
    .replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => ({ lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' })[name] ?? '')
}

/** Text as HTML: a paragraph for each, with its line breaks. */
export const paragraphs = (text: string): string =>
  text
    .trim()
    .split(/\n{2,}/)
    .filter(Boolean)
    .map((paragraph) => `<p>${paragraph.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/\n/g, '<br />')}</p>`)
    .join('')

const number = (value: number | null): string => (value === null ? '' : String(value))

/** A stored package as a draft. */
export function toDraft(row: StudioPackage): PackageDraft {
  return {
    kind: kindOf(row),
    renews: row.is_subscription,
    unlimited: row.class_amount === -1,
    title: row.title,
    short_description: row.short_description,
    description: plainDescription(row.description) ?? row.description,
    has_markup: plainDescription(row.description) === null,
    price: row.price,
    sale_price: row.sale_price ?? '',
    class_amount: row.class_amount > 0 ? String(row.class_amount) : '',
    expiration_days: String(row.expiration_days),
    clock_starts: row.clock_starts,
    limit_per_customer: number(row.limit_per_customer),
    capacity: number(row.capacity),
    subscription_interval: number(row.subscription_interval) || '1',
    subscription_period: row.subscription_period ?? 'month',
    free_trial_length: number(row.free_trial_length),
    free_trial_period: row.free_trial_period ?? 'day',
    location_ids: row.location_ids,
    allowed_times: row.allowed_times,
    types: row.class_package_types.map(({ class_type, class_amount, expiration_days }) => ({
      class_type_id: class_type.class_type_id,
      class_amount: String(class_amount),
      expiration_days: String(expiration_days),
    })),
    guests_use_credit: row.guests_use_credit,
    available: row.available,
    is_home: row.is_home,
    is_featured: row.is_featured,
    // The address of a private file is signed anew every few minutes; without the signature it names the file.
    image: row.image?.src ?? '',
    downloadable: row.downloadable?.src.split('?')[0] ?? '',
    tax_rate: row.tax_exempt ? EXEMPT : number(row.tax_rate),
    sat_key: row.sat_key ?? '',
  }
}

/** The choice of the tax field that is no rate. */
export const EXEMPT = 'exento'

/** The fields of a package as the API takes them; prices stay text (pesos). */
export type PackageFields = Omit<PackageInput, 'price' | 'sale_price'> & { price: string; sale_price: string | null }

const whole = (text: string): number => Number(text.trim())
const wholeOrNull = (text: string): number | null => (text.trim() === '' ? null : whole(text))

/** Converts a draft for the API. Fields that its kind does not have are treated as empty. */
export function toFields(draft: PackageDraft): PackageFields {
  const { kind } = draft
  const classes = hasClasses(draft)
  const renews = draft.renews && mayRenew(draft)
  const unlimited = kind === 'unlimited' || (draft.unlimited && mayBeUnlimited(draft))
  const rooms = isForRooms(draft)
  return {
    title: draft.title.trim(),
    short_description: draft.short_description.trim(),
    description: draft.has_markup ? draft.description : paragraphs(draft.description),
    price: draft.price.replaceAll(',', '').trim(),
    sale_price: draft.sale_price.trim() === '' ? null : draft.sale_price.replaceAll(',', '').trim(),
    class_amount: classes ? (unlimited ? -1 : whole(draft.class_amount)) : 0,
    expiration_days: classes ? whole(draft.expiration_days) : 0,
    clock_starts: classes && !renews ? draft.clock_starts : 'purchase',
    is_trial: kind === 'trial',
    is_special_event: kind === 'event',
    is_online: kind === 'online',
    is_subscription: renews,
    subscription_interval: renews ? whole(draft.subscription_interval) : null,
    subscription_period: renews ? draft.subscription_period : null,
    free_trial_length: renews ? wholeOrNull(draft.free_trial_length) : null,
    free_trial_period: renews && draft.free_trial_length.trim() !== '' ? draft.free_trial_period : null,
    limit_per_customer: wholeOrNull(draft.limit_per_customer),
    capacity: wholeOrNull(draft.capacity),
    location_ids: rooms && draft.location_ids ? [...draft.location_ids] : null,
    allowed_times: rooms ? draft.allowed_times.map((time) => ({ ...time, days: [...time.days] })) : [],
    class_package_types: rooms
      ? draft.types.map(({ class_type_id, class_amount, expiration_days }) => ({
          class_type_id,
          class_amount: whole(class_amount),
          expiration_days: whole(expiration_days),
        }))
      : [],
    guests_use_credit: draft.guests_use_credit,
    available: draft.available,
    is_home: draft.is_home,
    is_featured: draft.is_featured,
    image: draft.image === '' ? null : { src: draft.image },
    downloadable: draft.downloadable === '' ? null : { src: draft.downloadable },
    tax_rate: draft.tax_rate === '' || draft.tax_rate === EXEMPT ? null : Number(draft.tax_rate),
    tax_exempt: draft.tax_rate === EXEMPT,
    sat_key: draft.sat_key.trim() || null,
  }
}

/** The fields that differ from what is stored; of a new package all. */
export const changedFields = (draft: PackageDraft, stored: StudioPackage | null): Partial<PackageFields> =>
  stored ? diffDrafts(toDraft(stored), draft) : toFields(draft)

/** The fields of the second draft that differ from those of the first. */
export function diffDrafts(first: PackageDraft, second: PackageDraft): Partial<PackageFields> {
  const [before, fields] = [toFields(first), toFields(second)]
  return Object.fromEntries(
    Object.entries(fields).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key as keyof PackageFields])),
  )
}

const FIELD_NAMES: Partial<Record<keyof PackageFields, string>> = {
  title: 'nombre',
  short_description: 'frase',
  description: 'descripción',
  price: 'precio',
  sale_price: 'precio de oferta',
  class_amount: 'clases',
  expiration_days: 'vigencia',
  clock_starts: 'vigencia',
  limit_per_customer: 'máximo por persona',
  capacity: 'cuántos se venden',
  subscription_interval: 'renovación',
  subscription_period: 'renovación',
  is_subscription: 'renovación',
  free_trial_length: 'prueba gratis',
  free_trial_period: 'prueba gratis',
  location_ids: 'estudios',
  allowed_times: 'horarios',
  class_package_types: 'tipos de clase',
  guests_use_credit: 'invitados',
  available: 'venta',
  is_home: 'portada',
  is_featured: 'la más elegida',
  tax_rate: 'IVA',
  tax_exempt: 'IVA',
  sat_key: 'clave del SAT',
  image: 'imagen',
  downloadable: 'archivo',
  is_trial: 'qué es',
  is_special_event: 'qué es',
  is_online: 'qué es',
}

/** "precio y vigencia": what was changed, in words. */
export function changeNames(changes: Partial<PackageFields>): string[] {
  return [...new Set(Object.keys(changes).map((key) => FIELD_NAMES[key as keyof PackageFields] ?? key))]
}

const WHOLE = /^\s*\d{1,7}\s*$/
const NEEDED = 'Debes llenar este campo.'
const NO_NUMBER = 'Escribe un número entero.'
const NO_PRICE = 'Escribe un precio, como 220 o 220.50.'

/** What is wrong with the typed fields, by field. The server checks everything again. */
export function draftProblems(draft: PackageDraft): Partial<Record<keyof PackageDraft, string>> {
  const found: Partial<Record<keyof PackageDraft, string>> = {}
  const price = parsePesos(draft.price.replaceAll(',', ''))
  const offer = draft.sale_price.trim() === '' ? null : parsePesos(draft.sale_price.replaceAll(',', ''))
  const needsNumber = (key: 'class_amount' | 'expiration_days' | 'subscription_interval') => {
    if (draft[key].trim() === '') found[key] = NEEDED
    else if (!WHOLE.test(draft[key]) || whole(draft[key]) === 0) found[key] = NO_NUMBER
  }
  const mayHaveNumber = (key: 'limit_per_customer' | 'capacity' | 'free_trial_length') => {
    if (draft[key].trim() !== '' && !WHOLE.test(draft[key])) found[key] = NO_NUMBER
  }
  if (draft.title.trim() === '') found.title = NEEDED
  if (draft.price.trim() === '') found.price = NEEDED
  else if (price === null) found.price = NO_PRICE
  if (draft.sale_price.trim() !== '' && offer === null) found.sale_price = NO_PRICE
  else if (offer !== null && price !== null && offer > price) found.sale_price = 'El precio de oferta no puede ser mayor que el precio.'
  const { class_amount, is_subscription } = toFields(draft)
  if (hasClasses(draft)) {
    if (class_amount !== -1) needsNumber('class_amount')
    needsNumber('expiration_days')
  }
  if (is_subscription) needsNumber('subscription_interval')
  for (const key of ['limit_per_customer', 'capacity', 'free_trial_length'] as const) mayHaveNumber(key)
  if (draft.sat_key.trim() !== '' && !/^\d{8}$/.test(draft.sat_key.trim())) found.sat_key = 'La clave del SAT lleva ocho dígitos.'
  if (draft.location_ids?.length === 0) found.location_ids = 'Elige al menos un estudio.'
  if (draft.allowed_times.some(({ days }) => days.length === 0)) found.allowed_times = 'Elige los días de cada horario.'
  else if (draft.allowed_times.some(({ from, to }) => from >= to)) found.allowed_times = 'Un horario termina antes de empezar.'
  if (draft.types.some((type) => !/^\s*(-1|\d{1,5})\s*$/.test(type.class_amount) || !WHOLE.test(type.expiration_days)))
    found.types = 'Escribe cuántas clases da cada tipo y en cuántos días vencen.'
  else if (new Set(draft.types.map(({ class_type_id }) => class_type_id)).size !== draft.types.length)
    found.types = 'Un tipo de clase aparece dos veces.'
  return found
}
