/** The plain lists of the catalogue as staff manage them (docs/domain.md, K7 to K9). Their public form is in catalogue.ts. */
import { and, asc, inArray, isNull } from 'drizzle-orm'
import { CARD_PAYMENT_METHOD_ID, CASH_PAYMENT_METHOD_NAME, catalogue, type PaymentMethodKind, photoCrop } from '#contract/catalogue.ts'
import type { Sent } from '#contract/crud.ts'
import { refuse } from '#contract/errors.ts'
import { parsePesos, pesos } from '#contract/money.ts'
import { type RoomMap, spotAt } from '#contract/room-map.ts'
import type { rooms } from '#contract/rooms.ts'
import { studioZone } from '#contract/settings.ts'
import { plainListVerbs } from '#server/modules/crud.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Tx } from '#server/platform/db.ts'
import { lockRoom } from './room-store.ts'
import { defaultHandle, serializeFile, serializeTag } from './rules.ts'
import { classCategory, classType, instructor, location, paymentMethod, room, tag } from './tables.ts'

const { admin } = catalogue

/** A value that goes with another one: null when only the other one is sent. */
const orGone = <T>(value: T | null | undefined, other: unknown): T | null | undefined =>
  value === undefined && other !== undefined ? null : value

/** Empty text is stored as null. */
const orNull = <T>(value: T | '' | null | undefined): T | null | undefined => (value === '' ? null : value)

export const locationList = plainListVerbs({
  table: location,
  id: 'location_id',
  topic: 'catalogue',
  isSoftDelete: true,
  archives: true,
  requireMay: (ctx, row) => (row ? ctx.requireLocation('catalogue.edit', row.location_id) : ctx.requireEverywhere()),
  order: [asc(location.sort), asc(location.location_id)],
  shown: ({ location_id, name, address, timezone, map_link, phone, hours, postal_code, tax_rate, sort, archivedAt, updatedAt }) => ({
    archived: archivedAt !== null,
    updatedAt: updatedAt.toISOString(),
    location_id,
    name,
    address,
    timezone,
    map_link,
    phone,
    hours,
    postal_code,
    tax_rate: tax_rate === null ? null : tax_rate / 100,
    sort,
  }),
  values: (sent: Sent<typeof admin.locations>, _before, { settings }) => {
    const { name, address, map_link, phone, hours, postal_code, tax_rate, sort } = sent
    // GET /locations shows the studio's zone for a location without its own: sent back with its mark, it stays without.
    const timezone = sent.timezone_of_studio && sent.timezone === studioZone(settings) ? null : sent.timezone
    return {
      name,
      address,
      timezone,
      map_link: orNull(map_link),
      phone,
      hours: orNull(hours),
      postal_code: orNull(postal_code),
      tax_rate: tax_rate == null ? tax_rate : Math.round(tax_rate * 100),
      sort,
    }
  },
})

/** A map on the wire: each seat with its spot. */
export function serializeRoomMap(map: RoomMap | null) {
  return (
    map && {
      rows: map.rows.map(({ label, seats }, row) => ({
        label,
        seats: seats.map((seat, column) => ({ spot: spotAt(row, column), ...seat })),
      })),
    }
  )
}

/** The map of a room for a new one: what is closed there is open here. NOT_FOUND, FORBIDDEN. */
async function copyRoomMap(tx: Tx, ctx: Ctx, map_of: number): Promise<RoomMap | null> {
  const found = await lockRoom(tx, map_of)
  if (!found) throw refuse('NOT_FOUND', { field: 'map_of' })
  ctx.requireLocation('catalogue.edit', found.location_id)
  const open = { closed: false, closed_until: null, closed_reason: null }
  return found.map && { rows: found.map.rows.map(({ label, seats }) => ({ label, seats: seats.map((seat) => ({ ...seat, ...open })) })) }
}

/**
 * Rooms stay at their location: their classes are there. Maps are saved by the planning module, because they concern reservations (L18).
 */
export const roomList = plainListVerbs({
  table: room,
  id: 'room_id',
  topic: 'catalogue',
  isSoftDelete: true,
  archives: true,
  order: [asc(room.location_id), asc(room.sort), asc(room.room_id)],
  orderedWithin: ({ location_id }) => location_id,
  shown: ({ room_id, location_id, name, capacity, exclusive, map, sort, archivedAt, updatedAt }) => ({
    room_id,
    location_id,
    name,
    capacity,
    exclusive,
    sort,
    archived: archivedAt !== null,
    map: serializeRoomMap(map),
    updatedAt: updatedAt.toISOString(),
  }),
  async values({ location_id, name, capacity, exclusive, sort, map_of }: Sent<typeof rooms>, before, ctx, _, tx) {
    ctx.requireLocation('catalogue.edit', before?.location_id ?? location_id ?? 0)
    const own = { name, capacity, exclusive, sort, updatedAt: ctx.now }
    return before ? own : { ...own, location_id, ...(map_of ? { map: await copyRoomMap(tx, ctx, map_of) } : {}) }
  },
  whyNotSave: (before, { location_id, map_of }) =>
    map_of || (location_id !== undefined && location_id !== before.location_id) ? refuse('PROTECTED') : null,
})

export const classTypeList = plainListVerbs({
  table: classType,
  id: 'class_type_id',
  topic: 'catalogue',
  isSoftDelete: true,
  archives: true,
  order: [asc(classType.sort), asc(classType.class_type_id)],
  shown: ({ deletedAt: _, archivedAt, price_centavos, updatedAt, ...shown }) => ({
    ...shown,
    updatedAt: updatedAt.toISOString(),
    archived: archivedAt !== null,
    price: price_centavos === null ? null : pesos(price_centavos),
  }),
  values: ({
    name,
    description,
    image,
    icon,
    intensity,
    duration_minutes,
    spot_map,
    price,
    color,
    sort,
  }: Sent<typeof admin.classTypes>) => ({
    color: orNull(color),
    name,
    description,
    image: orNull(image),
    icon: orNull(icon),
    intensity,
    duration_minutes,
    spot_map,
    price_centavos: typeof price === 'string' ? parsePesos(price) : price,
    sort,
  }),
})

export const classCategoryList = plainListVerbs({
  table: classCategory,
  id: 'class_category_id',
  topic: 'catalogue',
  archives: true,
  order: [asc(classCategory.sort), asc(classCategory.class_category_id)],
  shown: ({ archivedAt, updatedAt, ...row }) => ({ ...row, updatedAt: updatedAt.toISOString(), archived: archivedAt !== null }),
  values: ({ name, handle, description, available, sort }: Sent<typeof admin.classCategories>, before) => ({
    sort,
    name,
    handle: handle ?? (before || name === undefined ? undefined : defaultHandle(name)),
    description,
    available,
  }),
})

/** The photo of a coach sent back as it is read; undefined leaves the stored one, with its original and crop. */
function photoOfFile(file: { src: string } | null | undefined, stored: string | null | undefined): string | null | undefined {
  if (!file) return file
  return file.src === stored ? undefined : file.src
}

export const instructorList = plainListVerbs({
  table: instructor,
  id: 'instructor_id',
  topic: 'catalogue',
  isSoftDelete: true,
  archives: true,
  order: [asc(instructor.sort), asc(instructor.instructor_id)],
  shown: ({ deletedAt: _, archivedAt, updatedAt, ...shown }) => ({
    ...shown,
    updatedAt: updatedAt.toISOString(),
    photo_crop: photoCrop.safeParse(shown.photo_crop).data ?? null,
    archived: archivedAt !== null,
    file: shown.photo ? serializeFile(shown.photo) : null,
  }),
  values: (input: Sent<typeof admin.instructors>, before) => {
    const sent = { ...input, photo: input.photo === undefined ? photoOfFile(input.file, before?.photo) : input.photo }
    return {
      name: sent.name,
      last_name: sent.last_name,
      nick_name: orNull(sent.nick_name),
      quote: orNull(sent.quote),
      short_bio: orNull(sent.short_bio),
      instagram: orNull(sent.instagram),
      birthdate: sent.birthdate,
      music_type: orNull(sent.music_type),
      specialties: orNull(sent.specialties),
      photo: orNull(sent.photo),
      // Another photo is not what the stored original and crop describe.
      photo_original: orNull(orGone(sent.photo_original, sent.photo)),
      photo_crop: orGone(sent.photo_crop, sent.photo),
      class_type_ids: sent.class_type_ids?.length ? [...new Set(sent.class_type_ids)].sort((a, b) => a - b) : sent.class_type_ids && null,
      is_home: sent.is_home,
      sort: sent.sort,
    }
  },
  async after(tx, _, { class_type_ids }: Sent<typeof admin.instructors>) {
    if (!class_type_ids?.length) return
    const wanted = [...new Set(class_type_ids)]
    const known = await tx.$count(classType, and(inArray(classType.class_type_id, wanted), isNull(classType.deletedAt)))
    if (known < wanted.length) throw refuse('NOT_FOUND', { field: 'class_type_ids' })
  },
})

/** Removing a tag removes it from every record that has it (K9). */
export const tagList = plainListVerbs({
  table: tag,
  id: 'tag_id',
  topic: 'catalogue',
  archives: true,
  order: [asc(tag.type), asc(tag.sort), asc(tag.name)],
  shown: (row) => ({
    ...serializeTag(row),
    sort: row.sort,
    updatedAt: row.updatedAt.toISOString(),
    archived: row.archivedAt !== null,
  }),
  values: ({ name, type, color, sort }: Sent<typeof admin.tags>) => ({ name, type, color, sort }),
})

const isCash = (method: { name: string }) => method.name === CASH_PAYMENT_METHOD_NAME
const isProtected = (method: { payment_method_id: number; name: string }) =>
  isCash(method) || method.payment_method_id === CARD_PAYMENT_METHOD_ID

/** Reserved for the two built-in payment methods: card at the checkout, and cash. */
const isOwnKind = (kind: PaymentMethodKind) => kind === 'online' || kind === 'cash'

/** The kind of a payment method, guessed from its name when none was given. */
export function kindByName(name: string): PaymentMethodKind {
  if (name === CASH_PAYMENT_METHOD_NAME) return 'cash'
  if (/transfer|spei|dep[oó]sito/i.test(name)) return 'transfer'
  return /terminal|tarjeta|tpv/i.test(name) ? 'terminal' : 'other'
}

/**
 * Card and cash cannot be removed, and cash keeps its name (K6). A used one is archived instead of removed, so that its charges keep its
 * name.
 */
export const paymentMethodList = plainListVerbs({
  table: paymentMethod,
  id: 'payment_method_id',
  alias: 'PaymentMethod_id',
  topic: 'catalogue',
  order: [asc(paymentMethod.payment_method_id)],
  shown: ({ payment_method_id, name, description, kind, updatedAt, deletedAt }) => ({
    payment_method_id,
    name,
    description,
    kind,
    updatedAt: updatedAt.toISOString(),
    archived: deletedAt !== null,
  }),
  values: ({ name, description, kind, archived }: Sent<typeof admin.paymentMethods>, before, ctx) => ({
    name,
    description,
    kind: before || (kind && !isOwnKind(kind)) ? kind : kindByName(name ?? ''),
    deletedAt: archived === undefined ? undefined : archived ? (before?.deletedAt ?? ctx.now) : null,
  }),
  whyNotSave: (before, { name, kind, archived }) =>
    (isCash(before) && name !== undefined && name !== before.name) ||
    (archived && isProtected(before)) ||
    (kind !== undefined && kind !== before.kind && (isProtected(before) || isOwnKind(kind)))
      ? refuse('PROTECTED')
      : null,
  whyNotRemove: (row) => (isProtected(row) ? refuse('PROTECTED') : null),
})
