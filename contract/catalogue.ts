/** The catalogue: packages, class types, coaches, locations, payment methods (spec 1 sections 3 and 7). */
import * as z from 'zod'
import { allowedTime } from './credits.ts'
import { archived, crud, orderedListEndpoints, versioned } from './crud.ts'
import { endpoint, id, ids, instant, paragraph, pathId, pesosWire, priceSent, refusals, singleLine } from './endpoint.ts'
import { isInstagram } from './instagram.ts'
import { isIcon, LINK_MESSAGE } from './link.ts'
import { link, secureLink } from './link-fields.ts'
import { MAX_PHOTO_ZOOM } from './photo-crop.ts'
import { isLocalDate, isZone, PERIOD_UNITS } from './time.ts'

export const periodUnit = z.enum(PERIOD_UNITS)

export const image = z.object({ src: z.string() })

export const classPackage = z.object({
  class_package_id: id,
  title: z.string(),
  /** Sanitised HTML. */
  description: z.string(),
  short_description: z.string(),
  price: pesosWire,
  /** Used when present and non-empty (S1-3.27). */
  sale_price: pesosWire.nullable(),
  image: image.nullable(),
  receipt_file: image.nullable(),
  /** Number of classes; -1 = unlimited (S1-3.28). */
  class_amount: z.int(),
  expiration_days: z.int(),
  /** When the validity starts: at the purchase, or at the first class. */
  clock_starts: z.enum(['purchase', 'first_class']),
  is_special_event: z.boolean(),
  is_trial: z.boolean(),
  is_online: z.boolean(),
  is_home: z.boolean(),
  /** "La más elegida". */
  is_featured: z.boolean(),
  is_subscription: z.boolean(),
  subscription_period: periodUnit.nullable(),
  subscription_interval: z.int().nullable(),
  free_trial_length: z.int().nullable(),
  free_trial_period: periodUnit.nullable(),
  limit_per_customer: z.int().nullable(),
  sort: z.int().describe('Su posición en las listas; los que tienen la misma van por número de clases y precio.'),
  /** How many can still be sold; null = unlimited. */
  left: z.int().nullable(),
  /** Until when a special event is sold: when booking of its last class closes. Null for other packages (docs/domain.md K13). */
  sold_until: instant.nullable(),
  allowed_times: z.array(allowedTime),
  /** Null: everywhere. */
  location_ids: z.array(id).nullable(),
  limits: z.array(z.string()).describe('Lo que la limita, en palabras: días y horas, estudios; vacío: nada.'),
  class_package_types: z.array(
    z.object({ class_type: z.object({ class_type_id: id, name: z.string() }), class_amount: z.int(), expiration_days: z.int() }),
  ),
})
export type ClassPackage = z.infer<typeof classPackage>

export const location = z.object({
  location_id: id,
  name: z.string(),
  address: z.string(),
  timezone: z.string(),
  timezone_of_studio: z
    .boolean()
    .describe('Si su zona horaria es la del estudio y cambia con ella. Se regresa como se leyó: con true y la misma zona, la sigue.'),
  map_link: z.string().nullable(),
  phone: z.string().nullable(),
  /** Opening hours in the studio's words, one line each. */
  hours: z.string().nullable(),
})
export type Location = z.infer<typeof location>

export const classType = z.object({
  class_type_id: id,
  name: z.string(),
  description: z.string(),
  image: image.nullable(),
  icon: z.string().nullable(),
  /** Intensity from 1 to 5; null when not specified. */
  intensity: z.int().nullable(),
  duration_minutes: z.int(),
  /** Comma list of row sizes; null = no map (settled 23). */
  spot_map: z.string().nullable(),
})
export type ClassType = z.infer<typeof classType>

/** A category that groups class types; `handle` identifies it in URLs and filters (S1-3.45). */
export const classCategory = z.object({
  class_category_id: id,
  name: z.string(),
  handle: z.string(),
  description: z.string(),
  available: z.boolean(),
})
export type ClassCategory = z.infer<typeof classCategory>

/** A label of classes or videos (S2-3.14). */
export const catalogueTag = z.object({ tag_id: id, name: z.string(), type: z.string(), color: z.string().nullable() })
export type CatalogueTag = z.infer<typeof catalogueTag>

/** How the photo of a coach is cut out of its original: where the face is, as shares of width and height, and how far it is enlarged. */
export const photoCrop = z.object({
  x: z.number().min(0).max(1).describe('Dónde está la cara: parte del ancho, desde la izquierda.'),
  y: z.number().min(0).max(1).describe('Dónde está la cara: parte del alto, desde arriba.'),
  zoom: z.number().min(1).max(MAX_PHOTO_ZOOM).describe('Cuánto se acerca; 1: lo más que cabe de la foto.'),
})

export const instructor = z.object({
  instructor_id: id,
  name: z.string(),
  last_name: z.string(),
  nick_name: z.string().nullable(),
  quote: z.string().nullable(),
  short_bio: z.string().nullable(),
  instagram: z.string().nullable(),
  /** Day and month only, "--03-17" (S1-2.17). */
  birthdate: z.string().nullable(),
  music_type: z.string().nullable(),
  specialties: z.string().nullable(),
  file: z.object({ name: z.string(), type: z.string(), src: z.string() }).nullable(),
})
export type Instructor = z.infer<typeof instructor>

/** A payment method at the studio: id 1 is card, the one named 'Efectivo' is cash (S1-3.34, S1-3.35). */
export const paymentMethod = z.object({ payment_method_id: id, name: z.string(), description: z.string() })
/** How the money of a payment method arrives: at the checkout, in the drawer, through the bank's terminal, by transfer, or otherwise. */
export const paymentMethodKind = z.enum(['online', 'cash', 'terminal', 'transfer', 'other'])
export type PaymentMethodKind = z.infer<typeof paymentMethodKind>
export const CARD_PAYMENT_METHOD_ID = 1
export const CASH_PAYMENT_METHOD_NAME = 'Efectivo'

const packages = z.object({ class_packages: z.array(classPackage) })

const name = singleLine(120).min(1, 'Debes llenar este campo.')
const sort = z.int().min(0).max(100_000).optional()
const access = 'staff:catalogue.edit' as const
const tag = 'Catálogo'
const colour = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Un color se escribe como #2B36D9.')
const picture = link.nullish()
/** A picture as an address, or as records are read. */
const pictureAsRead = z.union([z.object({ src: link }).transform(({ src }) => src), link]).nullish()
/** The part of a URL made from a name: "Pilates Reformer" -> "pilates-reformer". */
const handle = z
  .string()
  .trim()
  .max(80)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Usa minúsculas, números y guiones, como pilates-reformer.')

/** Endpoints of staff for the plain lists; visitors and customers use the endpoints below them. */
const admin = {
  locations: crud({
    path: '/locations',
    one: 'location',
    many: 'locations',
    id: 'location_id',
    tag,
    called: 'estudios',
    access,
    fields: {
      ...versioned.sent,
      name,
      address: paragraph(400).optional(),
      /** IANA zone; null = the studio's (settled 1). */
      timezone: z.string().max(60).refine(isZone, 'Esa zona horaria no existe.').nullish(),
      timezone_of_studio: z
        .boolean()
        .nullish()
        .describe('Como lo da GET /locations: con true y la zona del estudio, el estudio no guarda zona propia.'),
      map_link: secureLink.nullish(),
      phone: z
        .string()
        .regex(/^\d{10}$/, 'El teléfono lleva diez dígitos.')
        .nullish(),
      hours: paragraph(600).nullish(),
      postal_code: z
        .string()
        .regex(/^(\d{5})?$/, 'El código postal tiene cinco dígitos.')
        .nullish()
        .describe('Código postal de la sucursal: el lugar de expedición de sus facturas. null: el fiscal del estudio.'),
      tax_rate: z
        .number()
        .min(0)
        .max(100)
        .multipleOf(0.01)
        .nullish()
        .describe(
          'IVA en por ciento de lo que se cobra ahí, como 8 en la franja fronteriza; null: el del estudio. El de un paquete va antes.',
        ),
      sort,
      archived: archived.optional(),
    },
    row: {
      ...versioned.row,
      ...location.omit({ location_id: true, timezone_of_studio: true }).shape,
      postal_code: z.string().nullable().describe('Lugar de expedición de sus facturas; null: el fiscal del estudio.'),
      tax_rate: z.number().nullable().describe('IVA en por ciento de lo que se cobra ahí; null: el del estudio.'),
      timezone: z.string().nullable(),
      sort: z.int(),
      archived,
    },
  }),
  classTypes: crud({
    path: '/class_types',
    one: 'class_type',
    many: 'class_types',
    id: 'class_type_id',
    tag,
    called: 'tipos de clase',
    access,
    fields: {
      ...versioned.sent,
      name,
      description: paragraph(4_000).optional(),
      image: pictureAsRead,
      icon: singleLine(200).refine(isIcon, LINK_MESSAGE).nullish(),
      intensity: z.int().min(1).max(5).nullish(),
      duration_minutes: z.int().min(1).max(1_440).optional(),
      /** Comma list of row sizes; null = no map (settled 23). */
      spot_map: z
        .string()
        .max(120)
        .regex(/^[1-9]\d?(,[1-9]\d?)*$/, 'Escribe los lugares de cada fila, como 5,7,6.')
        .nullish(),
      /** Price of a single place at the counter, in pesos; null = the setting `drop_in_price`. */
      price: priceSent.nullish(),
      color: colour.nullish().describe('Color con el que se distingue en el horario del equipo; null: ninguno.'),
      sort,
      archived: archived.optional(),
    },
    row: {
      ...versioned.row,
      ...classType.omit({ class_type_id: true }).shape,
      image: z.string().nullable(),
      price: pesosWire.nullable(),
      color: z.string().nullable(),
      sort: z.int(),
      archived,
    },
  }),
  classCategories: crud({
    path: '/class_categories',
    one: 'class_category',
    many: 'class_categories',
    id: 'class_category_id',
    tag,
    called: 'categorías de clase',
    access,
    /** Without a handle, one is derived from the name. */
    fields: {
      ...versioned.sent,
      name,
      handle: handle.optional(),
      description: paragraph(2_000).optional(),
      available: z.boolean().optional(),
      sort,
      archived: archived.optional(),
    },
    row: { ...versioned.row, ...classCategory.omit({ class_category_id: true }).shape, sort: z.int(), archived },
  }),
  instructors: crud({
    path: '/instructors',
    one: 'instructor',
    many: 'instructors',
    id: 'instructor_id',
    tag,
    called: 'coaches',
    access,
    fields: {
      ...versioned.sent,
      name,
      last_name: singleLine(120).optional(),
      nick_name: singleLine(80).nullish(),
      quote: paragraph(300).nullish(),
      short_bio: paragraph(4_000).nullish(),
      instagram: singleLine(80).refine(isInstagram, 'Escribe la cuenta, como @estudio.').nullish(),
      birthdate: z
        .union([
          z.literal('').transform(() => null),
          // What visitors read ("--03-17") names no year: the stored date stays.
          z
            .string()
            .regex(/^--\d{2}-\d{2}$/)
            .transform(() => undefined),
          z.string().refine((text) => isLocalDate(text) && text >= '1900-01-01', 'Esa fecha no existe.'),
        ])
        .nullish(),
      music_type: singleLine(200).nullish(),
      specialties: singleLine(400).nullish(),
      class_type_ids: ids(200).nullish().describe('Qué tipos de clase da; null o ninguno: todos.'),
      /** Address of the photo. A new one without an original is taken as it is. */
      photo: picture,
      file: z.object({ src: link }).nullish().describe('La foto como se lee; cuenta cuando no se manda photo.'),
      photo_original: picture.describe('La foto entera, de la que se recortó la que se ve; null: la que se ve es la entera.'),
      photo_crop: photoCrop.nullish().describe('Cómo se recortó la foto; null: no se recortó.'),
      is_home: z.boolean().optional(),
      sort,
      archived: archived.optional(),
    },
    row: {
      ...versioned.row,
      ...instructor.omit({ instructor_id: true }).shape,
      /** The complete date: only staff read it. */
      birthdate: z.string().nullable(),
      class_type_ids: z.array(id).nullable().describe('Qué tipos de clase da; null: todos.'),
      photo: z.string().nullable(),
      photo_original: z.string().nullable(),
      photo_crop: photoCrop.nullable(),
      is_home: z.boolean(),
      sort: z.int(),
      archived,
    },
  }),
  tags: crud({
    path: '/tags',
    one: 'tag',
    many: 'tags',
    id: 'tag_id',
    tag,
    called: 'etiquetas',
    access,
    fields: {
      ...versioned.sent,
      name: singleLine(60).min(1, 'Debes llenar este campo.'),
      type: z
        .string()
        .regex(/^[a-z][a-z_]{0,29}$/)
        .optional(),
      color: colour.nullish(),
      sort,
      archived: archived.optional(),
    },
    row: { ...versioned.row, ...catalogueTag.omit({ tag_id: true }).shape, sort: z.int(), archived },
  }),
  /**
   * Card (id 1) and 'Efectivo' cannot be deleted, and cash cannot be renamed (PROTECTED). `PaymentMethod_id` decides create or change
   * (S1-3.36).
   */
  paymentMethods: crud({
    path: '/payment_methods',
    one: 'payment_method',
    many: 'payment_methods',
    id: 'payment_method_id',
    alias: 'PaymentMethod_id',
    tag,
    called: 'formas de pago del estudio',
    access,
    fields: {
      ...versioned.sent,
      name,
      description: paragraph(1_000).optional(),
      /** Default: derived from its name. A transfer waits until staff confirm it. Fixed for card and cash. */
      kind: paymentMethodKind.optional(),
      /** No longer offered or accepted; past payments keep its name. A used payment method cannot be deleted (IN_USE). */
      archived: z.boolean().optional(),
    },
    row: {
      ...versioned.row,
      ...paymentMethod.omit({ payment_method_id: true }).shape,
      kind: paymentMethodKind,
      archived: z.boolean(),
    },
  }),
  arranged: {
    locations: orderedListEndpoints({ path: '/locations', id: 'location_id', tag, called: 'estudios', access }),
    classTypes: orderedListEndpoints({ path: '/class_types', id: 'class_type_id', tag, called: 'tipos de clase', access }),
    classCategories: orderedListEndpoints({
      path: '/class_categories',
      id: 'class_category_id',
      tag,
      called: 'categorías de clase',
      access,
    }),
    instructors: orderedListEndpoints({ path: '/instructors', id: 'instructor_id', tag, called: 'coaches', access }),
    tags: orderedListEndpoints({ path: '/tags', id: 'tag_id', tag, called: 'etiquetas', access }),
  },
}

const CATALOGUE = ['catalogue'] as const

export const catalogue = {
  packages: endpoint('GET', '/class_packages', 'public', 'Paquetes', 'Paquetes a la venta', CATALOGUE).output(packages),
  package: endpoint('GET', '/class_packages/{class_package_id}', 'public', 'Paquetes', 'Un paquete', CATALOGUE)
    .input(z.object({ class_package_id: pathId }))
    .errors(refusals('PACKAGE_NOT_FOUND', 'EVENT_OVER', 'EVENT_CANCELLED'))
    .output(z.object({ class_package: classPackage })),
  presencialesAll: endpoint('GET', '/class_packages/presenciales/all', 'public', 'Paquetes', 'Paquetes presenciales', CATALOGUE).output(
    packages,
  ),
  presencialesHome: endpoint(
    'GET',
    '/class_packages/presenciales/home',
    'public',
    'Paquetes',
    'Paquetes presenciales de la portada',
    CATALOGUE,
  ).output(packages),
  onlineAll: endpoint('GET', '/class_packages/online/all', 'public', 'Paquetes', 'Paquetes online', CATALOGUE).output(packages),
  onlineHome: endpoint('GET', '/class_packages/online/home', 'public', 'Paquetes', 'Paquetes online de la portada', CATALOGUE).output(
    packages,
  ),
  especialesAll: endpoint('GET', '/class_packages/especiales/all', 'public', 'Paquetes', 'Eventos especiales', CATALOGUE).output(packages),
  especialesHome: endpoint(
    'GET',
    '/class_packages/especiales/home',
    'public',
    'Paquetes',
    'Eventos especiales de la portada',
    CATALOGUE,
  ).output(packages),
  locations: endpoint('GET', '/locations', 'public', 'Catálogo', 'Estudios', CATALOGUE).output(z.object({ locations: z.array(location) })),
  classTypes: endpoint('GET', '/class_types', 'public', 'Catálogo', 'Tipos de clase', CATALOGUE).output(
    z.object({ class_types: z.array(classType) }),
  ),
  instructors: endpoint('GET', '/instructors', 'public', 'Catálogo', 'Coaches', CATALOGUE).output(
    z.object({ instructors: z.array(instructor) }),
  ),
  instructorsHome: endpoint('GET', '/instructors/home/all', 'public', 'Catálogo', 'Coaches de la portada', CATALOGUE).output(
    z.object({ instructors: z.array(instructor) }),
  ),
  instructor: endpoint('GET', '/instructors/{instructor_id}', 'public', 'Catálogo', 'Un coach', CATALOGUE)
    .input(z.object({ instructor_id: pathId }))
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ instructor })),
  classCategories: endpoint('GET', '/class_categories', 'public', 'Catálogo', 'Categorías de clase').output(
    z.object({ class_categories: z.array(classCategory) }),
  ),
  classCategoriesAvailable: endpoint('GET', '/class_categories/available', 'public', 'Catálogo', 'Categorías de clase disponibles').output(
    z.object({ class_categories: z.array(classCategory) }),
  ),
  classCategory: endpoint('GET', '/class_categories/{class_category_id}', 'public', 'Catálogo', 'Una categoría de clase')
    .input(z.object({ class_category_id: pathId }))
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ class_category: classCategory })),
  /** Labels; `type=video` for those of videos (S2-7.12). */
  tags: endpoint('GET', '/tags', 'public', 'Catálogo', 'Etiquetas')
    .input(z.object({ type: singleLine(30).optional() }))
    .output(z.object({ tags: z.array(catalogueTag) })),
  tag: endpoint('GET', '/tags/{tag_id}', 'public', 'Catálogo', 'Una etiqueta')
    .input(z.object({ tag_id: pathId }))
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ tag: catalogueTag })),
  paymentMethods: endpoint('GET', '/payment_methods', 'public', 'Catálogo', 'Formas de pago del estudio', CATALOGUE).output(
    z.object({ payment_methods: z.array(paymentMethod.extend({ kind: paymentMethodKind })) }),
  ),
  paymentMethod: endpoint('GET', '/payment_methods/{payment_method_id}', 'public', 'Catálogo', 'Una forma de pago', CATALOGUE)
    .input(z.object({ payment_method_id: pathId }))
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ payment_method: paymentMethod })),
  admin,
}
