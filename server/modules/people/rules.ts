/** Who may become which customer. Pure: docs/domain.md, "People". */
import { Refusal, refuse } from '#contract/errors.ts'

/** The account that signs up, as its token says. */
export interface SigningUp {
  uid: string
  emailVerified: boolean
}

/**
 * What sign-up does with the customer that already has this e-mail (P3). An address that nobody has proven to own never
 * opens what reception wrote down under it: otherwise anyone could sign up first with somebody else's address.
 */
export function signupOutcome(found: { uid: string | null } | null, account: SigningUp): 'create' | 'claim' | 'present' | Refusal {
  if (!found) return 'create'
  if (found.uid === account.uid) return 'present'
  if (found.uid !== null) return refuse('ACCOUNT_EXISTS')
  return account.emailVerified ? 'claim' : refuse('EMAIL_NOT_VERIFIED')
}

/**
 * Whether a failed sign-up takes its identity account with it, so that no half account stays (P4, S1-4.37). It stays when it is
 * somebody's already, and when the person needs it to prove the address.
 */
export function removesAccount(failure: unknown, owns: { customer: unknown; staff: unknown }): boolean {
  if (owns.customer || owns.staff) return false
  return !(failure instanceof Refusal && failure.code === 'EMAIL_NOT_VERIFIED')
}
