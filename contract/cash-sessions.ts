/** Cash sessions: one cashier at one location, cash put into the drawer and taken out, and its count (docs/domain.md, "The till"). */
import * as z from 'zod'
import { paymentMethodKind } from './catalogue.ts'
import {
  amountSent,
  endpoint,
  id,
  instant,
  localDay,
  pageNumber,
  paragraph,
  pathId,
  pesosWire,
  priceSent,
  refusals,
  rowsPerPage,
  singleLine,
} from './endpoint.ts'

/** Sessions per page of the list. */
export const CASH_SESSIONS_PER_PAGE = 50

/** Bills and coins, by their value in pesos. The 20-peso coin counts as the bill. */
export const denominations = ['1000', '500', '200', '100', '50', '20', '10', '5', '2', '1', '0.50', '0.20', '0.10'] as const

const person = z.object({ staff_id: id, name: z.string() })
export const cashCount = z.partialRecord(z.enum(denominations), z.int().min(0).max(100_000))

/** Money in and out of a session by payment method. During a blind count the sums and the expected amount are null. */
const methodSums = z.object({
  payment_method_id: id,
  name: z.string(),
  kind: paymentMethodKind,
  sales: pesosWire.nullable(),
  refunds: pesosWire.nullable(),
  in: pesosWire.nullable(),
  out: pesosWire.nullable(),
  expected: pesosWire.nullable(),
  counted: pesosWire.nullable(),
  difference: pesosWire.nullable(),
  /** Number of charges. */
  count: z.int().nullable(),
})

export const cashSession = z.object({
  cash_session_id: id,
  location: z.object({ location_id: id, name: z.string() }),
  staff: person,
  state: z.enum(['open', 'closed', 'approved']),
  openedAt: instant,
  closedAt: instant.nullable(),
  closed_by: person.nullable(),
  approvedAt: instant.nullable(),
  approved_by: person.nullable(),
  approval_note: z.string().nullable(),
  /** When it was last reopened after a count, and why. */
  reopenedAt: instant.nullable(),
  reopen_reason: z.string().nullable(),
  opening: pesosWire,
  ways: z.array(methodSums),
  cash: cashCount.nullable(),
  left_in_drawer: pesosWire.nullable(),
  movements: z.array(
    z.object({
      cash_movement_id: id,
      kind: z.enum(['in', 'out']),
      amount: pesosWire,
      reason: z.string(),
      staff: person,
      createdAt: instant,
    }),
  ),
  note: z.string().nullable(),
})
export type CashSession = z.infer<typeof cashSession>

const reason = singleLine(300).min(3, 'Escribe el motivo.')
const cashSessionOutput = z.object({ cash_session: cashSession })
const named = { cash_session_id: pathId }
/** The count: bills and coins, and the totals of card terminal and bank. */
const counted = {
  cash: cashCount,
  ways: z
    .array(z.object({ payment_method_id: id, counted: amountSent }))
    .max(50)
    .default([]),
}
const TAG = 'Caja'

/** Filters and order of the list; the list's file takes the same. */
export const cashSessionFilter = {
  location_id: pathId.optional(),
  staff_id: pathId.optional(),
  state: cashSession.shape.state.optional().describe('Solo las que están abiertas, cerradas o aprobadas.'),
  from: localDay.optional(),
  to: localDay.optional(),
  sort: z
    .enum(['opened', '-opened', 'closed', '-closed', 'name', '-name'])
    .default('-opened')
    .describe('El orden: por cuándo se abrió o se cerró, o por quién; con `-`, al revés.'),
}

export const cashSessions = {
  /** Sessions, latest first: the caller's own, or everyone's with the right `cash.review`. */
  list: endpoint('GET', '/admin/cash_sessions', 'staff:cash.session', TAG, 'Cajas y cortes')
    .input(
      z.object({
        ...cashSessionFilter,
        page: pageNumber.default(1),
        per_page: rowsPerPage(CASH_SESSIONS_PER_PAGE),
      }),
    )
    .output(
      z.object({
        cash_sessions: z.array(cashSession),
        total: z.int(),
        people: z
          .array(person)
          .describe('Quienes han abierto una caja donde trabajo, por nombre, para filtrar; nadie si solo veo las mías.'),
      }),
    ),
  /** The caller's open session at a location, what the last count there left in the drawer, and who else has a session open there. */
  current: endpoint('GET', '/admin/cash_sessions/current', 'staff:cash.session', TAG, 'Mi caja abierta')
    .input(z.object({ location_id: pathId }))
    .errors(refusals('NOT_FOUND'))
    .output(
      z.object({
        cash_session: cashSession.nullable(),
        suggested_opening: pesosWire,
        others: z.array(z.object({ cash_session_id: id, staff: person, openedAt: instant })),
      }),
    ),
  one: endpoint('GET', '/admin/cash_sessions/{cash_session_id}', 'staff:cash.session', TAG, 'Una caja')
    .input(z.object(named))
    .errors(refusals('NOT_FOUND'))
    .output(cashSessionOutput),
  /** The corte of a closed session as a PDF. */
  pdf: endpoint('GET', '/admin/cash_sessions/{cash_session_id}/pdf', 'staff:cash.session', TAG, 'Corte de caja en PDF')
    .input(z.object(named))
    .errors(refusals('NOT_FOUND', 'CASH_SESSION_NOT_CLOSED'))
    .output(z.file()),
  open: endpoint('POST', '/admin/cash_sessions', 'staff:cash.session', TAG, 'Abrir caja')
    .input(z.object({ location_id: id, opening: amountSent }))
    .errors(refusals('NOT_FOUND', 'CASH_SESSION_OPEN', 'IDEMPOTENCY_KEY_REUSED'))
    .output(cashSessionOutput),
  /** Cash put into or taken out of the drawer that is neither a sale nor a refund. */
  move: endpoint('POST', '/admin/cash_sessions/{cash_session_id}/movements', 'staff:cash.session', TAG, 'Entrada o salida de efectivo')
    .input(z.object({ ...named, kind: z.enum(['in', 'out']), amount: priceSent, reason }))
    .errors(refusals('NOT_FOUND', 'CASH_SESSION_CLOSED', 'IDEMPOTENCY_KEY_REUSED'))
    .output(cashSessionOutput),
  /**
   * Compares a count with the expected amounts before the till is closed with it. Recorded in the audit log, because a cashier who counts
   * blind learns the expected amounts here.
   */
  compare: endpoint('POST', '/admin/cash_sessions/{cash_session_id}/compare', 'staff:cash.session', TAG, 'Comparar lo contado')
    .input(z.object({ ...named, ...counted }))
    .errors(refusals('NOT_FOUND', 'CASH_SESSION_CLOSED'))
    .output(
      z.object({
        ways: z.array(
          z.object({
            ...methodSums.pick({ payment_method_id: true, name: true, kind: true }).shape,
            expected: pesosWire,
            counted: pesosWire,
            difference: pesosWire,
          }),
        ),
        needs_note: z.boolean(),
      }),
    ),
  /**
   * Counts and closes the session (corte Z). A payment method without a count is taken as expected, but cash must be counted. A discrepancy
   * of more than `cash_difference_max` requires a note.
   */
  close: endpoint('POST', '/admin/cash_sessions/{cash_session_id}/close', 'staff:cash.session', TAG, 'Corte de caja')
    .input(
      z.object({
        ...named,
        ...counted,
        left_in_drawer: amountSent,
        note: paragraph(1_000).nullish(),
      }),
    )
    .errors(refusals('NOT_FOUND', 'CASH_SESSION_CLOSED', 'CASH_NOTE_REQUIRED', 'IDEMPOTENCY_KEY_REUSED'))
    .output(cashSessionOutput),
  /** Approves a count; it can then no longer be reopened. */
  approve: endpoint('POST', '/admin/cash_sessions/{cash_session_id}/approve', 'staff:cash.review', TAG, 'Aprobar un corte')
    .input(z.object({ ...named, note: paragraph(1_000).nullish() }))
    .errors(refusals('NOT_FOUND', 'CASH_SESSION_NOT_CLOSED'))
    .output(cashSessionOutput),
  /** Reopens a closed session that was not approved yet. */
  reopen: endpoint('POST', '/admin/cash_sessions/{cash_session_id}/reopen', 'staff:cash.review', TAG, 'Abrir de nuevo un corte')
    .input(z.object({ ...named, reason }))
    .errors(refusals('NOT_FOUND', 'CASH_SESSION_CLOSED', 'CASH_SESSION_NOT_CLOSED', 'CASH_SESSION_OPEN', 'IDEMPOTENCY_KEY_REUSED'))
    .output(cashSessionOutput),
}
