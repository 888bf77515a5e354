/** Two owners who act on each other at the same moment: one of them is left (docs/domain.md, E7). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outcomes } from '#server/testing/outcomes.ts'
import { staffIdOf } from '#server/testing/staff-ids.ts'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'

let on: TestStudio
beforeAll(async () => {
  on = await studio()
})
afterAll(() => on.close())

test.each(['lower', 'switch off'])(
  'two owners %s each other at the same moment: one succeeds, the other is refused, and an owner is left',
  async (verb) => {
    const codes = new Set<string>()
    for (let round = 0; round < 8; round++) {
      await on.sql(`update staff set "disabledAt" = now() where role = 'owner'`)
      const [ana, eva] = [await on.make.staff('owner'), await on.make.staff('owner')]
      const act = async (by: Person, of: Person) =>
        verb === 'lower'
          ? on.as(by).team.update({ staff_id: await staffIdOf(on, of), role: 'manager' })
          : on.as(by).team.disable({ staff_id: await staffIdOf(on, of) })
      // Who arrives after the other's answer is no owner any more, or not even signed in.
      const { ok, ...refused } = await outcomes([act(ana, eva), act(eva, ana)])
      expect([ok, Object.values(refused)]).toEqual([1, [1]])
      for (const code of Object.keys(refused)) codes.add(code)
      const owners = await on.sql<{ n: number }>(`select count(*)::int as n from staff where role = 'owner' and "disabledAt" is null`)
      expect(owners).toEqual([{ n: 1 }])
    }
    expect([...codes].every((code) => ['LAST_OWNER', 'FORBIDDEN', 'TOKEN_EXPIRED'].includes(code))).toBe(true)
    expect(codes).toContain('LAST_OWNER')
  },
)
