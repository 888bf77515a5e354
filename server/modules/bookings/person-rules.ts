/**
 * What prevents a person from booking a class, credits and places aside. The same functions guard bookings, guests, moves and the waitlist,
 * and say what staff read about them (R25).
 */
import type { OWN_RESERVE_REFUSALS } from '#contract/bookings.ts'
import { type Refusal, type RefusalOf, refuse } from '#contract/errors.ts'
import { formatWall, wallClock } from '#contract/time.ts'

/** Why a penalty blocks booking (A7; S2-4.22, S2-8.10). The sentence is the specification's; the date is a separate field. */
export function whyPenalised(resumes: Date | null, zone: string): RefusalOf<'PENALTY_ACTIVE'> | null {
  return (
    resumes && refuse('PENALTY_ACTIVE', { resumes_at: resumes.toISOString(), resumes_on: formatWall(wallClock(resumes, zone), 'date') })
  )
}

/**
 * The facts that may prevent a person from booking one class, credits aside. A fact that depends on a setting has what its rule needs of
 * it; null where the studio does not have the rule.
 */
export interface PersonFacts {
  /** When booking is possible again, with an active penalty; null without. */
  penalty: Date | null
  /** Overlapping classes in which the person has a reservation, this class included. */
  clashes: readonly number[]
  /** Documents that the person has still to accept. */
  documents: readonly { page_id: number }[]
  /** PROFILE_INCOMPLETE, where the studio requires a complete profile. */
  incomplete: RefusalOf<'PROFILE_INCOMPLETE'> | null
}

/** The facts that count where staff book: penalties, documents and the profile are not checked then (R21). */
export const factsForStaff = ({ clashes }: Pick<PersonFacts, 'clashes'>): PersonFacts => ({
  penalty: null,
  clashes,
  documents: [],
  incomplete: null,
})

/**
 * The facts that count where a person joins a waitlist: documents, the profile and reservations in other classes may change until a place
 * is free, and are checked when it is booked.
 */
export const factsForJoining = (
  { penalty, clashes }: Pick<PersonFacts, 'penalty' | 'clashes'>,
  { single_class_id }: { single_class_id: number },
): PersonFacts => ({
  penalty,
  clashes: clashes.filter((id) => id === single_class_id),
  documents: [],
  incomplete: null,
})

/** The facts that count where a person who has a reservation in the class brings a guest: that reservation is no clash. */
export const factsForGuest = (facts: PersonFacts): PersonFacts => ({ ...facts, clashes: [] })

/** A code that the contract does not list among those of booking does not compile. */
type PersonRefusal = RefusalOf<(typeof OWN_RESERVE_REFUSALS)[number]>
type PersonRule = (facts: PersonFacts, cls: { single_class_id: number }, zone: string) => PersonRefusal | null

/**
 * The rule of each fact, in the order in which they are checked: PENALTY_ACTIVE (A7), ALREADY_RESERVED or OVERLAPPING_RESERVATION (R10),
 * DOCUMENTS_REQUIRED (R11), PROFILE_INCOMPLETE (P10). A fact without a rule does not compile.
 */
export const PERSON_RULES: Readonly<Record<keyof PersonFacts, PersonRule>> = {
  penalty: ({ penalty }, _cls, zone) => whyPenalised(penalty, zone),
  clashes: ({ clashes }, { single_class_id }) =>
    clashes.length ? refuse(clashes.includes(single_class_id) ? 'ALREADY_RESERVED' : 'OVERLAPPING_RESERVATION') : null,
  documents: ({ documents: [first] }) => (first ? refuse('DOCUMENTS_REQUIRED', { page_id: first.page_id }) : null),
  incomplete: ({ incomplete }) => incomplete,
}

/** Why a person cannot book a class, credits aside: the first refusal of `PERSON_RULES`; null = allowed. */
export function whyNotPerson(facts: PersonFacts, cls: { single_class_id: number }, zone: string): Refusal | null {
  for (const rule of Object.values(PERSON_RULES)) {
    const no = rule(facts, cls, zone)
    if (no) return no
  }
  return null
}
