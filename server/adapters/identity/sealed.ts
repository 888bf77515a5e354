/** The identity service's columns that are encrypted in the database (server/platform/secret-box.ts). */
import type { SealedColumn } from '#server/platform/secret-box.ts'

export const SIGNING_KEYS: SealedColumn = { table: 'identity_key', column: 'private_jwk', id: 'kid' }
export const FACTOR_SECRETS: SealedColumn = { table: 'identity_second_factor', column: 'sealed_secret', id: 'factor_id' }
export const CHALLENGE_SECRETS: SealedColumn = { table: 'identity_challenge', column: 'sealed_secret', id: 'challenge_hash' }
