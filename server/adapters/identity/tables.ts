/** Tables of the embedded identity service. Nothing outside this folder reads them; the app identifies people by `uid`. */
import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { instantColumn } from '#server/platform/tables.ts'

export const identityAccount = pgTable(
  'identity_account',
  {
    uid: text().primaryKey(),
    /** Lower case. */
    email: text().notNull(),
    email_verified: boolean().notNull().default(false),
    /** `$argon2id$...`; null for an account that only signs in by mailed link. */
    password_hash: text(),
    display_name: text(),
    photo_url: text(),
    disabled: boolean().notNull().default(false),
    /** ID tokens issued in an earlier second are refused. */
    validSince: timestamp(instantColumn).notNull(),
    createdAt: timestamp(instantColumn).notNull(),
    lastLoginAt: timestamp(instantColumn).notNull(),
    lastRefreshAt: timestamp(instantColumn).notNull(),
    passwordUpdatedAt: timestamp(instantColumn),
  },
  (t) => [
    uniqueIndex('identity_account_email').on(t.email),
    check('identity_account_email_lower', sql`${t.email} = lower(${t.email}) and length(${t.email}) between 3 and 255`),
    check('identity_account_uid_length', sql`length(${t.uid}) between 1 and 128`),
    check('identity_account_password', sql`(${t.password_hash} is null) or (${t.passwordUpdatedAt} is not null)`),
  ],
)

/** One refresh token, that is one device: reusable until it expires or is revoked (= deleted). */
export const identitySession = pgTable(
  'identity_session',
  {
    session_id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    uid: text()
      .notNull()
      .references(() => identityAccount.uid, { onDelete: 'cascade' }),
    /** SHA-256 of the refresh token; the token itself is not stored. */
    token_hash: text().notNull(),
    /** When the person proved their identity: `auth_time` of every ID token of this session. */
    authAt: timestamp(instantColumn).notNull(),
    createdAt: timestamp(instantColumn).notNull(),
    lastUsedAt: timestamp(instantColumn).notNull(),
    expiresAt: timestamp(instantColumn).notNull(),
    user_agent: text().notNull(),
    /** Whether the sign-in included a second factor: a claim of every ID token of this session. */
    second_factor: boolean().notNull().default(false),
  },
  (t) => [
    uniqueIndex('identity_session_token').on(t.token_hash),
    index('identity_session_uid').on(t.uid, t.lastUsedAt),
    index('identity_session_expiry').on(t.expiresAt),
  ],
)

/** The authenticator app of an account; at most one. With one, every sign-in requires its code. */
export const identitySecondFactor = pgTable(
  'identity_second_factor',
  {
    factor_id: text().primaryKey(),
    uid: text()
      .notNull()
      .references(() => identityAccount.uid, { onDelete: 'cascade' }),
    /** The shared secret in base32, encrypted. */
    sealed_secret: text().notNull(),
    display_name: text(),
    enrolledAt: timestamp(instantColumn).notNull(),
    /** Time step of the last accepted code: each code can be used once, and no older one afterwards. */
    last_step: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [uniqueIndex('identity_second_factor_uid').on(t.uid)],
)

/** Codes for a person who lost the app; each can be used once. Used = deleted. */
export const identityRecoveryCode = pgTable(
  'identity_recovery_code',
  {
    recovery_code_id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    uid: text()
      .notNull()
      .references(() => identityAccount.uid, { onDelete: 'cascade' }),
    /** The first group of the code, not secret, which identifies it. */
    label: text().notNull(),
    /** `$argon2id$...` of the remainder. */
    code_hash: text().notNull(),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [uniqueIndex('identity_recovery_code_label').on(t.uid, t.label)],
)

const CHALLENGE_KINDS = ['sign-in', 'enrolment'] as const

/** An operation that an app's code completes: a sign-in whose first factor was correct, or an enrolment. Used = deleted. */
export const identityChallenge = pgTable(
  'identity_challenge',
  {
    /** SHA-256 of the client's secret. */
    challenge_hash: text().primaryKey(),
    kind: text({ enum: CHALLENGE_KINDS }).notNull(),
    uid: text()
      .notNull()
      .references(() => identityAccount.uid, { onDelete: 'cascade' }),
    /** The secret to be enrolled, encrypted. */
    sealed_secret: text(),
    createdAt: timestamp(instantColumn).notNull(),
    expiresAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    index('identity_challenge_uid').on(t.uid),
    index('identity_challenge_expiry').on(t.expiresAt),
    check('identity_challenge_kind', sql`${t.kind} in ('sign-in', 'enrolment')`),
    check('identity_challenge_secret', sql`(${t.kind} = 'enrolment') = (${t.sealed_secret} is not null)`),
  ],
)

export const CODE_KINDS = ['PASSWORD_RESET', 'VERIFY_EMAIL', 'VERIFY_AND_CHANGE_EMAIL', 'RECOVER_EMAIL', 'EMAIL_SIGNIN'] as const
export type CodeKind = (typeof CODE_KINDS)[number]

/** The codes of mailed links. Used = deleted, so that the request that deletes the row is the one that used it. */
export const identityCode = pgTable(
  'identity_code',
  {
    code_hash: text().primaryKey(),
    kind: text({ enum: CODE_KINDS }).notNull(),
    /** Null only for a sign-in link, which may open a new account. */
    uid: text().references(() => identityAccount.uid, { onDelete: 'cascade' }),
    /** The account's address when the code was created; for RECOVER_EMAIL the address to revert to. */
    email: text().notNull(),
    new_email: text(),
    createdAt: timestamp(instantColumn).notNull(),
    expiresAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    index('identity_code_uid').on(t.uid),
    index('identity_code_expiry').on(t.expiresAt),
    check(
      'identity_code_kind',
      sql`${t.kind} in ('PASSWORD_RESET', 'VERIFY_EMAIL', 'VERIFY_AND_CHANGE_EMAIL', 'RECOVER_EMAIL', 'EMAIL_SIGNIN')`,
    ),
    check('identity_code_account', sql`(${t.kind} = 'EMAIL_SIGNIN') = (${t.uid} is null)`),
    check('identity_code_new_email', sql`(${t.kind} in ('VERIFY_AND_CHANGE_EMAIL', 'RECOVER_EMAIL')) = (${t.new_email} is not null)`),
  ],
)

/** Signing keys. The newest one whose start has passed signs; the others stay published until all their tokens have expired. */
export const identityKey = pgTable(
  'identity_key',
  {
    kid: text().primaryKey(),
    /** The JWK as JSON, encrypted (sealed.ts). */
    private_jwk: text().notNull(),
    createdAt: timestamp(instantColumn).notNull(),
    signsFrom: timestamp(instantColumn).notNull(),
  },
  (t) => [uniqueIndex('identity_key_signs_from').on(t.signsFrom)],
)
