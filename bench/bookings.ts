/** Requests of bookings, each of another customer and class than the one before. */
import { request } from './load.ts'

export interface Booked {
  firstClass: number
  classes: number
  tokens: readonly string[]
  /** Distinguishes the idempotency keys of several runs. */
  label: string
}

/** The booking number `at` of all pairs of customer and class; null when there are no more. */
export function bookingRequest({ firstClass, classes, tokens, label }: Booked, at: number): Buffer | null {
  if (at >= tokens.length * classes) return null
  return request(
    'POST',
    '/api/class_reservations',
    { authorization: `Bearer ${tokens[at % tokens.length]}`, 'idempotency-key': `bench-${label}-${at}` },
    // Consecutive requests book different classes and customers, to measure the transaction and not one row's lock queue.
    { single_class_id: firstClass + ((Math.floor(at / tokens.length) + at) % classes) },
  )
}

/** The first `count` bookings as text. */
export const bookingTexts = (booked: Booked, count: number): string[] =>
  Array.from({ length: count }, (_, at) => bookingRequest(booked, at)?.toString() ?? '')
