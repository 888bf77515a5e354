/** What can be sold and taught: packages, class types, coaches, locations, ways to pay (spec 1 sections 3 and 7). */
import * as z from 'zod'
import { endpoint, id, pathId, pesosWire, refusals } from './endpoint.ts'
import { PERIOD_UNITS } from './time.ts'

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
  /** What can still be sold; null = as many as wanted. */
  left: z.int().nullable(),
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
  map_link: z.string().nullable(),
  phone: z.string().nullable(),
})
export type Location = z.infer<typeof location>

export const classType = z.object({
  class_type_id: id,
  name: z.string(),
  description: z.string(),
  image: image.nullable(),
  icon: z.string().nullable(),
  /** How demanding, 1 to 5 marks; null when the studio does not say. */
  intensity: z.int().nullable(),
  duration_minutes: z.int(),
  /** Comma list of row sizes; null = no map (decision 23). */
  spot_map: z.string().nullable(),
})
export type ClassType = z.infer<typeof classType>

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

/** A way to pay at the studio: id 1 means card, the one named 'Efectivo' cash (S1-3.34, S1-3.35). */
export const paymentMethod = z.object({ payment_method_id: id, name: z.string(), description: z.string() })
export const CARD_PAYMENT_METHOD_ID = 1
export const CASH_PAYMENT_METHOD_NAME = 'Efectivo'

const packages = z.object({ class_packages: z.array(classPackage) })

export const catalogue = {
  packages: endpoint('GET', '/class_packages', 'public', 'Paquetes', 'Paquetes a la venta').output(packages),
  package: endpoint('GET', '/class_packages/{class_package_id}', 'public', 'Paquetes', 'Un paquete')
    .input(z.object({ class_package_id: pathId }))
    .errors(refusals('PACKAGE_NOT_FOUND'))
    .output(z.object({ class_package: classPackage })),
  presencialesAll: endpoint('GET', '/class_packages/presenciales/all', 'public', 'Paquetes', 'Paquetes presenciales').output(packages),
  presencialesHome: endpoint('GET', '/class_packages/presenciales/home', 'public', 'Paquetes', 'Paquetes presenciales de la portada').output(
    packages,
  ),
  onlineAll: endpoint('GET', '/class_packages/online/all', 'public', 'Paquetes', 'Paquetes online').output(packages),
  onlineHome: endpoint('GET', '/class_packages/online/home', 'public', 'Paquetes', 'Paquetes online de la portada').output(packages),
  especialesAll: endpoint('GET', '/class_packages/especiales/all', 'public', 'Paquetes', 'Eventos especiales').output(packages),
  especialesHome: endpoint('GET', '/class_packages/especiales/home', 'public', 'Paquetes', 'Eventos especiales de la portada').output(packages),
  locations: endpoint('GET', '/locations', 'public', 'Catálogo', 'Estudios').output(z.object({ locations: z.array(location) })),
  classTypes: endpoint('GET', '/class_types', 'public', 'Catálogo', 'Tipos de clase').output(z.object({ class_types: z.array(classType) })),
  instructors: endpoint('GET', '/instructors', 'public', 'Catálogo', 'Coaches').output(z.object({ instructors: z.array(instructor) })),
  instructorsHome: endpoint('GET', '/instructors/home/all', 'public', 'Catálogo', 'Coaches de la portada').output(
    z.object({ instructors: z.array(instructor) }),
  ),
  instructor: endpoint('GET', '/instructors/{instructor_id}', 'public', 'Catálogo', 'Un coach')
    .input(z.object({ instructor_id: pathId }))
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ instructor })),
  paymentMethods: endpoint('GET', '/payment_methods', 'public', 'Catálogo', 'Formas de pago del estudio').output(
    z.object({ payment_methods: z.array(paymentMethod) }),
  ),
}
