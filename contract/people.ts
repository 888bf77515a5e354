/** Customers and who is asking (spec 1 sections 3, 5, 7; decisions 9, 11, 37). */
import * as z from 'zod'
import { endpoint, id, line, pathId, refusals } from './endpoint.ts'
import { PHONE_PATTERN, phoneDigits } from './phone.ts'

/** A phone on the wire: matches the spec's pattern, is kept as ten digits. */
export const phoneWire = z
  .string()
  .max(25)
  .regex(PHONE_PATTERN, 'El formato del teléfono no es correcto.')
  .transform((typed) => phoneDigits(typed.replace(/^\+?52(?=\D*(\d\D*){10}$)/, '')))
  .pipe(z.string().regex(/^\d{10}$/, 'El formato del teléfono no es correcto.'))

export const role = z.enum(['owner', 'reception', 'coach'])
export type Role = z.infer<typeof role>

/** The customer as the customer sees it. */
export const customer = z.object({
  customer_id: id,
  uid: z.string(),
  name: z.string(),
  last_name: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  birthdate: z.string().nullable(),
  instagram: z.string().nullable(),
  signup_reason: z.string().nullable(),
  signup_reason_other: z.string().nullable(),
  createdAt: z.string(),
  has_unlimited: z.boolean(),
  unlimited_membership_expiration: z.string().nullable(),
  unlimited_max_no_shows_for_penalty: z.int(),
  accepted_pages: z.array(z.object({ page_id: id })),
  purchases: z.array(z.object({ class_package_id: id, purchase_id: id, status: z.string() })),
  /** Staff role, when this person also works here. */
  role: role.nullable(),
})
export type Customer = z.infer<typeof customer>

const name = line(80).min(1, 'Debes llenar este campo.')

/** What sign-up asks besides e-mail and password, which go to the identity service. */
export const signup = z.object({
  uid: z.string().min(1).max(128),
  name,
  last_name: name,
  phone: phoneWire,
  birthdate: z.iso.date().nullish(),
  instagram: line(80).nullish(),
  signup_reason: line(200).nullish(),
  signup_reason_other: line(200).nullish(),
  /** Ids of the documents ticked at sign-up. */
  accepted_pages: z.array(id).max(50).default([]),
})
export type Signup = z.infer<typeof signup>

export const people = {
  /** The signed-in customer with what the client needs to know about them. */
  me: endpoint('GET', '/customer', 'customer', 'Clientes', 'Mi cuenta')
    .errors(refusals('NO_CUSTOMER'))
    .output(z.object({ customer })),
  /**
   * Creates the customer of a fresh identity account. The uid of the body must be the token's; a failure removes the account
   * (S1-5.11, S1-8.05, S1-8.06). EMAIL_NOT_VERIFIED: reception knows this address; the account stays, and signing up again after
   * confirming the address (with a fresh token) takes over what reception wrote down.
   */
  signup: endpoint('POST', '/customer/signup', 'identity', 'Clientes', 'Registro')
    .input(signup)
    .errors(refusals('PHONE_IN_USE', 'ACCOUNT_EXISTS', 'EMAIL_NOT_VERIFIED', 'DOCUMENTS_REQUIRED', 'FORBIDDEN'))
    .output(z.object({ customer })),
  /** Whether a phone is in use; names nobody and is throttled (decision 11). */
  phone: endpoint('GET', '/customer/phone', 'public', 'Clientes', 'Si un teléfono ya está en uso')
    .input(z.object({ phone: phoneWire }))
    .output(z.object({ in_use: z.boolean() })),
  /** Reception creates a customer without a login; they claim it by signing up with the same e-mail. */
  create: endpoint('POST', '/customer', 'staff:reception', 'Clientes', 'Dar de alta a un cliente')
    .input(z.object({ name, last_name: name, email: z.email().max(254), phone: phoneWire.nullish() }))
    .errors(refusals('PHONE_IN_USE', 'ACCOUNT_EXISTS'))
    .output(z.object({ customer_id: id })),
  /** Customer lookup of the administration. */
  find: endpoint('GET', '/customer/admin/{customer_id}', 'staff:reception', 'Clientes', 'Un cliente')
    .input(z.object({ customer_id: pathId }))
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ customer })),
}
