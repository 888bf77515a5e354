/** Coaches answer at the same moment, through two processes: one of them teaches the class, the others get that one's name (L10). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outcome } from '#server/testing/outcomes.ts'
import { type SecondProcess, secondProcess } from '#server/testing/second-process.ts'
import { type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let other: SecondProcess
beforeAll(async () => {
  s = await studio()
  other = await secondProcess(s)
})
afterAll(async () => {
  await other.close()
  await s.close()
})

async function coach(name: string): Promise<{ instructor_id: number; person: Person; name: string }> {
  const { instructor_id } = await s.make.instructor({ name })
  return { instructor_id, name, person: await s.make.staff('coach', { instructor_id }) }
}
const client = (n: number, person: Person) => (n % 2 === 0 ? s : other).as(person, randomUUID()).substitutions

// Ten rounds: which of them is first differs.
test('of coaches who accept at once exactly one gets the class, and the others get the name', { timeout: 120_000 }, async () => {
  const sofia = await coach('Sofía')
  const candidates = [await coach('Diego'), await coach('Lucía'), await coach('Tomás'), await coach('Elena')]
  for (let round = 0; round < 10; round++) {
    const starts_at = new Date(s.clock.now().getTime() + (round + 1) * 86_400_000)
    const { single_class_id } = await s.make.class({ instructor_id: sofia.instructor_id, starts_at })
    const { substitutions } = await client(0, sofia.person).open({
      single_class_ids: [single_class_id],
      reason: 'Viaje',
      ask: candidates.map(({ instructor_id }) => instructor_id),
    })
    const substitution_id = substitutions[0]?.substitution_id ?? 0
    const answers = await Promise.all(
      candidates.map(({ person }, n) =>
        client(n, person)
          .answer({ substitution_id, accept: true })
          .then(
            () => null,
            (error: unknown) => refusalOf(Promise.reject(error)),
          ),
      ),
    )
    const [teaches] = await s.sql<{ id: number; n: number }>(
      'select min(instructor_id) as id, count(*)::int as n from class_instructor where single_class_id = $1',
      [single_class_id],
    )
    const winner = candidates.find(({ instructor_id }) => instructor_id === teaches?.id)
    expect([teaches?.n, answers.filter((answer) => answer === null).length]).toEqual([1, 1])
    expect(answers[winner ? candidates.indexOf(winner) : -1]).toBeNull()
    for (const answer of answers) if (answer) expect(answer).toMatchObject({ code: 'SUBSTITUTION_TAKEN', data: { name: winner?.name } })
  }
})

test('a coach who accepts two classes of the same hour at once has one of them', { timeout: 60_000 }, async () => {
  const [sofia, diego] = [await coach('Sofía'), await coach('Diego')]
  for (let round = 0; round < 5; round++) {
    const starts_at = new Date(s.clock.now().getTime() + (round + 20) * 86_400_000)
    const ids = []
    for (const by of [sofia, await coach('Renata')]) {
      const { single_class_id } = await s.make.class({ instructor_id: by.instructor_id, starts_at })
      const { substitutions } = await client(0, by.person).open({
        single_class_ids: [single_class_id],
        reason: 'Viaje',
        ask: [diego.instructor_id],
      })
      ids.push(substitutions[0]?.substitution_id ?? 0)
    }
    const codes = await Promise.all(
      ids.map((substitution_id, n) => outcome(client(n, diego.person).answer({ substitution_id, accept: true }))),
    )
    expect(codes.sort()).toEqual(['SUBSTITUTE_BUSY', 'ok'])
  }
})
