/** The key pair that identifies the studio to push services (VAPID, RFC 8292): made once per studio, stored encrypted in its database. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Db } from '#server/platform/db.ts'
import type { SecretBox } from '#server/platform/secret-box.ts'
import { LINK_KEYS } from '#server/platform/signing.ts'
import { signingKey } from '#server/platform/tables.ts'

const NAME = 'push'

export interface PushKeys {
  privateKey: KeyObject
  /** Uncompressed point, base64url: what browsers subscribe with. */
  publicKey: string
}

/** The studio's keys; makes them the first time. */
export async function openPushKeys(db: Db, secrets: SecretBox): Promise<PushKeys> {
  const sealed = await db.tx(async (tx) => {
    const stored = () => tx.select().from(signingKey).where(eq(signingKey.name, NAME))
    const [known] = await stored()
    if (known) return known.secret
    const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'der', type: 'pkcs8' })
    const secret = secrets.seal(key.toString('base64url'), LINK_KEYS, NAME)
    // Another starting process may have been faster.
    await tx.insert(signingKey).values({ name: NAME, secret }).onConflictDoNothing()
    const [row] = await stored()
    return row?.secret
  })
  if (!sealed) throw new Error('The key of push messages was not stored.')
  const der = Buffer.from(secrets.open(sealed, LINK_KEYS, NAME), 'base64url')
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const { x = '', y = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  return { privateKey, publicKey: point.toString('base64url') }
}
