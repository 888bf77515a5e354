/** A studio with coaches, their pay and classes that are over, on the second of December 2026, for tests of the payroll. */
import type { Payroll } from '#contract/payroll.ts'
import { studio } from './studio.ts'

export async function openPayrollStudio() {
  const s = await studio()
  const owner = await s.make.staff('owner')
  const boss = s.as(owner)
  const base = { class_type_id: (await s.make.classType()).class_type_id, location_id: (await s.make.location()).location_id }
  const read = (from: string, to: string) => boss.payrolls.read({ from, to })
  return {
    s,
    owner,
    boss,
    base,
    read,
    setClock: () => s.clock.set('2026-12-02T12:00:00-06:00'),
    coach: async () => (await s.make.instructor()).instructor_id,
    rule: (instructor_id: number, more: object = {}) =>
      boss.payRules.create({ instructor_id, from_day: '2026-01-01', base: '200', per_person: '10', per_person_from: 2, ...more }),
    /** A class at an instant, with these numbers of customers present and absent; its roster is closed unless the values differ. */
    async teach(instructor_id: number, starts: string, attended = 0, absent = 0, more: object = {}) {
      const cls = await s.make.class({ ...base, instructor_id, starts_at: new Date(starts), ...more })
      for (let n = 0; n < attended + absent; n++) {
        const { customer_id } = await s.make.customer()
        await s.sql(
          `insert into class_reservation (single_class_id, customer_id, attend, "createdAt", "updatedAt") values ($1, $2, $3, now(), now())`,
          [cls.single_class_id, customer_id, n < attended],
        )
      }
      await s.sql('update single_class set "settledAt" = ends_at where single_class_id = $1', [cls.single_class_id])
      return cls.single_class_id
    },
    /** The second half of November. */
    second: () => read('2026-11-16', '2026-11-30'),
    of: (payroll: Payroll, instructor_id: number) => payroll.coaches.find((coach) => coach.instructor_id === instructor_id),
    approve: async (period: string) => boss.payrolls.approve({ period, total: (await boss.payrolls.read({ from: period })).total }),
  }
}
