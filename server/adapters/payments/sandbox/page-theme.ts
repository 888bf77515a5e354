/** Data shown on the processor's pages. */
import { eq } from 'drizzle-orm'
import { sentence } from '#contract/errors.ts'
import type { Reader } from '#server/platform/db.ts'
import { BEHAVIOURS, cardLabel, NOT_AUTHENTICATED } from './cards.ts'
import { type SandboxStep, sandboxPayment, sandboxSetup, sandboxSubscription } from './tables.ts'

/** A payment as the processor's pages show it. */
export interface PageTheme {
  id: string
  secret: string
  title: string
  amount: number
  method: string | null
  step: SandboxStep | null
  approved: boolean
  voucher: { kind: string; reference: string; clabe: string | null } | null
  expiresAt: Date
  /** Whether it succeeded. */
  done: boolean
  /** Why it failed. */
  message: string | null
  /** URL of the studio to return to. */
  back: string
}

/** Data of a payment, a subscription or a card being saved, by its id; `home`: the studio's URL. Null when it does not exist. */
export async function pageTheme(read: Reader, id: string, home: string): Promise<PageTheme | null> {
  if (id.startsWith('setup_')) {
    const [row] = await read.select().from(sandboxSetup).where(eq(sandboxSetup.id, id))
    if (!row) return null
    const refused = row.state === 'refused' ? NOT_AUTHENTICATED : null
    const base = {
      id,
      secret: row.secret,
      title: 'Guardar tu tarjeta',
      amount: 0,
      approved: false,
      voucher: null,
      back: home,
      expiresAt: row.createdAt,
    }
    return {
      ...base,
      step: row.state === 'challenge' ? 'challenge' : null,
      done: row.state === 'ready',
      message: refused,
      method: row.card && cardLabel(row.card),
    }
  }
  if (id.startsWith('sub_')) {
    const [row] = await read.select().from(sandboxSubscription).where(eq(sandboxSubscription.id, id))
    if (!row) return null
    const amount = row.trialEnd ? 0 : row.first_amount
    const done = row.state === 'paid' || row.state === 'trialing'
    return {
      id,
      secret: row.secret,
      title: row.title,
      amount,
      approved: false,
      voucher: null,
      back: row.return_url,
      expiresAt: row.expiresAt,
      step: row.step,
      done,
      message: row.refused_message,
      method: row.card && cardLabel(row.card),
    }
  }
  const [row] = await read.select().from(sandboxPayment).where(eq(sandboxPayment.id, id))
  if (!row) return null
  const { secret, title, amount, approved, voucher, step, expiresAt } = row
  const done = row.state === 'paid' || row.state === 'processing' || approved
  const cardRefusal = row.card && step === 'hosted' ? BEHAVIOURS[row.card.behaviour].refusal : null
  const message = row.refused_message ?? (cardRefusal ? sentence(cardRefusal.code) : null)
  return {
    id,
    secret,
    title,
    amount,
    approved,
    voucher,
    step,
    expiresAt,
    back: row.return_url,
    done,
    message,
    method: row.card && cardLabel(row.card),
  }
}
