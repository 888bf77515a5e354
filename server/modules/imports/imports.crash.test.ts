/**
 * A process that imports is killed four times; the studio is the same as after an uninterrupted import, and a second one changes
 * nothing (IM5).
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { generatedFiles, importedContents, importInProcess, startImport } from '#server/testing/imported-studio.ts'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { workOnImport } from './run.ts'

const PEOPLE = 200

let killed: TestStudio
let whole: TestStudio
const owners = new Map<TestStudio, Person>()
beforeAll(async () => {
  killed = await studio()
  whole = await studio()
  for (const s of [killed, whole]) owners.set(s, await s.make.staff('owner'))
})
afterAll(async () => {
  await killed.close()
  await whole.close()
})
const ownerOf = (s: TestStudio) => owners.get(s) as Person

// Slow: four processes are started, and leases of killed ones expire.
test('an import that is killed four times ends like one that was not (IM5)', { timeout: 400_000 }, async () => {
  const files = generatedFiles(PEOPLE)
  const cut = await importInProcess(killed, ownerOf(killed), files, { customers: [0.2, 0.6], reservations: [0.4], purchases: [0.3] })
  expect(cut).toBe(4)
  for (const kind of ['customers', 'classes', 'reservations', 'notes', 'purchases'] as const) {
    const { import_id } = await startImport(whole, ownerOf(whole), kind, files[kind])
    await workOnImport(whole.system(), { import_id }, { id: 'x', signal: new AbortController().signal })
  }
  const contents = await importedContents(killed)
  expect(contents.reservations).toHaveLength(PEOPLE)
  expect(contents.purchases).toHaveLength(PEOPLE * 3)
  expect(contents).toEqual(await importedContents(whole))
  expect(await findBrokenInvariants(killed)).toEqual({})
  for (const kind of ['customers', 'classes', 'reservations', 'notes', 'purchases'] as const) {
    const again = await startImport(killed, ownerOf(killed), kind, files[kind])
    expect([kind, Object.keys(again.counts)]).toEqual([kind, ['same']])
    await workOnImport(killed.system(), { import_id: again.import_id }, { id: 'x', signal: new AbortController().signal })
  }
  expect(await importedContents(killed)).toEqual(contents)
})
