/**
 * Texts about the credits that a booking takes. Which ones it takes is the server's plan, which comes with the class (C3-C5, settled 18).
 */
import type { ClassDetail, CreditSpend } from '#contract/schedule.ts'
import { formatWall } from '#contract/time.ts'

type NamedCreditLots = readonly Pick<ClassDetail['credits'][number], 'available_class_id' | 'title' | 'expiration_date'>[]

/** The name of a lot; with its last day if another suitable lot has the same name. */
export function creditName(
  { available_class_id, title }: Pick<CreditSpend, 'available_class_id' | 'title'>,
  creditLots: NamedCreditLots,
): string {
  const isAmbiguous = creditLots.some((creditLot) => creditLot.title === title && creditLot.available_class_id !== available_class_id)
  const ends = creditLots.find((creditLot) => creditLot.available_class_id === available_class_id)?.expiration_date
  return isAmbiguous && ends ? `${title} (vence el ${formatWall(ends, 'date')})` : title
}

/** The heading above the lots to choose from: "Se usará 1 crédito de", or both lots if the guest needs a second one. */
export function spendLegend(spends: readonly CreditSpend[], creditLots: NamedCreditLots): string {
  const [mine, guests] = spends
  const credits = spends.reduce((sum, spend) => sum + spend.credits, 0)
  if (mine && guests && credits === 2)
    return `Se usarán 2 créditos: 1 de ${creditName(mine, creditLots)} y 1 de ${creditName(guests, creditLots)}. El tuyo sale de`
  if (mine && guests)
    return `Se usará 1 crédito de ${creditName(mine, creditLots)}, y tu invitado entra con ${creditName(guests, creditLots)}. El tuyo sale de`
  if (credits === 0) return 'Reservas con'
  return credits === 1 ? 'Se usará 1 crédito de' : `Se usarán ${credits} créditos de`
}

/** What is left of the lots with a count: "Te quedan 6 clases"; null if all are unlimited. Names the lot if there are several. */
export function creditsLeftText(spends: readonly CreditSpend[], creditLots: NamedCreditLots): string | null {
  const counted = spends.filter((spend) => spend.left >= 0)
  const text = counted.map((creditLot, at) => {
    const of = creditLots.length > 1 ? ` de ${creditName(creditLot, creditLots)}` : ''
    const classes = at > 0 ? '' : creditLot.left === 1 ? ' clase' : ' clases'
    if (creditLot.left === 0) return `ya no te quedan clases${of}`
    return `te ${creditLot.left === 1 ? 'queda' : 'quedan'} ${creditLot.left}${classes}${of}`
  })
  const sentence = text.join('; ')
  return sentence ? sentence[0]?.toUpperCase() + sentence.slice(1) : null
}

/** What the guest costs in addition: the hint of the switch. */
export function guestHint({ alone, with_guest }: ClassDetail['credits'][number]['spends']): string {
  if (!with_guest) return 'Usa un crédito más, y no te queda otro para esta clase.'
  const sum = (spends: readonly CreditSpend[]) => spends.reduce((all, spend) => all + spend.credits, 0)
  return sum(with_guest) > sum(alone) ? 'Usa un crédito más.' : 'No usa un crédito más.'
}

/** The credit that a guest of an existing reservation costs: "Usa 1 crédito de Ocho rondas." */
export const guestCreditText = (spend: CreditSpend): string =>
  spend.credits > 0 ? `Usa 1 crédito de ${spend.title}.` : 'No usa un crédito más.'
