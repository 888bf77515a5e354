import { useQueryClient } from '@tanstack/react-query'
import { spotName } from '#contract/copy/names.ts'
import type { CounterOrder } from '#contract/counter-orders.ts'
import type { CounterSale } from '#contract/counter-sales.ts'
import { type BasketItem, type BasketPayment, type itemsSent, paymentsSent } from '#web/features/admin/counter/basket.ts'
import type { OnlinePayment } from '#web/features/admin/counter/online-payment.tsx'
import type { Owing } from '#web/features/admin/counter/payments-panel.tsx'
import type { BookedClass } from '#web/features/admin/counter/sold-panel.tsx'
import type { FoundCustomer } from '#web/features/admin/people/customer-search.tsx'
import { seatLabelIn, seatsQuery } from '#web/features/admin/timetable/seats.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'

interface SaleOptions {
  lines: readonly BasketItem[]
  buyer: FoundCustomer | null
  online: OnlinePayment | null
  onSold: (sale: CounterSale, phone: string | null, classes: BookedClass[]) => void
  onOrdered: (order: CounterOrder, byCard: boolean, phone: string | null) => void
  onRefused: () => void
}

interface SaleSent {
  location_id: number
  sent: ReturnType<typeof itemsSent>
  payments: readonly BasketPayment[]
  owing: Owing | null
  /** In centavos, as shown. */
  total: number
  open: number | null
}

/** Sells what is in the basket: at once, or as an order that is paid online. */
export function useSale({ lines, buyer, online, onSold, onOrdered, onRefused }: SaleOptions) {
  const client = useQueryClient()
  const sell = useIdempotentMutation(api.counterSales.sell, {
    onSuccess({ sale, class_reservations }) {
      showAlert('success', 'Venta registrada.')
      for (const part of [
        queries.studioSales,
        queries.cashSessions,
        queries.schedule,
        queries.attendance,
        queries.credits,
        queries.products,
        queries.giftCards,
      ])
        void client.invalidateQueries({ queryKey: part.key() })
      const booked = class_reservations.length > 0 ? lines.filter(({ kind }) => kind === 'class') : []
      onSold(
        sale,
        buyer?.phone ?? null,
        booked.flatMap(({ single_class_id, title, detail, spot }) => {
          if (!single_class_id) return []
          // The basket showed them.
          const seats = client.getQueryData(seatsQuery(single_class_id).queryKey)?.single_class.seats ?? null
          const seat = spot && spotName(spot, seatLabelIn({ seats }, spot))
          return [{ single_class_id, title, about: [detail, seat].filter(Boolean).join(' · ') }]
        }),
      )
    },
    onError: onRefused,
  })
  const order = useIdempotentMutation(api.counterOrders.open, {
    onSuccess(answer) {
      for (const part of [
        queries.studioSales,
        queries.counterOrders,
        queries.cashSessions,
        queries.credits,
        queries.products,
        queries.giftCards,
      ])
        void client.invalidateQueries({ queryKey: part.key() })
      onOrdered(answer, online?.by === 'card', buyer?.phone ?? null)
    },
    onError: onRefused,
  })
  return {
    isPending: sell.isPending || order.isPending,
    refusals: [
      { of: 'sale', error: sell.error },
      { of: 'order', error: order.error },
    ],
    send({ location_id, sent, payments, owing, total, open }: SaleSent) {
      const shown = { total: (total / 100).toFixed(2) }
      if (online && buyer)
        order.mutate({
          customer_id: buyer.customer_id,
          location_id,
          lines: sent,
          shown,
          payments: paymentsSent(payments),
          ...(online.by === 'card' ? { payment_source_id: online.payment_source_id } : {}),
        })
      else
        sell.mutate({
          customer_id: buyer?.customer_id ?? null,
          location_id,
          lines: sent,
          payments: paymentsSent(payments),
          shown,
          ...(owing && open !== null && open > 0 ? { owe: { until: owing.until, reason: owing.reason.trim() } } : {}),
        })
    },
  }
}
