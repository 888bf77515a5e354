/** The studio's icon for home screens, in its brand (S1-3.04, design section 9). */
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { studio, type TestStudio } from '#server/testing/studio.ts'
import { plain, storedFiles } from '#server/testing/uploads.ts'
import { brandIcon } from './art/brand-icon.ts'
import { initialOf } from './art/letterforms.ts'

let on: TestStudio
beforeAll(async () => {
  on = await studio({ settings: { business_name: 'Ágora', primary: '#D92B36' } })
})
afterAll(() => on.close())

async function icon(file: string) {
  const answer = await fetch(`${on.url}/iconos/${file}`)
  expect([file, answer.status, answer.headers.get('content-type')]).toEqual([file, 200, 'image/png'])
  const bytes = Buffer.from(await answer.arrayBuffer())
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) => [
    ...data.subarray((Math.round(y * info.height) * info.width + Math.round(x * info.width)) * 4).subarray(0, 4),
  ]
  const colours = new Set<string>()
  for (let point = 0; point < data.length; point += 4) colours.add(data.subarray(point, point + 4).toString('hex'))
  return { width: info.width, height: info.height, at, colours }
}
const RED = [0xd9, 0x2b, 0x36, 255]

it('icons of the site are PNG squares of each size in the brand colour, with the studio’s letter', async () => {
  for (const [file, size] of [
    ['180.png', 180],
    ['192.png', 192],
    ['512.png', 512],
    ['recorte-512.png', 512],
  ] as const) {
    const picture = await icon(file)
    expect([picture.width, picture.height]).toEqual([size, size])
    expect(picture.at(0.5, 0.08)).toEqual(RED)
    // The letter: something else than the tile, in the middle half.
    expect(picture.colours.size).toBeGreaterThan(2)
  }
  const [tab, home, cut] = [await icon('512.png'), await icon('180.png'), await icon('recorte-512.png')]
  expect(tab.at(0, 0)[3]).toBe(0)
  expect(home.at(0, 0)).toEqual(RED)
  expect(cut.at(0, 0)).toEqual(RED)
  // What a device may cut away, a fifth on each side, holds no part of the letter.
  for (const side of [0.02, 0.19, 0.81, 0.98]) for (const other of [0.02, 0.5, 0.98]) expect(cut.at(side, other)).toEqual(RED)
})

it('icons of the site follow the brand at once', async () => {
  await on.change({ primary: '#0B6E4F' })
  await expect.poll(async () => (await icon('180.png')).at(0, 0)).toEqual([0x0b, 0x6e, 0x4f, 255])
})

it('icons of the site are the studio’s own image where it is large enough', async () => {
  const owner = await on.make.staff('owner')
  const file = await storedFiles(on, owner, await plain(400, 400).png().toBuffer(), 'icono.png', { is_public: true })
  await on.change({ favicon: file.src })
  await expect.poll(async () => (await icon('192.png')).at(0.5, 0.5)).toEqual([0x2b, 0x36, 0xd9, 255])
  const home = await icon('180.png')
  expect(home.at(0.5, 0.5)).toEqual([0x2b, 0x36, 0xd9, 255])
  expect(home.at(0.01, 0.01)).not.toEqual([0x2b, 0x36, 0xd9, 255])

  const small = await storedFiles(on, owner, await plain(32, 32).png().toBuffer(), 'chico.png', { is_public: true })
  await on.change({ favicon: small.src, primary: '#D92B36' })
  await expect.poll(async () => (await icon('180.png')).at(0, 0)).toEqual(RED)
})

it('icons of the site exist in no other sizes', async () => {
  for (const file of ['64.png', '513.png', 'constructor', '..%2f..%2fetc%2fpasswd', '180.svg'])
    expect([file, (await fetch(`${on.url}/iconos/${file}`)).status]).toEqual([file, 404])
})

it('icons of the site use the first letter or digit of any name, without a font', () => {
  expect(initialOf('Ágora')).toEqual(initialOf('agora'))
  expect(initialOf('ñandú')).not.toEqual(initialOf('nandú'))
  expect(initialOf('«8» rounds')).toEqual(initialOf('8'))
  expect(initialOf('日本')).toEqual(initialOf('E'))
  expect(brandIcon({ ...on.studio.settings(), business_name: '<script>' }, 'tab')).not.toMatch(/<text|script/)
})
