/** Credits: lots with their own expiry and restrictions (spec 2 section 3, decisions 3, 18, 19). */
import * as z from 'zod'
import { endpoint, id, instant } from './endpoint.ts'

/** Hours in which a lot is good: weekdays (1 Monday .. 7 Sunday) and a studio-local range. */
export const allowedTime = z.object({
  days: z.array(z.int().min(1).max(7)).min(1),
  from: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
  to: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/),
})
export type AllowedTime = z.infer<typeof allowedTime>

/** One lot of credits as the customer sees it. */
export const availableClass = z.object({
  available_class_id: id,
  /** What it came from: the package's title, or why it was given. */
  title: z.string(),
  /** The one class type it is good for, when there is exactly one. */
  class_type_id: id.nullable(),
  /** Comma list of class type names; empty = any. */
  class_types: z.string(),
  allowed_times: z.array(allowedTime),
  /** Comma list of studio names; empty = any. */
  locations: z.string(),
  /** Credits left; -1 = unlimited (S2-3.16). */
  available_classes: z.int(),
  /** Credits it started with; -1 = unlimited. */
  granted: z.int(),
  /** Last instant at which a class may start, on the studio's clocks written as UTC (decision 2). Null: its clock has not started. */
  expiration_date: instant.nullable(),
  /** The same as a true instant. */
  expires_at: instant.nullable(),
  /** Given by the studio or returned after its lot expired (decisions 18, 19). */
  is_courtesy: z.boolean(),
  frozen: z.boolean(),
})
export type AvailableClass = z.infer<typeof availableClass>

/** What "Disponibles {count}" and "Ilimitadas, Hasta el {date}" say (S2-2.45, S2-2.46). */
export const creditSummary = z.object({
  has_unlimited: z.boolean(),
  /** Wall clock written as UTC. */
  unlimited_membership_expiration: instant.nullable(),
  available: z.int().min(0),
  /** The soonest expiry among counted lots, wall clock written as UTC. */
  next_expiration: instant.nullable(),
})
export type CreditSummary = z.infer<typeof creditSummary>

export const credits = {
  /** The signed-in customer's lots that can still be used, in the order in which they would be spent, and their sum (S2-7.35). */
  list: endpoint('GET', '/available_classes', 'customer', 'Créditos', 'Mis créditos').output(
    z.object({ available_classes: z.array(availableClass), summary: creditSummary }),
  ),
}
