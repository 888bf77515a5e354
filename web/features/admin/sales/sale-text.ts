/** Texts about sales for the staff. */
import type { CounterSale } from '#contract/counter-sales.ts'
import { formatPesos, parsePesos } from '#contract/money.ts'
import type { RefundPreview } from '#contract/refund-preview.ts'
import type { StudioInvoice } from '#contract/studio-sales.ts'
import { formatWall } from '#contract/time.ts'
import type { BadgeTone } from '#web/ui/badge.tsx'

/** A sum of many sales ("1707019.00"), which may exceed the limit of a single amount: "$1,707,019.00". */
export const sumText = (pesos: string): string =>
  `${pesos.startsWith('-') ? '-' : ''}$${pesos.replace('-', '').replace(/\B(?=(\d{3})+(?!\d)(?=\.))/g, ',')}`

/** "10 clases, 2 × Agua" */
export const itemsText = (items: readonly { title: string; quantity: number }[]): string =>
  items.map(({ title, quantity }) => `${quantity > 1 ? `${quantity} × ` : ''}${title}`).join(', ')

/** "Para el 31 ene 2099 · Paga el viernes": until when a debt is left, and why. */
export const debtText = ({ owe_until, owe_reason }: Pick<CounterSale, 'owe_until' | 'owe_reason'>): string =>
  [owe_until && `Para el ${formatWall(`${owe_until}T12:00:00.000Z`, 'date')}`, owe_reason].filter(Boolean).join(' · ')

export const INVOICE_STATUS: Readonly<Record<StudioInvoice['status'], { text: string; tone: BadgeTone }>> = {
  paid: { text: 'Cobrado', tone: 'ok' },
  pending: { text: 'Por confirmar', tone: 'warn' },
  failed: { text: 'Fallido', tone: 'danger' },
  refunded: { text: 'Devuelto', tone: 'outline' },
  partially_refunded: { text: 'Devuelto en parte', tone: 'outline' },
  disputed: { text: 'En disputa', tone: 'warn' },
  lost: { text: 'Perdido', tone: 'danger' },
  void: { text: 'Anulado', tone: 'outline' },
}

/** The state of a charge; of one of which a bank took only a part, with that part. */
export function invoiceStatusText({ status, lost, refunded, total_payment }: StudioInvoice): string {
  const { text } = INVOICE_STATUS[status]
  const isPart = status === 'lost' && (parsePesos(lost) ?? 0) + (parsePesos(refunded) ?? 0) < (parsePesos(total_payment) ?? 0)
  return isPart ? `${text}: ${formatPesos(lost)}` : text
}

const countOf = (count: number, singular: string, many: string) => (count === 1 ? `1 ${singular}` : `${count} ${many}`)

/** What a refund does, as the server counted it, a sentence each. `hasClasses`: what was bought gives classes. */
export function refundConsequences(preview: RefundPreview, { name, hasClasses }: { name: string; hasClasses: boolean }): string[] {
  const { by, to, revokes, credits, unlimited, class_reservations, subscription } = preview
  const amount = formatPesos(preview.amount)
  const goesBack =
    by === 'processor'
      ? `Se devuelven ${amount} a ${to} en 5 a 10 días`
      : by === 'gift_card'
        ? `${amount} regresan a la tarjeta de regalo`
        : by === 'till'
          ? `${amount} salen de la caja: ${to}`
          : `Entregas ${amount} fuera de la caja: ${to}`
  const money = revokes ? `${goesBack}.` : `${goesBack}; conserva ${hasClasses ? 'sus clases' : 'lo que compró'}.`
  const remainder = Number(preview.left) > 0 ? `Quedan ${formatPesos(preview.left)} de ese cobro.` : null
  const lost = [
    unlimited ? 'su acceso ilimitado' : null,
    credits > 0 ? countOf(credits, 'clase sin usar', 'clases sin usar') : null,
    class_reservations > 0 ? countOf(class_reservations, 'reservación por venir', 'reservaciones por venir') : null,
  ].filter((text) => text !== null)
  const takes = !revokes
    ? null
    : lost.length > 0
      ? `${name} pierde ${lost.length === 1 ? lost[0] : `${lost.slice(0, -1).join(', ')} y ${lost.at(-1)}`}.`
      : `${name} ya no tiene nada de esta compra que retirar.`
  const goesOn =
    subscription === 'continues' ? 'La suscripción se sigue cobrando.' : subscription === 'ends' ? 'La suscripción termina ahora.' : null
  return [money, remainder, takes, goesOn, 'No se puede deshacer.'].filter((text) => text !== null)
}
