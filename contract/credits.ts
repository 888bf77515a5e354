/** Credits: lots with their own expiry and restrictions (spec 2 section 3, settled 3, 18, 19). */
import * as z from 'zod'
import { draftId } from './crud.ts'
import { endpoint, id, instant, localDay, pageNumber, pathId, refusals, singleLine, wallStart } from './endpoint.ts'
import { actUndo } from './undo-act.ts'

/** Hours in which a lot can be used: weekdays (1 Monday .. 7 Sunday) and a studio-local range. */
export const allowedTime = z.object({
  days: z.array(z.int().min(1).max(7)).min(1),
  from: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
  to: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/),
})
export type AllowedTime = z.infer<typeof allowedTime>

/** One lot of credits as the customer sees it. */
export const availableClass = z.object({
  available_class_id: id,
  /** The title of the package, or why the credits were given. */
  title: z.string(),
  /** The only class type it is valid for, when there is exactly one. */
  class_type_id: id.nullable(),
  /** Comma list of class type names; empty = any. */
  class_types: z.string(),
  allowed_times: z.array(allowedTime),
  /** Comma list of studio names; empty = any. */
  locations: z.string(),
  /** Valid for the videos, not for classes in a studio. */
  is_online: z.boolean(),
  /** Credits left; -1 = unlimited (S2-3.16). */
  available_classes: z.int(),
  /** Credits it started with; -1 = unlimited. */
  granted: z.int(),
  /** Last instant at which a class may start, on the studio's clocks written as UTC (settled 2). Null: its validity has not started. */
  expiration_date: instant.nullable(),
  /** The same as a true instant. */
  expires_at: instant.nullable(),
  /** Given by the studio or returned after its lot expired (settled 18, 19). */
  is_courtesy: z.boolean(),
  frozen: z.boolean(),
})
export type AvailableClass = z.infer<typeof availableClass>

/** Figures of "Disponibles {count}" and "Ilimitadas, Hasta el {date}" (S2-2.45, S2-2.46). */
export const creditSummary = z.object({
  has_unlimited: z.boolean(),
  /** Wall clock written as UTC. */
  unlimited_membership_expiration: instant.nullable(),
  available: z.int().min(0),
  /** The soonest expiry among counted lots, wall clock written as UTC. */
  next_expiration: instant.nullable(),
})
export type CreditSummary = z.infer<typeof creditSummary>

/** Movements per page. */
export const MOVEMENTS_PER_PAGE = 50

/** A lot in any state: usable, used up, expired or revoked. */
export const anyCreditLot = availableClass.extend({
  state: z.enum(['alive', 'frozen', 'used_up', 'expired', 'revoked']),
  createdAt: instant,
})

/** One ledger entry. */
export const creditMovement = z.object({
  credit_movement_id: z.int(),
  available_class_id: id,
  title: z.string(),
  kind: z.enum(['grant', 'spend', 'give_back', 'remove', 'revoke', 'adjust', 'extend']),
  /** Signed; 0 for an unlimited lot and for a change of dates. */
  amount: z.int(),
  createdAt: instant,
  /** The reservation that it paid or refunded, if any. */
  class_reservation_id: id.nullable(),
  class_type: z.string().nullable(),
  class_date: instant.nullable(),
  guest: z.string().nullable(),
  reason: z.string().nullable(),
})
export type CreditMovement = z.infer<typeof creditMovement>

const reason = singleLine(300).min(3, 'Escribe el motivo.')
const restrictions = {
  /** Null = any. */
  class_type_ids: z.array(id).min(1).max(100).nullable(),
  location_ids: z.array(id).min(1).max(100).nullable(),
  allowed_times: z.array(allowedTime).max(20),
}
const creditLotAnswer = z.object({ available_class: anyCreditLot })

export const credits = {
  /** The signed-in customer's lots that can still be used, in the order in which they would be spent, and their sum (S2-7.35). */
  list: endpoint('GET', '/available_classes', 'customer', 'Créditos', 'Mis créditos').output(
    z.object({ available_classes: z.array(availableClass), summary: creditSummary }),
  ),
  /** Every lot of the customer, including used up, expired and revoked ones, by expiry; `date`: those valid on that day (S2-7.36). */
  all: endpoint('GET', '/available_classes/date/all', 'customer', 'Créditos', 'Todos mis créditos por fecha')
    .input(z.object({ date: localDay.optional() }))
    .output(z.object({ available_classes: z.array(anyCreditLot) })),
  /** Ledger entries, newest first. */
  movements: endpoint('GET', '/available_classes/movements', 'customer', 'Créditos', 'Historial de mis créditos')
    .input(z.object({ page: pageNumber.default(1), available_class_id: pathId.optional() }))
    .errors(refusals('CREDIT_NOT_FOUND'))
    .output(z.object({ movements: z.array(creditMovement), total: z.int() })),
  /** One lot of the customer (S2-7.37). */
  one: endpoint('GET', '/available_classes/{available_class_id}', 'customer', 'Créditos', 'Un crédito')
    .input(z.object({ available_class_id: pathId }))
    .errors(refusals('CREDIT_NOT_FOUND'))
    .output(creditLotAnswer),
  /** Lots of a customer, for the studio. */
  ofCustomer: endpoint('GET', '/admin/available_classes', 'staff:customers.read', 'Créditos', 'Créditos de un cliente')
    .input(z.object({ customer_id: pathId }))
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ available_classes: z.array(anyCreditLot), summary: creditSummary })),
  /** Notifies a customer of credits that expire soon, at most once a day. */
  notifyEnding: endpoint(
    'POST',
    '/admin/customers/{customer_id}/credits_notice',
    'staff:customers.edit',
    'Créditos',
    'Avisar de créditos por vencer',
  )
    .input(z.object({ customer_id: pathId }))
    .errors(refusals('NOT_FOUND', 'CREDITS_NOT_ENDING'))
    .output(z.object({ notified: z.int().describe('De cuántos créditos se avisó hoy; 0: no quiere estos avisos.') })),
  /** Grants credits by hand (S2-7.38): those of a package, or a number until a day. -1 = unlimited. */
  create: endpoint('POST', '/available_classes', 'staff:credits.edit', 'Créditos', 'Dar créditos')
    .input(
      z.object({
        /** The id of a draft: anything but a number (S2-4.28). Existing lots are changed with PUT. */
        available_class_id: draftId,
        customer_id: id,
        /** The package whose terms they get; the fields below are then optional. */
        class_package_id: id.optional(),
        title: singleLine(120).min(1).optional(),
        available_classes: z
          .int()
          .min(-1)
          .max(1_000)
          .refine((n) => n !== 0, 'Escribe cuántas clases.')
          .optional(),
        /** Last day, in the studio's time zone. */
        expiration_date: localDay.optional(),
        ...z.object(restrictions).partial().shape,
        reason,
      }),
    )
    .errors(refusals('NOT_FOUND', 'PACKAGE_NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED'))
    .output(z.object({ available_classes: z.array(anyCreditLot) })),
  /** Changes a lot (S2-7.39): its last day, how many are left (`available_classes`, or `add`, signed), frozen or not. */
  update: endpoint('PUT', '/available_classes', 'staff:credits.edit', 'Créditos', 'Cambiar créditos')
    .input(
      z.object({
        available_class_id: id,
        expiration_date: z
          .union([localDay, wallStart])
          .nullish()
          .describe('Último día, o el vencimiento como se lee; null: se queda como está.'),
        add: z.int().min(-1_000).max(1_000).optional(),
        available_classes: z.int().min(-1).max(10_000).optional().describe('Cuántas deben quedar; cuenta cuando no se manda add.'),
        frozen: z.boolean().optional(),
        reason,
      }),
    )
    .errors(refusals('CREDIT_NOT_FOUND', 'CREDIT_REVOKED', 'NO_CREDITS', 'IDEMPOTENCY_KEY_REUSED'))
    .output(creditLotAnswer.extend({ undo: actUndo.nullable().describe('Cómo se deshace; null: no cambió nada.') })),
  /** Takes the remaining credits away (S2-7.40). Places already booked stay. */
  revoke: endpoint('DELETE', '/available_classes/{available_class_id}', 'staff:credits.edit', 'Créditos', 'Retirar créditos')
    .input(z.object({ available_class_id: pathId, reason: reason.default('Retirados por el estudio') }))
    .errors(refusals('CREDIT_NOT_FOUND', 'CREDIT_REVOKED'))
    .output(creditLotAnswer.extend({ undo: actUndo.nullable().describe('Cómo se deshace; null: no se puede.') })),
}
