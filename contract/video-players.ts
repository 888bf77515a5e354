/**
 * From the address of a video to what a browser plays. Pure: the server derives it, and the policy of the player's page opens for exactly
 * these hosts (docs/domain.md, O5 and O6; docs/decisions/013-how-videos-are-played.md).
 */

/** What the page puts where the video stands. `host` is null for a file of the studio's own. */
export interface Embed {
  kind: 'iframe' | 'file'
  src: string
  host: string | null
}

/** Where players in frames come from: the sources of `frame-src`. Cloudflare gives each account a name of its own under one domain. */
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
  /** The address of the player, or null when no video is named. */
  player(url: URL, parts: readonly string[]): string | null
}

const YOUTUBE_ID = /^[A-Za-z0-9_-]{11}$/
const VIMEO_PATH =
  /^(?:video\/|videos\/|manage\/videos\/|channels\/[\w-]+\/|groups\/[\w-]+\/videos\/|(?:showcase|album)\/\d+\/video\/)?(\d{5,12})(?:\/([^/]*))?/
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const CLOUDFLARE_ID = /^[0-9a-f]{32}$/i
const is = (pattern: RegExp, text: string | null | undefined): text is string => typeof text === 'string' && pattern.test(text)

/** "90", "90s" or "1h2m3s" -> seconds; 0 when it says nothing. */
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
      // What is not listed has a second part that opens it.
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
      // A title may stand before the id: /share/como-respirar-<id>
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

/** What every browser plays by itself; a list of pieces (.m3u8) is not. */
const PLAYABLE = /\.(?:mp4|webm)$/i

/**
 * How the video at an address is shown; null when nothing here can show it. Accepted: YouTube, Vimeo, Wistia, Cloudflare Stream, Bunny,
 * Loom, Mux, and an https address of an .mp4 or .webm file. Without a scheme https is meant; what is answered is always https.
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
