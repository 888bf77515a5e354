import { paths } from '#contract/paths.ts'
import type { ActOf } from './class-card.tsx'

/**
 * The actions of a class for visitors: log in, then continue with that class (S2-2.36 to S2-2.38). A visitor who is already signed in is
 * redirected by the log-in page to the same place.
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
