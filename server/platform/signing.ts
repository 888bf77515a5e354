/**
 * Signs what a link carries, so that the link is the permission: one answer to one offer, one person's calendar. The key is made once
 * per studio and lies in its database, so every process signs alike; each use has a key of its own, derived from it.
 */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Db } from './db.ts'
import { signingKey } from './tables.ts'

const NAME = 'links'
const MAC_BYTES = 18

export interface Signer {
  /** "subject.mac"; the subject may hold letters, digits, dot and dash. */
  sign(use: string, subject: string): Promise<string>
  /** The subject of a token that we signed for this use; null for anything else. */
  read(use: string, token: string): Promise<string | null>
}

/** The signer of one studio's database. Works outside transactions only, because it may have to read the key. */
export function openSigner(db: Db): Signer {
  let secret: Promise<Buffer> | undefined
  const keys = new Map<string, Promise<Buffer>>()
  const keyOf = (use: string) => {
    let key = keys.get(use)
    if (!key) {
      secret ??= readSecret(db).catch((error: unknown) => {
        secret = undefined
        keys.clear()
        throw error
      })
      key = secret.then((from) => Buffer.from(hkdfSync('sha256', from, '', `estudio ${use}`, 32)))
      keys.set(use, key)
    }
    return key
  }
  const sign = async (use: string, subject: string) => {
    const mac = createHmac('sha256', await keyOf(use))
      .update(subject)
      .digest()
      .subarray(0, MAC_BYTES)
    return `${subject}.${mac.toString('base64url')}`
  }
  return {
    sign,
    async read(use, token) {
      const cut = token.lastIndexOf('.')
      if (cut < 1 || !/^[\w.-]{1,200}$/.test(token)) return null
      const subject = token.slice(0, cut)
      // Compared as it is written: base64 has other spellings of the same bytes.
      const [given, ours] = [Buffer.from(token), Buffer.from(await sign(use, subject))]
      return given.length === ours.length && timingSafeEqual(given, ours) ? subject : null
    },
  }
}

async function readSecret(db: Db): Promise<Buffer> {
  return db.tx(async (tx) => {
    await tx
      .insert(signingKey)
      .values({ name: NAME, secret: randomBytes(32).toString('base64url') })
      .onConflictDoNothing()
    const [row] = await tx.select().from(signingKey).where(eq(signingKey.name, NAME))
    if (!row) throw new Error('The key of signed links was not stored.')
    return Buffer.from(row.secret, 'base64url')
  })
}
