/** Addresses of videos that are accepted, and how they are normalised (docs/domain.md, O5 and O6; S2-2.65). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { embedOf, PLAYER_SITES } from './video-players.ts'

const YT = 'dQw4w9WgXcQ'
const HEX = '5d5bc37ffcf54c9b82e996823bffbb81'
const UUID = '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed'
const youtube = `https://www.youtube-nocookie.com/embed/${YT}?rel=0&playsinline=1`

describe('the player of an address (O5)', () => {
  test.each([
    // YouTube
    [`https://www.youtube.com/watch?v=${YT}`, youtube],
    [`https://youtube.com/watch?feature=share&v=${YT}&list=PLabc`, youtube],
    [`https://m.youtube.com/watch?v=${YT}`, youtube],
    [`http://youtu.be/${YT}`, youtube],
    [`youtu.be/${YT}?si=abc`, youtube],
    [`https://youtu.be/${YT}?t=1m5s`, `${youtube}&start=65`],
    [`https://www.youtube.com/watch?v=${YT}&t=90`, `${youtube}&start=90`],
    [`https://www.youtube.com/shorts/${YT}`, youtube],
    [`https://www.youtube.com/live/${YT}?feature=shared`, youtube],
    [`https://www.youtube.com/embed/${YT}`, youtube],
    [`https://www.youtube-nocookie.com/embed/${YT}`, youtube],
    // Vimeo: what is not listed opens with its second part
    ['https://vimeo.com/76979871', 'https://player.vimeo.com/video/76979871?dnt=1'],
    ['https://vimeo.com/76979871/8272103f6e', 'https://player.vimeo.com/video/76979871?h=8272103f6e&dnt=1'],
    ['https://player.vimeo.com/video/76979871?h=8272103f6e&title=0', 'https://player.vimeo.com/video/76979871?h=8272103f6e&dnt=1'],
    ['https://vimeo.com/channels/staffpicks/76979871', 'https://player.vimeo.com/video/76979871?dnt=1'],
    ['https://vimeo.com/showcase/123456/video/76979871', 'https://player.vimeo.com/video/76979871?dnt=1'],
    ['https://vimeo.com/manage/videos/76979871/8272103f6e', 'https://player.vimeo.com/video/76979871?h=8272103f6e&dnt=1'],
    // The others
    ['https://vaiven.wistia.com/medias/e4a27b971d', 'https://fast.wistia.net/embed/iframe/e4a27b971d'],
    ['https://fast.wistia.net/embed/iframe/e4a27b971d?autoplay=1', 'https://fast.wistia.net/embed/iframe/e4a27b971d'],
    [
      `https://customer-m033z5x00ks6nunl.cloudflarestream.com/${HEX}/watch`,
      `https://customer-m033z5x00ks6nunl.cloudflarestream.com/${HEX}/iframe`,
    ],
    [
      `https://customer-m033z5x00ks6nunl.cloudflarestream.com/${HEX}/manifest/video.m3u8`,
      `https://customer-m033z5x00ks6nunl.cloudflarestream.com/${HEX}/iframe`,
    ],
    [`https://watch.cloudflarestream.com/${HEX}`, `https://iframe.cloudflarestream.com/${HEX}`],
    [`https://iframe.videodelivery.net/${HEX}`, `https://iframe.videodelivery.net/${HEX}`],
    [`https://iframe.mediadelivery.net/play/759/${UUID}`, `https://iframe.mediadelivery.net/embed/759/${UUID}`],
    [`https://video.bunnycdn.com/embed/759/${UUID}?autoplay=true`, `https://iframe.mediadelivery.net/embed/759/${UUID}`],
    [`https://www.loom.com/share/${HEX}?sid=1`, `https://www.loom.com/embed/${HEX}`],
    [`https://loom.com/share/como-respirar-${HEX}`, `https://www.loom.com/embed/${HEX}`],
    ['https://stream.mux.com/DS00Spx1CV902MCtPj5WknGlR102V5HFkDe.m3u8', 'https://player.mux.com/DS00Spx1CV902MCtPj5WknGlR102V5HFkDe'],
    ['https://player.mux.com/DS00Spx1CV902MCtPj5WknGlR102V5HFkDe', 'https://player.mux.com/DS00Spx1CV902MCtPj5WknGlR102V5HFkDe'],
  ])('%s', (address, src) => {
    expect(embedOf(address)).toEqual({ kind: 'iframe', src, host: new URL(src).hostname })
  })

  test.each([
    ['https://cdn.vaiven.mx/clases/yin.mp4', 'https://cdn.vaiven.mx/clases/yin.mp4'],
    ['https://cdn.vaiven.mx:8443/Yin.WEBM?firma=a%2Fb', 'https://cdn.vaiven.mx:8443/Yin.WEBM?firma=a%2Fb'],
    ['cdn.vaiven.mx/yin.mp4#t=10', 'https://cdn.vaiven.mx/yin.mp4#t=10'],
  ])('a file that browsers play: %s', (address, src) => {
    expect(embedOf(address)).toEqual({ kind: 'file', src, host: 'cdn.vaiven.mx' })
  })

  test.each([
    ['nothing', ''],
    ['a word', 'hola'],
    ['another site', 'https://ejemplo.mx/video/1'],
    ['a file over http', 'http://cdn.vaiven.mx/yin.mp4'],
    ['a list of pieces, which not every browser plays', 'https://cdn.vaiven.mx/yin.m3u8'],
    ['a film of a camera', 'https://cdn.vaiven.mx/yin.mov'],
    ['a script', 'javascript:alert(1)//x.mp4'],
    ['data', 'data:video/mp4;base64,AAAA'],
    ['a file of this machine', 'file:///yin.mp4'],
    ['a path of ours', '/archivos/privado/abc.mp4'],
    ['a protocol of nobody', '//youtu.be/dQw4w9WgXcQ'],
    ['a name and a password', `https://ana:clave@youtu.be/${YT}`],
    ['a number instead of a name', 'https://127.0.0.1/yin.mp4'],
    ['a machine without a domain', 'https://localhost/yin.mp4'],
    ['YouTube without a video', 'https://www.youtube.com/@vaiven'],
    ['a list of YouTube', 'https://www.youtube.com/playlist?list=PLabc'],
    ['an id that is too long', `https://youtu.be/${YT}x`],
    ['a site that only ends like it', `https://noyoutube.com/watch?v=${YT}`],
    ['a site that only begins like it', `https://youtube.com.ejemplo.mx/watch?v=${YT}`],
    ['another port', `https://youtu.be:8443/${YT}`],
    ['a profile of Vimeo', 'https://vimeo.com/vaiven'],
    ['an event of Vimeo', 'https://vimeo.com/event/1234567'],
    ['a policy in disguise', `https://youtu.be/${YT};script-src *`],
    ['a line end', `https://youtu.be/${YT}\n.mp4`],
    ['a backslash', `https:\\\\youtu.be\\${YT}`],
  ])('refuses %s', (_what, address) => {
    expect(embedOf(address)).toBeNull()
  })
})

/** Whether a policy with the sites would let a frame show an address, as browsers read it. */
const allowed = (src: string) => {
  const { protocol, hostname, port } = new URL(src)
  return PLAYER_SITES.some((site) => {
    const [, host = ''] = /^https:\/\/(.+)$/.exec(site) ?? []
    const fits = host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host
    return fits && protocol === 'https:' && port === ''
  })
}

describe('whatever is typed (O6)', () => {
  const hosts = ['youtube.com', 'www.youtube.com', 'youtu.be', 'vimeo.com', 'player.vimeo.com', 'x.wistia.com', 'fast.wistia.net']
  const more = [
    'customer-abcdefgh12.cloudflarestream.com',
    'iframe.videodelivery.net',
    'iframe.mediadelivery.net',
    'www.loom.com',
    'stream.mux.com',
  ]
  const step = fc.oneof(
    fc.constantFrom(
      'watch',
      'embed',
      'shorts',
      'video',
      'medias',
      'iframe',
      'share',
      'play',
      '759',
      '76979871',
      '..',
      '%2e',
      YT,
      HEX,
      UUID,
    ),
    fc.string({ maxLength: 12 }),
    fc.string({ unit: 'binary', maxLength: 6 }),
  )
  const address = fc
    .tuple(
      fc.constantFrom('https://', 'http://', '', 'https://a@', 'javascript://', 'HTTPS://'),
      fc.oneof(fc.constantFrom(...hosts, ...more, 'cdn.mx', 'evil.mx:99'), fc.domain(), fc.string({ maxLength: 20 })),
      fc.array(step, { maxLength: 4 }),
      fc.constantFrom('', '.mp4', '.webm', '.m3u8', `?v=${YT}`, '?h="><script>', "?h='onload=", '#x'),
    )
    .map(([scheme, host, steps, end]) => `${scheme}${host}/${steps.join('/')}${end}`)

  test('what is answered is https, of a host that the policy allows or a file, and nothing that steers a page', () => {
    fc.assert(
      fc.property(fc.oneof(address, fc.string()), (typed) => {
        const embed = embedOf(typed)
        if (embed === null) return
        const url = new URL(embed.src)
        expect([url.protocol, url.username, url.password, embed.host]).toEqual(['https:', '', '', url.hostname])
        expect(embed.src).not.toMatch(/["<>\s\\]/)
        if (embed.kind === 'iframe') {
          expect([embed.src, allowed(embed.src)]).toEqual([embed.src, true])
          expect(embed.src).not.toMatch(/[';,]/)
        } else expect(url.pathname).toMatch(/\.(?:mp4|webm)$/i)
      }),
      { numRuns: 4_000 },
    )
  })

  test('what was derived once stays the same when it is derived again', () => {
    fc.assert(
      fc.property(address, (typed) => {
        const embed = embedOf(typed)
        if (embed?.kind !== 'iframe' || embed.src.includes('start=')) return
        expect(embedOf(embed.src)).toEqual(embed)
      }),
      { numRuns: 2_000 },
    )
  })
})
