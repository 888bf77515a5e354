/**
 * A fake of a browser with its push service on loopback, as strict as the real ones: it verifies the signature of the studio (RFC 8292)
 * and decrypts the message as the browser would (RFC 8291). The ending of a device's address selects the service's answer.
 */
import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { jwtVerify } from 'jose'
import type { PushDevice, PushNotification } from '#server/adapters/push/port.ts'

/** A notification that a device showed. */
export interface PushedMessage {
  endpoint: string
  notification: PushNotification
  ttl: number
  urgency: string
  topic: string
  /** Who signed it. */
  contact: string
}

interface Browser {
  keys: ECDH
  auth: Buffer
  /** The key with which it subscribed: messages of others are refused. */
  studioKey: string
}

export interface LoopbackPush {
  origin: string
  shown: PushedMessage[]
  /** Why requests were refused. */
  faults: string[]
  /** A new device. `ending`: 'gone' answers 410, 'broken' 500, 'refuses' 400, 'silent' never. */
  subscribe(studioKey: string, ending?: 'ok' | 'gone' | 'broken' | 'refuses' | 'silent'): PushDevice
  close(): Promise<void>
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

const derive = (key: Buffer, salt: Buffer, info: string | Buffer, bytes: number) => Buffer.from(hkdfSync('sha256', key, salt, info, bytes))

/** What the browser reads; throws on any deviation from the standard. */
export function decryptPush(body: Buffer, { keys, auth }: Pick<Browser, 'keys' | 'auth'>): string {
  const [salt, size, idBytes] = [body.subarray(0, 16), body.readUInt32BE(16), body.readUInt8(20)]
  const sender = body.subarray(21, 21 + idBytes)
  const record = body.subarray(21 + idBytes)
  if (idBytes !== 65 || size < 18 || record.length > size) throw new Error('header')
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender])
  const shared = derive(keys.computeSecret(sender), auth, info, 32)
  const decipher = createDecipheriv(
    'aes-128-gcm',
    derive(shared, salt, 'Content-Encoding: aes128gcm\0', 16),
    derive(shared, salt, 'Content-Encoding: nonce\0', 12),
  ).setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = padded.lastIndexOf(2)
  if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('padding')
  return padded.subarray(0, end).toString('utf8')
}

const publicKeyOf = (point: string) => {
  const bytes = Buffer.from(point, 'base64url')
  const [x, y] = [bytes.subarray(1, 33), bytes.subarray(33)].map((part) => part.toString('base64url'))
  return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
}

/** Starts the service on a free port. */
export async function loopbackPush(): Promise<LoopbackPush> {
  const browsers = new Map<string, Browser>()
  const [shown, faults]: [PushedMessage[], string[]] = [[], []]
  let origin = ''
  async function take(request: IncomingMessage): Promise<number> {
    const path = request.url ?? ''
    const browser = browsers.get(path)
    if (!browser) return 404
    const { headers } = request
    const body = await bodyOf(request)
    const [, token = '', key = ''] = /^vapid t=([^,\s]+), k=([\w-]+)$/.exec(headers.authorization ?? '') ?? []
    if (key !== browser.studioKey) throw new Error('another key')
    const { payload } = await jwtVerify(token, publicKeyOf(key), { audience: origin, algorithms: ['ES256'] })
    const lasts = (payload.exp ?? 0) - Date.now() / 1000
    if (lasts <= 0 || lasts > 86_400) throw new Error('exp')
    if (!/^(?:https:\/\/|mailto:)/.test(payload.sub ?? '')) throw new Error('sub')
    if (headers['content-encoding'] !== 'aes128gcm' || body.length > 4_096) throw new Error('body')
    if (!/^\d+$/.test(String(headers.ttl)) || !/^(?:very-low|low|normal|high)$/.test(String(headers.urgency))) throw new Error('headers')
    if (!/^[\w-]{1,32}$/.test(String(headers.topic))) throw new Error('topic')
    const notification = JSON.parse(decryptPush(body, browser)) as PushNotification
    if (path.endsWith('/gone')) return 410
    if (path.endsWith('/broken')) return 500
    if (path.endsWith('/refuses')) return 400
    const { ttl, urgency, topic } = headers as Record<string, string>
    shown.push({
      endpoint: `${origin}${path}`,
      notification,
      ttl: Number(ttl),
      urgency: urgency ?? '',
      topic: topic ?? '',
      contact: payload.sub ?? '',
    })
    return 201
  }
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/silent')) return
    void take(request)
      .catch((error: unknown) => {
        faults.push(String(error))
        return 403
      })
      .then((status) => response.writeHead(status).end())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    shown,
    faults,
    subscribe(studioKey, ending = 'ok') {
      const keys = createECDH('prime256v1')
      keys.generateKeys()
      const auth = randomBytes(16)
      const path = `/${randomBytes(12).toString('base64url')}/${ending}`
      browsers.set(path, { keys, auth, studioKey })
      return { endpoint: `${origin}${path}`, p256dh: keys.getPublicKey('base64url'), auth: auth.toString('base64url') }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
