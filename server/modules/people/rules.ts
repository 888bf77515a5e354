/** Who may become which customer. Pure: docs/domain.md, "People". */
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
