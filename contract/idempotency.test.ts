import type { AnyContractProcedure } from '@orpc/contract'
import { expect, test } from 'vitest'
import { contract } from './index.ts'

/** Creations that a repeated request may not read again, or that have a rule of their own against repetition. */
const WITHOUT_KEY: Readonly<Record<string, string>> = {
  'apiKeys.create': 'the answer has the secret, which is not stored',
  'webhooks.create': 'the answer has the secret, which is not stored',
  'imports.create': 'nothing is written before the file is run',
  'guestInvites.create': 'one invitation per place: a repeated request gets the same one',
}

function listCreations(node: object, path: string[] = []): { name: string; isKeyed: boolean }[] {
  return Object.entries(node).flatMap(([key, value]) => {
    const at = [...path, key]
    if (!('~orpc' in value)) return listCreations(value, at)
    const { route, errorMap } = (value as AnyContractProcedure)['~orpc']
    return key === 'create' && route.method === 'POST' ? [{ name: at.join('.'), isKeyed: 'IDEMPOTENCY_KEY_REUSED' in errorMap }] : []
  })
}

test('whatever is created can be sent again with its Idempotency-Key', () => {
  const creations = listCreations(contract)
  expect(creations.length).toBeGreaterThan(20)
  expect(
    creations
      .filter(({ isKeyed }) => !isKeyed)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(Object.keys(WITHOUT_KEY).sort())
})
