/** DER (ITU-T X.690), as much of it as a signature and the certificates in it need. */

/** One value: its tag, its content, and all of its bytes. */
export interface DerValue {
  tag: number
  content: Buffer
  whole: Buffer
}

const lengthOf = (size: number): Buffer => {
  if (size < 0x80) return Buffer.from([size])
  const hex = size.toString(16)
  const bytes = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes])
}

export function encodeDer(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content])
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => encodeDer(0x30, ...parts)

/** A SET OF, whose values DER sorts by their bytes. `tag`: of an implicit one. */
export const encodeSet = (values: readonly Buffer[], tag = 0x31): Buffer => encodeDer(tag, ...[...values].sort(Buffer.compare))

export const integer = (value: number): Buffer => encodeDer(0x02, Buffer.from([value]))
export const octets = (bytes: Uint8Array): Buffer => encodeDer(0x04, bytes)

/** An object identifier from its dotted form. */
export function encodeOid(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number)
  const base128 = (value: number): number[] => {
    const out = [value & 0x7f]
    for (let left = Math.floor(value / 128); left > 0; left = Math.floor(left / 128)) out.unshift((left & 0x7f) | 0x80)
    return out
  }
  return encodeDer(0x06, Buffer.from([first * 40 + second, ...others.flatMap(base128)]))
}

/** An instant: UTCTime, or GeneralizedTime from 2050 on (RFC 5280 section 4.1.2.5). */
export function time(at: Date): Buffer {
  const digits = `${at.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`
  return at.getUTCFullYear() < 2050 ? encodeDer(0x17, Buffer.from(digits.slice(2))) : encodeDer(0x18, Buffer.from(digits))
}

/** The values that follow each other in these bytes. Throws when they are not DER. */
export function readDer(bytes: Buffer): DerValue[] {
  const out: DerValue[] = []
  for (let at = 0; at < bytes.length; ) {
    const [tag, first] = [bytes[at], bytes[at + 1]]
    if (tag === undefined || first === undefined || first === 0x80 || first > 0x84) throw new Error('These bytes are not DER.')
    const more = first < 0x80 ? 0 : first & 0x7f
    const size = more === 0 ? first : bytes.readUIntBE(at + 2, more)
    const start = at + 2 + more
    if (start + size > bytes.length) throw new Error('These bytes are not DER.')
    out.push({ tag, content: bytes.subarray(start, start + size), whole: bytes.subarray(at, start + size) })
    at = start + size
  }
  return out
}
