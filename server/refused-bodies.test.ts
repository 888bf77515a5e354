/** A request that is refused while its body is being sent: every client reads the status, and no connection stays open for long. */
import { request } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lingerBeforeClose } from './platform/lingering.ts'
import { type Person, studio, type TestStudio } from './testing/studio.ts'

const MB = 1_048_576

let on: TestStudio
let people: Record<'ana' | 'gone', Person>
beforeAll(async () => {
  on = await studio()
  people = { ana: await on.make.customer(), gone: await on.make.customer() }
  await on.sql('delete from identity_account where uid = $1', [people.gone.uid])
})
afterAll(() => on.close())

interface Refused {
  path: string
  token: string | null
  type: string
  status: number
}

/** An upload of 11 MB as a browser sends it. */
const BOUNDARY = 'limite'
const body = Buffer.concat([
  Buffer.from(`--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="foto.png"\r\ncontent-type: image/png\r\n\r\n`),
  Buffer.alloc(11 * MB, 1),
  Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
])
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`

const refused = (): Record<string, Refused> => ({
  'a file that is too large': { path: '/api/files', token: people.ana.token, type: MULTIPART, status: 413 },
  'a file without a token': { path: '/api/files/s3', token: null, type: MULTIPART, status: 401 },
  'a file with a token that does not verify': { path: '/api/files', token: `${people.ana.token}x`, type: MULTIPART, status: 401 },
  'a file of an account that is no more': { path: '/api/files', token: people.gone.token, type: MULTIPART, status: 401 },
  'a body that is no form': { path: '/api/files', token: people.ana.token, type: 'image/png', status: 415 },
  'JSON that is too long': { path: '/api/checkout', token: people.ana.token, type: 'application/json', status: 413 },
  'a body for nobody': { path: '/api/nada', token: null, type: 'application/json', status: 413 },
  'a body for the log-in': { path: '/identidad/v1/accounts:signUp?key=x', token: null, type: 'application/json', status: 413 },
})

const headersOf = ({ token, type }: Refused) => ({ 'content-type': type, ...(token ? { authorization: `Bearer ${token}` } : {}) })

/** The status that a client reads; what it throws when the connection is gone before. */
const clients: Record<string, (what: Refused) => Promise<number>> = {
  async fetch(what) {
    const answer = await fetch(on.url + what.path, { method: 'POST', headers: headersOf(what), body })
    await answer.text()
    return answer.status
  },
  async 'fetch, streaming'(what) {
    const stream = Readable.toWeb(Readable.from([body.subarray(0, MB), body.subarray(MB)])) as unknown as ReadableStream
    const init = { method: 'POST', headers: headersOf(what), body: stream, duplex: 'half' }
    const answer = await fetch(on.url + what.path, init as RequestInit)
    await answer.text()
    return answer.status
  },
  'node:http, the whole body before it looks at the answer': (what) =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(on.url)
      const socket = connect(Number(port), hostname)
      const head = Object.entries(headersOf(what)).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.pause()
      socket.write(`POST ${what.path} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-length: ${body.length}\r\n${head.join('')}\r\n`)
      socket.write(body, (error) => {
        if (error) return reject(error)
        let text = ''
        socket.on('data', (chunk) => {
          text += chunk
        })
        socket.on('end', () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1])))
        socket.resume()
      })
      socket.on('error', reject).on('close', () => reject(new Error('Closed without an answer.')))
    }),
  'node:http, one connection for one request': (what) =>
    new Promise((resolve, reject) => {
      const asking = request(on.url + what.path, { method: 'POST', headers: headersOf(what), agent: false }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
      })
      asking.on('error', reject)
      asking.end(body)
    }),
}

describe('a refusal before the body has arrived', () => {
  it.each(Object.keys(clients))('a refusal before the body has arrived is read as a status by %s', async (client) => {
    for (const [name, what] of Object.entries(refused()))
      for (let n = 0; n < 3; n++) expect({ name, status: await clients[client]?.(what) }).toEqual({ name, status: what.status })
  })
})

describe('the remaining body', () => {
  const send = async (limits: { bytes: number; ms: number }) => {
    const app = Fastify({ forceCloseConnections: true, bodyLimit: 1_000 })
    lingerBeforeClose(app, limits)
    app.post('/', async () => ({}))
    const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => {}).resume()
    socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000000000\r\n\r\n')
    return { app, socket, closed: new Promise((resolve) => socket.once('close', resolve)) }
  }

  it('the remaining body of a refused request is read up to a number of bytes', async () => {
    const { app, socket, closed } = await send({ bytes: 5 * MB, ms: 600_000 })
    let sent = 0
    const more = () => {
      while (!socket.destroyed && socket.write(Buffer.alloc(MB))) sent++
    }
    socket.on('drain', more)
    more()
    await closed
    expect(sent).toBeLessThan(900)
    await app.close()
  })

  it('the remaining body of a refused request is read for a limited time', async () => {
    const { app, closed } = await send({ bytes: 5 * MB, ms: 100 })
    await closed
    await app.close()
  })
})
