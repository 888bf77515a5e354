/** Who works here with which rights and where: changing it, taking it away, giving it back (docs/domain.md, E1 to E8). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rightsOfRole } from '#contract/rights.ts'
import { staffIdOf } from '#server/testing/staff-ids.ts'
import { codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let on: TestStudio
let owner: Person
beforeAll(async () => {
  on = await studio()
  owner = await on.make.staff('owner', { name: 'Mónica' })
})
afterAll(() => on.close())

const trail = async (staff_id: number) =>
  on.sql<{ action: string; before: object | null; after: object | null }>(
    `select action, before, after from audit where entity = 'staff' and entity_id = $1 and action <> 'staff.sign_in' order by audit_id`,
    [String(staff_id)],
  )
/** A colleague with added rights. */
async function withRights(role: 'manager' | 'reception' | 'coach', ...rights: string[]): Promise<Person> {
  const person = await on.make.staff(role)
  await on.sql('insert into staff_right select $1, unnest($2::text[]), true', [await staffIdOf(on, person), rights])
  return person
}

test('lists all staff with rights, locations, coach and customer; disabled ones last (E1)', async () => {
  const mia = await on.make.staff('reception', { name: 'Mía' })
  const { location_id } = await on.make.location()
  const staff_id = await staffIdOf(on, mia)
  await on
    .as(owner)
    .team.update({ staff_id, location_ids: [location_id], rights_added: ['sales.refund'], rights_removed: ['credits.edit'] })
  const { staff } = await on.as(owner).team.list()
  expect(staff.find((staff) => staff.staff_id === staff_id)).toMatchObject({
    name: 'Mía',
    email: mia.email,
    role: 'reception',
    location_ids: [location_id],
    instructor_id: null,
    customer_id: null,
    rights_added: ['sales.refund'],
    rights_removed: ['credits.edit'],
    has_joined: true,
    invite: null,
    is_disabled: false,
  })
  const expected = [...rightsOfRole('reception').filter((key) => key !== 'credits.edit'), 'sales.refund']
  expect(
    staff
      .find((staff) => staff.staff_id === staff_id)
      ?.rights.slice()
      .sort(),
  ).toEqual(expected.sort())
  const disabled = await on.make.staff('coach', { name: 'Aarón' })
  await on.as(owner).team.disable({ staff_id: await staffIdOf(on, disabled) })
  expect((await on.as(owner).team.list()).staff.at(-1)).toMatchObject({ name: 'Aarón', is_disabled: true })
})

test('a change of role or rights applies from the next request, and is audited with the previous state (E6)', async () => {
  const leo = await on.make.staff('reception')
  const staff_id = await staffIdOf(on, leo)
  expect(await refusalOf(on.as(leo).differences.list())).toMatchObject({ code: 'FORBIDDEN', data: { needs: 'reports.money' } })
  const { staff_member } = await on.as(owner).team.update({ staff_id, role: 'manager' })
  expect(staff_member).toMatchObject({ staff_id, role: 'manager', rights_added: [], rights_removed: [] })
  await on.as(leo).differences.list()
  await on.as(owner).team.update({ staff_id, rights_removed: ['reports.money'] })
  expect(await refusalOf(on.as(leo).differences.list())).toMatchObject({ code: 'FORBIDDEN', data: { needs: 'reports.money' } })
  expect(await trail(staff_id)).toEqual([
    { action: 'staff.change', before: { role: 'reception' }, after: { role: 'manager' } },
    { action: 'staff.change', before: { rights_removed: [] }, after: { rights_removed: ['reports.money'] } },
  ])
  // What stays as it is leaves no row.
  await on.as(owner).team.update({ staff_id, role: 'manager' })
  expect(await trail(staff_id)).toHaveLength(2)
})

test('rights of the role are not added and missing ones not removed; an owner has all of them everywhere (E1)', async () => {
  const person = await on.make.staff('reception')
  const staff_id = await staffIdOf(on, person)
  const { location_id } = await on.make.location()
  const change = on.as(owner).team.update
  const sent = { rights_added: ['sales.sell', 'sales.refund'], rights_removed: ['settings.edit', 'credits.edit'] } as const
  const { staff_member } = await change({
    staff_id,
    location_ids: [location_id],
    rights_added: [...sent.rights_added],
    rights_removed: [...sent.rights_removed],
  })
  expect(staff_member).toMatchObject({ rights_added: ['sales.refund'], rights_removed: ['credits.edit'] })
  const second = (await change({ staff_id, role: 'owner' })).staff_member
  expect(second).toMatchObject({ rights_added: [], rights_removed: [], location_ids: null })
  expect(second.rights).toContain('settings.code')
  await change({ staff_id, role: 'coach' })
})

test('granting rights that the caller lacks, or changing a person with more rights, is refused (E5)', async () => {
  const boss = await withRights('manager', 'staff.edit')
  const target = await staffIdOf(on, await on.make.staff('reception'))
  const change = on.as(boss).team.update
  expect(await refusalOf(change({ staff_id: target, rights_added: ['settings.edit'] }))).toMatchObject({
    code: 'FORBIDDEN',
    data: { needs: 'settings.edit' },
  })
  expect(await codeOf(change({ staff_id: target, role: 'owner' }))).toBe('FORBIDDEN')
  expect(await codeOf(change({ staff_id: await staffIdOf(on, boss), role: 'owner' }))).toBe('FORBIDDEN')
  expect((await change({ staff_id: target, role: 'manager' })).staff_member.role).toBe('manager')
  const above = await staffIdOf(on, await on.make.staff('owner'))
  for (const call of [
    () => change({ staff_id: above, role: 'coach' }),
    () => on.as(boss).team.disable({ staff_id: above }),
    () => on.as(boss).team.invite({ name: 'Otra', email: 'otra.duena@ejemplo.mx', role: 'owner' }),
    () => on.as(boss).team.resetSecondFactor({ staff_id: above, reason: 'Perdió su teléfono' }),
  ])
    expect(await codeOf(call())).toBe('FORBIDDEN')
  await on.as(owner).team.disable({ staff_id: above })
  expect(await codeOf(on.as(boss).team.restore({ staff_id: above }))).toBe('FORBIDDEN')
})

test('staff of some locations grant only those, and not all (E5)', async () => {
  const [norte, sur] = [await on.make.location(), await on.make.location()]
  const boss = await withRights('manager', 'staff.edit')
  await on.sql('insert into staff_location values ($1, $2)', [await staffIdOf(on, boss), norte.location_id])
  const target = await staffIdOf(on, await on.make.staff('reception'))
  const change = on.as(boss).team.update
  expect(await codeOf(change({ staff_id: target, location_ids: [norte.location_id] }))).toBe('FORBIDDEN')
  await on.as(owner).team.update({ staff_id: target, location_ids: [norte.location_id] })
  expect(await codeOf(change({ staff_id: target, location_ids: [norte.location_id, sur.location_id] }))).toBe('FORBIDDEN')
  expect(await codeOf(change({ staff_id: target, location_ids: null }))).toBe('FORBIDDEN')
  expect((await change({ staff_id: target, name: 'Nora' })).staff_member.name).toBe('Nora')
})

test('an unknown location or coach is refused, and nothing is changed', async () => {
  const staff_id = await staffIdOf(on, await on.make.staff('coach', { name: 'Igual' }))
  for (const wrong of [{ location_ids: [2_000_000_000] }, { instructor_id: 2_000_000_000 }])
    expect(await codeOf(on.as(owner).team.update({ staff_id, name: 'Otro', ...wrong }))).toBe('NOT_FOUND')
  expect(await codeOf(on.as(owner).team.update({ staff_id, location_ids: [] }))).toBe('INVALID_INPUT')
  expect(await codeOf(on.as(owner).team.update({ staff_id: 2_000_000_000, name: 'Otro' }))).toBe('NOT_FOUND')
  expect((await on.as(owner).team.list()).staff.find((staff) => staff.staff_id === staff_id)?.name).toBe('Igual')
})

test('a disabled person loses sessions and rights at once, stays a customer, and can be restored unchanged (E8)', async () => {
  const ana = await on.make.customer()
  await on.sql(`insert into staff (uid, name, email, role) values ($1, 'Ana', $2, 'reception')`, [ana.uid, ana.email])
  const staff_id = await staffIdOf(on, ana)
  expect((await on.as(owner).team.list()).staff.find((staff) => staff.staff_id === staff_id)?.customer_id).toBe(ana.customer_id)
  expect((await on.as(ana).team.me()).staff.staff_id).toBe(staff_id)
  expect((await on.as(owner).team.disable({ staff_id })).staff_member.is_disabled).toBe(true)
  expect(await codeOf(on.as(ana).team.me())).toBe('TOKEN_EXPIRED')
  on.clock.advance({ seconds: 2 })
  const again = { ...ana, token: await on.studio.ports.identity.tokenFor(ana.uid, 86_400) }
  expect(await codeOf(on.as(again).team.me())).toBe('FORBIDDEN')
  expect((await on.as(again).people.me()).customer.customer_id).toBe(ana.customer_id)
  expect((await on.as(owner).team.disable({ staff_id })).staff_member.is_disabled).toBe(true)

  expect((await on.as(owner).team.restore({ staff_id })).staff_member).toMatchObject({ is_disabled: false, role: 'reception' })
  expect((await on.as(again).team.me()).staff.role).toBe('reception')
  expect((await trail(staff_id)).map(({ action }) => action)).toEqual(['staff.disable', 'staff.restore'])
})

test('the last owner can neither be demoted nor disabled, also not by themselves (E7)', async () => {
  const ownStudio = await studio()
  const boss = await ownStudio.make.staff('owner')
  const [row] = await ownStudio.sql<{ staff_id: number }>('select staff_id from staff')
  const staff_id = row?.staff_id ?? 0
  expect(await refusalOf(ownStudio.as(boss).team.update({ staff_id, role: 'manager' }))).toMatchObject({ code: 'LAST_OWNER', status: 409 })
  expect(await codeOf(ownStudio.as(boss).team.disable({ staff_id }))).toBe('LAST_OWNER')
  // An invited person who never accepted does not count as an owner.
  await ownStudio.as(boss).team.invite({ name: 'Otra', email: 'otra@ejemplo.mx', role: 'owner' })
  expect(await codeOf(ownStudio.as(boss).team.disable({ staff_id }))).toBe('LAST_OWNER')
  await ownStudio.make.staff('owner')
  expect((await ownStudio.as(boss).team.update({ staff_id, role: 'manager' })).staff_member.role).toBe('manager')
  await ownStudio.close()
})
