/** Unreferenced memory is released after a start. */
import { setTimeout as later } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { collectStartGarbage } from './start-memory.ts'

test('unreferenced memory is collected at once', async () => {
  const left = new WeakRef({ rows: Array.from({ length: 1_000 }, (_, n) => ({ n })) })
  // A weak reference holds its object until the end of the turn.
  await later(0)
  expect(left.deref()?.rows).toHaveLength(1_000)
  await later(0)
  collectStartGarbage()
  expect(left.deref()).toBeUndefined()
})
