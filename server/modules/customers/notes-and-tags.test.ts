/** Notes and tags of a customer, as the staff keep them (docs/domain.md X1, X2). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let owner: Person
let desk: Person
beforeAll(async () => {
  s = await studio()
  owner = await s.make.staff('owner')
  desk = await s.make.staff('reception', { name: 'Lorena V.' })
})
afterAll(() => s.close())

const trail = (customer_id: number) =>
  s.sql<{ action: string; before: unknown; after: unknown }>(
    `select action, before, after from audit where entity = 'customer' and entity_id = $1 order by audit_id`,
    [String(customer_id)],
  )

describe('notes', () => {
  it('notes are listed pinned first, then newest; changes and removals are audited (X1)', async () => {
    const { customer_id } = await s.make.customer()
    const file = s.as(desk).customerFile
    const first = (await file.addNote({ customer_id, text: ' Pidió factura ' })).note
    const second = (await file.addNote({ customer_id, text: 'Prefiere WhatsApp', pinned: true, for_coaches: true })).note
    const third = (await file.addNote({ customer_id, text: 'Rodilla' })).note
    expect(first).toMatchObject({ text: 'Pidió factura', pinned: false, for_coaches: false, author: 'Lorena V.' })
    const texts = async () => (await file.one({ customer_id })).notes.map((note) => note.text)
    expect(await texts()).toEqual(['Prefiere WhatsApp', 'Rodilla', 'Pidió factura'])
    const changed = (await s.as(owner).customerFile.changeNote({ customer_id, customer_note_id: first.customer_note_id, pinned: true }))
      .note
    expect(changed).toMatchObject({ text: 'Pidió factura', pinned: true, author: 'Lorena V.' })
    await file.changeNote({ customer_id, customer_note_id: first.customer_note_id, pinned: true })
    await file.removeNote({ customer_id, customer_note_id: third.customer_note_id })
    expect(await texts()).toEqual(['Prefiere WhatsApp', 'Pidió factura'])
    expect(second.for_coaches).toBe(true)
    expect((await trail(customer_id)).map((row) => row.action)).toEqual([
      'customer.note_add',
      'customer.note_add',
      'customer.note_add',
      'customer.note_change',
      'customer.note_remove',
    ])
    expect((await trail(customer_id)).at(-1)).toMatchObject({ before: { text: 'Rodilla' }, after: null })
  })

  it('notes are created once per key, and refused for unknown customers, without text, or with another customer’s note id (X1)', async () => {
    const [{ customer_id }, other] = [await s.make.customer(), await s.make.customer()]
    const key = randomUUID()
    const twice = await Promise.all([1, 2].map(() => s.as(desk, key).customerFile.addNote({ customer_id, text: 'Una vez' })))
    expect(twice[0]?.note.customer_note_id).toBe(twice[1]?.note.customer_note_id)
    const file = s.as(desk).customerFile
    expect((await file.one({ customer_id })).notes).toHaveLength(1)
    const customer_note_id = twice[0]?.note.customer_note_id ?? 0
    expect(await codeOf(file.addNote({ customer_id: 2_000_000, text: 'Hola' }))).toBe('NOT_FOUND')
    expect(await codeOf(file.addNote({ customer_id, text: '   ' }))).toBe('INVALID_INPUT')
    expect(await codeOf(file.changeNote({ customer_id: other.customer_id, customer_note_id, text: 'Ajena' }))).toBe('NOT_FOUND')
    expect(await codeOf(file.removeNote({ customer_id: other.customer_id, customer_note_id }))).toBe('NOT_FOUND')
    expect(await codeOf(file.one({ customer_id: 2_000_000 }))).toBe('NOT_FOUND')
  })

  it('notes are limited to two hundred per customer, also concurrently (X1)', async () => {
    const { customer_id } = await s.make.customer()
    await s.sql(
      `insert into customer_note (customer_id, text, staff_id, "createdAt", "updatedAt")
       select $1, 'Nota ' || i, (select min(staff_id) from staff), now(), now() from generate_series(1, 199) i`,
      [customer_id],
    )
    const codes = await Promise.all(
      [1, 2, 3].map((n) =>
        s
          .as(desk)
          .customerFile.addNote({ customer_id, text: `Otra ${n}` })
          .then(
            () => 'ok',
            (error: { code: string }) => error.code,
          ),
      ),
    )
    expect(codes.sort()).toEqual(['INVALID_INPUT', 'INVALID_INPUT', 'ok'])
  })

  it('notes are shown to the coach of a class only when marked for coaches (X1)', async () => {
    const trainer = await s.make.instructor()
    const coach = await s.make.staff('coach', { instructor_id: trainer.instructor_id })
    const ana = await s.make.customer()
    await s.make.lot(ana)
    const { single_class_id } = await s.make.class({ instructor_id: trainer.instructor_id })
    await s.as(ana).bookings.reserve({ single_class_id })
    const file = s.as(desk).customerFile
    await file.addNote({ customer_id: ana.customer_id, text: 'Debe una toalla' })
    await file.addNote({ customer_id: ana.customer_id, text: 'Cuida su rodilla', for_coaches: true })
    const roster = await s.as(coach).attendance.roster({ single_class_id })
    expect(roster.class_reservations.map((entry) => entry.notes)).toEqual([['Cuida su rodilla']])
    expect(await codeOf(s.as(coach).customerFile.one({ customer_id: ana.customer_id }))).toBe('FORBIDDEN')
  })
})

describe('tags', () => {
  /** The tag as customers' records show it, without what only the catalogue's list has (uses, archived). */
  const aTag = async (type: string) => {
    const { tag_id, ...tag } = (await s.as(owner).catalogue.admin.tags.create({ name: `Etiqueta ${randomUUID().slice(0, 8)}`, type })).tag
    return { tag_id, name: tag.name, color: tag.color, type: tag.type }
  }
  it('of type customer replace the previous ones, audited; a deleted tag is removed from customers (X2, K9)', async () => {
    const { customer_id } = await s.make.customer()
    const [early, late] = [await aTag('customer'), await aTag('customer')]
    const file = s.as(desk).customerFile
    await file.putTags({ customer_id, tag_ids: [early.tag_id] })
    const both = await file.putTags({ customer_id, tag_ids: [late.tag_id, early.tag_id] })
    expect(both.tags.map((tag) => tag.tag_id).sort()).toEqual([early.tag_id, late.tag_id].sort())
    await file.putTags({ customer_id, tag_ids: [early.tag_id, late.tag_id] })
    expect((await trail(customer_id)).map((row) => row.action)).toEqual(['customer.tags', 'customer.tags'])
    await s.as(owner).catalogue.admin.tags.remove({ tag_id: early.tag_id })
    expect((await file.one({ customer_id })).tags).toEqual([late])
    expect((await file.putTags({ customer_id, tag_ids: [] })).tags).toEqual([])
  })

  it('of another type, unknown ones, or for unknown customers are refused and change nothing (X2)', async () => {
    const { customer_id } = await s.make.customer()
    const [good, ofClass] = [await aTag('customer'), await aTag('class')]
    const file = s.as(desk).customerFile
    await file.putTags({ customer_id, tag_ids: [good.tag_id] })
    for (const tag_ids of [[ofClass.tag_id], [good.tag_id, 2_000_000]])
      expect((await refusalOf(file.putTags({ customer_id, tag_ids }))).data).toMatchObject({ issues: [{ path: 'tag_ids' }] })
    expect(await codeOf(file.putTags({ customer_id: 2_000_000, tag_ids: [] }))).toBe('NOT_FOUND')
    expect((await file.one({ customer_id })).tags).toEqual([good])
  })

  it('of customers are in no public list, and classes cannot have them (X2)', async () => {
    const secret = await aTag('customer')
    const visitor = s.as(null).catalogue
    for (const input of [{}, { type: 'customer' }])
      expect((await visitor.tags(input)).tags.map((tag) => tag.tag_id)).not.toContain(secret.tag_id)
    expect(await codeOf(visitor.tag({ tag_id: secret.tag_id }))).toBe('NOT_FOUND')
    expect((await s.as(desk).customerFile.tags()).tags).toContainEqual(secret)
    const { single_class_id } = await s.make.class()
    expect(await codeOf(s.as(owner).schedule.update({ single_class_id, tag_ids: [secret.tag_id] }))).toBe('NOT_FOUND')
  })
})
