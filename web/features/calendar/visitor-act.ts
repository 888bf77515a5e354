import { paths } from '#contract/paths.ts'
import type { ActOf } from './class-card.tsx'

/**
 * What the buttons of a class do for somebody who is not signed in: log in, and then on with this very class
 * (S2-2.36 to S2-2.38). Whoever is signed in already comes out at the same place.
 */
export const visitorAct: ActOf = (verb, cls) => {
  switch (verb) {
    case 'buy':
      return cls.class_package_id ? { href: paths.checkout(cls.class_package_id) } : null
    case 'reserve':
    case 'join_waitlist':
      return { href: paths.loginThen(paths.mystudio.reserve(cls.single_class_id)) }
    default:
      return null
  }
}
