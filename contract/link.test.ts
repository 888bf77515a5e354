/** Addresses: what a visitor can follow, and what is only half of one (G1, G3). */
import { expect, test } from 'vitest'
import { isInstagram } from './instagram.ts'
import { isIcon, isLink, isWebAddress, linkOrNull } from './link.ts'
import { baseAddress, link, requiredLink, secureLink } from './link-fields.ts'
import { settings } from './settings.ts'

const WHOLE = [
  '/',
  '/paquetes?ver=online#precios',
  '/archivos/a b.png'.replace(' ', '%20'),
  'https://vaiven.mx',
  'http://localhost:3000/x',
  'https://www.google.com/maps/search/?api=1&query=Tonal%C3%A1+118',
  'https://estudio.mx:8443/á?q=ñ#x',
  'https://xn--vaivn-fsa.mx',
  'https://vaivén.mx/',
  'https://[::1]:3000/',
  'mailto:hola@vaiven.mx',
  'mailto:hola@vaiven.mx?subject=Hola',
  'tel:+525548217390',
]
const HALF = [
  'https://',
  'https:///',
  'https://[',
  'http://[',
  'https://exa mple',
  'https://exa\nmple.mx',
  ' https://',
  'https://?',
  'https://#',
  'https://.',
  'https://..',
  'https://a..b',
  'https://-a.mx',
  'https://mx:99999',
  'https://%',
  'https:/vaiven.mx',
  'https:vaiven.mx',
  'https',
  'vaiven.mx',
  'www.vaiven.mx',
  '//otro.mx/x',
  '/\\otro.mx',
  'https:\\\\otro.mx',
  'javascript:alert(1)',
  'JavaScript:alert(1)//',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  'https://ana:clave@vaiven.mx',
  'https://vaiven.mx/\u202Egnp.exe',
  'https://vaiven.mx/"><script>',
  'mailto:',
  'mailto:ana',
  'tel:',
  'tel:javascript',
  '/x\u0000',
]

test('a whole address passes, a half-typed one or a script does not', () => {
  for (const text of WHOLE) {
    expect(isLink(text), text).toBe(true)
    expect(link.parse(`  ${text} `), text).toBe(text)
    expect(linkOrNull(text)).toBe(text)
  }
  for (const text of HALF) {
    expect(isLink(text), JSON.stringify(text)).toBe(false)
    expect(isWebAddress(text), JSON.stringify(text)).toBe(false)
    expect(linkOrNull(text)).toBeNull()
  }
  expect(link.parse('  ')).toBe('')
  expect(requiredLink.safeParse('').success).toBe(false)
  expect(secureLink.safeParse('http://vaiven.mx').success).toBe(false)
  expect(secureLink.parse('')).toBe('')
})

test('every setting that is an address refuses half of one and says so', () => {
  const addresses = Object.entries(settings).filter(([, { schema }]) => (schema as unknown) === link || (schema as unknown) === baseAddress)
  expect(addresses.map(([key]) => key)).toEqual(
    expect.arrayContaining([
      'navbar_logo',
      'favicon',
      'social_media_image',
      'hero_image',
      'hero_link',
      'banner_link',
      'filesBaseSrc',
      'S3_ENDPOINT',
      'checkout_redirect_url',
    ]),
  )
  for (const [key, { schema }] of addresses)
    for (const text of HALF.filter((half) => !isLink(half.trim()))) {
      const read = schema.safeParse(text)
      expect(read.error?.issues[0]?.message, `${key} ${text}`).toMatch(/^Escribe una dirección completa/)
    }
  expect(settings.filesBaseSrc.schema.safeParse('/archivos').success).toBe(false)
  expect(settings.filesBaseSrc.schema.safeParse('https://cdn.mx/?x').success).toBe(false)
  expect(settings.S3_ENDPOINT.schema.safeParse('https://cdn.mx/').success).toBe(true)
  for (const text of ['hola', 'hola@', '@x.mx']) expect(settings.email.schema.safeParse(text).success).toBe(false)
  // Further west than 12 hours there is no zone.
  expect(settings.timezone_offset.schema.safeParse(13).success).toBe(false)
})

test('a sign beside a class is an emoji or a whole address; an account of Instagram is named', () => {
  for (const text of ['', '🔥', 'Nuevo', '/iconos/x.png', 'https://cdn.mx/x.png']) expect(isIcon(text), text).toBe(true)
  for (const text of ['https://', '//x', 'http://[', 'javascript://x']) expect(isIcon(text), text).toBe(false)
  for (const text of ['', '@vaiven.mx', 'vaiven', 'https://www.instagram.com/vaiven/?hl=es']) expect(isInstagram(text), text).toBe(true)
  for (const text of ['https://', 'https://otro.mx/x', 'dos palabras', '@']) expect(isInstagram(text), text).toBe(false)
})
