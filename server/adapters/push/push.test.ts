/** Encryption, signature, and what no address of a device may reach (M14 to M16). */
import { createECDH, generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decryptPush, type LoopbackPush, loopbackPush } from '#server/testing/loopback-push.ts'
import { areKeys, encrypted } from './encryption.ts'
import { httpPush } from './http.ts'
import { PushRefused } from './port.ts'

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const { x = '', y = '' } = pair.publicKey.export({ format: 'jwk' })
const publicKey = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString('base64url')
const keys = { privateKey: pair.privateKey, publicKey }
const port = (more: Partial<Parameters<typeof httpPush>[0]> = {}) =>
  httpPush({ keys, contact: 'https://estudio.example', allowLoopback: true, timeoutMs: 300, ...more })
const notification = { title: 'Se liberó un lugar', body: 'Reformer, vie 20 nov, 10:00.', path: '/mystudio?clase=7', tag: 'm1' }
const more = { notification, ttl: 600, isUrgent: true }

let service: LoopbackPush
beforeAll(async () => {
  service = await loopbackPush()
})
afterAll(() => service.close())

test('the example of RFC 8291 gives its bytes', () => {
  const [own, theirs] = [createECDH('prime256v1'), createECDH('prime256v1')]
  own.setPrivateKey('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url')
  theirs.setPrivateKey('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url')
  const device = {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  }
  expect(theirs.getPublicKey('base64url')).toBe(device.p256dh)
  const text = 'When I grow up, I want to be a watermelon'
  const body = encrypted(text, device, { own, salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url') })
  expect(body.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
  expect(decryptPush(body, { keys: theirs, auth: Buffer.from(device.auth, 'base64url') })).toBe(text)
})

test('keys of another size or outside the curve are not keys', () => {
  const device = service.subscribe(publicKey)
  const point = Buffer.from(device.p256dh, 'base64url')
  const off = Buffer.concat([point.subarray(0, 64), Buffer.from([(point[64] ?? 0) ^ 1])]).toString('base64url')
  expect(areKeys(device)).toBe(true)
  const wrong = [{ p256dh: off }, { p256dh: device.p256dh.slice(0, -4) }, { p256dh: '' }, { auth: 'AAAA' }, { auth: '' }]
  expect(wrong.filter((keys) => areKeys({ ...device, ...keys }))).toEqual([])
})

test('a device shows what was sent, signed for its service', async () => {
  const device = service.subscribe(publicKey)
  expect(await port().send({ ...device, ...more })).toBe(true)
  expect(service.faults).toEqual([])
  expect(service.shown.at(-1)).toEqual({
    endpoint: device.endpoint,
    notification,
    ttl: 600,
    urgency: 'high',
    topic: 'm1',
    contact: 'https://estudio.example',
  })
})

test('distinguishes an expired device, a refusing service, and a temporary failure', async () => {
  const send = (ending: Parameters<LoopbackPush['subscribe']>[1]) => port().send({ ...service.subscribe(publicKey, ending), ...more })
  expect(await send('gone')).toBe(false)
  expect(await port().send({ ...service.subscribe(publicKey), ...more, endpoint: `${service.origin}/unknown` })).toBe(false)
  await expect(send('refuses')).rejects.toBeInstanceOf(PushRefused)
  await expect(send('broken')).rejects.not.toBeInstanceOf(PushRefused)
  await expect(send('silent')).rejects.toThrow('No respondió a tiempo.')
  // Subscribed with another studio's key.
  await expect(port().send({ ...service.subscribe('otra'), ...more })).rejects.toBeInstanceOf(PushRefused)
})

test('nothing is sent without https or to a private network, however its name resolves', async () => {
  const device = service.subscribe(publicKey)
  const open = port({ allowLoopback: false })
  const addresses = [
    'http://push.ejemplo.mx/x',
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://169.254.169.254/x',
    'https://intranet/x',
    'x',
  ]
  expect(addresses.filter((endpoint) => open.whyNotDevice({ ...device, endpoint }) === null)).toEqual([])
  expect(open.whyNotDevice({ ...device, endpoint: 'https://fcm.googleapis.com/fcm/send/x' })).toBeNull()
  for (const endpoint of addresses) await expect(open.send({ ...device, ...more, endpoint })).rejects.toBeInstanceOf(PushRefused)
  const inside = port({ allowLoopback: false, resolve: async () => [{ address: '10.0.0.5', family: 4 }] })
  await expect(inside.send({ ...device, ...more, endpoint: 'https://push.ejemplo.mx/x' })).rejects.toThrow(
    'La dirección es de una red privada.',
  )
})
