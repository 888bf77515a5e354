/** Reports: figures of a period with their definitions, charts and rows, by question (docs/domain.md, "Reports"). */
import * as z from 'zod'
import { GROUP_KEYS, QUESTION_KEYS, REPORT_KEYS } from './copy/reports.ts'
import { endpoint, instant, localDay, pathId, refusals } from './endpoint.ts'

/** Days in the longest period of a report: three years. */
export const MAX_REPORT_DAYS = 1_096
/** Rows of a report on the screen; its file has all of them. */
export const REPORT_MAX_ROWS = 500

const reportKey = z.enum(REPORT_KEYS)
const unit = z.enum(['mxn', 'percent', 'count', 'days', 'minutes', 'stars'])
export type ReportUnit = z.infer<typeof unit>

const amount = z.number().nullable()

const reportFigure = z.object({
  key: z.string().describe('De qué cifra se trata.'),
  label: z.string().describe('Cómo se llama.'),
  unit: unit.describe('En qué se mide: pesos, porcentaje, número, días, minutos o estrellas.'),
  value: amount.describe('La cifra; null: no hay con qué calcularla.'),
  before: amount.describe('La misma cifra en el periodo con el que se compara.'),
  better: z.enum(['more', 'less']).nullable().describe('Si es mejor que suba o que baje; null: ni una ni otra.'),
  definition: z.string().describe('Cómo se calcula, en una oración.'),
  link: z.string().nullable().describe('Pantalla de la administración con los renglones que la forman.'),
})
export type ReportFigure = z.infer<typeof reportFigure>

const column = z.object({
  key: z.string().describe('Nombre de la columna en los renglones.'),
  label: z.string().describe('Encabezado.'),
  type: z.enum(['text', 'day', 'moment', ...unit.options]).describe('Qué lleva: texto, día, momento o una cifra.'),
  sum: z.boolean().describe('Si la columna tiene total.'),
})
export type ReportColumn = z.infer<typeof column>

const link = z.object({ label: z.string().describe('Lo que dice el botón.'), path: z.string().describe('Pantalla de la administración.') })

const row = z.object({
  id: z.string().describe('El renglón.'),
  cells: z.record(z.string(), z.union([z.string(), z.number(), z.null()])).describe('Valores por columna; los importes, en pesos.'),
  link: z.string().nullable().describe('Pantalla de la administración con lo que cuenta el renglón.'),
  action: link.nullable().describe('Lo que conviene hacer con el renglón.'),
})
export type ReportRow = z.infer<typeof row>

const series = z.object({
  key: z.string().describe('De qué serie se trata; `before` es el periodo con el que se compara.'),
  label: z.string().describe('Cómo se llama.'),
  unit: unit.describe('En qué se mide.'),
  points: z
    .array(
      z.object({
        x: z.string().describe('Primer día del tramo, o su nombre.'),
        y: amount.describe('La cifra del tramo; null: no hubo nada que contar.'),
      }),
    )
    .describe('Los tramos, en orden.'),
})
export type ReportSeries = z.infer<typeof series>

const chart = z.object({
  title: z.string().describe('Título de la gráfica.'),
  /** `columns`: one group of bars for each point; `bars`: one horizontal bar for each point. */
  kind: z.enum(['columns', 'bars']).describe('Columnas por tramo, o barras por nombre.'),
  better: z.enum(['more', 'less']).nullable().describe('Si es mejor que las barras suban o que bajen; null: ni una ni otra.'),
  step: z.enum(['day', 'week', 'month']).nullable().describe('Cuánto dura cada tramo; null: no son días.'),
  series: z.array(series).describe('Las series, la del periodo primero.'),
})
export type ReportChart = z.infer<typeof chart>

const heatCell = z.object({
  weekday: z.int().min(1).max(7).describe('Día de la semana; 1 es lunes.'),
  time: z.string().describe('Hora de inicio en el reloj de su estudio.'),
  title: z.string().describe('La clase más frecuente a esa hora.'),
  detail: z.string().describe('Coach y estudio más frecuentes.'),
  classes: z.int().describe('Cuántas clases fueron.'),
  taken: z.int().describe('Lugares tomados.'),
  capacity: z.int().describe('Lugares que había.'),
  percent: z.number().describe('Porcentaje ocupado.'),
  before: amount.describe('El porcentaje del periodo con el que se compara; null con menos de tres clases.'),
  waiting: z.int().describe('Personas que quisieron entrar y no tuvieron lugar.'),
  absent: amount.describe('Porcentaje que no asistió, de quienes tienen marca; null: nadie tiene.'),
  filled: z.int().describe('Cuántas de esas clases se llenaron antes de empezar.'),
  fills_before: amount.describe('Cuántos minutos antes de su hora se ocupó el último lugar, en la de en medio de las que se llenaron.'),
  link: z.string().describe('Pantalla de la administración con esas clases.'),
  who: z
    .string()
    .nullable()
    .describe('Pantalla de la administración con las personas sin lugar; null: no hubo, o sin permiso de ver clientes.'),
  actions: z.array(link).describe('Lo que conviene hacer con esa hora, lo principal primero; nada sin permiso de planear.'),
})
export type ReportHeatCell = z.infer<typeof heatCell>

const heat = z.object({
  title: z.string().describe('Título de la tabla de calor.'),
  cells: z.array(heatCell).describe('Las horas que tuvieron clases.'),
})

const report = z.object({
  key: reportKey.describe('De qué reporte se trata.'),
  title: z.string().describe('Cómo se llama.'),
  about: z.string().describe('Qué dice, en una oración.'),
  from: localDay.describe('Primer día del periodo.'),
  to: localDay.describe('Último día del periodo.'),
  before: z
    .object({ from: localDay.describe('Primer día.'), to: localDay.describe('Último día.') })
    .nullable()
    .describe('Periodo con el que se compara; null: con ninguno.'),
  made_at: instant.describe('Cuándo se calculó.'),
  until_now: z.boolean().describe('Si el periodo todavía no termina: se cuenta hasta el momento en que se calculó.'),
  zone: z.string().describe('Zona horaria de sus días.'),
  group_by: z.enum(GROUP_KEYS).describe('Cómo se agrupan los renglones.'),
  groups: z
    .array(z.object({ key: z.enum(GROUP_KEYS).describe('Grupo.'), label: z.string().describe('Cómo se llama.') }))
    .describe('Cómo se pueden agrupar.'),
  filters: z
    .array(z.enum(['class_type_id', 'instructor_id', 'room_id', 'slot', 'segment_id']))
    .describe('Filtros que acepta, además del periodo y del estudio.'),
  choices: z
    .array(z.object({ key: z.string().describe('Valor de `only`.'), label: z.string().describe('Cómo se llama.') }))
    .describe('A qué renglones se puede limitar la tabla; los grupos que no lo permiten los muestran todos.'),
  only: z.string().nullable().describe('A qué renglones está limitada la tabla; null: están todos.'),
  headline: z
    .object({
      text: z.string().describe('Lo que dicen los datos, en una oración.'),
      detail: z.string().nullable().describe('De dónde sale.'),
      actions: z.array(link).describe('Lo que conviene hacer, lo principal primero.'),
    })
    .nullable()
    .describe('Lo más importante del periodo; null: no hay nada que decir.'),
  figures: z.array(reportFigure).describe('Las cifras del periodo.'),
  charts: z.array(chart).describe('Las gráficas.'),
  heat: heat.nullable().describe('Ocupación por hora y día de la semana.'),
  table_title: z.string().describe('Título de la tabla.'),
  columns: z.array(column).describe('Las columnas de la tabla.'),
  rows: z.array(row).describe('Los renglones; hasta 500.'),
  rows_total: z.int().describe('Cuántos renglones hay en total.'),
  totals: z.record(z.string(), amount).describe('Totales por columna, de todos los renglones.'),
  definitions: z
    .array(z.object({ term: z.string().describe('Lo que se define.'), text: z.string().describe('Cómo se calcula.') }))
    .describe('Cómo se calcula cada cosa.'),
  notes: z.array(z.string()).describe('Advertencias sobre el periodo.'),
})
export type Report = z.infer<typeof report>

const location_id = pathId.optional().describe('Solo lo de este estudio (sucursal); sin él, lo de todos en los que trabaja la persona.')

const NO_PERIOD = 'El periodo termina antes de empezar, o es de más de tres años.'
const daysOf = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1

const query = z.object({
  key: reportKey,
  from: localDay.optional().describe('Primer día; sin él, el periodo de costumbre del reporte.'),
  to: localDay.optional().describe('Último día; va con el primero.'),
  compare: z.enum(['before', 'year', 'none']).default('before'),
  location_id,
  group_by: z.enum(GROUP_KEYS).optional(),
  class_type_id: pathId.optional().describe('Solo las clases de este tipo.'),
  instructor_id: pathId.optional().describe('Solo las clases de este coach.'),
  room_id: pathId.optional().describe('Solo las clases de esta sala.'),
  segment_id: pathId.optional().describe('Solo las personas que están ahora en este segmento.'),
  slot: z
    .string()
    .regex(/^[1-7]-\d\d:\d\d$/)
    .optional(),
  only: z
    .string()
    .regex(/^[a-z][a-z-]{1,30}$/)
    .optional()
    .describe('Solo estos renglones de la tabla: una de las `choices` del reporte. Las cifras y las gráficas no cambian.'),
})
const isPeriod = ({ from, to }: { from?: string | undefined; to?: string | undefined }) =>
  (from === undefined) === (to === undefined) &&
  (from === undefined || to === undefined || (daysOf(from, to) >= 1 && daysOf(from, to) <= MAX_REPORT_DAYS))
const ofPeriod = { error: NO_PERIOD, path: ['to'] }

export const reports = {
  /**
   * The reports that the person may see, by question, each with its main figure of a period until now; `missing_days` without enough
   * history, `preparing` before it can be read.
   */
  list: endpoint('GET', '/admin/reports', 'staff', 'Reportes', 'Los reportes y su cifra')
    .input(
      z.object({
        location_id,
        period: z.enum(['week', 'month', 'year']).default('month'),
      }),
    )
    .output(
      z.object({
        reports: z
          .array(
            z.object({
              key: reportKey.describe('De qué reporte se trata.'),
              title: z.string().describe('Cómo se llama.'),
              about: z.string().describe('Qué dice.'),
              question: z.enum(QUESTION_KEYS).describe('La pregunta que contesta.'),
              figure: reportFigure
                .nullable()
                .describe('Su cifra principal; null: todavía no hay historia suficiente, o se está preparando.'),
              missing_days: z.int().nullable().describe('Días de historia que faltan; null: ninguno.'),
              preparing: z.int().nullable().describe('Compras que faltan por preparar antes de que haya cifra; null: ninguna.'),
            }),
          )
          .describe('Los reportes, en el orden de las preguntas.'),
        from: localDay.describe('Primer día de las cifras.'),
        made_at: instant.describe('Momento hasta el que se contó.'),
      }),
    ),
  /** One report. INVALID_INPUT for a group or filter that it does not have, FORBIDDEN for another location or without its right. */
  read: endpoint('GET', '/admin/reports/{key}', 'staff', 'Reportes', 'Un reporte')
    .errors(refusals('INCOME_BEING_PREPARED'))
    .input(query.refine(isPeriod, ofPeriod))
    .output(report),
  /** The rows of a report as a file, all of them. EXPORT_TOO_LARGE above 50,000 rows. */
  file: endpoint('GET', '/admin/exports/reports/{key}', 'staff', 'Reportes', 'Exportar un reporte')
    .errors(refusals('EXPORT_TOO_LARGE', 'INCOME_BEING_PREPARED'))
    .input(query.extend({ format: z.enum(['csv', 'xlsx']).default('csv') }).refine(isPeriod, ofPeriod))
    .output(z.file()),
}
export type ReportInput = z.output<typeof query>
