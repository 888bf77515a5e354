/** The pay of the coaches of a demo's year: rules, and every period but the last one approved, as the owner would have done. */
import { asc, eq } from 'drizzle-orm'
import { addDays, type LocalDate, localDate, startOfDay } from '#contract/time.ts'
import { clabeCheckDigit } from '#server/adapters/payments/clabe.ts'
import { computePay, type PayTerms, payPeriod } from '#server/modules/payroll/rules.ts'
import { payAccount, payRule, payrollAnswer, payrollItem, payrollPeriod } from '#server/modules/payroll/tables.ts'
import { staff } from '#server/modules/people/tables.ts'
import type { Tx } from '#server/platform/db.ts'
import type { Brand } from './brand.ts'
import { insertMany, newIds } from './bulk.ts'
import type { Crowd } from './crowd.ts'
import { type PlannedClass, zoneOfBrand } from './week.ts'
import { type BrandIds, findRows } from './write.ts'

const HOUR = 3_600_000

/** What a class pays: a base, something for each person from the fourth on, and more when it is full. Centavos. */
const TERMS: PayTerms = {
  base: 28_000,
  per_person: 1_500,
  per_person_from: 4,
  steps: [],
  full_bonus: 5_000,
  percent: 0,
  minimum: 28_000,
  private: null,
  substitute: 'theirs',
  late_cancel_hours: 2,
  late_cancel_percent: 5_000,
}
/** The best known coach has a higher base. */
const SENIOR: PayTerms = { ...TERMS, base: 36_000, minimum: 36_000 }

export interface YearOfClasses {
  tx: Tx
  brand: Brand
  brandIds: BrandIds
  classes: readonly PlannedClass[]
  classIds: ReadonlyMap<PlannedClass, number>
  crowd: Crowd
  now: Date
}

export async function writePay({ tx, brand, brandIds, classes, classIds, crowd, now }: YearOfClasses): Promise<void> {
  const [first] = classes
  const [owner] = await tx
    .select({ staff_id: staff.staff_id })
    .from(staff)
    .where(eq(staff.role, 'owner'))
    .orderBy(asc(staff.staff_id))
    .limit(1)
  if (!first || !owner) return
  const zone = zoneOfBrand(brand)
  const senior = brand.coach.coach
  const from = payPeriod(first.date, 'quincena').from
  await insertMany(tx, payRule, [
    { instructor_id: null, from_day: from, terms: TERMS },
    { instructor_id: findRows(brandIds.coaches, senior), from_day: from, terms: SENIOR },
  ])
  await insertMany(
    tx,
    payAccount,
    Object.values(brand.coaches)
      .map(({ name, last_name }, n) => ({ name, last_name, instructor_id: Object.values(brandIds.coaches)[n] }))
      .filter((_, n) => n % 4 !== 3)
      .map(({ name, last_name, instructor_id }) => {
        // The bank 000 does not exist, so that a real transfer is returned.
        const account = `000180${String(instructor_id).padStart(11, '0')}`
        return { instructor_id, holder: `${name} ${last_name}`, clabe: account + clabeCheckDigit(account), rfc: '' }
      }),
  )
  const came = new Map<PlannedClass, number>()
  for (const { cls, attend } of crowd.reservations) if (attend) came.set(cls, (came.get(cls) ?? 0) + 1)
  const current = payPeriod(localDate(now, zone), 'quincena').from
  const open = payPeriod(addDays(current, -1), 'quincena').from
  await insertMany(
    tx,
    payrollAnswer,
    Object.values(brandIds.coaches)
      .slice(0, 4)
      .map((instructor_id, n) => ({
        from_day: open,
        instructor_id,
        agrees: n !== 2,
        text: n === 2 ? 'Me falta la clase que cubrí el martes.' : '',
        answeredAt: new Date(now.getTime() - (n + 2) * HOUR),
      })),
  )
  const byPeriod = new Map<LocalDate, { to: LocalDate; classes: PlannedClass[] }>()
  for (const cls of classes) {
    const period = payPeriod(cls.date, 'quincena')
    if (period.from >= open || cls.calledOff !== null) continue
    const known = byPeriod.get(period.from) ?? { to: period.to, classes: [] }
    known.classes.push(cls)
    byPeriod.set(period.from, known)
  }
  const periods = [...byPeriod].map(([from_day, { to, classes }]) => ({ from_day, to_day: to, classes }))
  const ids = await newIds(tx, payrollPeriod, 'payroll_period_id', periods.length)
  const approvedAt = (to: LocalDate) => new Date(startOfDay(addDays(to, 2), zone).getTime() + 11 * HOUR)
  await insertMany(
    tx,
    payrollPeriod,
    periods.map(({ from_day, to_day }, n) => ({
      payroll_period_id: ids[n],
      from_day,
      to_day,
      approvedAt: approvedAt(to_day),
      approved_by: owner.staff_id,
      createdAt: approvedAt(to_day),
    })),
  )
  await insertMany(
    tx,
    payrollItem,
    periods.flatMap(({ to_day, classes }, n) =>
      classes.flatMap((cls) =>
        cls.coaches.map((coach) => {
          const terms = (cls.substitutesFor ?? coach) === senior ? SENIOR : TERMS
          const attended = came.get(cls) ?? 0
          const takenCount = cls.capacity - crowd.freeSpots(cls)
          const { amount, why } = computePay(terms, {
            attended,
            taken: takenCount,
            capacity: cls.capacity,
            recognised: 0,
            cancelled_minutes_before: null,
          })
          return {
            payroll_period_id: ids[n],
            instructor_id: findRows(brandIds.coaches, coach),
            kind: 'class',
            single_class_id: classIds.get(cls),
            attended,
            amount_centavos: amount,
            why,
            terms,
            createdAt: approvedAt(to_day),
          }
        }),
      ),
    ),
  )
}
