/** Hoy: figures, classes, tasks and last purchases of the day, for the staff (docs/domain.md, "Today"). */
import * as z from 'zod'
import { done, endpoint, id, instant, localDay, pathId, pesosWire, refusals, singleLine } from './endpoint.ts'
import { singleClass } from './schedule.ts'
import { studioPurchase } from './studio-sales.ts'

/** Maximum number of days by which a task can be postponed. */
export const MAX_SNOOZE_DAYS = 90
/** Weeks in the charts, the current one included. */
export const CHART_WEEKS = 8
/** Bars of the trend of a figure, the current period included. */
export const TREND_PERIODS = 12
/** Maximum number of tasks of one kind in a list; a list with this number may be incomplete. */
export const TASKS_PER_KIND = 50

export const taskKind = z.enum([
  'cash_due',
  'spot_due',
  'transfer',
  'renewal',
  'voucher',
  'no_capacity',
  'no_coach',
  'coach_twice',
  'coach_absent',
  'substitution',
  'timetable_ends',
  'roster_open',
  'till_open',
  'debt',
  'spot_debt',
  'pay_question',
  'refund_due',
  'discrepancy',
  'credits_ending',
  'first_class',
  'document',
  'birthday',
  'coach_birthday',
  'message_failed',
  'job_failed',
  'webhook_stopped',
  'certificate_ending',
  'invoice_cancelled',
  'invoice_unstamped',
])
export type TaskKind = z.infer<typeof taskKind>

export const task = z.object({
  task_id: z.string(),
  kind: taskKind.describe('De qué se trata.'),
  title: z.string().describe('El pendiente, en una oración corta.'),
  detail: z.string().describe('Lo que conviene saber antes de atenderlo.'),
  count: z.int().describe('Cuántas personas, créditos o mensajes son.'),
  amount: pesosWire.nullable().describe('Dinero del que se trata; null: no es de dinero.'),
  due_at: instant.nullable().describe('Desde o hasta cuándo, según el pendiente; null: no tiene hora.'),
  location_id: id.nullable().describe('Estudio (sucursal) al que pertenece; null: es de todo el estudio.'),
  link: z.string().describe('Pantalla de la administración en la que se atiende.'),
  verb: z
    .object({
      label: z.string().describe('Lo que dice el botón.'),
      endpoint: z.string().describe('Dirección de la API, sin `/api`.'),
      method: z.enum(['POST', 'PUT']).describe('Método con el que se llama.'),
      body: z.record(z.string(), z.string()).describe('Datos que se envían.'),
    })
    .nullable()
    .describe('La llamada que lo atiende sin preguntar nada más; null: se atiende en su pantalla.'),
  version: z.string().describe('Los datos con los que se calculó. Si cambian, un pendiente cerrado vuelve a aparecer.'),
})
export type Task = z.infer<typeof task>

/** The stretch of the figures: from its beginning until now. */
export const figurePeriod = z.enum(['day', 'week', 'month'])
export type FigurePeriod = z.infer<typeof figurePeriod>

const figureKey = z.enum(['collected', 'occupancy', 'active_customers', 'no_shows'])
export type FigureKey = z.infer<typeof figureKey>

const figureValue = z.number().nullable()
export const figure = z.object({
  key: figureKey.describe('De qué cifra se trata.'),
  label: z.string().describe('Cómo se llama.'),
  unit: z.enum(['mxn', 'percent', 'count']).describe('En qué se mide: pesos, porcentaje o número.'),
  value: figureValue.describe('La cifra; null: todavía no hay con qué calcularla.'),
  before: figureValue.describe('La misma cifra en el mismo tramo del periodo de antes.'),
  definition: z.string().describe('Cómo se calcula, en una oración.'),
  link: z.string().describe('Pantalla de la administración con los renglones que la forman.'),
})
export type Figure = z.infer<typeof figure>

const location_id = pathId.optional().describe('Solo lo de este estudio (sucursal); sin él, lo de todos en los que trabaja la persona.')

const charts = z.object({
  weeks: z
    .array(
      z.object({
        from: localDay.describe('Lunes de la semana.'),
        subscriptions: pesosWire.describe('Lo cobrado de suscripciones, menos lo devuelto.'),
        others: pesosWire.describe('Lo cobrado de todo lo demás, menos lo devuelto.'),
      }),
    )
    .describe('Las últimas ocho semanas, la actual al final.'),
  occupancy: z
    .array(
      z.object({
        weekday: z.int().min(1).max(7).describe('Día de la semana; 1 es lunes.'),
        hour: z.int().min(0).max(23).describe('Hora en la que empiezan las clases, en el reloj de su estudio.'),
        taken: z.int().describe('Lugares tomados.'),
        capacity: z.int().describe('Lugares que había.'),
        percent: z.number().describe('Porcentaje ocupado.'),
      }),
    )
    .describe('Ocupación por hora de las clases de esas semanas; sin las horas que no tuvieron clases.'),
  until: instant.describe('Momento hasta el que se contó.'),
})
export type TodayCharts = z.infer<typeof charts>

const trends = z.object({
  trends: z
    .array(
      z.object({
        key: figureKey.describe('De qué cifra se trata.'),
        values: z.array(figureValue).describe('La cifra de los últimos doce periodos, el actual al final y hasta ahora.'),
      }),
    )
    .describe('Cómo ha ido cada cifra.'),
})

export const today = {
  /** Whether the caller gets new tasks as notifications on their devices (N12). */
  push: endpoint('GET', '/admin/tasks/push', 'staff', 'Hoy', 'Si me avisan de pendientes en mis dispositivos')
    .errors(refusals('DEVICE_SHARED'))
    .output(z.object({ enabled: z.boolean().describe('Si le avisan.') })),
  setPush: endpoint('PUT', '/admin/tasks/push', 'staff', 'Hoy', 'Avisarme de pendientes en mis dispositivos')
    .input(z.object({ enabled: z.boolean().describe('Si le avisan.') }))
    .errors(refusals('DEVICE_SHARED'))
    .output(done),
  /** The day's classes and figures, and the open tasks. `figures` only with the right `reports.money`, `purchases` with `sales.sell`. */
  read: endpoint('GET', '/admin/today', 'staff:roster.all', 'Hoy', 'Lo de hoy')
    .input(z.object({ location_id, period: figurePeriod.default('month') }))
    .output(
      z.object({
        date: localDay.describe('Hoy, en el reloj del estudio.'),
        figures: z
          .object({
            period: figurePeriod.describe('Periodo de las cifras.'),
            from: localDay.describe('Primer día del periodo.'),
            until: instant.describe('Momento hasta el que se contó.'),
            items: z.array(figure).describe('Las cifras.'),
          })
          .nullable()
          .describe('Cifras del periodo; null: la persona no ve dinero.'),
        classes: z.array(singleClass).describe('Clases de hoy, por hora.'),
        tasks: z.array(task).describe('Por atender, lo más urgente primero.'),
        purchases: z.array(studioPurchase).describe('Las últimas seis compras.'),
      }),
    ),
  /** Money by week and occupancy by hour of the last eight weeks. */
  charts: endpoint('GET', '/admin/today/charts', 'staff:reports.money', 'Hoy', 'Gráficas de las últimas semanas')
    .input(z.object({ location_id }))
    .output(charts),
  /** Each figure in the last twelve days, weeks or months, the current one until now. */
  trends: endpoint('GET', '/admin/today/trends', 'staff:reports.money', 'Hoy', 'Cómo ha ido cada cifra')
    .input(z.object({ location_id, period: figurePeriod.default('month') }))
    .output(trends),
  /** The tasks alone, for the bell. */
  tasks: endpoint('GET', '/admin/tasks', 'staff:roster.all', 'Hoy', 'Por atender')
    .input(z.object({ location_id }))
    .output(z.object({ tasks: z.array(task).describe('Por atender, lo más urgente primero.') })),
  /**
   * Puts a task off until an instant, closes it with a reason, or with neither takes that back. A closed one returns when its facts change.
   * TASK_RESOLVED with `name`, TASK_GONE when there is nothing left to do; TASK_CHANGED when `version` is not the current one.
   */
  decide: endpoint('PUT', '/admin/tasks/{task_id}', 'staff:roster.all', 'Hoy', 'Posponer o cerrar un pendiente')
    .input(
      z.object({
        task_id: z.string().regex(/^[a-z_]{3,30}-[1-9]\d{0,8}$/),
        snooze_until: instant.nullish().describe('Hasta cuándo se pospone; null: no se pospone.'),
        done: z.boolean().default(false).describe('Si se cierra.'),
        reason: singleLine(300).nullish().describe('Por qué se cierra; necesario para cerrar.'),
        version: singleLine(64).nullish().describe('La versión que vio quien decide.'),
      }),
    )
    .errors(refusals('NOT_FOUND', 'TASK_RESOLVED', 'TASK_GONE', 'TASK_CHANGED'))
    .output(done),
}
