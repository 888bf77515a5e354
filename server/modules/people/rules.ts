/** Who may become which customer. Pure: docs/domain.md, "People". */

import { validation } from '#contract/copy/messages.ts'
import { Refusal, refuse } from '#contract/errors.ts'

/**
 * Why an account cannot take over the customer that already has its e-mail (P3); null = it can, or there is none. An address that
 * nobody has proven to own never opens what reception wrote down under it: otherwise anyone could sign up first with somebody else's.
 */
export function whyNotClaim(found: { uid: string | null } | null, account: { emailVerified: boolean }): Refusal | null {
  if (!found) return null
  if (found.uid !== null) return refuse('ACCOUNT_EXISTS')
  return account.emailVerified ? null : refuse('EMAIL_NOT_VERIFIED')
}

/**
 * Whether a failed sign-up takes its identity account with it, so that no half account stays (P4, S1-4.37). It stays when it is
 * somebody's already, and when the person needs it to prove the address.
 */
export function removesAccount(failure: unknown, owns: { customer: unknown; staff: unknown }): boolean {
  if (owns.customer || owns.staff) return false
  return !(failure instanceof Refusal && failure.code === 'EMAIL_NOT_VERIFIED')
}

/** The reason that asks for a text of one's own (S2-3.04). */
const OTHER = 'Otro'

interface Reasons {
  signup_reason?: string | null | undefined
  signup_reason_other?: string | null | undefined
}

/** How somebody heard of the studio: the free text stands only beside 'Otro', and has to (P8). Nothing when nothing was said. */
export function reasonsOf(told: Reasons): { signup_reason?: string | null; signup_reason_other?: string | null } | Refusal {
  if (told.signup_reason === undefined) return {}
  const signup_reason = told.signup_reason || null
  if (signup_reason !== OTHER) return { signup_reason, signup_reason_other: null }
  if (!told.signup_reason_other)
    return refuse('INVALID_INPUT', { issues: [{ path: 'signup_reason_other', message: validation.fillField }] })
  return { signup_reason, signup_reason_other: told.signup_reason_other }
}

const ALWAYS = { name: 'Nombre', last_name: 'Apellidos', phone: 'Teléfono', email: 'Correo electrónico' } as const

/** What every profile must have and this one lacks (P10). */
export function missingBasics(row: {
  name: string
  last_name: string
  phone: string | null
  email: string
}): { key: string; label: string }[] {
  return (Object.keys(ALWAYS) as (keyof typeof ALWAYS)[]).filter((key) => !row[key]?.trim()).map((key) => ({ key, label: ALWAYS[key] }))
}
