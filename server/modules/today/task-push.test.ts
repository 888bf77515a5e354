/** New tasks on the devices of staff who enabled them (N12). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LoopbackPush, loopbackPush } from '#server/testing/loopback-push.ts'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { sweepMessages } from '#server/testing/work.ts'
import { pushNewTasks } from './task-push.ts'

let s: TestStudio
let service: LoopbackPush
beforeAll(async () => {
  service = await loopbackPush()
  s = await studio({ env: { PUSH_LOOPBACK: '1' } })
})
afterAll(async () => {
  await s.close()
  await service.close()
})

async function pushDueTasks() {
  await pushNewTasks(s.system())
  await sweepMessages(s.system(), {})
}
async function subscribed(person: Person) {
  const { key } = await s.as(person).push.devices()
  const device = service.subscribe(key)
  await s.as(person).push.add(device)
  return () => service.shown.filter(({ endpoint }) => endpoint === device.endpoint).map(({ notification }) => notification)
}
/** A class of the next days without capacity: a task for planners. */
const withoutCapacity = () => s.make.class({ capacity: null, starts_at: new Date(s.clock.now().getTime() + 26 * 3_600_000) })

test('new tasks are pushed once to staff who enabled it and may see them; earlier ones are not', async () => {
  const [owner, coach, other] = [await s.make.staff('owner'), await s.make.staff('coach'), await s.make.staff('manager')]
  const [shown, shownToCoach, shownToOther] = [await subscribed(owner), await subscribed(coach), await subscribed(other)]
  await withoutCapacity()
  for (const person of [owner, coach]) await s.as(person).today.setPush({ enabled: true })
  expect([await s.as(owner).today.push(), await s.as(other).today.push()]).toEqual([{ enabled: true }, { enabled: false }])
  await pushDueTasks()
  expect(shown()).toEqual([])

  const cls = await withoutCapacity()
  await pushDueTasks()
  await pushDueTasks()
  expect(shown()).toMatchObject([{ title: expect.stringContaining('no tiene cupo'), path: `/admin/clases/${cls.single_class_id}` }])
  expect([shownToCoach(), shownToOther()]).toEqual([[], []])

  s.clock.advance({ minutes: 5 })
  await withoutCapacity()
  await withoutCapacity()
  await pushDueTasks()
  expect(shown()[1]).toMatchObject({ title: '2 pendientes nuevos', path: '/admin/hoy' })

  // At night it waits for the morning (M4).
  s.clock.set('2026-11-19T23:00:00-06:00')
  await withoutCapacity()
  await pushDueTasks()
  expect(shown()).toHaveLength(2)
  s.clock.set('2026-11-20T08:01:00-06:00')
  await sweepMessages(s.system(), {})
  expect(shown()).toHaveLength(3)

  await s.as(owner).today.setPush({ enabled: false })
  s.clock.advance({ minutes: 5 })
  await withoutCapacity()
  await pushDueTasks()
  expect(shown()).toHaveLength(3)
  expect(service.faults).toEqual([])
  // It is not sent by mail instead.
  expect(await s.sql(`select 1 from message where event = 'staff_tasks' and channel <> 'push'`)).toEqual([])
})

test('a former member gets nothing', async () => {
  const manager = await s.make.staff('manager')
  const shown = await subscribed(manager)
  await s.as(manager).today.setPush({ enabled: true })
  await pushDueTasks()
  await s.sql(`update staff set "disabledAt" = now() where uid = $1`, [manager.uid])
  await withoutCapacity()
  await pushDueTasks()
  expect(shown()).toEqual([])
})
