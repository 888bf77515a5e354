/**
 * Maps a video's URL to its player. Pure: the server derives the player, and the Content-Security-Policy of the player's page allows
 * exactly these hosts (docs/domain.md, O5 and O6; docs/decisions/013-how-videos-are-played.md).
 */

/** The element that plays the video. `host` is null for an uploaded file. */
export interface Embed {
  kind: 'iframe' | 'file'
  src: string
  host: string | null
}

/** Origins of embedded players: the sources of `frame-src`. Cloudflare gives each account a subdomain of one domain. */
export const PLAYER_SITES = [
  'https://www.youtube-nocookie.com',
  'https://player.vimeo.com',
  'https://fast.wistia.net',
  'https://*.cloudflarestream.com',
  'https://iframe.videodelivery.net',
  'https://iframe.mediadelivery.net',
  'https://www.loom.com',
  'https://player.mux.com',
] as const

interface Provider {
  hosts: RegExp
  /** The URL of the player, or null when the URL names no video. */
  player(url: URL, parts: readonly string[]): string | null
}

const YOUTUBE_ID = /^[A-Za-z0-9_-]{11}$/
const VIMEO_PATH =
  /^(?:video\/|videos\/|manage\/videos\/|channels\/[\w-]+\/|groups\/[\w-]+\/videos\/|(?:showcase|album)\/\d+\/video\/)?(\d{5,12})(?:\/([^/]*))?/
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const CLOUDFLARE_ID = /^[0-9a-f]{32}$/i
const is = (pattern: RegExp, text: string | null | undefined): text is string => typeof text === 'string' && pattern.test(text)

/** "90", "90s" or "1h2m3s" -> seconds; 0 without a time. */
function secondsIn(text: string | null): number {
  const found = /^(?:(\d{1,2})h)?(?:(\d{1,3})m)?(?:(\d{1,5})s?)?$/.exec(text ?? '')
  return found ? Number(found[1] ?? 0) * 3_600 + Number(found[2] ?? 0) * 60 + Number(found[3] ?? 0) : 0
}

const PROVIDERS: readonly Provider[] = [
  {
    hosts: /^(?:(?:www\.|m\.|music\.)?youtube\.com|(?:www\.)?youtube-nocookie\.com|(?:www\.)?youtu\.be)$/,
    player(url, [first, second]) {
      const short = url.hostname.endsWith('youtu.be')
      const named = !short && ['shorts', 'live', 'embed', 'v'].includes(first ?? '')
      const id = short ? first : named ? second : first === 'watch' ? url.searchParams.get('v') : null
      if (!is(YOUTUBE_ID, id)) return null
      const start = secondsIn(url.searchParams.get('t') ?? url.searchParams.get('start'))
      return `https://www.youtube-nocookie.com/embed/${id}?rel=0&playsinline=1${start ? `&start=${start}` : ''}`
    },
  },
  {
    hosts: /^(?:www\.|player\.)?vimeo\.com$/,
    player(url, parts) {
      const [, id, second] = VIMEO_PATH.exec(parts.join('/')) ?? []
      // Unlisted videos have a second path segment, the key that opens them.
      const hash = url.searchParams.get('h') ?? second
      return id ? `https://player.vimeo.com/video/${id}?${is(/^[0-9a-f]{8,16}$/i, hash) ? `h=${hash}&` : ''}dnt=1` : null
    },
  },
  {
    hosts: /^(?:[a-z0-9-]+\.wistia\.(?:com|net)|wi\.st)$/,
    player(_url, parts) {
      const [first, second, third] = parts
      const id = first === 'medias' ? second : first === 'embed' && (second === 'iframe' || second === 'medias') ? third : null
      return is(/^[a-z0-9]{10}$/, id) ? `https://fast.wistia.net/embed/iframe/${id}` : null
    },
  },
  {
    hosts: /^(?:customer-[a-z0-9]{8,32}|iframe|watch|embed)\.cloudflarestream\.com$/,
    player: (url, [id]) =>
      is(CLOUDFLARE_ID, id)
        ? `https://${url.hostname.startsWith('customer-') ? url.hostname : 'iframe.cloudflarestream.com'}/${id}${url.hostname.startsWith('customer-') ? '/iframe' : ''}`
        : null,
  },
  {
    hosts: /^(?:iframe\.|watch\.)?videodelivery\.net$/,
    player: (_url, [id]) => (is(CLOUDFLARE_ID, id) ? `https://iframe.videodelivery.net/${id}` : null),
  },
  {
    hosts: /^(?:(?:iframe|player)\.mediadelivery\.net|video\.bunnycdn\.com)$/,
    player: (_url, [first, library, id]) =>
      (first === 'embed' || first === 'play') && is(/^\d{1,9}$/, library) && is(UUID, id)
        ? `https://iframe.mediadelivery.net/embed/${library}/${id.toLowerCase()}`
        : null,
  },
  {
    hosts: /^(?:www\.)?loom\.com$/,
    player: (_url, [first, last = '']) => {
      // A title may precede the id: /share/como-respirar-<id>
      const id = /(?:^|-)([0-9a-f]{32})$/i.exec(last)?.[1]
      return (first === 'share' || first === 'embed') && id ? `https://www.loom.com/embed/${id}` : null
    },
  },
  {
    hosts: /^(?:player|stream)\.mux\.com$/,
    player: (_url, [first = '']) => {
      const id = first.replace(/\.m3u8$/, '')
      return is(/^[A-Za-z0-9]{20,64}$/, id) ? `https://player.mux.com/${id}` : null
    },
  },
]

/** Files that every browser plays natively; playlists (.m3u8) are not. */
const PLAYABLE = /\.(?:mp4|webm)$/i

/**
 * The player of a video's URL; null when it is not supported. Accepted: YouTube, Vimeo, Wistia, Cloudflare Stream, Bunny, Loom, Mux, and
 * https URLs of .mp4 or .webm files. Without a scheme https is assumed; the result is always https.
 */
export function embedOf(address: string): Embed | null {
  const typed = address.trim()
  if (/[\s\p{Cc}\\]|^\//u.test(typed)) return null
  let url: URL
  try {
    url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`)
  } catch {
    return null
  }
  if (!/^https?:$/.test(url.protocol) || url.username || url.password) return null
  const provider = url.port === '' && PROVIDERS.find(({ hosts }) => hosts.test(url.hostname))
  if (provider) {
    const src = provider.player(
      url,
      url.pathname.split('/').filter((part) => part !== ''),
    )
    return src === null ? null : { kind: 'iframe', src, host: new URL(src).hostname }
  }
  const named = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*$/.test(url.hostname)
  return url.protocol === 'https:' && named && PLAYABLE.test(url.pathname) ? { kind: 'file', src: url.href, host: url.hostname } : null
}
