/** Taking back one's own last acts (docs/domain.md LA9). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { codeOf, type Person, START, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let desk: Person
let manager: Person
beforeAll(async () => {
  s = await studio({ settings: { drop_in_price: '220.00' } })
  desk = await s.make.staff('reception')
  manager = await s.make.staff('manager')
})
afterAll(() => s.close())
beforeEach(() => s.clock.set(START))

const inHours = (hours: number) => new Date(Date.parse(START) + hours * 3_600_000)
const undosOf = async (person: Person) => (await s.as(person).undos.list()).undos
const undo = (person: Person, undo_id: number | undefined) => s.as(person).undos.undo({ undo_id: undo_id ?? 0 })
const balanceOf = async (available_class_id: number) =>
  (await s.sql<{ balance: number }>('select balance from available_class where available_class_id = $1', [available_class_id]))[0]?.balance
const liveOf = (single_class_id: number) =>
  s.sql<{ spot: string | null }>('select spot from class_reservation where single_class_id = $1 and "deletedAt" is null', [single_class_id])

/** A customer with ten credits and a place in a class, paid by one of them. */
async function booked() {
  const ana = await s.make.customer({ name: 'Ana', last_name: 'Ruiz' })
  const creditLot = await s.make.lot(ana, { title: 'Diez', granted: 10 })
  const cls = await s.make.class({ starts_at: inHours(30), capacity: 1 })
  const reserve = s.as(desk, randomUUID()).attendance.reserve
  const { class_reservation } = await reserve({ customer_id: ana.customer_id, single_class_id: cls.single_class_id })
  return { ana, creditLot, cls, id: class_reservation.class_reservation_id }
}
const cancel = (class_reservation_id: number, credit: 'return' | 'keep' = 'return') =>
  s.as(desk).attendance.cancel({ class_reservation_id, reason: 'Se equivocó', credit })

describe('a cancelled place', () => {
  it('a cancelled place is booked again with the same credit, once, by the person who cancelled it', async () => {
    const { creditLot, cls, id } = await booked()
    const done = await cancel(id)
    expect(done.undo?.label).toMatch(/^Se canceló el lugar de Ana Ruiz del .+\.$/)
    expect(await balanceOf(creditLot.available_class_id)).toBe(10)
    expect(await undosOf(desk)).toMatchObject([{ kind: 'act', id: done.undo?.undo_id, label: done.undo?.label }])
    expect(await undosOf(manager)).toEqual([])
    expect(await codeOf(undo(manager, done.undo?.undo_id))).toBe('NOT_FOUND')
    await undo(desk, done.undo?.undo_id)
    expect([await balanceOf(creditLot.available_class_id), (await liveOf(cls.single_class_id)).length]).toEqual([9, 1])
    expect(await undosOf(desk)).toEqual([])
    // A second click, or another tab, changes nothing; also after the ten minutes.
    s.clock.advance({ minutes: 11 })
    expect(await undo(desk, done.undo?.undo_id)).toEqual({ ok: true })
    expect([await balanceOf(creditLot.available_class_id), (await liveOf(cls.single_class_id)).length]).toEqual([9, 1])
  })

  it('stays cancelled after ten minutes, and when the spot is taken; a later try is possible', async () => {
    const { cls, id } = await booked()
    const { undo: offered } = await cancel(id)
    const eva = await s.make.customer()
    await s.make.lot(eva)
    const other = await s.as(desk, randomUUID()).attendance.reserve({ customer_id: eva.customer_id, single_class_id: cls.single_class_id })
    expect(await codeOf(undo(desk, offered?.undo_id))).toBe('CLASS_FULL')
    await cancel(other.class_reservation.class_reservation_id)
    await undo(desk, offered?.undo_id)
    expect(await liveOf(cls.single_class_id)).toHaveLength(1)
    const late = await booked()
    const { undo: old } = await cancel(late.id)
    s.clock.advance({ minutes: 10, seconds: 1 })
    expect(await codeOf(undo(desk, old?.undo_id))).toBe('UNDO_TOO_LATE')
    expect(await undosOf(desk)).toEqual([])
  })

  it('a cancelled place cannot be taken back when its credit was lost, or it is paid in cash', async () => {
    const { id } = await booked()
    expect((await cancel(id, 'keep')).undo).toBeNull()
    const eva = await s.make.customer()
    const cls = await s.make.class({ starts_at: inHours(30) })
    const owed = await s.as(desk, randomUUID()).attendance.reserve({
      customer_id: eva.customer_id,
      single_class_id: cls.single_class_id,
      is_cash: true,
    })
    expect((await cancel(owed.class_reservation.class_reservation_id)).undo).toBeNull()
  })
})

describe('access that was given', () => {
  const statusOf = async (purchase_id: number) =>
    (await s.sql<{ status: string }>('select status from purchase where purchase_id = $1', [purchase_id]))[0]?.status

  it('without money is revoked with its credits, once, and its limit is free again', async () => {
    const ana = await s.make.customer({ name: 'Ana', last_name: 'Ruiz' })
    const { customer_id } = ana
    const { class_package_id } = await s.make.package({ title: 'Diez', class_amount: 10, limit_per_customer: 1 })
    const give = (more: { is_gift?: boolean; bill?: boolean }) =>
      s.as(manager, randomUUID()).studioSales.giveAccess({ customer_id, class_package_id, ...more })
    for (const how of [{ is_gift: true }, { bill: false }]) {
      const { purchase, undo: offered } = await give(how)
      expect(offered?.label).toBe('Se dio “Diez” a Ana Ruiz.')
      expect((await s.as(ana).credits.list()).summary.available).toBe(10)
      await undo(manager, offered?.undo_id)
      expect(await undo(manager, offered?.undo_id)).toEqual({ ok: true })
      expect([await statusOf(purchase.purchase_id), (await s.as(ana).credits.list()).summary.available]).toEqual(['revoked', 0])
    }
  })

  it('stays when one of its credits was spent, and when money was recorded', async () => {
    const ana = await s.make.customer()
    const { customer_id } = ana
    const { class_package_id } = await s.make.package({ class_amount: 10 })
    const { purchase, undo: offered } = await s.as(manager, randomUUID()).studioSales.giveAccess({
      customer_id,
      class_package_id,
      is_gift: true,
    })
    const cls = await s.make.class({ starts_at: inHours(30) })
    await s.as(ana, randomUUID()).bookings.reserve({ single_class_id: cls.single_class_id })
    expect(await codeOf(undo(manager, offered?.undo_id))).toBe('UNDO_CHANGED')
    expect(await statusOf(purchase.purchase_id)).toBe('completed')
    expect((await s.as(manager, randomUUID()).studioSales.giveAccess({ customer_id, class_package_id })).undo).toBeNull()
  })
})

it('classes that were subtracted come back to the lots that they were taken from', async () => {
  const { customer_id } = await s.make.customer({ name: 'Ana', last_name: 'Ruiz' })
  const ana = { customer_id }
  const first = await s.make.lot(ana, { granted: 2, expires_at: inHours(48) })
  const second = await s.make.lot(ana, { granted: 5, expires_at: inHours(96) })
  const balances = () => Promise.all([first, second].map(({ available_class_id }) => balanceOf(available_class_id)))
  const remove = () => s.as(manager, randomUUID()).studioSales.removeClasses({ customer_id, amount: 3, reason: 'Error' })
  const { undo: offered } = await remove()
  expect([offered?.label, await balances()]).toEqual(['Se restaron 3 clases a Ana Ruiz.', [0, 4]])
  await undo(manager, offered?.undo_id)
  expect(await balances()).toEqual([2, 5])
  const { undo: later } = await remove()
  await s.as(manager).credits.revoke({ available_class_id: second.available_class_id, reason: 'Ya no viene' })
  expect(await codeOf(undo(manager, later?.undo_id))).toBe('UNDO_CHANGED')
  expect(await balances()).toEqual([0, 0])
})

describe('a change of a credit lot', () => {
  const change = (input: Omit<Parameters<ReturnType<TestStudio['as']>['credits']['update']>[0], 'reason'>) =>
    s.as(manager, randomUUID()).credits.update({ reason: 'Ajuste', ...input })

  it('gives and takes are undone with the opposite movement, a day and a freeze with what was before', async () => {
    const ana = await s.make.customer()
    const creditLot = await s.make.lot(ana, { title: 'Diez', granted: 10 })
    const { available_class_id } = creditLot
    const [before] = await s.sql('select expires_at, "frozenAt", balance from available_class where available_class_id = $1', [
      available_class_id,
    ])
    for (const input of [{ add: 3 }, { add: -2 }, { expiration_date: '2027-03-01' }, { frozen: true }]) {
      const { undo: offered } = await change({ available_class_id, ...input })
      await undo(manager, offered?.undo_id)
      expect(
        await s.sql('select expires_at, "frozenAt", balance from available_class where available_class_id = $1', [available_class_id]),
      ).toEqual([before])
    }
    const kinds = await s.sql<{ kind: string; amount: number }>(
      'select kind, amount from credit_movement where available_class_id = $1 order by credit_movement_id',
      [available_class_id],
    )
    expect(kinds.map(({ kind, amount }) => `${kind} ${amount}`)).toEqual([
      'grant 10',
      'adjust 3',
      'remove -3',
      'remove -2',
      'adjust 2',
      'extend 0',
      'extend 0',
    ])
  })

  it('a revoked lot comes back with what it had, once, unless it was used meanwhile', async () => {
    const ana = await s.make.customer({ name: 'Ana', last_name: 'Ruiz' })
    const { available_class_id } = await s.make.lot(ana, { title: 'Diez', granted: 10 })
    await change({ available_class_id, add: -3 })
    const revoke = () => s.as(manager).credits.revoke({ available_class_id, reason: 'Se equivocó' })
    const { undo: offered, available_class } = await revoke()
    expect([offered?.label, available_class.state]).toEqual(['Se retiró “Diez” de Ana Ruiz.', 'revoked'])
    expect(await balanceOf(available_class_id)).toBe(0)
    await undo(manager, offered?.undo_id)
    expect(await balanceOf(available_class_id)).toBe(7)
    await undo(manager, offered?.undo_id)
    expect(await balanceOf(available_class_id)).toBe(7)
    expect((await s.as(manager).credits.ofCustomer({ customer_id: ana.customer_id })).available_classes[0]?.state).toBe('alive')
    // It can be taken away again, and the older act has nothing to do with that.
    s.clock.advance({ minutes: 1 })
    const again = await revoke()
    const unlimited = await s.make.lot(ana, { unlimited: true })
    const answer = await s.as(manager).credits.revoke({ available_class_id: unlimited.available_class_id, reason: 'Se equivocó' })
    await undo(manager, answer.undo?.undo_id)
    expect(
      (await s.sql('select "revokedAt" from available_class where available_class_id = $1', [unlimited.available_class_id]))[0],
    ).toEqual({
      revokedAt: null,
    })
    s.clock.advance({ minutes: 10, seconds: 1 })
    expect(await codeOf(undo(manager, again.undo?.undo_id))).toBe('UNDO_TOO_LATE')
  })

  it('that changes nothing is not recorded, and nothing is offered to be undone', async () => {
    const ana = await s.make.customer()
    const { available_class_id } = await s.make.lot(ana, { granted: 4 })
    const entries = async () =>
      (await s.sql("select 1 from audit where action = 'credits.change' and entity_id = $1", [String(available_class_id)])).length
    const [thawed, same] = [await change({ available_class_id, frozen: false }), await change({ available_class_id, available_classes: 4 })]
    expect([thawed.undo, same.undo, await entries()]).toEqual([null, null, 0])
    expect((await change({ available_class_id, frozen: true })).undo).not.toBeNull()
    expect((await change({ available_class_id, frozen: true })).undo).toBeNull()
    expect(await entries()).toBe(1)
  })

  it('a change of a credit lot is refused when the credits that were given are spent, or the lot changed since; nothing is written then', async () => {
    const ana = await s.make.customer()
    const { available_class_id } = await s.make.lot(ana, { granted: 1 })
    const answer = await change({ available_class_id, add: 1 })
    await change({ available_class_id, add: -2 })
    expect(await codeOf(undo(manager, answer.undo?.undo_id))).toBe('UNDO_CHANGED')
    expect(await balanceOf(available_class_id)).toBe(0)
    const extended = await change({ available_class_id, expiration_date: '2027-03-01' })
    await change({ available_class_id, expiration_date: '2027-04-01' })
    expect(await codeOf(undo(manager, extended.undo?.undo_id))).toBe('UNDO_CHANGED')
  })

  it('needs the right that the change needed', async () => {
    const ana = await s.make.customer()
    const { available_class_id } = await s.make.lot(ana, { granted: 5 })
    const { undo: offered } = await change({ available_class_id, add: 1 })
    const other = await s.make.staff('coach')
    await s.sql('update staff_undo set staff_id = (select staff_id from staff where uid = $1) where undo_id = $2', [
      other.uid,
      offered?.undo_id,
    ])
    expect(await codeOf(undo(other, offered?.undo_id))).toBe('FORBIDDEN')
    expect(await balanceOf(available_class_id)).toBe(6)
  })
})

describe('the tags of a customer', () => {
  it('the tags of a customer are those from before, unless they changed since; saving the same ones offers nothing', async () => {
    const ana = await s.make.customer()
    const tag = async (name: string) => (await s.as(manager).catalogue.admin.tags.create({ name, type: 'customer' })).tag.tag_id
    const [vip, rodilla] = [await tag('VIP'), await tag('Rodilla')]
    const put = (tag_ids: number[]) => s.as(desk).customerFile.putTags({ customer_id: ana.customer_id, tag_ids })
    const names = async () => (await s.as(desk).customerFile.one({ customer_id: ana.customer_id })).tags.map(({ name }) => name)
    await put([vip])
    expect((await put([vip])).undo).toBeNull()
    const { undo: offered } = await put([rodilla])
    await undo(desk, offered?.undo_id)
    expect(await names()).toEqual(['VIP'])
    const { undo: again } = await put([rodilla])
    await put([vip, rodilla])
    expect(await codeOf(undo(desk, again?.undo_id))).toBe('UNDO_CHANGED')
    expect(await names()).toEqual(['Rodilla', 'VIP'])
  })
})

it('changes of the timetable and to many are in the same list, each with its own way to undo it', async () => {
  const owner = await s.make.staff('owner')
  const cls = await s.make.class({ starts_at: inHours(50) })
  const { undo: edit } = await s.as(owner, randomUUID()).studioSchedule.change({
    changes: [{ op: 'cancel', single_class_id: cls.single_class_id, reason: 'Sin luz' }],
    as: 'publish',
    tell: false,
  })
  expect(await undosOf(owner)).toMatchObject([{ kind: 'schedule', id: edit?.undo_id, label: edit?.label }])
  await s.as(owner).studioSchedule.undo({ undo_id: edit?.undo_id ?? 0 })
  expect(await undosOf(owner)).toEqual([])
})
