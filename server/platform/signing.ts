/**
 * Signs the subject of a link, so that possession of the link is the permission: one answer to one offer, one person's calendar. The key
 * is created once per studio and stored encrypted in its database, so every process signs alike; each use has its own derived key.
 */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Db } from './db.ts'
import type { SealedColumn, SecretBox } from './secret-box.ts'
import { signingKey } from './tables.ts'

/** The column of the sealed key. */
export const LINK_KEYS: SealedColumn = { table: 'signing_key', column: 'secret', id: 'name' }

const NAME = 'links'
const MAC_BYTES = 18

export interface Signer {
  /** "subject.mac"; the subject may hold letters, digits and dashes. */
  sign(use: string, subject: string): string
  /** The subject of a token that we signed for this use; null for anything else. */
  read(use: string, token: string): string | null
}

/** The signer of one studio's database; makes its key the first time. */
export async function openSigner(db: Db, secrets: SecretBox): Promise<Signer> {
  const secret = await readSecret(db, secrets)
  const keys = new Map<string, Buffer>()
  const keyOf = (use: string) => {
    const key = keys.get(use) ?? Buffer.from(hkdfSync('sha256', secret, '', `estudio ${use}`, 32))
    keys.set(use, key)
    return key
  }
  const sign = (use: string, subject: string) => {
    const mac = createHmac('sha256', keyOf(use)).update(subject).digest().subarray(0, MAC_BYTES)
    return `${subject}.${mac.toString('base64url')}`
  }
  return {
    sign,
    read(use, token) {
      const cut = token.lastIndexOf('.')
      if (cut < 1 || !/^[\w.-]{1,200}$/.test(token)) return null
      const subject = token.slice(0, cut)
      // Compared in encoded form: base64 has several encodings of the same bytes.
      const [signature, ours] = [Buffer.from(token), Buffer.from(sign(use, subject))]
      return signature.length === ours.length && timingSafeEqual(signature, ours) ? subject : null
    },
  }
}

async function readSecret(db: Db, secrets: SecretBox): Promise<Buffer> {
  const sealed = await db.tx(async (tx) => {
    await tx
      .insert(signingKey)
      .values({ name: NAME, secret: secrets.seal(randomBytes(32).toString('base64url'), LINK_KEYS, NAME) })
      .onConflictDoNothing()
    const [row] = await tx.select().from(signingKey).where(eq(signingKey.name, NAME))
    return row?.secret
  })
  if (!sealed) throw new Error('The key of signed links was not stored.')
  return Buffer.from(secrets.open(sealed, LINK_KEYS, NAME), 'base64url')
}
