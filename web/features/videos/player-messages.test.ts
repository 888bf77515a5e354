import { describe, expect, test } from 'vitest'
import { embedOf } from '#contract/video-players.ts'
import { playerSrc, positionIn, protocolOf } from './player-messages.ts'

const srcOf = (address: string): string => embedOf(address)?.src ?? ''
const YOUTUBE = srcOf('https://youtu.be/dQw4w9WgXcQ?t=20')
const VIMEO = srcOf('https://vimeo.com/76979871/8272103f6e')
const BUNNY = srcOf('https://iframe.mediadelivery.net/embed/123/0b1f2c3d-4e5f-6a7b-8c9d-0e1f2a3b4c5d')
const MUX = srcOf('https://stream.mux.com/AbCdEf0123456789AbCdEf0123456789')
const LOOM = srcOf('https://www.loom.com/share/0123456789abcdef0123456789abcdef')
const WISTIA = srcOf('https://fast.wistia.net/embed/iframe/abcde12345')
const CLOUDFLARE = srcOf('https://iframe.videodelivery.net/0123456789abcdef0123456789abcdef')
const HERE = 'https://estudio.example'

describe('embedded players and the second they are at (O18)', () => {
  test('the address begins at the second, and talks to this origin only', () => {
    const youtube = new URL(playerSrc(YOUTUBE, 95.7, HERE))
    expect(Object.fromEntries(youtube.searchParams)).toMatchObject({
      start: '95',
      enablejsapi: '1',
      origin: HERE,
      cc_lang_pref: 'es',
      rel: '0',
    })
    // Not begun: the second of the studio's own address stays.
    expect(new URL(playerSrc(YOUTUBE, 0, HERE)).searchParams.get('start')).toBe('20')
    expect(playerSrc(VIMEO, 95, HERE)).toBe(`${VIMEO}#t=95s`)
    expect(playerSrc(VIMEO, 0, HERE)).toBe(VIMEO)
    expect(playerSrc(BUNNY, 95, HERE)).toBe(`${BUNNY}?t=95`)
    expect(playerSrc(MUX, 95.7, HERE)).toBe(`${MUX}?start-time=95`)
    expect(playerSrc(MUX, 0, HERE)).toBe(MUX)
    for (const silent of [LOOM, WISTIA, CLOUDFLARE]) {
      expect(playerSrc(silent, 95, HERE)).toBe(silent)
      expect(protocolOf(silent)).toBeNull()
    }
  })

  test('a player of Mux is told where to begin, and only when one stopped there before', () => {
    const methods = (seconds: number) => protocolOf(MUX)?.hello(seconds)
    expect(methods(0)).toEqual([expect.objectContaining({ context: 'player.js', method: 'addEventListener', value: 'timeupdate' })])
    expect(methods(95)).toContainEqual(expect.objectContaining({ context: 'player.js', method: 'setCurrentTime', value: 95 }))
  })

  test.each([
    ['YouTube', YOUTUBE, { event: 'infoDelivery', info: { currentTime: 12.5 } }, { position: 12.5, length: 300 }],
    ['YouTube at first', YOUTUBE, { event: 'initialDelivery', info: { currentTime: 0, duration: 250 } }, { position: 0, length: 250 }],
    ['Vimeo', VIMEO, { event: 'timeupdate', data: { seconds: 9, duration: 120 } }, { position: 9, length: 120 }],
    ['Bunny', BUNNY, { context: 'player.js', event: 'timeupdate', value: { seconds: 9, duration: 120 } }, { position: 9, length: 120 }],
    ['Mux', MUX, { context: 'player.js', event: 'timeupdate', value: { seconds: 9, duration: 120 } }, { position: 9, length: 120 }],
  ])('reads %s, as text or as an object', (_provider, src, message, position) => {
    const from = new URL(src).origin
    expect(positionIn(src, from, JSON.stringify(message), 300)).toEqual(position)
    expect(positionIn(src, from, message, 300)).toEqual(position)
    expect(positionIn(src, 'https://otro.example', message, 300)).toBeNull()
  })

  test.each([
    null,
    7,
    'no json',
    '{',
    '[]',
    { event: 'infoDelivery' },
    { event: 'infoDelivery', info: { currentTime: 'x' } },
    { event: 'ready' },
  ])('other messages say nothing: %j', (message) => {
    for (const src of [YOUTUBE, VIMEO, BUNNY, MUX, LOOM]) expect(positionIn(src, new URL(src).origin, message, 300)).toBeNull()
  })
})
