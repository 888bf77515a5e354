import { type Facts, PaymentError, type Ref } from './port.ts'

/** Reads each object once, however many events name it. Objects of others on the same account are skipped. */
export async function* readFacts(refs: Iterable<Ref>, settle: (ref: Ref) => Promise<Facts>): AsyncIterable<Facts> {
  const seenIds = new Set<string>()
  for (const ref of refs) {
    const facts = await settle(ref).catch((error: unknown) => {
      if (error instanceof PaymentError && error.kind === 'invalid') return null
      throw error
    })
    if (!facts || seenIds.has(facts.ref.id)) continue
    seenIds.add(facts.ref.id)
    yield facts
  }
}
