/**
 * The position that embedded players report by `postMessage`, in seconds, without a script of theirs on our page. Pure. YouTube, Vimeo,
 * Bunny and Mux do. Wistia and Cloudflare need a script of theirs on our page for it, and Loom reports nothing.
 */

export interface Position {
  position: number
  length: number
}

interface Protocol {
  /** The address that opens the player at a second and lets it talk to `origin`. */
  src(src: string, seconds: number, origin: string): string
  /** Sent until the player answers; `seconds`: where to begin. */
  hello(seconds: number): readonly unknown[]
  /** The position in a message of the player; null in every other message. `length`: the last one reported. */
  read(message: Message, length: number): Partial<Position> | null
}

type Message = Readonly<Record<string, unknown>>

const withQuery = (src: string, entries: Record<string, string>): string => {
  const url = new URL(src)
  for (const [key, value] of Object.entries(entries)) url.searchParams.set(key, value)
  return url.href
}

const asMessage = (value: unknown): Message => (typeof value === 'object' && value !== null ? (value as Message) : {})
const numberIn = (message: Message, key: string): number | undefined => {
  const value = message[key]
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

const at = (position: number | undefined, length: number | undefined): Partial<Position> | null =>
  position === undefined && length === undefined
    ? null
    : { ...(position === undefined ? {} : { position }), ...(length === undefined ? {} : { length }) }

/** The protocol player.js, which several players speak (github.com/embedly/player.js). */
const playerJs = (method: string, value: unknown) => ({ context: 'player.js', version: '0.0.11', method, value, listener: 'estudio' })
const readPlayerJs: Protocol['read'] = ({ context, event, value }) => {
  if (context !== 'player.js' || event !== 'timeupdate') return null
  const facts = asMessage(value)
  return at(numberIn(facts, 'seconds'), numberIn(facts, 'duration'))
}

const PROTOCOLS: Readonly<Record<string, Protocol>> = {
  'https://www.youtube-nocookie.com': {
    // Captions and controls in Spanish where the video has them.
    src: (src, seconds, origin) =>
      withQuery(src, { enablejsapi: '1', origin, hl: 'es-419', cc_lang_pref: 'es', ...(seconds ? { start: String(seconds) } : {}) }),
    hello: () => [{ event: 'listening', id: 1, channel: 'widget' }],
    read({ event, info }) {
      if (event !== 'infoDelivery' && event !== 'initialDelivery') return null
      const facts = asMessage(info)
      return at(numberIn(facts, 'currentTime'), numberIn(facts, 'duration'))
    },
  },
  'https://player.vimeo.com': {
    src: (src, seconds) => (seconds ? `${src}#t=${seconds}s` : src),
    hello: () => [{ method: 'addEventListener', value: 'timeupdate' }],
    read({ event, data }) {
      if (event !== 'timeupdate' && event !== 'playProgress') return null
      const facts = asMessage(data)
      return at(numberIn(facts, 'seconds'), numberIn(facts, 'duration'))
    },
  },
  'https://iframe.mediadelivery.net': {
    src: (src, seconds) => (seconds ? withQuery(src, { t: String(seconds) }) : src),
    hello: () => [playerJs('addEventListener', 'timeupdate')],
    read: readPlayerJs,
  },
  'https://player.mux.com': {
    // Its address takes a second to begin at in one of its two players only; the protocol in both.
    src: (src, seconds) => (seconds ? withQuery(src, { 'start-time': String(seconds) }) : src),
    hello: (seconds) => [playerJs('addEventListener', 'timeupdate'), ...(seconds ? [playerJs('setCurrentTime', seconds)] : [])],
    read: readPlayerJs,
  },
}

const originOf = (src: string): string => new URL(src).origin

/** The protocol of the player at this address; null when it has none. */
export const protocolOf = (src: string): Protocol | null => PROTOCOLS[originOf(src)] ?? null

/** The address of a player that begins at a second; unchanged for players without a protocol. */
export const playerSrc = (src: string, seconds: number, origin: string): string =>
  protocolOf(src)?.src(src, Math.floor(seconds), origin) ?? src

/** The position that a message carries, with the known length; null when it carries none, or another origin sent it. */
export function positionIn(src: string, from: string, data: unknown, length: number): Position | null {
  const protocol = protocolOf(src)
  if (!protocol || from !== originOf(src)) return null
  const found = protocol.read(parsed(data), length)
  return found ? { position: found.position ?? 0, length: found.length || length } : null
}

function parsed(data: unknown): Message {
  if (typeof data !== 'string') return asMessage(data)
  try {
    return asMessage(JSON.parse(data))
  } catch {
    return {}
  }
}
