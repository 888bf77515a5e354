/**
 * A small SMTP server on loopback for tests of the mail port: it implements the protocol, stores what it gets, and refuses some addresses.
 */
import { createServer, type Socket } from 'node:net'

export interface Received {
  from: string
  to: string[]
  /** The message as it came over the wire, dots unstuffed. */
  raw: string
}

export interface LoopbackSmtp {
  port: number
  received: Received[]
  /** Received commands, including log-ins. */
  commands: string[]
  close(): Promise<void>
}

/** `nadie@` does not exist (550), `lleno@` is full for now (452), `no-content@` is refused after its content (554). */
export async function loopbackSmtp(options: { password?: string } = {}): Promise<LoopbackSmtp> {
  const received: Received[] = []
  const commands: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    socket.setEncoding('latin1')
    const reply = (line: string) => socket.write(`${line}\r\n`)
    let mail: Received = { from: '', to: [], raw: '' }
    let inData = false
    let signedIn = options.password === undefined
    let rest = ''
    reply('220 loopback ESMTP')

    function command(line: string) {
      commands.push(line)
      const address = /<([^>]*)>/.exec(line)?.[1] ?? ''
      const verb = line.split(/[ :]/)[0]?.toUpperCase()
      switch (verb) {
        case 'EHLO':
          reply('250-loopback')
          if (options.password !== undefined) reply('250-AUTH PLAIN')
          return reply('250 8BITMIME')
        case 'AUTH': {
          const [, , password] = Buffer.from(line.split(' ')[2] ?? '', 'base64')
            .toString()
            .split('\u0000')
          signedIn = password === options.password
          return reply(signedIn ? '235 welcome' : '535 wrong credentials')
        }
        case 'MAIL':
          if (!signedIn) return reply('530 sign in first')
          mail = { from: address, to: [], raw: '' }
          return reply('250 ok')
        case 'RCPT':
          if (address.startsWith('nadie@')) return reply('550 no such mailbox')
          if (address.startsWith('lleno@')) return reply('452 mailbox full')
          mail.to.push(address)
          return reply('250 ok')
        case 'DATA':
          inData = true
          return reply('354 go on')
        case 'QUIT':
          reply('221 bye')
          return socket.end()
        default:
          return reply(verb === 'RSET' || verb === 'NOOP' ? '250 ok' : '502 unknown')
      }
    }

    socket.on('data', (chunk: string) => {
      rest += chunk
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        if (!inData) command(line)
        else if (line === '.') {
          inData = false
          if (mail.to.some((to) => to.startsWith('no-content@'))) reply('554 not this content')
          else {
            received.push(mail)
            reply('250 kept')
          }
        } else mail.raw += `${line.startsWith('.') ? line.slice(1) : line}\r\n`
      }
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port.')
  return {
    port: address.port,
    received,
    commands,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
}

function decode(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding === 'quoted-printable')
    return Buffer.from(
      body.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      'latin1',
    ).toString('utf8')
  return Buffer.from(body, 'latin1').toString('utf8')
}

function headersOf(block: string): Map<string, string> {
  const headers = new Map<string, string>()
  for (const line of block.replace(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim())
  }
  return headers
}

/** Decodes RFC 2047 encoded words of a header. */
function decodeWords(header: string): string {
  return header
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([BQ])\?(.*?)\?=/gi, (_, kind: string, word: string) =>
      kind.toUpperCase() === 'B' ? decode(word, 'base64') : decode(word.replaceAll('_', ' '), 'quoted-printable'),
    )
}

/** Parses a received message: decoded headers, the text part and the HTML part. */
export function readMessage(raw: string): { header(name: string): string; text: string; html: string } {
  const split = raw.indexOf('\r\n\r\n')
  const headers = headersOf(raw.slice(0, split))
  const boundary = /boundary="?([^";]+)/.exec(headers.get('content-type') ?? '')?.[1]
  const parts = new Map<string, string>()
  for (const part of raw.slice(split).split(`--${boundary}`)) {
    const end = part.indexOf('\r\n\r\n')
    if (end < 0) continue
    const own = headersOf(part.slice(0, end).trim())
    const type = own.get('content-type')?.split(';')[0]
    if (type) parts.set(type, decode(part.slice(end + 4).replace(/\r\n$/, ''), own.get('content-transfer-encoding') ?? '7bit'))
  }
  const clean = (text: string | undefined) => (text ?? '').replaceAll('\r\n', '\n')
  return {
    header: (name) => decodeWords(headers.get(name.toLowerCase()) ?? ''),
    text: clean(parts.get('text/plain')),
    html: clean(parts.get('text/html')),
  }
}
