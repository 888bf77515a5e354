import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Video } from '#contract/videos.ts'
import { codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { bearer, JSON_BODY } from '#server/testing/target.ts'
import { storedFiles, webm } from '#server/testing/uploads.ts'

let s: TestStudio
let manager: Person
let coach: Person
beforeAll(async () => {
  s = await studio({ settings: { videos_enabled: true } })
  manager = await s.make.staff('manager')
  coach = await s.make.staff('coach')
})
afterAll(() => s.close())
beforeEach(() => s.reset())
afterEach(() => s.sql('update video set "deletedAt" = now() where "deletedAt" is null'))

const URL_OF = 'https://vimeo.com/76979871/8272103f6e'
const ONLINE = { is_online: true, unlimited: true } as const
/** What each of some calls was refused with, all at once. */
const refusals = (...calls: Promise<unknown>[]) => Promise.all(calls.map(refusalOf))
const codes = async (...calls: Promise<unknown>[]) => (await refusals(...calls)).map(({ code }) => code)
const member = async () => {
  const customer = await s.make.customer()
  await s.make.lot(customer, ONLINE)
  return customer
}
const ids = ({ videos }: { videos: Video[] }) => videos.map(({ video_id }) => video_id)

describe('videos for staff', () => {
  const admin = () => s.as(manager).videos.admin.videos

  test('an unsupported URL is refused with a list of what is accepted (O5)', async () => {
    for (const url of [
      'https://ejemplo.mx/video/7',
      'https://cdn.mx/a.m3u8',
      'http://cdn.mx/a.mp4',
      'javascript:alert(1)',
      '/archivos/a.mp4',
    ]) {
      const no = await refusalOf(admin().create({ name: 'Yin', duration: 20, url }))
      expect([url, no.code, no.status]).toEqual([url, 'VIDEO_ADDRESS', 400])
      for (const named of ['YouTube', 'Vimeo', 'Wistia', 'Cloudflare Stream', 'Bunny', 'Loom', 'Mux', '.mp4', '.webm'])
        expect(no.message).toContain(named)
    }
    const { video } = await admin().create({ name: 'Yin', duration: 20, url: 'youtu.be/dQw4w9WgXcQ' })
    expect(video.embed).toMatchObject({ kind: 'iframe', host: 'www.youtube-nocookie.com' })
    expect(await codeOf(admin().update({ video_id: video.video_id, url: 'https://ejemplo.mx' }))).toBe('VIDEO_ADDRESS')
    // Neither an address nor a file.
    for (const no of await refusals(admin().create({ name: 'Yin', duration: 20 }), admin().update({ video_id: video.video_id, url: null })))
      expect(no).toMatchObject({ code: 'INVALID_INPUT', data: { issues: [{ path: 'url' }] } })
    expect((await s.as(coach).videos.one({ video_id: video.video_id })).video.url).toBe('youtu.be/dQw4w9WgXcQ')
  })

  test('an uploaded video is private: its link is valid for members, and for its length (O5)', async () => {
    const file = await storedFiles(s, manager, webm(), 'yin.webm')
    const { video } = await admin().create({ name: 'Yin', duration: 90, file_id: file.file_id })
    const { video_id } = video
    const [ana, eva] = [await member(), await s.make.customer()]
    const { video: seen } = await s.as(ana).videos.one({ video_id })
    expect(seen).toMatchObject({ url: null, file: { file_id: file.file_id, type: 'video/webm' }, embed: { kind: 'file', host: null } })
    const src = seen.embed?.src ?? ''
    expect(src).toMatch(/^\/archivos\/privado\/.+\.webm\?firma=/)
    const status = async (path: string, headers = {}) => (await fetch(`${s.url}${path}`, { headers })).status
    expect([await status(src), await status(src, { range: 'bytes=0-99' }), await status(src.split('?')[0] ?? '')]).toEqual([200, 206, 404])
    expect(await codeOf(s.as(eva).videos.one({ video_id }))).toBe('VIDEO_NEEDS_PURCHASE')
    expect(await codeOf(s.as(eva).files.one({ file_id: file.file_id }))).toBe('NOT_FOUND')
    s.clock.advance({ minutes: 149 })
    expect(await status(src)).toBe(200)
    s.clock.advance({ minutes: 40 })
    expect(await status(src)).toBe(404)
    expect(await status((await s.as(ana).videos.play({ video_id })).video.embed?.src ?? '')).toBe(200)
    // U6: not while a video shows it.
    expect(await codeOf(s.as(manager).files.remove({ file_id: file.file_id }))).toBe('IN_USE')
    await admin().remove({ video_id })
    expect(await s.as(manager).files.remove({ file_id: file.file_id })).toEqual({ ok: true })
  })

  test('an uploaded film has captions, for viewers who may watch it, in no list, until its file changes (O19)', async () => {
    const [first, two] = [await storedFiles(s, manager, webm(), 'yin.webm'), await storedFiles(s, manager, webm(), 'otro.webm')]
    const captions = 'WEBVTT\n\n00:01.000 --> 00:03.000\nRespira.'
    const { video } = await admin().create({ name: 'Yin', duration: 20, file_id: first.file_id, captions })
    const { video_id } = video
    expect(video.captions).toBe(captions)
    const [ana, eva] = [await member(), await s.make.customer()]
    expect((await s.as(ana).videos.one({ video_id })).video.captions).toBe(captions)
    expect(JSON.stringify(await refusalOf(s.as(eva).videos.one({ video_id })))).not.toContain('Respira')
    const lists = [await s.as(ana).videos.list({}), await admin().all({})]
    expect(lists.map(({ videos }) => videos.map((row) => row.captions))).toEqual([[null], [null]])
    expect(
      await s.sql(`select after from audit where entity = 'video' and entity_id = $1 and after::text like '%Respira%'`, [video_id]),
    ).toEqual([])
    for (const wrong of ['Respira.', 'WEBVTT', '1\n00:00:01,000 --> 00:00:03,000\nRespira.'])
      expect(await refusalOf(admin().update({ video_id, captions: wrong }))).toMatchObject({
        code: 'INVALID_INPUT',
        data: { issues: [{ path: 'captions' }] },
      })
    // Unchanged by other changes; removed with its file, or by itself.
    expect((await admin().update({ video_id, name: 'Yin largo' })).video.captions).toBe(captions)
    expect((await admin().update({ video_id, file_id: two.file_id })).video.captions).toBeNull()
    expect((await admin().update({ video_id, file_id: first.file_id, captions })).video.captions).toBe(captions)
    expect((await admin().update({ video_id, captions: null })).video.captions).toBeNull()
    // A video elsewhere has none.
    for (const no of await refusals(
      admin().create({ name: 'Yin', duration: 20, url: URL_OF, captions }),
      admin().update({ video_id, url: URL_OF, file_id: null, captions }),
    ))
      expect(no).toMatchObject({ code: 'INVALID_INPUT', data: { issues: [{ path: 'captions' }] } })
    await admin().update({ video_id, captions })
    expect((await admin().update({ video_id, url: URL_OF, file_id: null })).video).toMatchObject({ captions: null, file: null })
  })

  test('an uploaded film has a preview for viewers who may not watch it, and no byte more (O17)', async () => {
    const clip = await readFile(new URL('../../demo/clips/barre.webm', import.meta.url))
    const file = await storedFiles(s, manager, clip, 'barre.webm')
    const captions = 'WEBVTT\n\n00:01.000 --> 00:03.000\nRespira.'
    const { video } = await admin().create({
      name: 'Barre',
      duration: 1,
      file_id: file.file_id,
      captions: `${captions}\n\n00:16.000 --> 00:18.000\nDescansa.`,
    })
    const [ana, eva] = [await member(), await s.make.customer()]
    const { data } = await refusalOf(s.as(eva).videos.one({ video_id: video.video_id }))
    const { preview, preview_captions } = data as { preview: string; preview_captions: string }
    // With the captions of those seconds, and no others.
    expect(preview_captions).toBe(captions)
    expect(preview).toMatch(/^\/archivos\/privado\/.+\.webm\?muestra=/)
    const whole = await fetch(`${s.url}${preview}`)
    expect([whole.status, whole.headers.get('content-length'), (await whole.bytes()).length]).toEqual([200, '22659', 22_659])
    const part = await fetch(`${s.url}${preview}`, { headers: { range: 'bytes=22000-99999' } })
    expect([part.status, part.headers.get('content-range'), (await part.bytes()).length]).toEqual([206, 'bytes 22000-22658/22659', 659])
    expect((await fetch(`${s.url}${preview}`, { headers: { range: 'bytes=22659-' } })).status).toBe(416)
    // The signature of the preview opens nothing else, and the one of the film no preview.
    const sign = preview.split('=')[1]
    const src = (await s.as(ana).videos.one({ video_id: video.video_id })).video.embed?.src ?? ''
    for (const path of [
      preview.replace('muestra', 'firma'),
      src.replace('firma', 'muestra'),
      `${src.split('?')[0]}?firma=${sign}`,
      `${preview}x`,
    ])
      expect((await fetch(`${s.url}${path}`)).status).toBe(404)
    expect((await (await fetch(`${s.url}${src}`)).bytes()).length).toBe(clip.length)
    s.clock.advance({ minutes: 31 })
    expect((await fetch(`${s.url}${preview}`)).status).toBe(404)
    // A video elsewhere, and a file that cannot be cut, have none.
    const elsewhere = await admin().create({ name: 'Yin', duration: 20, url: 'https://youtu.be/dQw4w9WgXcQ' })
    const plain = await admin().create({ name: 'Fuerza', duration: 20, file_id: (await storedFiles(s, manager, webm(), 'f.webm')).file_id })
    for (const answer of [elsewhere, plain])
      expect((await refusalOf(s.as(eva).videos.one({ video_id: answer.video.video_id }))).data).toMatchObject({
        preview: null,
        preview_captions: null,
      })
  })

  test('a video has the sample that the studio uploaded, for everybody, and nothing of the film (O3, O17)', async () => {
    const clip = await readFile(new URL('../../demo/clips/barre.webm', import.meta.url))
    const sample = await storedFiles(s, manager, clip, 'muestra.webm')
    const film = await storedFiles(s, manager, clip, 'barre.webm')
    const captions = 'WEBVTT\n\n00:01.000 --> 00:03.000\nRespira.'
    const [ana, eva] = [await member(), await s.make.customer()]
    const sources = [
      { url: URL_OF },
      { url: 'https://youtu.be/dQw4w9WgXcQ' },
      { url: 'https://cdn.ejemplo.mx/pelicula.mp4' },
      { file_id: film.file_id, captions },
    ]
    for (const source of sources) {
      const { video } = await admin().create({ name: 'Yin', duration: 20, ...source, sample_file_id: sample.file_id })
      expect(video.sample).toMatchObject({ file_id: sample.file_id, name: 'muestra.webm' })
      const no = await refusalOf(s.as(eva).videos.one({ video_id: video.video_id }))
      const { preview } = no.data as { preview: string }
      expect(no).toMatchObject({ code: 'VIDEO_NEEDS_PURCHASE', data: { preview_captions: null } })
      expect(JSON.stringify(no)).not.toMatch(/vimeo|76979871|youtu|dQw4w9WgXcQ|pelicula/)
      expect(Buffer.from(await (await fetch(`${s.url}${preview}`)).bytes()).equals(clip)).toBe(true)
      // Who may watch the film gets it, and lists have neither.
      const { video: opened } = await s.as(ana).videos.one({ video_id: video.video_id })
      expect(opened.embed?.src).not.toBe(preview)
      expect(JSON.stringify(opened)).not.toContain('muestra')
      expect(JSON.stringify(await s.as(eva).videos.list({}))).not.toMatch(/muestra|archivos/)
    }
    // While a video shows it, it stays.
    expect(await codeOf(s.as(manager).files.remove({ file_id: sample.file_id }))).toBe('IN_USE')
  })

  test('a sample that is the film itself, too large, a picture or someone else’s is refused, and nothing changes (O17)', async () => {
    const { png } = await import('#server/testing/uploads.ts')
    const film = await storedFiles(s, manager, webm(), 'yin.webm')
    const { video } = await admin().create({ name: 'Yin', duration: 20, file_id: film.file_id })
    const { video_id } = video
    const picture = await storedFiles(s, manager, await png(), 'portada.png')
    const large = await storedFiles(s, manager, Buffer.concat([webm(), Buffer.alloc(20 * 1_048_576)]), 'larga.webm')
    for (const [file_id, message] of [
      [film.file_id, 'La muestra es el video completo. Sube un clip corto aparte.'],
      [picture.file_id, 'Ese archivo no es un video.'],
      [large.file_id, 'La muestra pesa más de 20 MB. Basta un clip de 15 segundos.'],
      [2_000_000_000, 'Ese archivo no es un video.'],
    ] as const) {
      const issues = [{ path: 'sample_file_id', message }]
      for (const no of await refusals(
        admin().update({ video_id, sample_file_id: file_id }),
        admin().create({ name: 'Yin', duration: 20, file_id: film.file_id, sample_file_id: file_id }),
      ))
        expect(no).toMatchObject({ code: 'INVALID_INPUT', data: { issues } })
    }
    // Nor does a sample become the film.
    const sample = await storedFiles(s, manager, webm(), 'muestra.webm')
    await admin().update({ video_id, sample_file_id: sample.file_id })
    expect(await codeOf(admin().update({ video_id, file_id: sample.file_id }))).toBe('INVALID_INPUT')
    expect((await admin().update({ video_id, sample_file_id: null })).video).toMatchObject({
      sample: null,
      file: { file_id: film.file_id },
    })
    expect((await admin().all({})).videos.filter(({ name }) => name === 'Yin')).toHaveLength(1)
  })

  test('an image that a video or a program references cannot be removed (U6)', async () => {
    const { png } = await import('#server/testing/uploads.ts')
    const picture = await storedFiles(s, manager, await png(), 'portada.png', { is_public: true })
    const { video } = await admin().create({ name: 'Yin', duration: 20, url: URL_OF, thumbnail: picture.src })
    expect(await codeOf(s.as(manager).files.remove({ file_id: picture.file_id }))).toBe('IN_USE')
    expect((await s.as(await member()).videos.list({})).videos[0]?.thumbnail).toBe(picture.src)
    await admin().update({ video_id: video.video_id, thumbnail: null })
    expect(await s.as(manager).files.remove({ file_id: picture.file_id })).toEqual({ ok: true })
  })

  test('with an id only the given fields change, without one a video is created; both are audited (K7)', async () => {
    const trainer = await s.make.instructor()
    const video = (
      await admin().create({ video_id: 'nuevo', name: 'Yin', duration: 20, url: URL_OF, instructor_id: trainer.instructor_id })
    ).video
    const changed = (await admin().create({ video_id: video.video_id, name: 'Yin largo', duration: 50 })).video
    expect(changed).toEqual({ ...video, name: 'Yin largo', duration: 50 })
    expect((await admin().update({ video_id: video.video_id, published_at: '2026-11-25T08:00:00-06:00' })).video).toMatchObject({
      name: 'Yin largo',
      published_at: '2026-11-25T14:00:00.000Z',
      publish_date: '2026-11-25T08:00:00.000Z',
    })
    await admin().remove({ video_id: video.video_id })
    const trail = await s.sql<{ action: string }>(`select action from audit where entity = 'video' and entity_id = $1 order by audit_id`, [
      String(video.video_id),
    ])
    expect(trail.map(({ action }) => action)).toEqual(['video.create', 'video.change', 'video.change', 'video.remove'])
    for (const code of await codes(admin().update({ video_id: video.video_id, name: 'x' }), admin().remove({ video_id: video.video_id })))
      expect(code).toBe('VIDEO_NOT_FOUND')
    expect(await refusalOf(admin().update({ video_id: null, name: 'x' }))).toMatchObject({ code: 'INVALID_INPUT' })
  })

  test('all unknown references and invalid fields are reported at once', async () => {
    const deletedCoach = await s.make.instructor({ deletedAt: s.clock.now() })
    const ofClasses = (await s.as(manager).catalogue.admin.tags.create({ name: 'Solo de clases' })).tag.tag_id
    const pdf = await storedFiles(s, manager, '%PDF-1.4\n', 'a.pdf')
    const none = 2_000_000_000
    const no = await refusalOf(
      admin().create({
        name: 'Yin',
        duration: 20,
        url: URL_OF,
        instructor_id: deletedCoach.instructor_id,
        video_type_id: none,
        program_id: none,
        class_type_id: none,
        class_category_id: none,
        file_id: pdf.file_id,
        tag_ids: [ofClasses],
      }),
    )
    expect(no.code).toBe('INVALID_INPUT')
    expect((no.data as { issues: { path: string }[] }).issues.map(({ path }) => path).sort()).toEqual(
      ['class_category_id', 'class_type_id', 'file_id', 'instructor_id', 'program_id', 'tag_ids', 'video_type_id'].sort(),
    )
    expect((await admin().all({})).videos).toEqual([])
  })

  test('coach, class type, category, kind, program and tag can be removed; the video stays and plays (O11)', async () => {
    const owner = await s.make.staff('owner')
    const [trainer, type] = [await s.make.instructor({ name: 'Lucía' }), await s.make.classType({ name: 'Yin' })]
    const lists = s.as(owner).catalogue.admin
    const { class_category_id } = (await lists.classCategories.create({ name: 'Noches' })).class_category
    const { tag_id } = (await lists.tags.create({ name: 'Vela', type: 'video' })).tag
    const { video_type_id } = (await s.as(manager).videos.admin.videoTypes.create({ name: 'Nocturno' })).video_type
    const { program_id } = (await s.as(manager).videos.admin.programs.create({ name: 'Diez noches' })).program
    const refers = { class_category_id, video_type_id, program_id, instructor_id: trainer.instructor_id, class_type_id: type.class_type_id }
    const { video } = await admin().create({ name: 'Yin', duration: 20, url: URL_OF, tag_ids: [tag_id], ...refers })
    await lists.classCategories.remove({ class_category_id })
    await lists.tags.remove({ tag_id })
    await s.as(manager).videos.admin.videoTypes.remove({ video_type_id })
    await s.as(manager).videos.admin.programs.remove({ program_id })
    await lists.instructors.remove({ instructor_id: trainer.instructor_id })
    await lists.classTypes.remove({ class_type_id: type.class_type_id })
    const ana = await member()
    const { video: seen } = await s.as(ana).videos.one({ video_id: video.video_id })
    expect(seen).toMatchObject({ class_category_id: null, video_type: null, program: null, tags: [], url: URL_OF })
    // What has been keeps its names (K8).
    expect([seen.instructor?.name, seen.class_type?.name]).toEqual(['Lucía', 'Yin'])
    expect(ids(await s.as(ana).videos.list({}))).toEqual([video.video_id])
  })

  test('invalid JSON, and a too long text, leave nothing behind', async () => {
    const send = async (body: string) =>
      (await fetch(`${s.url}/api/videos`, { method: 'POST', headers: { ...bearer(manager.token), ...JSON_BODY }, body })).status
    const whole = { name: 'Yin', duration: 20, url: URL_OF }
    for (const more of [
      { name: '' },
      { name: 'x'.repeat(200) },
      { duration: 0 },
      { duration: 1_441 },
      { url: 7 },
      { tag_ids: 'x' },
      { published_at: 'ayer' },
    ])
      expect([more, await send(JSON.stringify({ ...whole, ...more }))]).toEqual([more, 400])
    expect(await send('{')).toBe(400)
    expect((await admin().all({})).videos).toEqual([])
  })

  test('lists every state with its figures, by search, filters and order, in pages (O14)', async () => {
    const make = async (name: string, more: object = {}) =>
      (await admin().create({ name, duration: 20, url: URL_OF, ...more })).video.video_id
    const first = await make('Yin de noche', { published_at: new Date(s.clock.now().getTime() - 86_400_000).toISOString() })
    const hidden = await make('Barre', { available: false })
    const coming = await make('Ábdomen', { published_at: new Date(s.clock.now().getTime() + 86_400_000).toISOString() })
    const [ana, eva] = [await member(), await member()]
    for (const person of [ana, eva]) await s.as(person).videos.play({ video_id: first })
    await s.as(ana).videos.complete({ video_id: first })
    await s.as(ana).videos.rate({ video_id: first, stars: 4 })
    const all = await admin().all({})
    expect(all).toMatchObject({ total: 3, pages: 1 })
    expect(all.videos.map(({ video_id, state }) => [video_id, state])).toEqual([
      [coming, 'scheduled'],
      [hidden, 'hidden'],
      [first, 'published'],
    ])
    expect((await admin().one({ video_id: first })).video).toMatchObject({ views: 2, completed: 1, ratings: 1, rating: 4 })
    const found = async (input: Parameters<ReturnType<typeof admin>['all']>[0]) =>
      (await admin().all(input)).videos.map(({ video_id }) => video_id)
    for (const [state, video_id] of [
      ['published', first],
      ['scheduled', coming],
      ['hidden', hidden],
    ] as const)
      expect(await found({ state })).toEqual([video_id])
    expect(await found({ query: 'abdomen' })).toEqual([coming])
    expect(await found({ sort: '-views' })).toEqual([first, coming, hidden])
    expect(await found({ sort: '-rating' })).toEqual([first, coming, hidden])
    expect(await found({ page: 2 })).toEqual([])
    expect(await codeOf(admin().one({ video_id: 999_999 }))).toBe('VIDEO_NOT_FOUND')
  })

  test('a change from an older version than the stored one is refused (O15)', async () => {
    const { video } = await admin().create({ name: 'Yin', duration: 20, url: URL_OF })
    s.clock.advance({ minutes: 1 })
    const { video_id, updatedAt } = video
    await admin().update({ video_id, name: 'Yin suave', if_updatedAt: updatedAt })
    expect(await codeOf(admin().update({ video_id, name: 'Otro', if_updatedAt: updatedAt }))).toBe('CHANGED_MEANWHILE')
    expect((await admin().one({ video_id })).video.name).toBe('Yin suave')
  })

  test('the videos of a program are put in order all at once (O16)', async () => {
    const { program } = await s.as(manager).videos.admin.programs.create({ name: 'Reto de orden' })
    const { program_id } = program
    const make = async (name: string) => (await admin().create({ name, duration: 20, url: URL_OF, program_id })).video.video_id
    const [a, b, c] = [await make('Uno'), await make('Dos'), await make('Tres')]
    const set = (video_ids: number[]) => s.as(manager).videos.admin.orderProgram({ program_id, video_ids })
    expect((await set([c, a, b])).videos.map(({ name }) => name)).toEqual(['Tres', 'Uno', 'Dos'])
    expect(ids(await s.as(await member()).videos.ofProgram({ program: program_id }))).toEqual([c, a, b])
    expect(await codes(set([c, a]), set([c, a, a]), set([c, a, b, 999_999]))).toEqual(Array(3).fill('CHANGED_MEANWHILE'))
    expect(await codeOf(s.as(manager).videos.admin.programVideos({ program_id: 999_999 }))).toBe('NOT_FOUND')
  })
})
