/** Rules and serializers of the catalogue. Pure: docs/domain.md, "Catalogue". */
import { limitTexts } from '#contract/allowed-times.ts'
import type { CatalogueTag, ClassPackage, ClassType, Instructor, Location } from '#contract/catalogue.ts'
import { type Refusal, refuse } from '#contract/errors.ts'
import { linkOrNull } from '#contract/link.ts'
import { pesos } from '#contract/money.ts'
import { bookingCutoffMs, type Settings, studioZone } from '#contract/settings.ts'
import { foldText } from '#contract/text.ts'
import { isZone, type LocalDate } from '#contract/time.ts'
import type { DiscountRow } from './discount-store.ts'
import type { ClassTypeRow, InstructorRow, LocationRow, PackageWithTypes } from './store.ts'

/** The time zone of a location: its own, or the studio's when it has none or one that this runtime does not know (K1, settled 1). */
export function zoneOf(location: { timezone: string | null }, settings: Settings): string {
  return location.timezone && isZone(location.timezone) ? location.timezone : studioZone(settings)
}

/** How many can still be sold; null = unlimited (K4). */
export function stockLeft(classPackage: { capacity: number | null; sold: number }): number | null {
  return classPackage.capacity === null ? null : Math.max(0, classPackage.capacity - classPackage.sold)
}

type Cutoff = Parameters<typeof bookingCutoffMs>[0]

/**
 * Until when a special event is sold: when booking of its last class closes (K13). Null without an upcoming class, and for other packages.
 */
export function saleEndsAt({ event }: Pick<PackageWithTypes, 'event'>, settings: Cutoff): Date | null {
  return event?.last_class_at ? new Date(event.last_class_at.getTime() - bookingCutoffMs(settings)) : null
}

/** Why an event is no longer sold: none of its classes can be booked (K13). Null for other packages. */
export function whyNotEvent(classPackage: Pick<PackageWithTypes, 'event'>, settings: Cutoff, now: Date): Refusal | null {
  if (!classPackage.event) return null
  const until = saleEndsAt(classPackage, settings)
  if (!until) return refuse('EVENT_CANCELLED')
  return now < until ? null : refuse('EVENT_OVER')
}

/** Why a package is not sold now (K3, K13); null when it is. Its stock is counted by the database (K4). */
export function whyNotSold(
  classPackage: Pick<PackageWithTypes, 'event' | 'available' | 'deletedAt'> | null,
  settings: Cutoff,
  now: Date,
): Refusal | null {
  if (!classPackage?.available || classPackage.deletedAt) return refuse('PACKAGE_NOT_FOUND')
  return whyNotEvent(classPackage, settings, now)
}

/** Why a code is not valid for a package on a day of the studio (D3); null when it is. Its uses are counted by the database (D4). */
export function whyNotDiscount(
  discount: Pick<DiscountRow, 'available' | 'deletedAt' | 'class_package_ids' | 'starts_on' | 'ends_on'> | null,
  class_package_id: number,
  today: LocalDate,
): Refusal | null {
  const good =
    discount?.available &&
    !discount.deletedAt &&
    (discount.class_package_ids === null || discount.class_package_ids.includes(class_package_id)) &&
    (discount.starts_on === null || discount.starts_on <= today) &&
    (discount.ends_on === null || today <= discount.ends_on)
  return good ? null : refuse('DISCOUNT_INVALID')
}

/** The image when its URL is valid: rows may have been written without the API. */
export const validImage = (stored: string | null) => {
  const src = linkOrNull(stored)
  return src === null ? null : { src }
}

export const photoOf = (stored: string | null) => {
  const src = linkOrNull(stored)
  return src === null ? null : serializeFile(src)
}

/** Serializes a package; `description` was sanitised by the caller. */
export function serializePackage(classPackage: PackageWithTypes, description: string, settings: Cutoff): ClassPackage {
  return {
    class_package_id: classPackage.class_package_id,
    title: classPackage.title,
    description,
    short_description: classPackage.short_description,
    price: pesos(classPackage.price_centavos),
    sale_price: classPackage.sale_price_centavos === null ? null : pesos(classPackage.sale_price_centavos),
    image: validImage(classPackage.image),
    receipt_file: validImage(classPackage.receipt_file),
    class_amount: classPackage.class_amount,
    expiration_days: classPackage.expiration_days,
    clock_starts: classPackage.clock_starts,
    is_special_event: classPackage.is_special_event,
    is_trial: classPackage.is_trial,
    is_online: classPackage.is_online,
    is_home: classPackage.is_home,
    is_featured: classPackage.is_featured,
    is_subscription: classPackage.is_subscription,
    subscription_period: classPackage.subscription_period,
    subscription_interval: classPackage.subscription_interval,
    free_trial_length: classPackage.free_trial_length,
    free_trial_period: classPackage.free_trial_period,
    limit_per_customer: classPackage.limit_per_customer,
    sort: classPackage.sort,
    left: stockLeft(classPackage),
    sold_until: saleEndsAt(classPackage, settings)?.toISOString() ?? null,
    allowed_times: classPackage.allowed_times,
    location_ids: classPackage.location_ids,
    limits: limitTexts(classPackage),
    class_package_types: classPackage.types.map(({ class_type_id, name, class_amount, expiration_days }) => ({
      class_type: { class_type_id, name },
      class_amount,
      expiration_days,
    })),
  }
}

export function serializeLocation(location: LocationRow, settings: Settings): Location {
  const { location_id, name, address, map_link, phone, hours } = location
  const timezone = zoneOf(location, settings)
  const timezone_of_studio = location.timezone === null
  return { location_id, name, address, timezone, timezone_of_studio, map_link: linkOrNull(map_link), phone, hours }
}

export function serializeClassType(type: ClassTypeRow): ClassType {
  const { class_type_id, name, description, icon, intensity, duration_minutes, spot_map } = type
  return { class_type_id, name, description, image: validImage(type.image), icon, intensity, duration_minutes, spot_map }
}

const MIME = new Map([
  ['avif', 'image/avif'],
  ['gif', 'image/gif'],
  ['jpg', 'image/jpeg'],
  ['mp4', 'video/mp4'],
  ['pdf', 'application/pdf'],
  ['png', 'image/png'],
  ['svg', 'image/svg+xml'],
  ['webp', 'image/webp'],
])

/** Serializes a file of the catalogue: its name and type come from its URL. */
export function serializeFile(src: string): NonNullable<Instructor['file']> {
  const name = (src.split(/[?#]/)[0] ?? '').split('/').at(-1) ?? ''
  const ending = (name.split('.').at(-1) ?? '').toLowerCase().replace('jpeg', 'jpg')
  return { name, type: MIME.get(ending) ?? 'application/octet-stream', src }
}

/** Serializes an instructor for public reads: of the birthday only day and month (K5, S1-2.17). */
export function serializeInstructor(coach: InstructorRow): Instructor {
  const { instructor_id, name, last_name, nick_name, quote, short_bio, instagram, music_type, specialties } = coach
  return {
    instructor_id,
    name,
    last_name,
    nick_name,
    quote,
    short_bio,
    instagram,
    birthdate: coach.birthdate === null ? null : `--${coach.birthdate.slice(5, 10)}`,
    music_type,
    specialties,
    file: photoOf(coach.photo),
  }
}

export function serializeTag({ tag_id, name, type, color }: CatalogueTag): CatalogueTag {
  return { tag_id, name, type, color }
}

/** "Pilates Reformer y más" -> "pilates-reformer-y-mas": the default handle of a category. */
export function defaultHandle(name: string): string {
  const plain = foldText(name)
  return (
    plain
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 80)
      .replace(/-$/, '') || 'categoria'
  )
}
