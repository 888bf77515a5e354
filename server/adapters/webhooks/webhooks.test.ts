/** The HTTP side of webhooks: signature, and what no address may reach (I8). */
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { isPublicAddress, whyNotUrl } from '#server/platform/public-address.ts'
import { secretBox } from '#server/platform/secret-box.ts'
import { httpWebhooks, type WebhookOptions } from './http.ts'

const box = secretBox([{ id: 'k1', key: Buffer.alloc(32, 7) }])
const port = (more: Partial<WebhookOptions> = {}) => httpWebhooks({ secrets: box, allowLoopback: false, timeoutMs: 400, ...more })
const at = new Date('2026-11-19T16:00:00Z')

test('private, link-local, mapped and documentation addresses are not public; others are (I8)', () => {
  const closed = [
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '198.18.0.1',
    '192.0.2.1',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    'fe80::1',
    'fc00::1',
    'fd12::1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0:4136:e378::',
    '2001:db8::1',
    'ff02::1',
    'no',
    '',
    '127.1',
  ]
  expect(closed.filter(isPublicAddress)).toEqual([])
  const open = ['8.8.8.8', '172.32.0.1', '192.169.0.1', '2606:4700::1111', '2a00:1450:4001::1']
  expect(open.filter(isPublicAddress)).toEqual(open)
})

test('an address is refused without https, with a password, or in a private network, however it is written (I8)', () => {
  const refused = [
    'http://ejemplo.mx/',
    'ftp://ejemplo.mx',
    'https://u:p@ejemplo.mx',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://localhost/',
    'https://intranet/',
    'https://169.254.169.254/latest',
    'x',
  ]
  expect(refused.filter((url) => whyNotUrl(url, false) === null)).toEqual([])
  expect(whyNotUrl('https://ejemplo.mx/avisos?x=1', false)).toBeNull()
  expect([whyNotUrl('http://127.0.0.1:9/x', true), whyNotUrl('http://localhost:9/x', true)]).toEqual([null, null])
  expect(whyNotUrl('http://10.0.0.1/', true)).not.toBeNull()
})

const message = (p: ReturnType<typeof port>, url: string) => {
  const secret = p.newSecret()
  return { made: secret, message: { url, message_id: 'msg_1', at, body: '{"type":"x"}', secrets: [secret] } }
}

test('a name with a private address among its addresses is not connected to (I8)', async () => {
  for (const address of ['10.0.0.5', '169.254.169.254', '::1', '127.0.0.1']) {
    const p = port({
      resolve: async () => [
        { address: '8.8.8.8', family: 4 },
        { address, family: address.includes(':') ? 6 : 4 },
      ],
    })
    expect(await p.send(message(p, 'https://ejemplo.mx/x').message)).toMatchObject({
      status: null,
      error: 'La dirección es de una red privada.',
    })
  }
})

test('messages are signed as the Standard Webhooks specification says, with every secret (I7)', async () => {
  const got: { headers: NodeJS.Dict<string | string[]>; body: string }[] = []
  const server = createServer((req, res) => {
    let body = ''
    req.on('data', (part) => {
      body += String(part)
    })
    req.on('end', () => {
      got.push({ headers: req.headers, body })
      res.end('gracias')
    })
  })
  await new Promise<void>((resume) => server.listen(0, '127.0.0.1', resume))
  const { port: number } = server.address() as AddressInfo
  let requests = 0
  const p = port({
    allowLoopback: true,
    resolve: async () => {
      requests++
      return [{ address: '127.0.0.1', family: 4 }]
    },
  })
  const [first, second] = [p.newSecret(), p.newSecret()]
  const url = `http://localhost:${number}/x`
  const sent = await p.send({ url, message_id: 'msg_1', at, body: '{"a":1}', secrets: [first, second] })
  expect(sent).toMatchObject({ status: 200, response: 'gracias', error: null })
  // Resolved once: the connection uses the checked address.
  expect(requests).toBe(1)
  const [request] = got
  expect(request?.body).toBe('{"a":1}')
  const expected = [first, second].map(({ secret }) => {
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
    expect(key).toHaveLength(32)
    return `v1,${createHmac('sha256', key)
      .update(`msg_1.${at.getTime() / 1000}.{"a":1}`)
      .digest('base64')}`
  })
  expect(request?.headers).toMatchObject({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(at.getTime() / 1000),
    'webhook-signature': expected.join(' '),
    'content-type': 'application/json',
  })
  expect(first.sealed).not.toContain(first.secret.slice(6))
  server.close()
})

test('redirects, silence and endless answers fail or end in time (I8)', async () => {
  const server = createServer((req, res) => {
    if (req.url === '/elsewhere') res.writeHead(302, { location: 'http://10.0.0.1/' }).end()
    if (req.url === '/endless') {
      const timer = setInterval(() => res.write('x'.repeat(1_000)), 5)
      res.on('close', () => clearInterval(timer))
    }
    // Otherwise no answer.
  })
  await new Promise<void>((resume) => server.listen(0, '127.0.0.1', resume))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const p = port({ allowLoopback: true })
  const send = (path: string) => p.send(message(p, base + path).message)
  expect(await send('/elsewhere')).toMatchObject({ status: 302, error: 'Responde con otra dirección; no se siguen redirecciones.' })
  expect(await send('/silence')).toMatchObject({ status: null, error: 'No respondió a tiempo.' })
  const endless = await send('/endless')
  expect([endless.error, endless.response.length]).toEqual([null, 2_048])
  expect(await p.send(message(p, 'http://127.0.0.1:1/x').message)).toMatchObject({ status: null, error: 'No acepta conexiones.' })
  server.closeAllConnections()
  server.close()
})

test('without a secret, as after a lost master key, nothing is sent unsigned', async () => {
  let calls = 0
  const server = createServer((_req, res) => {
    calls++
    res.end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port: at_port } = server.address() as AddressInfo
  const sent = await port({ allowLoopback: true }).send({
    url: `http://127.0.0.1:${at_port}/x`,
    message_id: 'msg_1',
    at,
    body: '{}',
    secrets: [],
  })
  expect(sent).toMatchObject({ status: null, error: 'Este webhook ya no tiene secreto: crea otro.' })
  expect(calls).toBe(0)
  server.close()
})
