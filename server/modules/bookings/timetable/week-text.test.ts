/** The week is sent as a text that the server puts together: the bytes of its object, validated by the contract and made JSON at once. */
import { createRouterClient } from '@orpc/server'
import type { FastifyRequest } from 'fastify'
import { describe, expect, test, vi } from 'vitest'
import { openCallers } from '#server/authentication.ts'
import { router } from '#server/router.ts'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { bearer } from '#server/testing/target.ts'

const SPECIAL_CHARACTERS = 'Fuerza "total" \\ 100% – niño 🧘\n\t\u001e\u2028</script>'

/** Classes of every kind in the week of 23 November 2026, people with every state, and a day on which the studio is closed. */
async function richStudio(env: Record<string, string>) {
  const s = await studio({
    env,
    settings: { allow_class_guests: true, waitlist_enabled: true, hold_while_paying: 10, reservation_opens_days: 8 },
  })
  const { make } = s
  const [here, east, closed] = [
    await make.location({ name: SPECIAL_CHARACTERS }),
    await make.location({ timezone: 'America/Cancun' }),
    await make.location({ deletedAt: new Date('2026-10-01T00:00:00Z') }),
  ]
  const type = await make.classType({ name: SPECIAL_CHARACTERS, icon: 'fa-star', spot_map: '4,4', image: '/archivos/tipo.jpg' })
  const [coach, other] = [
    await make.instructor({ name: 'Íñigo', nick_name: '', birthdate: '1994-03-17' }),
    await make.instructor({ photo: '/archivos/foto.jpg' }),
  ]
  const event = await make.package({ title: 'Taller' })
  const at = (day: number, hour: number) => new Date(Date.UTC(2026, 10, day, hour))
  const of = { class_type_id: type.class_type_id, location_id: here.location_id, instructor_id: coach.instructor_id }
  const mapped = await make.class({ ...of, starts_at: at(24, 15), spot_map: '3,4', closed_spots: ['1-1', '2-4'], price_centavos: 21_050 })
  const alone = await make.class({ ...of, starts_at: at(24, 17), capacity: 1, description: SPECIAL_CHARACTERS, icon: 'fa-bolt' })
  await make.class({ ...of, starts_at: at(25, 5), location_id: east.location_id })
  await make.class({ ...of, starts_at: at(25, 15), location_id: closed.location_id, capacity: null })
  await make.class({ ...of, starts_at: at(26, 15), class_package_id: event.class_package_id })
  await make.class({ ...of, starts_at: at(26, 16), cancelledAt: at(20, 1), cancel_reason: SPECIAL_CHARACTERS, movedAt: at(19, 1) })
  await make.class({ ...of, starts_at: at(26, 17), substitutes_for: other.instructor_id })
  await make.class({ ...of, starts_at: at(29, 23) })
  await s.sql(
    `with made as (insert into tag (name, color) values ($1, '#aa0033'), ('Básico', null) returning tag_id)
    insert into class_tag (single_class_id, tag_id) select ${mapped.single_class_id}, tag_id from made`,
    [SPECIAL_CHARACTERS],
  )
  await s.sql(`insert into class_instructor (single_class_id, instructor_id, sort) values ($1, $2, 1)`, [
    mapped.single_class_id,
    other.instructor_id,
  ])
  await s.sql(
    `insert into holiday (name, from_day, to_day, location_ids, public, "createdAt", "updatedAt") values ($1, '2026-11-22', '2026-11-23', null, true, now(), now()), ('Obra', '2026-11-27', '2026-12-09', $2, true, now(), now())`,
    [SPECIAL_CHARACTERS, `{${here.location_id},${closed.location_id}}`],
  )
  const [ana, eva, late] = [await make.buyer(), await make.buyer({ unlimited: true }), await make.buyer()]
  await s
    .as(ana)
    .bookings.reserve({ single_class_id: mapped.single_class_id, spot: '2-1', guest: SPECIAL_CHARACTERS.slice(0, 5), guest_spot: '2-2' })
  await s.as(eva).bookings.reserve({ single_class_id: alone.single_class_id })
  await s.as(ana).waitlist.join({ single_class_id: alone.single_class_id })
  await s.sql(
    `insert into class_reservation_penalty (customer_id, reason, starts_at, ends_at, "createdAt") values ($1, 'faltas', '2026-11-18', '2027-01-08', '2026-11-18')`,
    [late.customer_id],
  )
  const people = {
    visitor: null,
    ana,
    eva,
    late,
    fresh: await make.account(),
    coach: await make.staff('coach', { instructor_id: coach.instructor_id }),
    owner: await make.staff('owner'),
  }
  return { s, people, here, mapped, coach, event }
}

const QUERIES = ['start_date=2026-11-23&end_date=2026-11-29', 'start_date=2026-11-20&end_date=2026-12-20', 'start_date=2027-03-01', '']

/** The text of the endpoint over HTTP, and the same of its object. */
async function bothTexts(
  s: TestStudio,
  callers: ReturnType<typeof openCallers>,
  person: Person | null,
  query: string,
): Promise<[string, string]> {
  const headers = person ? bearer(person.token) : {}
  const sent = await (await fetch(`${s.url}/api/single_class?${query}`, { headers })).text()
  const open = (access: Parameters<typeof callers.open>[0]) =>
    callers.open(access, { id: 'test', ip: '127.0.0.1', headers } as FastifyRequest)
  const client = createRouterClient(router, { context: { open, uncheckedQuery: [] } })
  return [sent, JSON.stringify(await client.schedule.week(Object.fromEntries(new URLSearchParams(query))))]
}

describe.each([
  ['cached', {}],
  ['uncached', { CACHE_SECONDS: '0' }],
])('%s', (_, env) => {
  test('the text of the week has the bytes of its object, for every kind of viewer, also after changes (H1, H5)', async () => {
    const { s, people, here, mapped, coach } = await richStudio(env)
    const callers = openCallers(s.studio)
    const compare = async (note: string) => {
      // Twice: the second one is put together from texts that are there.
      for (const [name, person] of Object.entries(people))
        for (const query of [
          ...QUERIES,
          `start_date=2026-11-23&location_id=${here.location_id}`,
          `start_date=2026-11-23&instructor_id=${coach.instructor_id}`,
        ])
          for (const time of [1, 2]) {
            // What visitors share follows a booking some moments later.
            await vi.waitFor(async () => {
              const [sent, built] = await bothTexts(s, callers, person, query)
              expect({ note, name, query, time, text: sent }).toEqual({ note, name, query, time, text: built })
            })
          }
    }
    await compare('at first')
    const week = await s.as(people.ana).schedule.week({ start_date: '2026-11-23' })
    expect(week.days.flatMap((day) => day.classes).length).toBe(8)
    expect(new Set(week.days.flatMap((day) => day.classes.map((cls) => cls.state)))).toEqual(
      new Set(['reserved', 'waitlisted', 'available', 'full', 'not_open', 'cancelled']),
    )
    await s.as(people.eva).bookings.reserve({ single_class_id: mapped.single_class_id, spot: '2-3' })
    await compare('after a booking')
    await s.sql(`update instructor set name = 'Otra' where instructor_id = $1`, [coach.instructor_id])
    await s.studio.db.tx(async (tx) => tx.notify({ topic: 'catalogue' }))
    await compare('after a coach is renamed')
    await s.change({ timezone: 'America/Tijuana' })
    await compare('after a change of the zone')
    s.clock.advance({ days: 7 })
    await compare('a week later')
    callers.close()
    await s.close()
  })
})
