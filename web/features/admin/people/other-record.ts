/** The customer who already has the typed telephone or mail, from the details of the refusal. */
import { toFailure } from '#web/lib/errors.ts'

export interface OtherRecord {
  what: 'phone' | 'email'
  customer_id: number
  /** first and last name */
  name: string
  first: string
  last_name: string
}

/** Null for every other refusal. */
export function otherRecordIn(error: unknown): OtherRecord | null {
  const { code, data } = toFailure(error)
  if ((code !== 'PHONE_IN_USE' && code !== 'ACCOUNT_EXISTS') || typeof data.customer_id !== 'number') return null
  const [first, last_name] = [String(data.name ?? ''), String(data.last_name ?? '')]
  return {
    what: code === 'PHONE_IN_USE' ? 'phone' : 'email',
    customer_id: data.customer_id,
    first,
    last_name,
    name: `${first} ${last_name}`.trim(),
  }
}
