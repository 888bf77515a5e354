/** Encrypts a message for one device so that its push service cannot read it (RFC 8291, with the content coding of RFC 8188). */
import { createCipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes } from 'node:crypto'

const CURVE = 'prime256v1'
const POINT_BYTES = 65
const AUTH_BYTES = 16
const SALT_BYTES = 16
/** The size of a record; a message is one. */
const RECORD_BYTES = 4_096
/** After the last record's text. */
const LAST_RECORD = Buffer.from([2])

/** Replaced by a test that compares with the example of RFC 8291. */
interface Chance {
  own: ECDH
  salt: Buffer
}

function newChance(): Chance {
  const own = createECDH(CURVE)
  own.generateKeys()
  return { own, salt: randomBytes(SALT_BYTES) }
}

const derive = (key: Buffer, salt: Buffer, info: string | Buffer, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, bytes))

/** The body of the request: header and one encrypted record. */
export function encrypted(text: string, { p256dh, auth }: { p256dh: string; auth: string }, { own, salt } = newChance()): Buffer {
  const theirs = Buffer.from(p256dh, 'base64url')
  const ours = own.getPublicKey()
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours])
  const shared = derive(own.computeSecret(theirs), Buffer.from(auth, 'base64url'), info, 32)
  const key = derive(shared, salt, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = derive(shared, salt, 'Content-Encoding: nonce\0', 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const record = Buffer.concat([cipher.update(text, 'utf8'), cipher.update(LAST_RECORD), cipher.final(), cipher.getAuthTag()])
  if (record.length > RECORD_BYTES) throw new RangeError('The message does not fit into one record.')
  const size = Buffer.alloc(4)
  size.writeUInt32BE(RECORD_BYTES)
  return Buffer.concat([salt, size, Buffer.from([ours.length]), ours, record])
}

/** Whether a device's keys are of the right size and its public key a point of the curve. */
export function areKeys({ p256dh, auth }: { p256dh: string; auth: string }): boolean {
  const point = Buffer.from(p256dh, 'base64url')
  if (point.length !== POINT_BYTES || point[0] !== 4 || Buffer.from(auth, 'base64url').length !== AUTH_BYTES) return false
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  try {
    createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
    return true
  } catch {
    return false
  }
}
