import { sql } from 'drizzle-orm'
import { boolean, check, date, index, integer, pgTable, pgView, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import * as z from 'zod'
import { photoCrop } from '#contract/catalogue.ts'
import { allowedTime } from '#contract/credits.ts'
import { SEAT_KINDS } from '#contract/room-map.ts'
import { customer } from '#server/modules/people/tables.ts'
import { json } from '#server/platform/checked-columns.ts'
import { instantColumn } from '#server/platform/tables.ts'

const seat = z.object({
  label: z.string(),
  kind: z.enum(SEAT_KINDS),
  closed: z.boolean(),
  closed_until: z.string().nullable(),
  closed_reason: z.string().nullable(),
})
const roomMap = z.object({ rows: z.array(z.object({ label: z.string(), seats: z.array(seat) })) })

export const location = pgTable(
  'location',
  {
    /** When staff last changed it: an edit that was made from an older version is refused. */
    updatedAt: timestamp(instantColumn).notNull().defaultNow(),
    location_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    name: text().notNull(),
    address: text().notNull().default(''),
    /** IANA zone; null = the studio's (settled 1). */
    timezone: text(),
    map_link: text(),
    phone: text(),
    hours: text(),
    /** Place of issue of its invoices; null = the studio's tax domicile. */
    postal_code: text(),
    /** Tax rate of what is charged there, in hundredths of a percent; null = the studio's. A package's own takes precedence. */
    tax_rate: integer(),
    sort: integer().notNull().default(0),
    /** Since when it is no longer offered (K14). */
    archivedAt: timestamp(instantColumn),
    deletedAt: timestamp(instantColumn),
  },
  (t) => [
    check('location_tax', sql`${t.tax_rate} between 0 and 10000`),
    check('location_postal_code', sql`${t.postal_code} ~ '^[0-9]{5}$'`),
    // Queries use the zone: an unknown name would make all of them fail, so it is refused on write.
    check(
      'location_timezone',
      sql`${t.timezone} is null or ${t.timezone} ~ '^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$' and (timestamptz 'epoch' at time zone ${t.timezone}) is not null`,
    ),
  ],
)

/** A room of a location (L17). */
export const room = pgTable(
  'room',
  {
    room_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    location_id: integer()
      .notNull()
      .references(() => location.location_id),
    name: text().notNull(),
    /** Null: as many as its map has seats, or each class decides. */
    capacity: integer(),
    /** Only one class at a time: another one is refused. */
    exclusive: boolean().notNull().default(true),
    /** Its rows of seats; null = no map. A seat's position is its spot. */
    map: json(roomMap, null),
    sort: integer().notNull().default(0),
    updatedAt: timestamp(instantColumn).notNull().defaultNow(),
    archivedAt: timestamp(instantColumn),
    deletedAt: timestamp(instantColumn),
  },
  (t) => [
    uniqueIndex('room_name').on(t.location_id, sql`lower(${t.name})`).where(sql`${t.deletedAt} is null`),
    check('room_capacity', sql`${t.capacity} between 1 and 1000`),
  ],
)

export const classCategory = pgTable(
  'class_category',
  {
    /** When staff last changed it: an edit that was made from an older version is refused. */
    updatedAt: timestamp(instantColumn).notNull().defaultNow(),
    class_category_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    name: text().notNull(),
    handle: text().notNull(),
    description: text().notNull().default(''),
    available: boolean().notNull().default(true),
    sort: integer().notNull().default(0),
    archivedAt: timestamp(instantColumn),
  },
  (t) => [uniqueIndex('class_category_handle').on(t.handle)],
)

export const classType = pgTable(
  'class_type',
  {
    /** When staff last changed it: an edit that was made from an older version is refused. */
    updatedAt: timestamp(instantColumn).notNull().defaultNow(),
    class_type_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    name: text().notNull(),
    description: text().notNull().default(''),
    image: text(),
    icon: text(),
    intensity: integer(),
    duration_minutes: integer().notNull().default(50),
    spot_map: text(),
    /** Price of a single place at the counter in centavos; null = the setting `drop_in_price` (V45). */
    price_centavos: integer(),
    /** Its color on the timetable of the staff. */
    color: text(),
    sort: integer().notNull().default(0),
    archivedAt: timestamp(instantColumn),
    deletedAt: timestamp(instantColumn),
  },
  (t) => [
    check('class_type_color', sql`${t.color} ~ '^#[0-9a-fA-F]{6}$'`),
    check('class_type_price', sql`${t.price_centavos} > 0`),
    check('class_type_intensity', sql`${t.intensity} between 1 and 5`),
    check('class_type_duration', sql`${t.duration_minutes} between 1 and 1440`),
    check('class_type_spot_map', sql`${t.spot_map} ~ '^[1-9][0-9]?(,[1-9][0-9]?)*$'`),
  ],
)

export const instructor = pgTable('instructor', {
  /** When staff last changed it: an edit that was made from an older version is refused. */
  updatedAt: timestamp(instantColumn).notNull().defaultNow(),
  instructor_id: integer().primaryKey().generatedByDefaultAsIdentity(),
  name: text().notNull(),
  last_name: text().notNull().default(''),
  nick_name: text(),
  quote: text(),
  short_bio: text(),
  instagram: text(),
  birthdate: date({ mode: 'string' }),
  music_type: text(),
  specialties: text(),
  /** Types of class that the coach teaches; null = all. */
  class_type_ids: integer().array(),
  photo: text(),
  /** The whole picture that `photo` was cut out of, and how, so that it can be cut again. */
  photo_original: text(),
  photo_crop: json(photoCrop, null),
  is_home: boolean().notNull().default(true),
  sort: integer().notNull().default(0),
  archivedAt: timestamp(instantColumn),
  deletedAt: timestamp(instantColumn),
})

export const tag = pgTable(
  'tag',
  {
    /** When staff last changed it: an edit that was made from an older version is refused. */
    updatedAt: timestamp(instantColumn).notNull().defaultNow(),
    tag_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    name: text().notNull(),
    type: text().notNull().default('class'),
    color: text(),
    sort: integer().notNull().default(0),
    archivedAt: timestamp(instantColumn),
  },
  (t) => [uniqueIndex('tag_name').on(t.type, t.name)],
)

/** Tags (of type `customer`) of a customer. */
export const customerTag = pgTable(
  'customer_tag',
  {
    customer_id: integer()
      .notNull()
      .references(() => customer.customer_id),
    tag_id: integer()
      .notNull()
      .references(() => tag.tag_id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.customer_id, t.tag_id] }), index('customer_tag_tag').on(t.tag_id)],
)

/** Id 1 means card, the one named 'Efectivo' cash (S1-3.34, S1-3.35). */
export const paymentMethod = pgTable(
  'payment_method',
  {
    /** When staff last changed it: an edit that was made from an older version is refused. */
    updatedAt: timestamp(instantColumn).notNull().defaultNow(),
    payment_method_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    name: text().notNull(),
    description: text().notNull().default(''),
    /** How the money arrives: online checkout, cash drawer, bank terminal, transfer (confirmed by staff), or otherwise. */
    kind: text({ enum: ['online', 'cash', 'terminal', 'transfer', 'other'] })
      .notNull()
      .default('other'),
    deletedAt: timestamp(instantColumn),
  },
  (t) => [
    uniqueIndex('payment_method_name').on(t.name).where(sql`${t.deletedAt} is null`),
    check('payment_method_kind', sql`${t.kind} in ('online', 'cash', 'terminal', 'transfer', 'other')`),
  ],
)

export const classPackage = pgTable(
  'class_package',
  {
    /** When staff last changed it: an edit that was made from an older version is refused. */
    updatedAt: timestamp(instantColumn).notNull().defaultNow(),
    class_package_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    title: text().notNull(),
    description: text().notNull().default(''),
    short_description: text().notNull().default(''),
    price_centavos: integer().notNull(),
    sale_price_centavos: integer(),
    image: text(),
    receipt_file: text(),
    /** URL of the package's file: its buyers can download it (S2-3.18). */
    downloadable: text(),
    /** -1 = unlimited (S1-3.28); grants an unlimited credit lot, and is never used in arithmetic. */
    class_amount: integer().notNull(),
    expiration_days: integer().notNull(),
    /** When its days start to count: at the purchase, or at the first class. */
    clock_starts: text({ enum: ['purchase', 'first_class'] })
      .notNull()
      .default('purchase'),
    is_special_event: boolean().notNull().default(false),
    is_trial: boolean().notNull().default(false),
    is_online: boolean().notNull().default(false),
    is_home: boolean().notNull().default(false),
    is_featured: boolean().notNull().default(false),
    is_subscription: boolean().notNull().default(false),
    subscription_period: text({ enum: ['day', 'month', 'year'] }),
    subscription_interval: integer(),
    free_trial_length: integer(),
    free_trial_period: text({ enum: ['day', 'month', 'year'] }),
    limit_per_customer: integer(),
    /** How many can be sold in all; null = unlimited. `sold` counts live purchases (pending with a hold, active, completed). */
    capacity: integer(),
    sold: integer().notNull().default(0),
    /** Restrictions of its credits (settled 18). */
    allowed_times: json(z.array(allowedTime), []).notNull().default([]),
    location_ids: integer().array(),
    guests_use_credit: boolean().notNull().default(true),
    available: boolean().notNull().default(true),
    /** Position that the studio chose; equal ones are in the order of K2. */
    sort: integer().notNull().default(0),
    /** Tax rate in hundredths of a percent; null = the studio's. */
    tax_rate: integer(),
    /** Exempt from IVA: its CFDI says Exento, not a rate of 0 %. */
    tax_exempt: boolean().notNull().default(false),
    /** Key of the product or service in the SAT's catalogue, for invoices; null = not chosen. */
    sat_key: text(),
    createdAt: timestamp(instantColumn).notNull().defaultNow(),
    deletedAt: timestamp(instantColumn),
  },
  (t) => [
    check('class_package_tax', sql`${t.tax_rate} between 0 and 10000`),
    check('class_package_exempt', sql`not ${t.tax_exempt} or ${t.tax_rate} is null`),
    check('class_package_sat_key', sql`${t.sat_key} ~ '^[0-9]{8}$'`),
    check('class_package_allowed_times', sql`jsonb_typeof(${t.allowed_times}) = 'array'`),
    check('class_package_clock', sql`${t.clock_starts} in ('purchase', 'first_class')`),
    check(
      'class_package_periods',
      sql`${t.subscription_period} in ('day', 'month', 'year') and ${t.free_trial_period} in ('day', 'month', 'year')`,
    ),
    check('class_package_price', sql`${t.price_centavos} >= 0 and ${t.sale_price_centavos} >= 0`),
    check('class_package_amount', sql`${t.class_amount} = -1 or ${t.class_amount} >= 0`),
    check('class_package_days', sql`${t.expiration_days} between 0 and 3660`),
    check('class_package_stock', sql`${t.sold} >= 0 and (${t.capacity} is null or ${t.sold} <= ${t.capacity})`),
    check('class_package_limit', sql`${t.limit_per_customer} >= 1`),
    check(
      'class_package_subscription',
      sql`not ${t.is_subscription} or (${t.subscription_period} in ('day', 'month', 'year') and ${t.subscription_interval} >= 1)`,
    ),
  ],
)

/**
 * The classes of special events. The schedule is a higher module, so the catalogue reads them through a database view
 * (docs/decisions/012-events-end-with-their-classes.md).
 */
export const eventClasses = pgView('event_classes', {
  class_package_id: integer().notNull(),
  /** Start of the last class that was not cancelled; null = all were. */
  last_class_at: timestamp(instantColumn),
}).existing()

/** The credits of a package per class type, when they differ by type. */
export const classPackageType = pgTable(
  'class_package_type',
  {
    class_package_id: integer()
      .notNull()
      .references(() => classPackage.class_package_id, { onDelete: 'cascade' }),
    class_type_id: integer()
      .notNull()
      .references(() => classType.class_type_id),
    class_amount: integer().notNull(),
    expiration_days: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.class_package_id, t.class_type_id] }),
    index('class_package_type_type').on(t.class_type_id),
    check('class_package_type_amount', sql`${t.class_amount} = -1 or ${t.class_amount} >= 1`),
    check('class_package_type_days', sql`${t.expiration_days} between 1 and 3660`),
  ],
)

/** A discount code. Its uses, by customer and purchase, belong to the sales module. */
export const discount = pgTable(
  'discount',
  {
    discount_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    /** Stored in capital letters, however it was typed. */
    code: text().notNull(),
    /** In hundredths: centavos, or hundredths of a percent (2000 = 20 %). */
    amount: integer().notNull(),
    is_percent: boolean().notNull(),
    first_invoice_only: boolean().notNull().default(false),
    /** Packages for which it is valid; null = all. */
    class_package_ids: integer().array(),
    /** The segment whose customers may use it; null = everybody. Its foreign key is of the migration: segments belong to a higher module. */
    segment_id: integer(),
    /** First and last day in the studio's zone, both included. */
    starts_on: date({ mode: 'string' }),
    ends_on: date({ mode: 'string' }),
    max_uses: integer(),
    max_uses_per_customer: integer(),
    /** Uses taken: held by pending purchases, and used. */
    used: integer().notNull().default(0),
    available: boolean().notNull().default(true),
    /** The series that it is a single-use code of (D7): what its code begins with; null = a code of its own. */
    series: text(),
    createdAt: timestamp(instantColumn).notNull(),
    updatedAt: timestamp(instantColumn).notNull(),
    deletedAt: timestamp(instantColumn),
  },
  (t) => [
    index('discount_segment_id').on(t.segment_id).where(sql`${t.segment_id} is not null`),
    index('discount_series').on(t.series).where(sql`${t.series} is not null`),
    check('discount_series_single_use', sql`${t.series} is null or ${t.max_uses} = 1`),
    uniqueIndex('discount_code').on(t.code).where(sql`${t.deletedAt} is null`),
    check('discount_code_capitals', sql`${t.code} !~ '[a-z]' and length(${t.code}) between 2 and 40`),
    check('discount_amount', sql`${t.amount} > 0 and (not ${t.is_percent} or ${t.amount} <= 10000)`),
    check('discount_uses', sql`${t.used} >= 0 and (${t.max_uses} is null or ${t.used} <= ${t.max_uses})`),
    check('discount_limits', sql`${t.max_uses} >= 1 and ${t.max_uses_per_customer} >= 1`),
    check('discount_days', sql`${t.starts_on} <= ${t.ends_on}`),
  ],
)

/** A thing that the counter sells: a bottle of water, socks (docs/domain.md, "Products"). */
export const product = pgTable(
  'product',
  {
    product_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    name: text().notNull(),
    price_centavos: integer().notNull(),
    /** Tax rate in hundredths of a percent; null = the studio's. */
    tax_rate: integer(),
    /** Exempt from IVA: its CFDI says Exento, not a rate of 0 %. */
    tax_exempt: boolean().notNull().default(false),
    sort: integer().notNull().default(0),
    createdAt: timestamp(instantColumn).notNull(),
    updatedAt: timestamp(instantColumn).notNull(),
    archivedAt: timestamp(instantColumn),
  },
  (t) => [
    uniqueIndex('product_name').on(sql`lower(${t.name})`).where(sql`${t.archivedAt} is null`),
    check('product_price', sql`${t.price_centavos} > 0`),
    check('product_tax', sql`${t.tax_rate} between 0 and 10000`),
    check('product_exempt', sql`not ${t.tax_exempt} or ${t.tax_rate} is null`),
  ],
)

/** Pieces of a product at a location. Without a row they are not counted there. */
export const productStock = pgTable(
  'product_stock',
  {
    product_id: integer()
      .notNull()
      .references(() => product.product_id),
    location_id: integer()
      .notNull()
      .references(() => location.location_id),
    quantity: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.product_id, t.location_id] }), check('product_stock_quantity', sql`${t.quantity} >= 0`)],
)
