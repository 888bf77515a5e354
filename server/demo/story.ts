/** The history of the demo's regular customer: one class rated and one not yet, one missed, one cancelled, three upcoming. */
import type { Brand } from './brand.ts'
import { type Crowd, everydayPackages } from './crowd.ts'
import type { PlannedClass } from './week.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Adds the regular customer's reservations before all others. */
export function seedHistory(brand: Brand, crowd: Crowd, classes: readonly PlannedClass[], customer_id: number, now: Date): void {
  const home = Object.keys(brand.locations)[0]
  const { favourite, second, retired } = brand.regular
  const mine = classes.filter((cls) => cls.location === home && cls.calledOff === null && cls.package === null)
  const of = (type: string) => mine.filter((cls) => cls.type === type)
  const over = (type: string) => of(type).filter((cls) => cls.ends_at.getTime() < now.getTime() - 2 * HOUR)
  const toCome = (type: string) => of(type).filter((cls) => cls.starts_at.getTime() > now.getTime() + 14 * HOUR)
  const different = (cls: PlannedClass | undefined, ...others: (PlannedClass | undefined)[]) =>
    cls && !others.some((other) => other?.date === cls.date)

  const [last, before] = over(favourite).toReversed()
  const seconds = over(second)
    .toReversed()
    .filter((cls) => different(cls, last, before))
  const [missed, givenUp] = seconds.filter((cls, i) => seconds.findIndex((other) => other.date === cls.date) === i)
  const next = toCome(favourite)[0]
  const withGuest = toCome(second).find((cls) => different(cls, next))
  const later = toCome(favourite).find(
    (cls) => next && cls.starts_at.getTime() > next.starts_at.getTime() + 3 * DAY && different(cls, withGuest),
  )
  if (!last || !before || !missed || !givenUp || !next || !withGuest || !later)
    throw new Error(`The week of ${brand.key} is too empty for a story.`)

  const sold = everydayPackages(brand)
  const five = sold.find((key) => brand.packages[key]?.class_amount === 5)
  const ten = sold.find((key) => (brand.packages[key]?.class_amount ?? 0) >= 10)
  if (!five || !ten) throw new Error(`${brand.key} sells neither five nor ten classes.`)
  const first = Math.min(before.starts_at.getTime(), missed.starts_at.getTime())
  const few = crowd.buy(customer_id, five, new Date(first - 3 * DAY))
  const many = crowd.buy(customer_id, ten, new Date(Math.min(now.getTime() - 33 * DAY, givenUp.starts_at.getTime() - 4 * DAY)))
  crowd.buy(customer_id, retired, new Date(now.getTime() - 40 * DAY))
  const online = Object.keys(brand.packages).find((key) => brand.packages[key]?.is_online)
  if (brand.videos && online) crowd.buy(customer_id, online, new Date(now.getTime() - 6 * DAY))

  const dayBefore = (cls: PlannedClass) => new Date(Math.min(cls.starts_at.getTime() - 30 * HOUR, now.getTime() - HOUR))
  crowd.reserve(before, few, dayBefore(before), { attend: true, stars: [5, 5], comment: 'Me ayudó mucho el ajuste. ¡Gracias!' })
  crowd.reserve(last, few, dayBefore(last), { attend: true })
  crowd.reserve(missed, few, dayBefore(missed), { attend: false })
  crowd.reserve(withGuest, few, dayBefore(withGuest), { guest: 'Jimena' })
  crowd.giveUp(givenUp, many, new Date(givenUp.starts_at.getTime() - 50 * HOUR), new Date(givenUp.starts_at.getTime() - 20 * HOUR))
  crowd.reserve(next, many, dayBefore(next))
  crowd.reserve(later, many, dayBefore(later))
}
