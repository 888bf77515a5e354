/**
 * Web Push over HTTPS: encrypted for the device, signed with the studio's key. Browsers name the address, so it must be on the
 * public internet.
 */
import { SignJWT } from 'jose'
import { assertNotInTransaction } from '#server/platform/db.ts'
import { whyNotUrl } from '#server/platform/public-address.ts'
import { publicPost, type Resolve, toReason, Unreachable } from '#server/platform/public-post.ts'
import { areKeys, encrypted } from './encryption.ts'
import type { PushKeys } from './keys.ts'
import { type PushPort, PushRefused } from './port.ts'

/** From resolving to the end of the response; well below the queue's limit. */
const TIMEOUT_MS = 8_000
/** How long a signature is valid; services accept 24 hours at most. */
const SIGNATURE_LASTS = '12h'

interface Options {
  keys: PushKeys
  /** The sender, so that the service can write to them: an https or mailto address. */
  contact: string
  /** Development and tests only. */
  allowLoopback: boolean
  resolve?: Resolve
  timeoutMs?: number
}

export function httpPush({ keys, contact, allowLoopback, resolve, timeoutMs = TIMEOUT_MS }: Options): PushPort {
  const post = publicPost({ allowLoopback, resolve })
  /** The services judge it by their own clocks, so not by the studio's. */
  const signatureFor = (audience: string): Promise<string> =>
    new SignJWT()
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
      .setAudience(audience)
      .setSubject(contact)
      .setExpirationTime(SIGNATURE_LASTS)
      .sign(keys.privateKey)
  return {
    publicKey: keys.publicKey,
    whyNotDevice(device) {
      const no = whyNotUrl(device.endpoint, allowLoopback)
      return no ?? (areKeys(device) ? null : 'Las llaves de este dispositivo no sirven.')
    },
    async send({ notification, ttl, isUrgent, ...device }) {
      assertNotInTransaction('The push port')
      const no = whyNotUrl(device.endpoint, allowLoopback)
      if (no) throw new PushRefused(no)
      const url = new URL(device.endpoint)
      const body = encrypted(JSON.stringify(notification), device)
      const headers = {
        authorization: `vapid t=${await signatureFor(url.origin)}, k=${keys.publicKey}`,
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        'content-length': body.length,
        ttl: String(ttl),
        urgency: isUrgent ? 'high' : 'normal',
        topic: notification.tag,
      }
      const { status } = await post(url, { headers, body, signal: AbortSignal.timeout(timeoutMs) }).catch((error: unknown) => {
        throw error instanceof Unreachable ? new PushRefused(error.message) : new Error(toReason(error), { cause: error })
      })
      if (status >= 200 && status < 300) return true
      if (status === 404 || status === 410) return false
      const message = `The push service answered ${status}.`
      // Too many requests, and errors of the service, pass.
      throw status === 429 || status >= 500 ? new Error(message) : new PushRefused(message)
    },
  }
}
