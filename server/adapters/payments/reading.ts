import { type Facts, PaymentError, type Ref } from './port.ts'

/** How each of these stands now, once, however many notices spoke of it. What others sell on the same account is none of ours. */
export async function* factsOf(refs: Iterable<Ref>, settle: (ref: Ref) => Promise<Facts>): AsyncIterable<Facts> {
  const told = new Set<string>()
  for (const ref of refs) {
    const facts = await settle(ref).catch((error: unknown) => {
      if (error instanceof PaymentError && error.kind === 'invalid') return null
      throw error
    })
    if (!facts || told.has(facts.ref.id)) continue
    told.add(facts.ref.id)
    yield facts
  }
}
