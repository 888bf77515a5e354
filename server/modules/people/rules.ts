/** Rules for linking accounts and customers. Pure: docs/domain.md, "People". */

import * as z from 'zod'
import { validation } from '#contract/copy/messages.ts'
import { Refusal, refuse } from '#contract/errors.ts'

/**
 * Why an account cannot be linked to the existing customer with its email (P3); null = it can, or there is none. Requires a verified email:
 * otherwise anyone could sign up with another person's address and get the customer that staff created.
 */
export function whyNotClaim(found: { uid: string | null } | null, account: { emailVerified: boolean }): Refusal | null {
  if (!found) return null
  if (found.uid !== null) return refuse('ACCOUNT_EXISTS')
  return account.emailVerified ? null : refuse('EMAIL_NOT_VERIFIED')
}

/** An address as stored in the audit trail: the sender can find it, without the full address of a third person. */
export const veiledEmail = (email: string): string => email.replace(/^(.).*(?=@)/, '$1…')

/**
 * Whether a failed sign-up deletes its identity account, so that no account without a customer remains (P4, S1-4.37). It is kept when it
 * belongs to a customer or staff member, and when the person still has to verify the email.
 */
export function removesAccount(failure: unknown, owns: { customer: unknown; staff: unknown }): boolean {
  if (owns.customer || owns.staff) return false
  return !(failure instanceof Refusal && failure.code === 'EMAIL_NOT_VERIFIED')
}

/** The option that requires a free text (S2-3.04). */
const OTHER = 'Otro'

interface Reasons {
  signup_reason?: string | null | undefined
  signup_reason_other?: string | null | undefined
}

/** How the customer found the studio: the free text is required with 'Otro' and dropped otherwise (P8). Empty when not answered. */
export function reasonsOf(reasons: Reasons): { signup_reason?: string | null; signup_reason_other?: string | null } | Refusal {
  if (reasons.signup_reason === undefined) return {}
  const signup_reason = reasons.signup_reason || null
  if (signup_reason !== OTHER) return { signup_reason, signup_reason_other: null }
  if (!reasons.signup_reason_other)
    return refuse('INVALID_INPUT', { issues: [{ path: 'signup_reason_other', message: validation.fillField }] })
  return { signup_reason, signup_reason_other: reasons.signup_reason_other }
}

const ALWAYS = { name: 'Nombre', last_name: 'Apellidos', phone: 'Teléfono', email: 'Correo electrónico' } as const

/** Required fields that a profile lacks (P10). */
export function missingBasics(row: {
  name: string
  last_name: string
  phone: string | null
  email: string | null
}): { key: string; label: string }[] {
  return (Object.keys(ALWAYS) as (keyof typeof ALWAYS)[]).filter((key) => !row[key]?.trim()).map((key) => ({ key, label: ALWAYS[key] }))
}

const validity = z.object({ expires_at: z.string().nullable(), frozenAt: z.string().nullable(), days_from_first_class: z.int().nullable() })

/** An action that can be undone, with the data of its undo (LA9): plain JSON. */
export const undoableAct = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('reservation'),
    single_class_id: z.int(),
    spot: z.string().nullable(),
    guest: z.string().nullable(),
    guest_spot: z.string().nullable(),
    available_class_id: z.int(),
  }),
  z.object({ kind: z.literal('credit_lot'), available_class_id: z.int(), add: z.int(), before: validity, after: validity }),
  z.object({ kind: z.literal('credit_revocation'), available_class_id: z.int(), amount: z.int(), revokedAt: z.string() }),
  z.object({ kind: z.literal('access'), purchase_id: z.int() }),
  z.object({ kind: z.literal('subtraction'), lots: z.array(z.object({ available_class_id: z.int(), amount: z.int() })) }),
  z.object({ kind: z.literal('tags'), before: z.array(z.int()), after: z.array(z.int()) }),
])
export type UndoableAct = z.infer<typeof undoableAct>
