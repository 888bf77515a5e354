import { describe, expect, test } from 'vitest'
import { JOIN_REFUSALS, OWN_RESERVE_REFUSALS, RESERVE_REFUSALS } from '#contract/bookings.ts'
import { refuse } from '#contract/errors.ts'
import { factsForJoining, factsForStaff, type PersonFacts, whyNotPerson } from './person-rules.ts'

const ZONE = 'America/Mexico_City'

describe('the refusals of a person', () => {
  const NONE: PersonFacts = { penalty: null, clashes: [], documents: [], incomplete: null }
  /** Facts that refuse, by fact: one for each of its codes. A fact without an example does not compile. */
  const REFUSING: Readonly<Record<keyof PersonFacts, readonly Partial<PersonFacts>[]>> = {
    penalty: [{ penalty: new Date('2026-11-25T00:00:00Z') }],
    clashes: [{ clashes: [1] }, { clashes: [2] }],
    documents: [{ documents: [{ page_id: 1 }] }],
    incomplete: [{ incomplete: refuse('PROFILE_INCOMPLETE') }],
  }
  const codeOf = (facts: PersonFacts) => whyNotPerson(facts, { single_class_id: 1 }, ZONE)?.code ?? null
  const examples = Object.values(REFUSING)
    .flat()
    .map((facts) => ({ ...NONE, ...facts }))
    .map((facts) => ({ facts, code: codeOf(facts) }))

  test('each fact refuses with codes of its own, which the list of booking has', () => {
    expect(new Set(examples.map(({ code }) => code)).size).toBe(examples.length)
    for (const { code } of examples) expect(OWN_RESERVE_REFUSALS).toContain(code)
  })

  test.each(examples)(
    '$code refuses a booking by staff and joining a waitlist exactly where their lists have it (R21, W2)',
    ({ facts, code }) => {
      expect(codeOf(factsForStaff(facts))).toBe(RESERVE_REFUSALS.find((reserveRefusal) => reserveRefusal === code) ?? null)
      expect(codeOf(factsForJoining(facts, { single_class_id: 1 }))).toBe(JOIN_REFUSALS.find((joinRefusal) => joinRefusal === code) ?? null)
    },
  )
})
