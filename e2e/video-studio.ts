/** A studio of its own with videos, what its customers have, and the parts of the list of videos, for the browser tests of videos. */
import type { APIRequestContext, Page } from '@playwright/test'
import { type OwnStudio, ownStudio } from './own-studio.ts'
import { type Call, customer, type Person, staff } from './studio-people.ts'
import { test as base, expect } from './test.ts'

export const LIST = '/mystudio/online'
export const VIMEO = 'https://player.vimeo.com'
export const LONG = 'Reformer en casa: centro, espalda y hombros'

/** A player that reports its position as Vimeo's does: at first second 0, after a click second 900 of 3000. */
const PLAYER = `<button onclick="say(900)">Reproducir</button><script>
const say = (seconds) => parent.postMessage(JSON.stringify({ event: 'timeupdate', data: { seconds, duration: 3000 } }), '*')
addEventListener('message', () => say(0), { once: true })
</script>`

/** The studio, with the ids of its test data by name. */
interface Videos extends OwnStudio {
  ids: Record<string, number>
}

export const test = base.extend<object, { studio: Videos }>({
  studio: [
    async ({ playwright }, use) => {
      const own = await ownStudio({ REQUESTS_PER_MINUTE: '0' })
      const request = await playwright.request.newContext({ baseURL: own.url })
      const ids = await createVideos(request)
      await request.dispose()
      await use({ ...own, ids })
      await own.close()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: ({ studio }, use) => use(studio.url),
  context: async ({ context }, use) => {
    // The provider is mocked: its frame contains one button.
    await context.route(`${VIMEO}/**`, (route) => route.fulfill({ contentType: 'text/html', body: PLAYER }))
    await use(context)
  },
})

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString()

/** Creates thirty-six published videos and an upcoming one; returns the ids by name. */
async function createVideos(request: APIRequestContext): Promise<Record<string, number>> {
  const owner = await staff(request, 'owner')
  await owner('PUT', '/appconfig', { settings: [{ key: 'videos_enabled', value: true }] })
  type Listed = { videos: { video_id: number; file: { file_id: number } | null }[] }
  const listed = () => owner<Listed>('GET', '/videos/admin/all')
  let file_id: number | undefined
  // The list has pages: remove the first one until there is none.
  for (let { videos } = await listed(); videos.length > 0; { videos } = await listed()) {
    file_id ??= videos.find(({ file }) => file !== null)?.file?.file_id
    for (const { video_id } of videos) await owner('DELETE', `/videos/${video_id}`)
  }
  const { instructors } = await owner<{ instructors: { instructor_id: number; name: string }[] }>('GET', '/instructors')
  const coach = (name: string) => instructors.find((instructor) => instructor.name === name)?.instructor_id
  const type = async (name: string) =>
    (await owner<{ video_type: { video_type_id: number } }>('POST', '/video_types', { name })).video_type.video_type_id
  const tag = async (name: string) => (await owner<{ tag: { tag_id: number } }>('POST', '/tags', { name, type: 'video' })).tag.tag_id
  const program = await owner<{ program: { program_id: number } }>('POST', '/programs', {
    name: 'Siete días de prueba',
    description: 'Una práctica corta al día.',
  })
  const { program_id } = program.program
  const [fuerza, yoga] = [await type('Fuerza de prueba'), await type('Yoga de prueba')]
  const [banda, suave, noche] = [await tag('Con banda elástica'), await tag('Muy suave'), await tag('De noche')]
  const ids: Record<string, number> = { program_id, fuerza, yoga, banda, suave, noche }
  const make = async (name: string, duration: number, more: object) => {
    const written = { name, duration, url: 'https://vimeo.com/76979871', ...more }
    const answer = await owner<{ video: { video_id: number } }>('POST', '/videos', written)
    ids[name] = answer.video.video_id
  }
  const lucia = { instructor_id: coach('Lucía') }
  await make('Subida larga: ciclo con cadencia', 30, { featured: true, published_at: daysAgo(1), video_type_id: fuerza })
  await make(LONG, 24, {
    published_at: daysAgo(2),
    video_type_id: fuerza,
    tag_ids: [banda],
    instructor_id: coach('Renata'),
    description: 'Con banda y tapete. Sin máquina, con la misma precisión de siempre en el estudio.\nTrae agua.',
  })
  await make('Yin para dormir mejor', 50, {
    ...lucia,
    published_at: daysAgo(3),
    video_type_id: yoga,
    tag_ids: [suave, noche],
    program_id,
    sample_file_id: file_id,
  })
  await make('Vinyasa del lunes', 45, { ...lucia, published_at: daysAgo(4), video_type_id: yoga, tag_ids: [suave], program_id })
  await make('Película de archivo', 12, { published_at: daysAgo(5), url: 'https://peliculas.example.test/uno.mp4' })
  await make('Clip del estudio', 60, { published_at: daysAgo(6), url: null, file_id })
  for (let n = 1; n <= 30; n++) await make(`Práctica ${n}`, 60, { published_at: daysAgo(10 + n) })
  await make('Barre con pelota', 25, { published_at: daysAgo(-3) })
  return ids
}

/** A new customer; a member gets the demo's online package as a gift from reception. */
export async function newCustomer(page: Page, name: string, member = true): Promise<Person> {
  const person = await customer(page.request, name, 0)
  if (member) await giveMembership(page, person)
  return person
}

/** Gives the online package; returns the purchase's id. */
export async function giveMembership(page: Page, person: Person): Promise<number> {
  const reception: Call = await staff(page.request, 'reception')
  const { class_packages } = await reception<{ class_packages: { class_package_id: number }[] }>('GET', '/class_packages/online/all')
  const class_package_id = class_packages[0]?.class_package_id
  await reception('POST', '/customer/giveAccess', { customer_id: person.customer_id, class_package_id, is_gift: true, reason: 'De prueba' })
  const { purchases } = await person.call<{ purchases: { purchase_id: number }[] }>('GET', '/purchases')
  return purchases[0]?.purchase_id ?? 0
}

/** The pages of thirty-six videos: twelve per page on a phone, 32 otherwise. */
export const pagesOn = (isMobile: boolean) => (isMobile ? { first: 12, last: 12, pages: 3 } : { first: 32, last: 4, pages: 2 })
export const results = (page: Page) => page.getByRole('region', { name: 'Videos', exact: true })
export const cards = (page: Page) => results(page).getByRole('article')
export const heart = (page: Page, name: string) => results(page).getByRole('button', { name: `Favorito: ${name}`, exact: true })
export const shown = (page: Page, names: string[]) => expect(results(page).getByRole('heading', { level: 2 })).toHaveText(names)
