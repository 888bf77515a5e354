/** A timetable that two managers plan, with locations and coaches of each test's own. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { ClassChange, PlannedClass } from '#contract/studio-schedule.ts'
import { findBrokenInvariants } from './invariants.ts'
import { type Person, studio, type TestStudio } from './studio.ts'

export type Fields = NonNullable<ClassChange['fields']>

export class PlannedStudio {
  s!: TestStudio
  manager!: Person
  colleague!: Person
  locations: number[] = []
  coaches: number[] = []
  #type = 0

  constructor() {
    beforeAll(async () => {
      this.s = await studio()
      this.manager = await this.s.make.staff('manager')
      this.colleague = await this.s.make.staff('manager')
      this.#type = (await this.s.make.classType({ name: 'Ciclo 45', duration_minutes: 45 })).class_type_id
    })
    afterAll(async () => {
      expect(await findBrokenInvariants(this.s)).toEqual({})
      await this.s.close()
    })
    beforeEach(() => this.#reset())
  }

  async #reset() {
    const { make } = this.s
    await this.s.reset({ waitlist_enabled: true })
    await this.plan().discard({})
    // Locations and coaches of its own keep a test's classes apart from those of the others.
    this.locations = [(await make.location({ name: 'Roma Norte' })).location_id, (await make.location({ name: 'San Ángel' })).location_id]
    this.coaches = [
      (await make.instructor({ name: 'Íñigo', last_name: 'Larrea' })).instructor_id,
      (await make.instructor({ name: 'Renata' })).instructor_id,
    ]
  }

  readonly plan = (person = this.manager, key: string = randomUUID()) => this.s.as(person, key).studioSchedule
  readonly fields = (more: Fields = {}): Fields => ({
    class_type_id: this.#type,
    location_id: this.locations[0] ?? 0,
    class_date: '2026-11-24T20:30:00.000Z',
    capacity: 12,
    instructor_ids: [this.coaches[0] ?? 0],
    ...more,
  })
  readonly create = (more: Fields = {}, rest: Partial<Parameters<ReturnType<typeof this.plan>['change']>[0]['changes'][0]> = {}) =>
    this.plan().change({ changes: [{ op: 'create', fields: this.fields(more), ...rest }] })
  readonly idOf = (cls: PlannedClass | undefined): number => cls?.single_class_id ?? 0
  readonly between = async (start_date: string, end_date: string) => this.#own(await this.plan().read({ start_date, end_date }))
  readonly week = async (person = this.manager, start_date = '2026-11-23') => this.#own(await this.plan(person).read({ start_date }))
  readonly starts = async (person = this.manager, start?: string) =>
    (await this.week(person, start)).map((cls) => cls.class_date.slice(5, 16))

  #own({ days }: { days: { classes: PlannedClass[] }[] }): PlannedClass[] {
    return days
      .flatMap((day) => day.classes)
      .filter((cls) => this.locations.includes(cls.location.location_id) && cls.state !== 'cancelled')
  }
}
