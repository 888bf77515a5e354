/**
 * The signing keys of the embedded service, ES256. A new key is published a day before it signs, so that clients that cache the key set
 * have it in time, and stays published after its successor took over for as long as its tokens are valid.
 */
import { desc, inArray, lte, sql } from 'drizzle-orm'
import {
  type CryptoKey,
  calculateJwkThumbprint,
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JSONWebKeySet,
  type JWK,
  type JWTVerifyGetKey,
  SignJWT,
} from 'jose'
import type { Db, Reader, Tx } from '#server/platform/db.ts'
import type { SecretBox } from '#server/platform/secret-box.ts'
import { SIGNING_KEYS } from './sealed.ts'
import { identityKey } from './tables.ts'

export const ALGORITHM = 'ES256'
/** Validity of an ID token in seconds, as at Google; also reported to the SDK. */
export const TOKEN_SECONDS = 3_600

const DAY = 86_400_000
const ROTATE_AFTER = 90 * DAY
const PUBLISH_AHEAD = DAY
/** How long a process caches the keys; far below PUBLISH_AHEAD. */
const FRESH_MS = 300_000
/** Tokens with an unknown `kid` cause at most one query per this many milliseconds. */
const COOLDOWN_MS = 5_000

interface Key {
  kid: string
  signsFrom: Date
  sign: CryptoKey
  verify: CryptoKey
  published: JWK
}

export interface SigningKeys {
  /** Signs claims with the current key. */
  sign(claims: Record<string, unknown>, now: Date): Promise<string>
  find: JWTVerifyGetKey
  /** The public keys, for `jwks.json`. */
  published(): Promise<JSONWebKeySet>
  /**
   * Starts a rotation when the newest key is 90 days old and deletes keys whose tokens have all expired. Safe at any time, in any process.
   */
  rotate(now: Date): Promise<void>
}

function publicHalf({ kty, crv, x, y }: JWK, kid: string): JWK {
  return { kty, crv, x, y, kid, alg: ALGORITHM, use: 'sig' }
}

async function makeKey(tx: Tx, secrets: SecretBox, now: Date, signsFrom: Date): Promise<void> {
  const pair = await generateKeyPair(ALGORITHM, { extractable: true })
  const jwk = await exportJWK(pair.privateKey)
  const kid = await calculateJwkThumbprint(jwk)
  const private_jwk = secrets.seal(JSON.stringify(jwk), SIGNING_KEYS, kid)
  await tx.insert(identityKey).values({ kid, private_jwk, createdAt: now, signsFrom })
}

/** Serializes the creation of keys across processes. */
const lockKeys = (tx: Tx) => tx.execute(sql`select pg_advisory_xact_lock(hashtext('identity_key'))`)
const listKeys = (from: Reader) => from.select().from(identityKey).orderBy(desc(identityKey.signsFrom))

export function signingKeys(db: Db, secrets: SecretBox, now: () => Date): SigningKeys {
  let keys: Key[] = []
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  async function read() {
    let rows = await listKeys(db.read)
    if (!rows.some((row) => row.signsFrom <= now()))
      rows = await db.tx(async (tx) => {
        await lockKeys(tx)
        const [first] = await tx.select().from(identityKey).where(lte(identityKey.signsFrom, now())).limit(1)
        if (!first) await makeKey(tx, secrets, now(), now())
        return listKeys(tx)
      })
    keys = await Promise.all(
      rows.map(async ({ kid, signsFrom, private_jwk }) => {
        const jwk = JSON.parse(secrets.open(private_jwk, SIGNING_KEYS, kid)) as JWK
        const published = publicHalf(jwk, kid)
        const [sign, verify] = await Promise.all([importJWK(jwk, ALGORITHM), importJWK(published, ALGORITHM)])
        if (sign instanceof Uint8Array || verify instanceof Uint8Array)
          throw new Error('A signing key of the identity service is not an EC key.')
        return { kid, signsFrom, sign, verify, published }
      }),
    )
    readAt = performance.now()
  }
  /** Reads the keys again when the cached copy is older than this. */
  async function within(milliseconds: number) {
    if (performance.now() - readAt < milliseconds) return
    reading ??= read().finally(() => {
      reading = undefined
    })
    await reading
  }

  return {
    async sign(claims, at) {
      await within(FRESH_MS)
      const key = keys.find((candidate) => candidate.signsFrom <= at) ?? keys.at(-1)
      if (!key) throw new Error('The identity service has no signing key.')
      return new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM, kid: key.kid, typ: 'JWT' }).sign(key.sign)
    },
    async find({ kid }) {
      await within(FRESH_MS)
      const known = () => keys.find((key) => key.kid === kid)
      if (!known()) await within(COOLDOWN_MS)
      const key = known()
      if (!key) throw new errors.JWKSNoMatchingKey()
      return key.verify
    },
    async published() {
      await within(FRESH_MS)
      return { keys: keys.map((key) => key.published) }
    },
    async rotate(at) {
      await db.tx(async (tx) => {
        await lockKeys(tx)
        const rows = await listKeys(tx)
        const newest = rows[0]
        if (newest && newest.signsFrom.getTime() + ROTATE_AFTER <= at.getTime())
          await makeKey(tx, secrets, at, new Date(at.getTime() + PUBLISH_AHEAD))
        // A key is unused once its successor has signed for longer than a token is valid; plus a day for clock differences.
        const dead = rows.filter((_, index) => {
          const successor = rows[index - 1]
          return successor && successor.signsFrom.getTime() + DAY <= at.getTime()
        })
        if (dead.length)
          await tx.delete(identityKey).where(
            inArray(
              identityKey.kid,
              dead.map((key) => key.kid),
            ),
          )
      })
      readAt = Number.NEGATIVE_INFINITY
    },
  }
}
