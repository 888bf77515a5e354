import type { NotedClass } from '#web/lib/wanted-class.ts'
import { type CardClass, coachNames } from './class-facts.ts'

/** A class as it is noted while its customer signs up or buys. */
export function wantedOf(
  cls: Pick<CardClass, 'single_class_id' | 'class_date' | 'class_type' | 'class_instructors' | 'substitutes_for'>,
  chosen: Partial<Pick<NotedClass, 'spot' | 'with_guest'>> = {},
): NotedClass {
  const coach = coachNames(cls)
  return {
    single_class_id: cls.single_class_id,
    day: cls.class_date.slice(0, 10),
    spot: chosen.spot ?? null,
    with_guest: chosen.with_guest ?? false,
    name: cls.class_type.name + (coach && ` con ${coach}`),
    class_date: cls.class_date,
  }
}
