/** The items of an order: one purchase, or those of a basket that is paid together (docs/domain.md S7, S12). */
import type { CounterOrder } from '#contract/counter-orders.ts'
import { pesos } from '#contract/money.ts'
import { listItemsOfSale, sumBeforeProcessor } from '#server/modules/sales/store/sale-store.ts'
import type { PurchaseRow } from '#server/modules/sales/store/store.ts'
import type { Reader } from '#server/platform/db.ts'

interface OrderItem {
  purchase_id: number
  kind: string
  title: string
  quantity: number
  total_centavos: number
}

export async function listOrderItems(
  db: Reader,
  { purchase_id, sale_id, title, total_centavos }: Pick<PurchaseRow, 'purchase_id' | 'sale_id' | 'title' | 'total_centavos'>,
): Promise<OrderItem[]> {
  if (sale_id === null) return [{ purchase_id, kind: 'package', title, quantity: 1, total_centavos }]
  return listItemsOfSale(db, sale_id)
}

export const totalOfItems = (items: readonly Pick<OrderItem, 'total_centavos'>[]): number =>
  items.reduce((sum, item) => sum + item.total_centavos, 0)

/** What the processor charges of an order: its total without what was paid at the counter before (S15). */
export async function amountToCharge(db: Reader, { sale_id }: Pick<PurchaseRow, 'sale_id'>, items: readonly OrderItem[]): Promise<number> {
  return totalOfItems(items) - (sale_id === null ? 0 : await sumBeforeProcessor(db, sale_id))
}

/** "10 clases y 2 más" */
export function titleOfItems(items: readonly Pick<OrderItem, 'title'>[]): string {
  const [first, ...more] = items
  return `${first?.title ?? ''}${more.length > 0 ? ` y ${more.length} más` : ''}`
}

export function itemsOnWire(items: readonly OrderItem[]): Pick<CounterOrder, 'lines' | 'total'> {
  return {
    lines: items.map(({ purchase_id, title, quantity, total_centavos }) => ({
      purchase_id,
      title,
      quantity,
      total: pesos(total_centavos),
    })),
    total: pesos(totalOfItems(items)),
  }
}
