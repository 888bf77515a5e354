/** Credit lots in words. */
import type { z } from 'zod'
import type { anyCreditLot } from '#contract/credits.ts'

type CreditLot = z.infer<typeof anyCreditLot>

/** The texts of states; a usable lot has none. */
export const CREDIT_LOT_STATES: Readonly<Record<CreditLot['state'], { text: string; tone: 'ok' | 'outline' | 'brand' } | null>> = {
  alive: null,
  frozen: { text: 'Congelado', tone: 'brand' },
  used_up: { text: 'Usado', tone: 'outline' },
  expired: { text: 'Vencido', tone: 'outline' },
  revoked: { text: 'Retirado', tone: 'outline' },
}

/** "8 de 20", "Ilimitado". */
export const leftText = (creditLot: Pick<CreditLot, 'available_classes' | 'granted'>): string =>
  creditLot.available_classes < 0
    ? 'Ilimitado'
    : `${creditLot.available_classes} de ${Math.max(creditLot.granted, creditLot.available_classes)}`
