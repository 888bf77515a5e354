/** The consequences of a refund, with the reservations that it would release (docs/domain.md V51). */
import { countReservationsWithoutCredit } from '#server/modules/bookings/bookings.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { previewRefund } from '#server/modules/sales/sales.ts'

export const showRefundPreview = (ctx: Ctx, input: Parameters<typeof previewRefund>[1]) =>
  previewRefund(ctx, input, (tx, purchase_id) => countReservationsWithoutCredit(tx, purchase_id, ctx.now))
