/** Serializes counter sales for the wire. */
import { paddedNumber } from '#contract/copy/order-number.ts'
import type { CounterSale } from '#contract/counter-sales.ts'
import { pesos } from '#contract/money.ts'
import { listSaleItems, listSalePayments, listSaleViews, type SaleFilter } from '#server/modules/sales/store/sale-store.ts'
import type { Reader } from '#server/platform/db.ts'

/** Counter sales that match a filter, newest first. `class_reservation_id` is null here: the counter module fills it in. */
export async function readSales(
  db: Reader,
  filter: SaleFilter,
  page: { number: number; size: number },
): Promise<{ sales: CounterSale[]; total: number }> {
  const { rows, total } = await listSaleViews(db, filter, page)
  if (rows.length === 0) return { sales: [], total }
  const ids = rows.map((row) => row.sale.sale_id)
  const [items, payments] = await Promise.all([listSaleItems(db, ids), listSalePayments(db, ids)])
  const sales = rows.map(({ sale, owed, customer, isAnonymous, ...names }): CounterSale => {
    const { sale_id, staff_id, location_id } = sale
    const saleItems = items.filter((saleItem) => saleItem.item.sale_id === sale_id)
    const paid = payments.filter((payment) => payment.payment.sale_id === sale_id)
    const stateOf = ({ state }: (typeof paid)[number]['payment']) => (state === 'held' || state === 'released' ? 'void' : state)
    const sum = (state: 'received' | 'pending') =>
      paid.reduce((all, { payment }) => all + (payment.state === state ? payment.amount_centavos : 0), 0)
    const changeOf = (payment: (typeof paid)[number]['payment']) =>
      payment.received_centavos === null ? 0 : payment.received_centavos - payment.amount_centavos
    return {
      sale_id,
      folio: folioOf(sale_id),
      createdAt: sale.createdAt.toISOString(),
      staff: { staff_id, name: names.staff },
      location: { location_id, name: names.location },
      customer: isAnonymous ? null : customer,
      total: pesos(sale.total_centavos),
      paid: pesos(sum('received')),
      pending: pesos(sum('pending')),
      owed: pesos(owed),
      owe_until: sale.owe_until,
      owe_reason: sale.owe_reason,
      change: pesos(paid.reduce((all, entry) => all + changeOf(entry.payment), 0)),
      iva: pesos(saleItems.reduce((all, saleItem) => all + saleItem.item.tax_centavos, 0)),
      note: sale.note,
      lines: saleItems.map(({ item, purchase_id, class_package_id, class_amount, expires_at, owner }) => ({
        kind: item.kind,
        title: item.title,
        quantity: item.quantity,
        list: pesos(item.list_centavos),
        total: pesos(item.total_centavos),
        price_reason: item.price_reason,
        over_limit_reason: item.over_limit_reason,
        tax: { rate: item.tax_rate / 100, exempt: item.tax_exempt, net: pesos(item.net_centavos), amount: pesos(item.tax_centavos) },
        purchase_id,
        class_reservation_id: null,
        gift_card: null,
        gives: class_package_id === null ? null : { class_amount, expires_at: expires_at?.toISOString() ?? null },
        gift_to: owner.customer_id === sale.customer_id ? null : owner,
      })),
      payments: paid.map(({ payment, method, staff, invoice_ids }) => ({
        payment_method_id: payment.payment_method_id,
        name: method,
        amount: pesos(payment.amount_centavos),
        received: payment.received_centavos === null ? null : pesos(payment.received_centavos),
        change: pesos(changeOf(payment)),
        reference: payment.reference,
        card_brand: payment.card_brand,
        last_digits: payment.last_digits,
        authorisation: payment.authorisation,
        funding: payment.funding,
        state: stateOf(payment),
        has_proof: payment.proof_file_id !== null,
        staff: { staff_id: payment.staff_id, name: staff },
        createdAt: payment.createdAt.toISOString(),
        invoice_ids,
      })),
    }
  })
  return { sales, total }
}

/** The number of a sale as people read it. */
const folioOf = (sale_id: number) => `V-${paddedNumber(sale_id)}`
