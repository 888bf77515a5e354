/**
 * A small S3 server on loopback (path style: PUT, GET with ranges, HEAD, DELETE). Every request must have a valid Signature V4 for the
 * secret, the bucket and the bytes.
 */
import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface StoredObject {
  bytes: Buffer
  type: string
  disposition: string
  cacheControl: string
}

export interface LoopbackS3 {
  url: string
  /** Objects by key. */
  objects: Map<string, StoredObject>
  /** Refused requests with the reason. */
  refused: string[]
  /** Responds with this status to the next requests instead of executing them. */
  failNext(status: number, times: number): void
  close(): Promise<void>
}

interface Account {
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()
const encoded = (text: string) => encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

export async function loopbackS3(account: Account): Promise<LoopbackS3> {
  const objects = new Map<string, StoredObject>()
  const refused: string[] = []
  const failures: number[] = []

  const server = createServer((req, res) => {
    const parts: Buffer[] = []
    req.on('data', (part: Buffer) => parts.push(part))
    req.on('end', () => {
      const failure = failures.shift()
      if (failure) return answer(res, failure, 'SlowDown')
      const body = Buffer.concat(parts)
      const no = whyNot(account, req, body)
      if (no) {
        refused.push(no)
        return answer(res, 403, 'SignatureDoesNotMatch')
      }
      handle(req, res, body)
    })
  })

  function handle(req: IncomingMessage, res: ServerResponse, body: Buffer) {
    const { pathname } = new URL(req.url ?? '/', 'http://s3')
    const [, bucket, ...rest] = pathname.split('/')
    const key = rest.map(decodeURIComponent).join('/')
    if (bucket !== account.bucket) return answer(res, 404, 'NoSuchBucket')
    if (req.method === 'PUT') {
      objects.set(key, {
        bytes: body,
        type: req.headers['content-type'] ?? '',
        disposition: String(req.headers['content-disposition'] ?? ''),
        cacheControl: req.headers['cache-control'] ?? '',
      })
      return void res.writeHead(200, { etag: `"${createHash('md5').update(body).digest('hex')}"` }).end()
    }
    if (req.method === 'DELETE') {
      objects.delete(key)
      return void res.writeHead(204).end()
    }
    const found = objects.get(key)
    if (!found) return answer(res, 404, 'NoSuchKey')
    const range = /^bytes=(\d+)-(\d+)$/.exec(req.headers.range ?? '')
    const bytes = range ? found.bytes.subarray(Number(range[1]), Number(range[2]) + 1) : found.bytes
    res.writeHead(range ? 206 : 200, {
      'content-type': found.type,
      'content-length': bytes.length,
      ...(range ? { 'content-range': `bytes ${range[1]}-${range[2]}/${found.bytes.length}` } : {}),
    })
    res.end(req.method === 'HEAD' ? undefined : bytes)
  }

  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    refused,
    failNext: (status, times) => void failures.push(...Array.from({ length: times }, () => status)),
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

function answer(res: ServerResponse, status: number, code: string) {
  res.writeHead(status, { 'content-type': 'application/xml' })
  res.end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`)
}

/** Why a request's Signature V4 is invalid; null when it is valid. */
function whyNot(account: Account, req: IncomingMessage, body: Buffer): string | null {
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      req.headers.authorization ?? '',
    )
  if (!match) return 'There is no Signature V4.'
  const [, accessKey, day = '', region = '', signed = '', signature] = match
  if (accessKey !== account.accessKeyId) return 'The access key is unknown.'
  if (region !== account.region) return 'The region is another.'
  const at = String(req.headers['x-amz-date'] ?? '')
  if (!at.startsWith(day)) return 'The date is not the one that was signed.'
  const hash = String(req.headers['x-amz-content-sha256'] ?? '')
  if (hash !== 'UNSIGNED-PAYLOAD' && hash !== sha256(body)) return 'The bytes are not the ones that were signed.'
  const names = signed.split(';')
  for (const needed of ['host', 'x-amz-date', 'x-amz-content-sha256']) if (!names.includes(needed)) return `${needed} is not signed.`

  const url = new URL(req.url ?? '/', 'http://s3')
  const path = url.pathname
    .split('/')
    .map((part) => encoded(decodeURIComponent(part)))
    .join('/')
  const query = [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&')
  const headers = names
    .map(
      (name) =>
        `${name}:${String(req.headers[name] ?? '')
          .trim()
          .replace(/ +/g, ' ')}\n`,
    )
    .join('')
  const canonical = [req.method, path, query, headers, signed, hash].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const key = hmac(hmac(hmac(hmac(`AWS4${account.secretAccessKey}`, day), region), 's3'), 'aws4_request')
  const ours = hmac(key, ['AWS4-HMAC-SHA256', at, scope, sha256(canonical)].join('\n')).toString('hex')
  return ours === signature ? null : 'The signature does not fit.'
}
