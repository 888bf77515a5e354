/** Pay of the coaches: rules, periods, the coach's own pay (docs/domain.md, "Pay of the coaches"). */
import * as z from 'zod'
import { isClabe } from './clabe.ts'
import { crud, versioned } from './crud.ts'
import { amountSent, done, endpoint, id, instant, localDay, paragraph, pathId, pesosWire, refusals, singleLine } from './endpoint.ts'
import { parsePesos } from './money.ts'

const STAFF = 'staff:payroll' as const
const OWN = 'staff:classes.own' as const
const TAG = 'Nómina'

/** Whose rule a substitute is paid by. */
export const SUBSTITUTE_PAY = ['own', 'theirs'] as const
/** Maximum number of days per request. */
export const MAX_PAYROLL_DAYS = 92

const persons = z.int().min(1).max(1_000)
const percent = z.number().min(0).max(100).multipleOf(0.01)
const step = z.object({
  from: persons.describe('Desde cuántas personas.'),
  amount: pesosWire.describe('Lo que se paga entonces en lugar de la base, en pesos.'),
})
export type PayStep = z.infer<typeof step>

const money = (what: string) => pesosWire.describe(what)
const rule = {
  instructor_id: id.nullable().describe('De qué coach; null: de todos.'),
  class_type_id: id.nullable().describe('De qué tipo de clase; null: de todos.'),
  location_id: id.nullable().describe('En qué estudio; null: en todos.'),
  from_day: z.string().describe('Desde qué día, en el reloj del estudio.'),
  base: money('Lo que se paga por clase, en pesos.'),
  per_person: money('Lo que se suma por cada persona, en pesos.'),
  per_person_from: persons.describe('Desde qué persona se suma.'),
  steps: z.array(step).describe('Escalones: desde tantas personas se paga esto en lugar de la base.'),
  full_bonus: money('Lo que se suma cuando la clase se llenó, en pesos.'),
  percent: percent.describe('Por ciento de lo reconocido de la clase, sin IVA, que se suma.'),
  minimum: money('Lo menos que se paga por una clase dada, en pesos.'),
  private: pesosWire
    .nullable()
    .describe('Lo que se paga por una clase de una sola persona en lugar de la base, en pesos; null: como las demás.'),
  substitute: z.enum(SUBSTITUTE_PAY).describe('Con qué regla cobra quien suple: `own` la suya, `theirs` la de quien falta.'),
  late_cancel_hours: z.int().min(0).max(168).describe('Hasta cuántas horas antes cancela el estudio sin pagar.'),
  late_cancel_percent: percent.describe('Por ciento de la base que se paga por una clase que el estudio canceló después de eso.'),
}

const sent = {
  instructor_id: id.nullish().describe('De qué coach; null: de todos.'),
  class_type_id: id.nullish().describe('De qué tipo de clase; null: de todos.'),
  location_id: id.nullish().describe('En qué estudio; null: en todos.'),
  from_day: localDay.describe('Desde qué día, en el reloj del estudio.'),
  base: amountSent.describe('Lo que se paga por clase, en pesos.'),
  per_person: amountSent.optional().describe('Lo que se suma por cada persona, en pesos.'),
  per_person_from: persons.optional().describe('Desde qué persona se suma.'),
  steps: z
    .array(
      z.object({
        from: persons.describe('Desde cuántas personas.'),
        amount: amountSent.describe('Lo que se paga entonces en lugar de la base, en pesos.'),
      }),
    )
    .max(10)
    .optional()
    .describe('Escalones: desde tantas personas se paga esto en lugar de la base.'),
  full_bonus: amountSent.optional().describe('Lo que se suma cuando la clase se llenó, en pesos.'),
  percent: percent.optional().describe('Por ciento de lo reconocido de la clase, sin IVA, que se suma.'),
  minimum: amountSent.optional().describe('Lo menos que se paga por una clase dada, en pesos.'),
  private: amountSent
    .nullish()
    .describe('Lo que se paga por una clase de una sola persona en lugar de la base, en pesos; null: como las demás.'),
  substitute: z.enum(SUBSTITUTE_PAY).optional().describe('Con qué regla cobra quien suple: `own` la suya, `theirs` la de quien falta.'),
  late_cancel_hours: z.int().min(0).max(168).optional().describe('Hasta cuántas horas antes cancela el estudio sin pagar.'),
  late_cancel_percent: percent
    .optional()
    .describe('Por ciento de la base que se paga por una clase que el estudio canceló después de eso.'),
}

/** What is wrong with a rule as a whole: more people never pay less. */
export function payRuleIssues({ base, steps = [] }: { base?: string; steps?: readonly PayStep[] }): { path: string; message: string }[] {
  const sorted = [...steps].sort((a, b) => a.from - b.from)
  if (new Set(sorted.map(({ from }) => from)).size !== sorted.length)
    return [{ path: 'steps', message: 'Dos escalones empiezan con las mismas personas.' }]
  const amounts = [base ?? '0', ...sorted.map(({ amount }) => amount)].map((amount) => parsePesos(amount) ?? 0)
  if (amounts.some((amount, at) => at > 0 && amount < (amounts[at - 1] ?? 0)))
    return [{ path: 'steps', message: 'Con más personas no se puede pagar menos: revisa los escalones y la base.' }]
  return []
}

const line = z.object({
  kind: z.enum(['class', 'adjustment', 'correction']).describe('Una clase, un ajuste a mano, o la corrección de un periodo aprobado.'),
  single_class_id: id.nullable().describe('La clase; null: un ajuste.'),
  class_date: instant.nullable().describe('Inicio de la clase en el reloj de su estudio, escrito como UTC.'),
  class_type: z.string().nullable().describe('Nombre del tipo de clase.'),
  location: z.string().nullable().describe('Nombre del estudio.'),
  attended: z.int().nullable().describe('Cuántas personas llegaron.'),
  amount: pesosWire.describe('Lo que se paga, en pesos; puede ser negativo en ajustes y correcciones.'),
  why: z.string().describe('Cómo se llega a la cantidad, en una oración.'),
  has_rule: z.boolean().describe('Si alguna regla dice cuánto se paga.'),
})
export type PayItem = z.infer<typeof line>

const answer = z.object({
  agrees: z.boolean().describe('Si el coach está de acuerdo.'),
  text: z.string().describe('Lo que dice.'),
  at: instant.describe('Cuándo respondió.'),
})

const coachPay = z.object({
  instructor_id: id,
  name: z.string().describe('Nombre del coach.'),
  classes: z.int().describe('Clases que dio.'),
  attended: z.int().describe('Personas que llegaron a ellas.'),
  amount: pesosWire.describe('Lo que se le paga en el periodo, en pesos.'),
  lines: z.array(line).describe('Cada clase, ajuste y corrección.'),
  answer: answer.nullable().describe('Lo que respondió el coach; null: nada.'),
})
export type CoachPay = z.infer<typeof coachPay>

const stretch = z.object({ from: z.string().describe('Primer día.'), to: z.string().describe('Último día.') })
const period = z.object({
  ...stretch.shape,
  state: z
    .enum(['running', 'open', 'approved'])
    .describe('`running`: no ha terminado; `open`: por aprobar; `approved`: aprobado, ya no cambia.'),
  approvedAt: instant.nullable().describe('Cuándo se aprobó.'),
  approved_by: z.string().nullable().describe('Quién lo aprobó.'),
  reopen_reason: z.string().nullable().describe('Por qué se reabrió la última vez; null: nunca.'),
})
const neighbours = { previous: stretch.describe('El periodo anterior.'), next: stretch.describe('El periodo siguiente.') }

const payroll = z.object({
  period: period.nullable().describe('El periodo que son estos días; null: no son un periodo, y solo se miran.'),
  ...stretch.shape,
  ...neighbours,
  total: pesosWire.describe('Lo que se paga en total, en pesos.'),
  without_rule: z.int().describe('Clases sin regla que diga cuánto se pagan.'),
  unsettled: z.int().describe('Clases cuya lista todavía no se cierra.'),
  coaches: z.array(coachPay.extend({ has_account: z.boolean().describe('Si tiene guardada su CLABE.') })),
})
export type Payroll = z.infer<typeof payroll>

const account = z.object({
  instructor_id: id,
  name: z.string().describe('Nombre del coach.'),
  holder: z.string().describe('A nombre de quién está la cuenta.'),
  clabe: z.string().describe('CLABE: 18 dígitos; vacía: no se sabe.'),
  rfc: z.string().describe('RFC, para quien lleva la contabilidad; vacío: no se sabe.'),
})
export type PayAccount = z.infer<typeof account>

/** The first day of a period, in a path. */
const periodDay = localDay.describe('Primer día del periodo.')
const days = {
  from: localDay.optional().describe('Primer día; sin él, el periodo de hoy.'),
  to: localDay.optional().describe('Último día.'),
}
const changed = refusals('PAYROLL_PERIOD', 'PAYROLL_APPROVED', 'NOT_FOUND')

export const payRules = crud({
  path: '/pay_rules',
  one: 'pay_rule',
  many: 'pay_rules',
  id: 'pay_rule_id',
  tag: TAG,
  called: 'reglas de pago',
  access: STAFF,
  fields: { ...versioned.sent, ...sent },
  row: { ...versioned.row, ...rule },
})

export const payrolls = {
  /** Pay by coach between two days, at most 92; of a period also its state. Only classes that ended, or were cancelled too late. */
  read: endpoint('GET', '/admin/payroll', STAFF, TAG, 'La nómina de unos días')
    .input(z.object(days))
    .errors(refusals('PAYROLL_RANGE'))
    .output(payroll),
  /**
   * Adds an amount with a note, or takes it off. PAYROLL_PERIOD: no period begins on that day. PAYROLL_APPROVED: it does not change
   * any more.
   */
  adjust: endpoint('POST', '/admin/payroll/{period}/adjust', STAFF, TAG, 'Ajustar lo que se paga a un coach')
    .input(
      z.object({
        period: periodDay,
        instructor_id: id,
        amount: z
          .string()
          .trim()
          .max(14)
          .refine((text) => (parsePesos(text.replace(/^-/, '')) ?? 0) > 0, 'Escribe una cantidad, como 150.00 o -150.00.')
          .transform((text) => (text.startsWith('-') ? -1 : 1) * (parsePesos(text.replace(/^-/, '')) ?? 0))
          .describe('Lo que se suma, en pesos; con signo menos, lo que se quita.'),
        note: singleLine(300).min(1, 'Escribe por qué.').describe('Por qué.'),
      }),
    )
    .errors(changed)
    .errors(refusals('IDEMPOTENCY_KEY_REUSED'))
    .output(done),
  /**
   * Freezes the period. PAYROLL_RUNNING: it has not ended. PAYROLL_UNSETTLED with `count`: lists that are not closed. PAYROLL_WITHOUT_RULE
   * with `count`. PAYROLL_CHANGED: it is not `total` any more.
   */
  approve: endpoint('POST', '/admin/payroll/{period}/approve', STAFF, TAG, 'Aprobar la nómina de un periodo')
    .input(z.object({ period: periodDay, total: pesosWire.describe('El total que se vio.') }))
    .errors(changed)
    .errors(refusals('PAYROLL_RUNNING', 'PAYROLL_UNSETTLED', 'PAYROLL_WITHOUT_RULE', 'PAYROLL_CHANGED', 'IDEMPOTENCY_KEY_REUSED'))
    .output(done),
  /** Opens an approved period again. PAYROLL_LATER_APPROVED: a later one was approved, which has its corrections. */
  reopen: endpoint('POST', '/admin/payroll/{period}/reopen', STAFF, TAG, 'Reabrir un periodo aprobado')
    .input(z.object({ period: periodDay, reason: singleLine(300).min(1, 'Escribe por qué.').describe('Por qué.') }))
    .errors(refusals('PAYROLL_PERIOD', 'PAYROLL_NOT_APPROVED', 'PAYROLL_LATER_APPROVED', 'IDEMPOTENCY_KEY_REUSED'))
    .output(done),
  accounts: endpoint('GET', '/admin/pay_accounts', STAFF, TAG, 'Cuentas de los coaches').output(
    z.object({ accounts: z.array(account).describe('Una por coach.') }),
  ),
  saveAccount: endpoint('PUT', '/admin/pay_accounts/{instructor_id}', STAFF, TAG, 'Guardar la cuenta de un coach')
    .input(
      z.object({
        instructor_id: pathId,
        holder: singleLine(120).describe('A nombre de quién está.'),
        clabe: z
          .union([z.literal(''), z.string().trim().refine(isClabe, 'Revisa la CLABE: son 18 dígitos y el último no coincide.')])
          .describe('CLABE; vacía: ninguna.'),
        rfc: z
          .string()
          .trim()
          .toUpperCase()
          .regex(/^([A-ZÑ&]{3,4}\d{6}[A-Z\d]{3})?$/, 'Un RFC lleva 12 o 13 letras y números.')
          .describe('RFC; vacío: ninguno.'),
      }),
    )
    .errors(refusals('NOT_FOUND'))
    .output(done),
  /** The caller's own pay; NOT_FOUND for staff without a coach's profile. */
  mine: endpoint('GET', '/admin/my_pay', OWN, TAG, 'Mi pago')
    .input(z.object(days))
    .errors(refusals('PAYROLL_RANGE', 'NOT_FOUND'))
    .output(
      z.object({
        period: period.nullable().describe('El periodo que son estos días; null: no son un periodo.'),
        ...stretch.shape,
        ...neighbours,
        pay: coachPay.describe('Lo que se le paga a quien pregunta.'),
      }),
    ),
  answer: endpoint('PUT', '/admin/my_pay/{period}/answer', OWN, TAG, 'Responder a mi pago')
    .input(
      z.object({
        period: periodDay,
        agrees: z.boolean().describe('Si está bien.'),
        text: paragraph(1_000).describe('Qué falta o sobra; se escribe cuando no está bien.'),
      }),
    )
    .errors(refusals('PAYROLL_PERIOD', 'NOT_FOUND'))
    .output(done),
}
