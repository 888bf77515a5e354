import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import { ANSWER_SORTS, type GivenAnswers } from '#contract/form-endpoints.ts'
import { answerText, type FormField } from '#contract/forms.ts'
import { formatInstant, isLocalDate } from '#contract/time.ts'
import { conditionValues } from '#web/features/admin/forms/form-draft.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { DataTable } from '#web/features/admin/table/data-table.tsx'
import { DayFilter } from '#web/features/admin/table/day-filter.tsx'
import { ExportMenu } from '#web/features/admin/table/export-menu.tsx'
import { sortHead } from '#web/features/admin/table/sort-head.tsx'
import { ORDER, tableOrder, useTableQuery } from '#web/features/admin/table/use-table-query.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { api, queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { ChipSelect } from '#web/ui/chip-select.tsx'

export const handle: AdminHandle = { title: 'Respuestas', detail: true }

/** The answers to a form with their customers; by person, days, and the answer to one field. */
export default function FormAnswers() {
  const { zone } = useSite()
  const form_id = Number(useParams().form_id)
  const table = useTableQuery([ORDER, 'campo', 'respuesta', 'desde', 'hasta'])
  const { campo, respuesta, desde, hasta } = table.filters
  const head = tableOrder(table, ANSWER_SORTS, '-answered')
  const form = useQuery(queries.forms.one.queryOptions({ input: { form_id }, meta: { handled: true } })).data?.form
  const fields = (form?.form_fields ?? []) as readonly FormField[]
  const chosen = fields.find(({ key }) => key === campo)
  const filter = {
    form_id,
    sort: head.sort,
    ...(table.q ? { query: table.q.slice(0, 100) } : {}),
    ...(chosen ? { key: chosen.key, ...(respuesta ? { value: respuesta } : {}) } : {}),
    ...(isLocalDate(desde) ? { from: desde } : {}),
    ...(isLocalDate(hasta) ? { to: hasta } : {}),
  }
  const query = useQuery({
    ...queries.forms.admin.answers.queryOptions({ input: { ...filter, page: table.page }, meta: { handled: true } }),
    placeholderData: keepPreviousData,
  })
  const { answers = [], hidden = [], total = 0 } = query.data ?? {}
  const shown = fields.filter(({ key }) => !hidden.includes(key))
  const options = conditionValues(chosen).map(({ value, label }) => ({ value: String(value), label }))
  const nameOf = ({ customer_id, name, last_name }: GivenAnswers) => (
    <AppLink to={adminPaths.customer(customer_id)} className="link link-alone strong">
      {`${name} ${last_name}`.trim()}
    </AppLink>
  )
  const when = ({ updatedAt }: GivenAnswers) => formatInstant(new Date(updatedAt), zone, 'class')
  return (
    <>
      <ScreenHead
        title={form ? `Respuestas: ${form.name}` : 'Respuestas'}
        about={
          hidden.length > 0
            ? 'Las respuestas de salud no se muestran: para verlas hace falta ese permiso.'
            : 'Queda en la bitácora que las viste.'
        }
      />
      <DataTable
        caption="Respuestas"
        query={query}
        table={table}
        searchLabel="Nombre, correo o teléfono"
        filters={
          <>
            <ChipSelect
              label="Campo"
              all="Todos los campos"
              options={shown.map(({ key, label }) => ({ value: key, label }))}
              value={campo}
              onChange={(value) => table.setFilter('campo', value)}
            />
            {options.length > 0 && (
              <ChipSelect
                label="Respuesta"
                all="Cualquier respuesta"
                options={options}
                value={respuesta}
                onChange={(value) => table.setFilter('respuesta', value)}
              />
            )}
            <DayFilter label="Desde" value={desde} onChange={(value) => table.setFilter('desde', value)} />
            <DayFilter label="Hasta" value={hasta} onChange={(value) => table.setFilter('hasta', value)} />
            <ExportMenu load={(format) => api.listExports.formAnswers({ ...filter, format })} />
          </>
        }
        columns={[
          { ...sortHead<GivenAnswers>({ header: 'Cliente', by: 'name', ...head }), cell: nameOf },
          ...shown.map((field) => ({
            header: field.label,
            cell: (row: GivenAnswers) => answerText(field, row.answers[field.key]) || '—',
          })),
          { ...sortHead<GivenAnswers>({ header: 'Respondido', by: 'answered', first: 'down', ...head }), cell: when },
        ]}
        rows={answers}
        rowKey={(row) => row.customer_id}
        card={(row) => (
          <div className="stack gap-4">
            {nameOf(row)}
            <dl className="small">
              {shown.map((field) => {
                const text = answerText(field, row.answers[field.key])
                return (
                  text && (
                    <div key={field.key}>
                      <dt className="muted">{field.label}</dt>
                      <dd>{text}</dd>
                    </div>
                  )
                )
              })}
            </dl>
            <p className="small muted">{when(row)}</p>
          </div>
        )}
        totals={total === 1 ? '1 persona respondió' : `${total.toLocaleString('es-MX')} personas respondieron`}
        pages={query.data?.pages}
        failed="No pudimos cargar las respuestas."
        empty={<EmptyState>Nadie ha respondido este formulario todavía.</EmptyState>}
      />
    </>
  )
}
