/** What a row of the authorisation matrix is, and results that many of them share. */
import type { Role, World } from '#server/testing/access-world.ts'

/** Roles whose result differs from the declared access: an error code, or 'ok'. `ok`: the result of all roles with access. */
export type Row = Partial<Record<Role | 'ok', string>> & {
  /** Creates the input for each call: `role` is the caller, undefined when every role is refused. */
  input?: (w: World, role?: Role) => unknown
}

/** Records of another customer do not exist. Staff without a customer are refused by the access check. */
export const foreign = (code: string): Row => ({ other: code })
/** Videos are for customers and staff (O1): an account that is neither gets an error. */
export const ofVideos: Row = { account: 'NO_CUSTOMER' }
/** A file is for its owner and for staff with `customers.edit`. */
export const ofFiles: Row = { account: 'NOT_FOUND', other: 'NOT_FOUND', coach: 'NOT_FOUND' }
/** The caller's own data: an account without a customer is refused. Staff name a customer. */
export const ofMyself: Row = { account: 'NO_CUSTOMER', coach: 'NO_CUSTOMER' }

/** The own pay is for staff with a coach's profile. */
export const ofMyPay: Row = { ok: 'NOT_FOUND', coach: 'ok' }
