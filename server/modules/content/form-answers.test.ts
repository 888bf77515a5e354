/** The answers to a form for staff: the table, its file, and the right for answers about health (docs/domain.md F6). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let on: TestStudio
let boss: Client
let desk: Client
let form_id: number
let ana: Person
let beto: Person
beforeAll(async () => {
  on = await studio()
  boss = on.as(await on.make.staff('owner'))
  desk = on.as(await on.make.staff('reception'))
  const { form } = await boss.forms.admin.forms.create({
    name: 'Salud',
    form_fields: [
      { key: 'meta', label: 'Meta', type: 'select', options: [{ value: 'f', label: 'Fuerza' }, 'Calma'], required: true },
      { key: 'lesion', label: 'Lesión', type: 'boolean', health: true },
      { key: 'cual', label: '¿Cuál?', type: 'text', required: true, health: true, precondition: { key: 'lesion', value: true } },
      { key: 'gustos', label: 'Gustos', type: 'creatable-select', options: ['Barre'] },
    ],
  })
  form_id = form.form_id
  ;[ana, beto] = [await on.make.customer({ name: 'Ana', last_name: 'Ruiz' }), await on.make.customer({ name: 'Beto', last_name: 'Sol' })]
  await on.as(ana).forms.answer({ form_id, answers: { meta: 'f', lesion: true, cual: 'Rodilla', gustos: ['Barre', 'Yin'] } })
  on.clock.advance({ days: 2 })
  await on.as(beto).forms.answer({ form_id, answers: { meta: 'Calma', lesion: false } })
})
afterAll(() => on.close())

const namesOf = ({ answers }: { answers: { name: string }[] }) => answers.map(({ name }) => name)

describe('the alert about health (F6)', () => {
  it('the alert about health is in the file and on the roster for staff with the right, and says nothing of the answer', async () => {
    const cls = await on.make.class()
    for (const person of [ana, beto]) {
      await on.make.lot(person, { granted: 3 })
      await desk.attendance.reserve({ customer_id: person.customer_id, single_class_id: cls.single_class_id })
    }
    const rosterOf = async (by: Client) =>
      (await by.attendance.roster({ single_class_id: cls.single_class_id })).class_reservations.map(({ name, health }) => [name, health])
    expect((await rosterOf(boss)).sort()).toEqual([
      ['Ana', true],
      ['Beto', false],
    ])
    expect((await rosterOf(desk)).every(([, health]) => health === false)).toBe(true)
    const alertsOf = async (by: Client, { customer_id }: Person) =>
      (await by.customerFile.one({ customer_id })).alerts.filter(({ kind }) => kind === 'health')
    expect(await alertsOf(boss, ana)).toEqual([expect.objectContaining({ message: 'Dijo algo de su salud o una lesión.' })])
    expect(JSON.stringify(await alertsOf(boss, ana))).not.toContain('Rodilla')
    expect(await alertsOf(boss, beto)).toEqual([])
    expect(await alertsOf(desk, ana)).toEqual([])
  })

  it('the alert about health is read on the roster by the coach of the class and others with the right, which is recorded', async () => {
    const { instructor_id } = await on.make.instructor()
    const coach = on.as(await on.make.staff('coach', { instructor_id }))
    const at = (hours: number) => new Date(on.clock.now().getTime() + hours * 3_600_000)
    const cls = await on.make.class({ instructor_id, starts_at: at(100) })
    const other = await on.make.class({ starts_at: at(200) })
    const reserve = async ({ customer_id }: Person, { single_class_id }: { single_class_id: number }) => ({
      class_reservation_id: (await desk.attendance.reserve({ customer_id, single_class_id })).class_reservation.class_reservation_id,
    })
    for (const person of [ana, beto]) await on.make.lot(person, { granted: 3 })
    const own = await reserve(ana, cls)
    const readings = () => on.sql(`select 1 from audit where action = 'form_answer.read' and entity_id = $1`, [String(ana.customer_id)])
    const before = (await readings()).length
    expect((await coach.attendance.health(own)).answers).toEqual([
      { label: 'Lesión', answer: 'Sí' },
      { label: '¿Cuál?', answer: 'Rodilla' },
    ])
    expect(await readings()).toHaveLength(before + 1)
    expect((await boss.attendance.health(await reserve(beto, cls))).answers).toEqual([])
    expect(await refusalOf(coach.attendance.health(await reserve(ana, other)))).toMatchObject({ code: 'NOT_YOUR_CLASS' })
    expect(await refusalOf(desk.attendance.health(own))).toMatchObject({ code: 'FORBIDDEN', data: { needs: 'customers.health' } })
    expect(await readings()).toHaveLength(before + 1)
  })
})

describe('the table of answers (F6)', () => {
  it('lists who answered and what, latest first, and each reading is recorded', async () => {
    const all = await boss.forms.admin.answers({ form_id })
    expect(all).toMatchObject({ total: 2, pages: 1, hidden: [] })
    expect(all.answers.map(({ name, answers }) => [name, answers])).toEqual([
      ['Beto', { meta: 'Calma', lesion: false }],
      ['Ana', { meta: 'f', lesion: true, cual: 'Rodilla', gustos: ['Barre', 'Yin'] }],
    ])
    const [entry] = (await boss.auditLog.list({ entity: 'form' })).entries
    expect(entry).toMatchObject({ action: 'form_answer.list', entity_id: String(form_id) })
  })

  it('the table of answers and its file are in the order that is asked for, by name without accents or by date', async () => {
    const zoe = await on.make.customer({ name: 'ángela', last_name: 'Paz' })
    await on.as(zoe).forms.answer({ form_id, answers: { meta: 'f', lesion: false } })
    const read = async (sort: 'name' | '-name' | 'answered' | '-answered') =>
      namesOf(await boss.forms.admin.answers({ form_id, sort, from: '2000-01-01' }))
    expect(await read('name')).toEqual(['Ana', 'ángela', 'Beto'])
    expect(await read('-name')).toEqual(['Beto', 'ángela', 'Ana'])
    expect((await read('answered'))[0]).toBe('Ana')
    expect((await read('-answered')).at(-1)).toBe('Ana')
    const file = await (await boss.listExports.formAnswers({ form_id, sort: 'name', format: 'csv' })).text()
    expect(['Ana Ruiz', 'ángela Paz', 'Beto Sol'].map((name) => file.indexOf(name))).toEqual(
      ['Ana Ruiz', 'ángela Paz', 'Beto Sol'].map((name) => file.indexOf(name)).toSorted((a, b) => a - b),
    )
    await on.sql('delete from form_answer where customer_id = $1', [zoe.customer_id])
  })

  it('the table of answers is filtered by person, day and answer, which all hold together', async () => {
    const read = async (filter: object) => namesOf(await boss.forms.admin.answers({ form_id, ...filter }))
    expect(await read({ query: 'ruiz' })).toEqual(['Ana'])
    expect(await read({ key: 'meta', value: 'f' })).toEqual(['Ana'])
    expect(await read({ key: 'lesion', value: 'false' })).toEqual(['Beto'])
    expect(await read({ key: 'gustos' })).toEqual(['Ana'])
    expect(await read({ key: 'gustos', value: 'Yin' })).toEqual(['Ana'])
    expect(await read({ key: 'gustos', value: 'Yin', query: 'sol' })).toEqual([])
    const today = on.clock.now().toISOString().slice(0, 10)
    expect(await read({ from: today })).toEqual(['Beto'])
    expect((await refusalOf(boss.forms.admin.answers({ form_id: 2_000_000_000 }))).code).toBe('NOT_FOUND')
  })

  it('the table of answers has no answers about health for staff without the right, who cannot filter by them either', async () => {
    const seen = await desk.forms.admin.answers({ form_id })
    expect(seen.hidden).toEqual(['lesion', 'cual'])
    expect(JSON.stringify(seen.answers)).not.toMatch(/lesion|Rodilla/)
    expect(await refusalOf(desk.forms.admin.answers({ form_id, key: 'lesion', value: 'true' }))).toMatchObject({
      code: 'FORBIDDEN',
      data: { needs: 'customers.health' },
    })
  })

  it('the table of answers is exported with the same filter and rights, in words', async () => {
    const text = async (client: Client, filter: object = {}) =>
      (await client.listExports.formAnswers({ form_id, format: 'csv', ...filter })).text()
    const whole = await text(boss, { key: 'meta', value: 'f' })
    expect(whole).toMatch(/Cliente.*Meta.*Lesión.*¿Cuál\?.*Gustos.*Respondido/)
    expect(whole).toMatch(/Ana Ruiz.*Fuerza.*Sí.*Rodilla.*"?Barre, Yin"?/)
    expect(whole).not.toContain('Beto')
    const partly = await text(desk)
    expect(partly).toContain('Beto Sol')
    expect(partly).not.toMatch(/Lesión|Rodilla/)
    expect((await refusalOf(desk.listExports.formAnswers({ form_id, key: 'cual' }))).code).toBe('FORBIDDEN')
  })
})

describe('the answers of one customer (F6)', () => {
  it('about health are hidden from the desk, stay when the desk saves, and are seen by their owner and with the right', async () => {
    const { customer_id } = ana
    const seen = await desk.forms.answers({ form_id, customer_id })
    expect(seen).toMatchObject({ answers: { meta: 'f', gustos: ['Barre', 'Yin'] }, hidden: ['lesion', 'cual'] })
    expect(seen.answers).not.toHaveProperty('lesion')
    const saved = await desk.forms.answer({ form_id, customer_id, answers: { meta: 'Calma', lesion: false, cual: 'Nada' } })
    expect(saved.answers).toEqual({ meta: 'Calma' })
    expect((await on.as(ana).forms.answers({ form_id })).answers).toEqual({ meta: 'Calma', lesion: true, cual: 'Rodilla' })
    const whole = await boss.forms.answers({ form_id, customer_id })
    expect(whole.answers).toMatchObject({ lesion: true, cual: 'Rodilla' })
    expect(whole).not.toHaveProperty('hidden')
  })
})
