import { expect, test } from 'vitest'
import { testSecretBox } from '#server/testing/master-keys.ts'
import { freshDatabase } from '#server/testing/postgres.ts'
import { openDb } from './db.ts'
import { openSigner } from './signing.ts'

test('a signed text verifies for the same use only, in every process of the studio, and in no other studio', async () => {
  const connection = await freshDatabase()
  const secrets = testSecretBox()
  const [db, second, other] = [openDb({ connection }), openDb({ connection }), openDb({ connection: await freshDatabase() })]
  // Both make the key at the same moment: one key.
  const signers = await Promise.all([openSigner(db, secrets), openSigner(second, secrets)])
  const [first, two] = signers.map((signer) => signer.sign('oferta', '12-1'))
  expect(first).toBe(two)
  const token = first ?? ''
  expect(token).toMatch(/^12-1\.[\w-]{24}$/)
  for (const signer of signers) expect(signer.read('oferta', token)).toBe('12-1')
  expect(signers[0]?.read('calendario', token)).toBeNull()
  expect((await openSigner(other, secrets)).read('oferta', token)).toBeNull()
  const [subject, mac] = token.split('.')
  for (const wrong of [
    '',
    '.',
    token.slice(0, -1),
    `${token}A`,
    `${subject}.`,
    `.${mac}`,
    `13-1.${mac}`,
    `${subject}.${'A'.repeat(24)}`,
    `${token}\n`,
    'x'.repeat(5_000),
  ])
    expect(signers[0]?.read('oferta', wrong)).toBeNull()
  for (const each of [db, second, other]) await each.close()
})
