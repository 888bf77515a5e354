/** Customers and the signed-in account (spec 1 sections 3, 5, 7; settled 9, 11, 37). */
import * as z from 'zod'
import { address, addresses, addressInput } from './addresses.ts'
import { availableClass } from './credits.ts'
import { versioned } from './crud.ts'
import { done, endpoint, id, instant, pageNumber, pathId, pesosWire, refusals, singleLine, unlessNull } from './endpoint.ts'
import { file } from './files.ts'
import { answers } from './form-endpoints.ts'
import { LOGOUT_PATH } from './identity.ts'
import { invoiceStatus } from './invoices.ts'
import { LANGUAGES } from './language.ts'
import { PHONE_PATTERN, phoneDigits } from './phone.ts'
import { role } from './rights.ts'

/** A phone on the wire: matches the spec's pattern, is stored as ten digits. */
export const phoneWire = z
  .string()
  .max(25)
  .regex(PHONE_PATTERN, 'El formato del teléfono no es correcto.')
  .transform(phoneDigits)
  .pipe(z.string().regex(/^\d{10}$/, 'El formato del teléfono no es correcto.'))

/** Customers per page of the administration's list. */
export const CUSTOMERS_PER_PAGE = 50

/** A picture or a document of a customer's profile (S2-3.03). */
const profileFile = file.pick({ file_id: true, name: true, type: true, src: true, thumbnail: true })

/** How many of each the customer object includes; the complete lists are `GET /class_reservations` and `GET /invoices`. */
export const CUSTOMER_RESERVATIONS = 50
export const CUSTOMER_INVOICES = 12

/** A field that the profile still lacks (S2-2.16): its key and label. */
export const missingField = z.object({ key: z.string(), label: z.string() })

/** The customer as the customer sees it. */
export const customer = z.object({
  customer_id: id,
  uid: z.string(),
  name: z.string(),
  last_name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  birthdate: z.string().nullable(),
  instagram: z.string().nullable(),
  signup_reason: z.string().nullable(),
  signup_reason_other: z.string().nullable(),
  /** The language that the customer chose (G13); null: none yet. */
  language: z.enum(LANGUAGES).nullable(),
  file: z.object({ photo: profileFile.nullable(), idAdjunto: profileFile.nullable() }),
  /** For invoices; the one saved last. */
  address: address.nullable(),
  /** Fields missing in the profile; with `profile_required_to_reserve` they prevent reservations (PROFILE_INCOMPLETE). */
  missing: z.array(missingField),
  createdAt: z.string(),
  has_unlimited: z.boolean(),
  unlimited_membership_expiration: z.string().nullable(),
  unlimited_max_no_shows_for_penalty: z.int(),
  accepted_pages: z.array(z.object({ page_id: id })),
  purchases: z.array(z.object({ class_package_id: id, purchase_id: id, status: z.string() })),
  /** Lots that give access to online videos now; empty: no active online membership (S2-3.05, S2-2.67). */
  online_accesses: z.array(availableClass.pick({ available_class_id: true, title: true, expires_at: true, expiration_date: true })),
  /** Credits that can be used now, in the order in which they would be spent (S2-3.05). */
  available_classes: z.array(
    availableClass.pick({
      available_class_id: true,
      title: true,
      available_classes: true,
      is_online: true,
      expires_at: true,
      expiration_date: true,
    }),
  ),
  /** Reservations of classes that have not ended, the next one first, at most CUSTOMER_RESERVATIONS (S2-3.05). */
  class_reservations: z.array(
    z.object({
      class_reservation_id: id,
      single_class_id: id,
      starts_at: instant,
      spot: z.string().nullable(),
      seat_label: z.string().optional(),
      guest: z.string().nullable(),
    }),
  ),
  /** The latest charges, the newest first, at most CUSTOMER_INVOICES (S2-3.05). */
  invoices: z.array(z.object({ invoice_id: id, purchase_id: id, total_payment: pesosWire, status: invoiceStatus, createdAt: instant })),
  /** Milestones in the number of classes attended, with the time each was reached, in order (S2-3.05; P18). */
  customer_milestone: z.array(z.object({ classes: z.int(), reached_at: instant })),
  /** Staff role, when this person also works here. */
  role: role.nullable(),
  ...versioned.row,
})
export type Customer = z.infer<typeof customer>

/** A customer in a list. */
export const customerSummary = z.object({
  customer_id: id,
  name: z.string(),
  last_name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  createdAt: z.string(),
  /** Whether there is a login; staff may have created the customer without one. */
  has_account: z.boolean(),
})
export type CustomerSummary = z.infer<typeof customerSummary>

/** Text that mail programs turn into a link: mails greet by name, also at an address that a stranger may have typed. */
const LINK_LIKE =
  /:\/\/|\bwww\.|\S@\S|\S\.(?:com|net|org|mx|info|io|app|xyz|top|shop|site|store|online|link|click|live|club|vip|ru|cn|co|me|ly|gl|to)\b/i
const name = singleLine(80)
  .min(1, 'Debes llenar este campo.')
  .refine((text) => !LINK_LIKE.test(text), 'Escribe un nombre, sin direcciones de internet.')
/** An empty form field arrives as ''. */
const birthdate = z.union([
  z.literal('').transform(() => null),
  z.iso.date('Esa fecha no existe.').refine((day) => day >= '1900-01-01', 'Esa fecha no existe.'),
])
const reasons = { signup_reason: singleLine(200).nullish(), signup_reason_other: singleLine(200).nullish() }
const attached = z.object({ file_id: id }).nullish()

/** Changes to a customer's data, by the customer or by staff. Fields that are not sent stay unchanged. */
export const customerChange = z.object({
  /** For staff; ignored from a customer: the token identifies them. */
  customer_id: id.optional(),
  name: unlessNull(name),
  last_name: unlessNull(name),
  phone: unlessNull(phoneWire),
  /** Staff only, and only while no account uses the old one: an account's address is changed in the account. */
  email: unlessNull(z.email().max(254)),
  birthdate: birthdate.nullish(),
  instagram: singleLine(80).nullish(),
  ...reasons,
  /** One that the studio offers; null forgets the choice. */
  language: z.enum(LANGUAGES).nullish(),
  ...versioned.sent,
  /** Upload the files first (S2-4.30); null removes one. */
  file: unlessNull(z.object({ photo: attached, idAdjunto: attached })),
  /** Replaces the address for invoices. */
  address: unlessNull(addressInput),
  /** Answers to the studio's profile form (`profile_form_id`). */
  form_answers: unlessNull(answers),
})
export type CustomerChange = z.infer<typeof customerChange>

/** The sign-up form's fields besides e-mail and password, which go to the identity service. */
export const signup = z.object({
  uid: z.string().min(1).max(128),
  name,
  last_name: name,
  phone: phoneWire,
  birthdate: birthdate.nullish(),
  instagram: singleLine(80).nullish(),
  ...reasons,
  /** Upload the files first, with the new account's token (S2-4.30). */
  file: unlessNull(z.object({ photo: attached, idAdjunto: attached })),
  /** Answers to the studio's sign-up form (`signup_form_id`). */
  form_answers: unlessNull(answers),
  /** Ids of the documents ticked at sign-up. */
  accepted_pages: z.array(id).max(50).default([]),
})
export type Signup = z.infer<typeof signup>

/** A device with an open session. */
const session = z.object({
  session_id: z.string(),
  /** Description: 'Chrome en Android'. */
  device: z.string(),
  createdAt: z.string(),
  /** Accurate to ten minutes. */
  last_used_at: z.string(),
  /** Whether it is the session of this request. */
  is_current: z.boolean(),
  gets_push: z.boolean().describe('Si en ella se activaron las notificaciones del dispositivo.'),
})
export type SignedInSession = z.infer<typeof session>

const sessions = {
  /** The account's sessions, last used first. Empty in Google mode: Google does not report them. */
  list: endpoint('GET', '/customer/sessions', 'identity', 'Clientes', 'Dónde tengo sesión abierta')
    .errors(refusals('DEVICE_SHARED'))
    .output(z.object({ sessions: z.array(session) })),
  /** Ends all other sessions of the account at once. `ended`: how many. */
  endOthers: endpoint('DELETE', '/customer/sessions/others', 'identity', 'Clientes', 'Cerrar mis demás sesiones')
    .errors(refusals('DEVICE_SHARED'))
    .output(z.object({ ended: z.int() })),
  /**
   * Ends the token's session with its refresh token. The client calls it on log-out; afterwards the token is refused with TOKEN_EXPIRED.
   */
  end: endpoint('POST', LOGOUT_PATH, 'identity', 'Clientes', 'Cerrar mi sesión').output(done),
}

export const people = {
  /** The signed-in customer. */
  me: endpoint('GET', '/customer', 'customer', 'Clientes', 'Mi cuenta').errors(refusals('NO_CUSTOMER')).output(z.object({ customer })),
  /**
   * Creates the customer of a new identity account. The uid in the body must be the token's; a failure deletes the account (S1-5.11,
   * S1-8.05, S1-8.06). EMAIL_NOT_VERIFIED: staff have created a customer with this address; the account stays, and signing up again after
   * confirming the address (with a new token) takes over that customer.
   */
  signup: endpoint('POST', '/customer/signup', 'identity', 'Clientes', 'Registro')
    .input(signup)
    .errors(
      refusals(
        'PHONE_IN_USE',
        'ACCOUNT_EXISTS',
        'EMAIL_NOT_VERIFIED',
        'DEVICE_SHARED',
        'DOCUMENTS_REQUIRED',
        'FORBIDDEN',
        'FORM_FIELD',
        'FORM_FIELDS',
        'NOT_FOUND',
      ),
    )
    .output(z.object({ customer })),
  /** Whether a phone is in use; reveals no name and is rate limited (settled 11). */
  phone: endpoint('GET', '/customer/phone', 'public', 'Clientes', 'Si un teléfono ya está en uso')
    .input(z.object({ phone: phoneWire }))
    .output(z.object({ in_use: z.boolean() })),
  /**
   * Staff create a customer without a login; the customer claims it by signing up with the same e-mail. PHONE_IN_USE has `customer_id`,
   * `name` and `last_name` of the customer with the telephone: with `shares_phone` the new one is a relative who shares it.
   */
  create: endpoint('POST', '/customer', 'staff:customers.edit', 'Clientes', 'Dar de alta a un cliente')
    .input(
      z.object({
        name,
        last_name: name,
        email: z.email().max(254).nullish(),
        phone: phoneWire.nullish(),
        shares_phone: z.boolean().optional().describe('Si el teléfono es de un familiar que ya es cliente.'),
      }),
    )
    .errors(refusals('PHONE_IN_USE', 'ACCOUNT_EXISTS', 'IDEMPOTENCY_KEY_REUSED'))
    .output(z.object({ customer_id: id })),
  /** Customer lookup of the administration. */
  find: endpoint('GET', '/customer/admin/{customer_id}', 'staff:customers.read', 'Clientes', 'Un cliente')
    .input(z.object({ customer_id: pathId }))
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ customer })),
  /** All customers, by name; `query` searches name, e-mail and phone (S1-7.05). */
  list: endpoint('GET', '/customer/admin/all', 'staff:customers.read', 'Clientes', 'Clientes')
    .input(z.object({ query: singleLine(100).optional(), page: pageNumber.default(1) }))
    .output(z.object({ customers: z.array(customerSummary), total: z.int(), pages: z.int() })),
  /** The few best matches while staff type (S1-7.06). */
  query: endpoint('GET', '/customer/query', 'staff:customers.read', 'Clientes', 'Buscar clientes')
    .input(z.object({ query: singleLine(100).min(1) }))
    .output(
      z.object({ customers: z.array(customerSummary.pick({ customer_id: true, name: true, last_name: true, email: true, phone: true })) }),
    ),
  /**
   * Changes the caller's profile, or a customer's for staff with `customer_id` (S1-7.09, S1-7.10). Other fields in the body are ignored
   * (S2-3.06).
   */
  update: endpoint('PUT', '/customer', 'identity', 'Clientes', 'Cambiar mis datos')
    .input(customerChange)
    .errors(refusals('NO_CUSTOMER', 'NOT_FOUND', 'PHONE_IN_USE', 'ACCOUNT_EXISTS', 'FORM_FIELD', 'FORM_FIELDS', 'CHANGED_MEANWHILE'))
    .output(z.object({ customer })),
  /** Sends a mail to choose another password. The answer is the same whether or not the account exists (S1-7.14). */
  recover: endpoint('POST', '/customer/recover', 'public', 'Clientes', 'Recuperar la contraseña')
    .input(z.object({ email: z.email().max(254) }))
    .output(done),
  /** Sends a mail to confirm the caller's address (S1-8.55). `sent` is false when it is confirmed already. */
  confirm: endpoint('POST', '/customer/confirm', 'identity', 'Clientes', 'Confirmar mi correo').output(z.object({ sent: z.boolean() })),
  sessions,
  addresses,
}
