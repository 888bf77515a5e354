/** The cookies of a browser, for people of tests: what an answer sets is sent with the next calls of the same session. */
import type { Person } from './studio.ts'

const jars = new Map<string, string>()

/** The header with the cookies of a person's session. */
export function cookieHeader(person: Pick<Person, 'token'> | null): { cookie?: string } {
  const cookie = person ? jars.get(person.token) : undefined
  return cookie === undefined ? {} : { cookie }
}

/** Stores what an answer sets. There is one cookie. */
export function storeCookie(person: Pick<Person, 'token'> | null, answer: Response): void {
  const [set] = answer.headers.getSetCookie()
  if (person && set !== undefined) jars.set(person.token, set.split(';')[0] ?? '')
}
