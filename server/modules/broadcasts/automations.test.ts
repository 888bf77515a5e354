/** Messages when a customer comes into a state, over HTTP and by their job (docs/domain.md BR7, BR8). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Client, type Person, refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'
import { isDue } from './automations.ts'

let s: TestStudio
let owner: Person
beforeAll(async () => {
  s = await studio()
  owner = await s.make.staff('owner')
})
afterAll(() => s.close())
beforeEach(async () => {
  await s.reset()
  await s.sql('update automation set enabled = false')
  // Customers of earlier tests, whose times are in the future of this clock, are left out.
  await s.sql('update customer set "archivedAt" = now() where "archivedAt" is null')
})

type CreateInput = Parameters<Client['automations']['create']>[0]
const as = (person: Person = owner): Client['automations'] => s.as(person, randomUUID()).automations
const input = (more: Partial<CreateInput> = {}): CreateInput => ({
  customer_state: 'at_risk',
  channels: ['mail'],
  subject: 'Te extrañamos',
  text: 'Hola {{nombre}}: ¿vienes esta semana?',
  ...more,
})
const create = async (more: Partial<CreateInput> = {}) => (await as().create(input(more))).automation
const read = async (automation_id: number) =>
  (await as().all()).automations.find((automation) => automation.automation_id === automation_id)

const DAY = 86_400_000
const days = (n: number) => new Date(Date.parse(START) + n * DAY)

async function visit(customer_id: number, at: Date) {
  const cls = await s.make.class({ starts_at: at })
  await s.sql(`update single_class set "settledAt" = starts_at where single_class_id = $1`, [cls.single_class_id])
  await s.sql(
    `insert into class_reservation (single_class_id, customer_id, attend, "createdAt", "updatedAt") values ($1, $2, true, $3, $3)`,
    [cls.single_class_id, customer_id, at],
  )
}

/** A customer who came every three days until now, has credits, and is at risk eleven days from now. */
async function regular({ promotions = true, name }: { promotions?: boolean; name?: string } = {}) {
  const customer = await s.make.customer({ createdAt: days(-60), ...(name ? { name } : {}) })
  await s.make.lot(customer, { expires_at: days(200) })
  for (const n of [-40, -37, -34, -6, -3, -1]) await visit(customer.customer_id, days(n))
  await s.as(customer).messages.setPreferences({ marketing: promotions, whatsapp: false })
  return customer
}

const derive = () => doJobs(s, 'customers.summaries')
const sweep = () => doJobs(s, 'customers.summaries', 'broadcasts.automations')
/** Who got it, or not: state and reason by person. */
const recipients = (automation_id: number) =>
  s.sql<{ customer_id: number; state: string; reason: string | null }>(
    `select r.customer_id, r.state, r.reason from broadcast_recipient r join broadcast b using (broadcast_id) where b.automation_id = $1
      order by b.broadcast_id, r.customer_id`,
    [automation_id],
  )

describe('sending', () => {
  it('writes once, at its hour, to customers who changed to the state since it was switched on and consented (BR7)', async () => {
    const [ana, beto] = [await regular({ name: 'Ana' }), await regular({ promotions: false })]
    const late = await s.make.customer({ createdAt: days(-60) })
    await s.make.lot(late, { expires_at: days(200) })
    for (const n of [-29, -27, -25]) await visit(late.customer_id, days(n))
    await s.as(late).messages.setPreferences({ marketing: true })
    await derive()
    const { automation_id } = await create({ hour: 12 })
    await sweep()
    expect(await recipients(automation_id)).toEqual([])

    s.clock.set('2026-11-30T09:00:00-06:00')
    await derive()
    await sweep()
    expect(await recipients(automation_id)).toEqual([])
    s.clock.set('2026-11-30T12:01:00-06:00')
    await sweep()
    await sweep()
    expect(await recipients(automation_id)).toEqual([
      { customer_id: ana.customer_id, state: 'queued', reason: null },
      { customer_id: beto.customer_id, state: 'left_out', reason: 'no_consent' },
    ])
    const mails = await s.sql<{ subject: string; text: string }>('select subject, text from mail_outbox where "to" = $1', [ana.email])
    expect(mails).toEqual([{ subject: 'Te extrañamos', text: expect.stringContaining('Hola Ana: ¿vienes esta semana?') }])
    expect(mails[0]?.text).toContain('/baja/')
    const { broadcasts } = await s.as(owner).broadcasts.list({})
    expect(broadcasts[0]).toMatchObject({ audience: 'Pasaron a En riesgo', state: 'sent', is_promotion: true, total: 2, left_out: 1 })
    expect(await read(automation_id)).toMatchObject({ reached: 1, left_out: 1, last_at: '2026-11-30T18:01:00.000Z', stopped_because: null })

    s.clock.set('2026-12-01T12:01:00-06:00')
    await sweep()
    expect(await recipients(automation_id)).toHaveLength(2)
  })

  it('waits for customers who reached their promotions of the week, and writes when one of them is older (BR4, BR7)', async () => {
    const ana = await regular()
    await derive()
    await s.having({ messages_per_person_week: 1 }, async () => {
      const { automation_id } = await create()
      s.clock.set(days(10).toISOString())
      await s.as(owner, randomUUID()).broadcasts.create({
        audience: { customer_ids: [ana.customer_id] },
        channels: ['mail'],
        subject: 'Promoción',
        text: 'Esta semana',
      })
      await doJobs(s)
      s.clock.set(days(11).toISOString())
      await sweep()
      expect(await recipients(automation_id)).toEqual([])
      s.clock.set(days(17.1).toISOString())
      await sweep()
      expect(await recipients(automation_id)).toEqual([{ customer_id: ana.customer_id, state: 'queued', reason: null }])
    })
  })

  it('writes to the same person again only after its days (BR8)', async () => {
    const ana = await regular()
    await derive()
    const { automation_id } = await create({ again_after_days: 40 })
    s.clock.set(days(11).toISOString())
    await sweep()
    expect(await recipients(automation_id)).toHaveLength(1)
    for (const [back, lastSent, count] of [
      [13, 30, 1],
      [31, 52, 2],
    ] as const) {
      s.clock.set(days(back).toISOString())
      await visit(ana.customer_id, days(back - 0.1))
      await derive()
      s.clock.set(days(lastSent).toISOString())
      await sweep()
      expect(await recipients(automation_id)).toHaveLength(count)
    }
  })

  it('leaves out customers counted as gone, imported ones, and those who are not in the state any more', async () => {
    const [leaver, imported, back, stays] = [await regular(), await regular(), await regular(), await regular()]
    await derive()
    const { automation_id } = await create()
    s.clock.set(days(11).toISOString())
    await derive()
    await s.sql(`update customer set "archivedAt" = $2 where customer_id = $1`, [leaver.customer_id, days(11)])
    const [job] = await s.sql<{ import_id: number }>(
      `insert into import (source, state, staff_id, date_order, "createdAt") select 'other', 'done', staff_id, 'dmy', $1 from staff limit 1 returning import_id`,
      [days(10)],
    )
    await s.sql(`insert into external_ref (source, ref, customer_id, import_id) values ('other', $1, $2, $3)`, [
      `customer ${randomUUID()}`,
      imported.customer_id,
      job?.import_id,
    ])
    await visit(back.customer_id, days(10.9))
    await sweep()
    expect(await recipients(automation_id)).toEqual([{ customer_id: stays.customer_id, state: 'queued', reason: null }])
  })

  it('leaves out customers of an import that finished recently, is running, or was undone', async () => {
    const [late, running, undone, old, stays] = [await regular(), await regular(), await regular(), await regular(), await regular()]
    await derive()
    const { automation_id } = await create()
    s.clock.set(days(11).toISOString())
    const imported = async (person: Person, state: string, finishedAt: Date | null, hasRef = true) => {
      const [job] = await s.sql<{ import_id: number }>(
        `insert into import (source, state, staff_id, date_order, "createdAt", "finishedAt") select 'other', $1, staff_id, 'dmy', $2, $3 from staff limit 1 returning import_id`,
        [state, days(-15), finishedAt],
      )
      await s.sql(`insert into import_row (import_id, n, cells, state, customer_id) values ($1, 1, '[]', 'done', $2)`, [
        job?.import_id,
        person.customer_id,
      ])
      if (hasRef)
        await s.sql(`insert into external_ref (source, ref, customer_id, import_id) values ('other', $1, $2, $3)`, [
          `customer ${randomUUID()}`,
          person.customer_id,
          job?.import_id,
        ])
    }
    await imported(late, 'done', days(10))
    await imported(running, 'running', null)
    await imported(undone, 'undone', days(9), false)
    await imported(old, 'done', days(-14))
    await sweep()
    expect((await recipients(automation_id)).map(({ customer_id }) => customer_id)).toEqual(
      [old.customer_id, stays.customer_id].sort((a, b) => a - b),
    )
  })

  it('sends nothing while it is off or its author may not send messages, and shows why', async () => {
    const manager = await s.make.staff('manager')
    await regular()
    await derive()
    const off = await create({ enabled: false })
    const { automation } = await as(manager).create(input())
    await s.sql(`update staff set "disabledAt" = now() where staff_id = (select staff_id from automation where automation_id = $1)`, [
      automation.automation_id,
    ])
    s.clock.set(days(11).toISOString())
    await sweep()
    expect(await recipients(off.automation_id)).toEqual([])
    expect(await recipients(automation.automation_id)).toEqual([])
    expect((await read(automation.automation_id))?.stopped_because).toMatch(/ya no puede enviar mensajes/)
    expect((await read(off.automation_id))?.stopped_because).toBeNull()
    // Saved again by a person with the right; customers who changed to the state before still get it.
    await as().update({ automation_id: automation.automation_id, subject: 'Vuelve' })
    await sweep()
    expect(await recipients(automation.automation_id)).toHaveLength(1)
  })

  it('after being switched on again it is for customers who change from then on', async () => {
    await regular()
    await derive()
    const { automation_id } = await create({ enabled: false })
    s.clock.set(days(11).toISOString())
    await derive()
    s.clock.set(days(11.01).toISOString())
    await as().update({ automation_id, enabled: true })
    await sweep()
    expect(await recipients(automation_id)).toEqual([])
  })
})

describe('the list', () => {
  it('saves, changes and removes; refuses what cannot be sent', async () => {
    const automation = await create()
    expect(automation).toMatchObject({ hour: 10, again_after_days: 60, enabled: true, button: 'none', reached: 0, last_at: null })
    expect((await as().update({ automation_id: automation.automation_id, hour: 18 })).automation).toMatchObject({
      hour: 18,
      subject: 'Te extrañamos',
    })
    const code = async (more: object) => (await refusalOf(as().create({ ...input(), ...more }))).code
    for (const wrong of [{ channels: [] }, { hour: 7 }, { again_after_days: 6 }, { text: 'Hola {{apellido}}' }, { customer_state: 'sad' }])
      expect(await code(wrong), JSON.stringify(wrong)).toBe('INVALID_INPUT')
    expect(await code({ channels: ['whatsapp'], text: 'x'.repeat(301) })).toBe('INVALID_INPUT')
    // Neither field alone is wrong.
    const long = await create({ text: 'x'.repeat(301) })
    expect((await refusalOf(as().update({ automation_id: long.automation_id, channels: ['whatsapp'] }))).code).toBe('INVALID_INPUT')
    await as().remove({ automation_id: automation.automation_id })
    expect(await read(automation.automation_id)).toBeUndefined()
    expect((await refusalOf(as().remove({ automation_id: automation.automation_id }))).code).toBe('NOT_FOUND')
    expect((await refusalOf(as(await s.make.staff('reception')).create(input()))).code).toBe('FORBIDDEN')
  })
})

it('an automation is due once a day from its hour on, on the clocks of the studio, and not at night', () => {
  const zone = 'America/Mexico_City'
  const at = (time: string) => new Date(`2026-11-20T${time}:00-06:00`)
  const due = (time: string, last: Date | null = null) => isDue({ hour: 10, last_at: last }, at(time), zone)
  expect([due('09:59'), due('10:00'), due('21:59'), due('22:00')]).toEqual([false, true, true, false])
  expect(due('12:00', at('10:00'))).toBe(false)
  expect(due('12:00', new Date('2026-11-19T22:00:00-06:00'))).toBe(true)
})
