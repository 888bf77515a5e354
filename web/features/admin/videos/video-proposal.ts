/** Service, picture and title of a video, from its address without a request. Pure. */
import { capitalize } from '#contract/text.ts'
import { embedOf } from '#contract/video-players.ts'

export interface VideoProposal {
  /** "YouTube" */
  service: string
  thumbnail: string | null
  name: string | null
}

const SERVICES: readonly (readonly [RegExp, string])[] = [
  [/youtube/, 'YouTube'],
  [/vimeo/, 'Vimeo'],
  [/wistia/, 'Wistia'],
  [/cloudflarestream|videodelivery/, 'Cloudflare Stream'],
  [/mediadelivery/, 'Bunny'],
  [/loom/, 'Loom'],
  [/mux/, 'Mux'],
]

/** "yin-de-noche_2.mp4" -> "Yin de noche 2". */
export function nameOfFile(file: string): string {
  const words = file
    .replace(/\.[a-z0-9]{2,4}$/i, '')
    .replace(/[\s_-]+/g, ' ')
    .trim()
  return capitalize(words)
}

function thumbnailOf(host: string, path: readonly string[]): string | null {
  const [first = '', second = ''] = path
  if (host === 'www.youtube-nocookie.com') return `https://i.ytimg.com/vi/${second}/hqdefault.jpg`
  if (host === 'player.mux.com') return `https://image.mux.com/${first}/thumbnail.jpg`
  if (host === 'iframe.videodelivery.net') return `https://videodelivery.net/${first}/thumbnails/thumbnail.jpg`
  if (host.startsWith('customer-')) return `https://${host}/${first}/thumbnails/thumbnail.jpg`
  return null
}

/** Null for an address that cannot be played. */
export function proposalOf(address: string): VideoProposal | null {
  const embed = embedOf(address)
  if (!embed) return null
  const { host, pathname } = new URL(embed.src)
  const parts = pathname.split('/').filter((part) => part !== '' && part !== 'embed')
  if (embed.kind === 'file') return { service: 'Archivo', thumbnail: null, name: decodedName(parts.at(-1) ?? '') }
  const service = SERVICES.find(([pattern]) => pattern.test(host))?.[1] ?? host
  const titled = service === 'Loom' ? /\/([^/?]+)-[0-9a-f]{32}(?:[/?#]|$)/i.exec(address)?.[1] : undefined
  return {
    service,
    thumbnail: thumbnailOf(host, host === 'www.youtube-nocookie.com' ? ['', ...parts] : parts),
    name: titled ? decodedName(titled) : null,
  }
}

function decodedName(part: string): string {
  try {
    return nameOfFile(decodeURIComponent(part))
  } catch {
    return nameOfFile(part)
  }
}
