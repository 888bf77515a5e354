/** What a change to many customers writes for one of them, and how it is taken back. Each call is inside a transaction of its own. */
import { endOfDay } from '#contract/time.ts'
import { type CreditLotChange, changeCreditsOfCustomer, grant, restoreCreditLots, revokeUnspent } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { putTagOfCustomer } from '#server/modules/customers/customers.ts'
import type { Tx } from '#server/platform/db.ts'
import type { BulkJobRow } from './store.ts'

type Job = Pick<BulkJobRow, 'action' | 'params' | 'reason'>

/** What undoing it needs: plain JSON. */
type Undo = { granted: number; amount: number } | { creditLots: CreditLotChange[] } | { tag: true }

const UNDONE = 'se deshizo un cambio a muchos'

/** Changes one customer, of whom `whyUnchanged` was asked in the same transaction. Returns what undoing it needs; null when nothing was left to change. */
export async function applyToCustomer(tx: Tx, ctx: Ctx, { action, params, reason }: Job, customer_id: number): Promise<Undo | null> {
  const text = reason ?? ''
  switch (action) {
    case 'tags.add':
    case 'tags.remove':
      return (await putTagOfCustomer(tx, ctx, { customer_id, tag_id: params.tag_id ?? 0, has: action === 'tags.add' }))
        ? { tag: true }
        : null
    case 'credits.give': {
      const amount = params.amount ?? 0
      const [creditLot] = await grant(tx, ctx, {
        ...{ kind: 'courtesy', customer_id, title: 'Cortesía del estudio', class_amount: amount, days: 0, reason: text },
        until: endOfDay(params.expiration_date ?? '', ctx.zone),
        like: { class_package_id: null, class_type_ids: null, location_ids: null, allowed_times: [], guests_use_credit: true },
      })
      const granted = creditLot?.available_class_id ?? 0
      const after = { available_classes: amount, expiration_date: params.expiration_date, available_class_ids: [granted] }
      await ctx.audit(tx, { action: 'credits.give', entity: 'customer', entity_id: customer_id, after, reason: text })
      return { granted, amount }
    }
    case 'credits.extend':
    case 'credits.freeze':
    case 'credits.thaw': {
      const kind = action === 'credits.extend' ? 'extend' : action === 'credits.freeze' ? 'freeze' : 'thaw'
      const change = kind === 'extend' ? ({ kind, days: params.days ?? 0 } as const) : ({ kind } as const)
      const creditLots = await changeCreditsOfCustomer(tx, ctx, { customer_id, change, reason: text })
      return creditLots.length ? { creditLots } : null
    }
  }
}

/** Takes back what was done to one customer. False, and nothing is written, when it changed since. */
export async function undoForCustomer(tx: Tx, ctx: Ctx, { action, params }: Job, customer_id: number, undo: unknown): Promise<boolean> {
  const data = undo as Undo
  if ('granted' in data) return revokeUnspent(tx, ctx, { available_class_id: data.granted, amount: data.amount, reason: UNDONE })
  if ('creditLots' in data) return restoreCreditLots(tx, ctx, data.creditLots, UNDONE)
  return putTagOfCustomer(tx, ctx, { customer_id, tag_id: params.tag_id ?? 0, has: action === 'tags.remove' })
}
