/** What tests read in the sandbox's books, and how they let its clock pass. */
import type { TestStudio } from './studio.ts'
import { deliverPendingWebhooks } from './work.ts'

/** Advances the clock by days: the processor charges what is due, and its webhook events arrive. */
export async function passDays(s: TestStudio, days: number): Promise<void> {
  const bank = s.bank()
  s.clock.advance({ days })
  bank.held = false
  await bank.tick()
  bank.held = true
  await deliverPendingWebhooks(s)
}

/** What the processor really charged and refunded for a purchase, in centavos and in its order; refunds are negative. */
export const ledgerAmounts = async (s: TestStudio, purchase_id: number): Promise<number[]> =>
  (await s.bank().ledger(purchase_id)).map(({ kind, amount }) => (kind === 'refund' ? -amount : amount))

/** The same as texts: `charge 219000`, `refund 19000`. */
export const ledgerTexts = async (s: TestStudio, purchase_id: number): Promise<string[]> =>
  (await s.bank().ledger(purchase_id)).map(({ kind, amount }) => `${kind} ${amount}`)

/** The sum of `ledgerAmounts`. */
export const ledgerTotal = async (s: TestStudio, purchase_id: number): Promise<number> =>
  (await ledgerAmounts(s, purchase_id)).reduce((sum, amount) => sum + amount, 0)
