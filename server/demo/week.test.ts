import { describe, expect, it } from 'vitest'
import { formatInstant, localDate } from '#contract/time.ts'
import type { Brand } from './brand.ts'
import { Chance } from './chance.ts'
import { Crowd } from './crowd.ts'
import { fragua } from './fragua.ts'
import { seedHistory } from './story.ts'
import { vaiven } from './vaiven.ts'
import { classesBetween, daysAround, withStory, zoneOfBrand } from './week.ts'

describe.each([vaiven, fragua] satisfies Brand[])('the week of $key', (brand) => {
  it('schedules no coach for two overlapping classes, and no room for two', () => {
    const classes = classesBetween(brand, '2026-11-16', '2026-11-22')
    const clashes = classes.flatMap((a, i) =>
      classes
        .slice(i + 1)
        .filter((b) => a.starts_at < b.ends_at && b.starts_at < a.ends_at)
        .filter((b) => a.coaches.some((coach) => b.coaches.includes(coach)) || (a.location === b.location && a.type === b.type))
        .map((b) => `${a.type} ${b.type} ${a.date}`),
    )
    expect(clashes).toEqual([])
  })

  it('starts at the same local hours all year, also across DST changes', () => {
    for (const [from, until] of [
      ['2026-03-02', '2026-03-15'],
      ['2026-10-26', '2026-11-08'],
    ] as const)
      for (const cls of classesBetween(brand, from, until)) {
        const zone = brand.locations[cls.location]?.timezone ?? zoneOfBrand(brand)
        expect(localDate(cls.starts_at, zone)).toBe(cls.date)
        const hours = brand.week.filter((slot) => slot.location === cls.location && slot.type === cls.type).map((slot) => slot.at)
        expect(hours).toContain(formatInstant(cls.starts_at, zone, 'hour'))
      }
  })

  it('the demo studio’s week can be created at any hour of any day', () => {
    const zone = zoneOfBrand(brand)
    for (let hour = 0; hour < 14 * 24; hour++) {
      const now = new Date(Date.parse('2026-12-21T00:30:00-06:00') + hour * 3_600_000)
      const { from, until } = daysAround(now, zone)
      const classes = withStory(brand, classesBetween(brand, from, until), now)
      const crowd = new Crowd(brand, new Chance(hour), now)
      seedHistory(brand, crowd, classes, 1, now)
      const mine = crowd.reservations
      expect(mine.filter((reservation) => reservation.attend === true)).toHaveLength(2)
      expect(mine.filter((reservation) => reservation.cls.starts_at > now && !reservation.deletedAt && !reservation.host)).toHaveLength(3)
      expect(
        mine.filter(
          (reservation) =>
            reservation.createdAt > now ||
            reservation.createdAt < reservation.creditLot.boughtAt ||
            reservation.creditLot.expires_at < reservation.cls.starts_at,
        ),
      ).toEqual([])
      expect(mine.filter((reservation) => reservation.cls.calledOff !== null)).toEqual([])
      expect(classes.filter((cls) => cls.calledOff !== null && cls.starts_at > now)).toHaveLength(1)
      expect(classes.filter((cls) => cls.package !== null && cls.starts_at > now)).toHaveLength(1)
    }
  })
})
