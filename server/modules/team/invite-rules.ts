/** Rules of invitations: validity and acceptance (docs/domain.md, E9 to E11). Pure. */
import { type Refusal, refuse } from '#contract/errors.ts'

/** Validity of an invitation's link, in days. */
export const INVITE_DAYS = 7
const DAY_MS = 86_400_000

export const inviteExpiry = (now: Date): Date => new Date(now.getTime() + INVITE_DAYS * DAY_MS)

export const isExpired = ({ expires_at }: { expires_at: string }, now: Date): boolean => new Date(expires_at) <= now

/** Why an account may not accept an invitation: it has another email, or its email is not verified. Null when it may. */
export function whyNotAccept(invited: string, account: { email: string; emailVerified: boolean }): Refusal | null {
  if (account.email.toLowerCase() !== invited) return refuse('INVITE_OTHER_EMAIL', { email: invited })
  return account.emailVerified ? null : refuse('INVITE_EMAIL_UNCONFIRMED')
}
