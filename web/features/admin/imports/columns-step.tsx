import { IconLock } from '@tabler/icons-react'
import { type DateOrder, fieldsOfKind, type ImportField, type ImportView, importDates, importFields } from '#contract/imports.ts'
import { formatWall } from '#contract/time.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Segmented } from '#web/ui/choice.tsx'

interface ColumnsStepProps {
  view: ImportView
  onMap: (change: { columns?: { index: number; field: ImportField | null }[]; date_order?: DateOrder }) => void
}

/** Columnas: the meaning of each column, with samples; one question about ambiguous dates. */
export function ColumnsStep({ view, onMap }: ColumnsStepProps) {
  const { columns, date_question } = view
  const taken = new Set(columns.flatMap(({ field }) => field ?? []))
  return (
    <section className="panel-card import-card" aria-labelledby="import-columns">
      <h2 id="import-columns" className="t3">
        Di qué es cada columna
      </h2>
      <p className="muted">{view.file_note}</p>
      {date_question && (
        <Banner tone="warn" title="¿Qué va primero en las fechas?">
          En {date_question.rows.toLocaleString('es-MX')} renglones las dos formas son posibles. Aplica a todas las fechas del archivo.
        </Banner>
      )}
      {(date_question || columns.some(({ field }) => field !== null && importDates.has(field))) && (
        <Segmented
          label="Qué va primero en las fechas"
          options={[
            { value: 'dmy', label: date_question ? `Día: ${dayText(date_question.sample, 'dmy')}` : 'Día primero' },
            { value: 'mdy', label: date_question ? `Mes: ${dayText(date_question.sample, 'mdy')}` : 'Mes primero' },
          ]}
          value={date_question ? '' : view.date_order}
          onChange={(value) => onMap({ date_order: value as DateOrder })}
        />
      )}
      <ul className="import-columns">
        {columns.map((column) => (
          <li key={column.index}>
            <span className="import-column">
              <span className="strong">{column.name}</span>
              <span className="small muted ellipsis">{column.locked ? '••••' : column.samples.join(' · ') || '(vacía)'}</span>
            </span>
            {column.locked ? (
              <span className="muted import-locked">
                <IconLock className="icon" aria-hidden="true" /> Nunca se importa
              </span>
            ) : (
              <select
                className="control"
                aria-label={`Qué es ${column.name}`}
                value={column.field ?? ''}
                onChange={(event) =>
                  onMap({ columns: [{ index: column.index, field: (event.currentTarget.value || null) as ImportField | null }] })
                }
              >
                <option value="">No se importa</option>
                {fieldsOfKind[view.kind]
                  .filter((key) => key === column.field || !taken.has(key))
                  .map((key) => (
                    <option key={key} value={key}>
                      {importFields[key]}
                    </option>
                  ))}
              </select>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** "3 abr 1994" of "03/04/94", in one of the two orders. */
function dayText(sample: string, order: DateOrder): string {
  const [first = '', second = '', year = ''] = sample.split(/[/.-]/)
  const [day, month] = order === 'dmy' ? [first, second] : [second, first]
  const full = year.length === 4 ? year : Number(year) <= 40 ? `20${year}` : `19${year}`
  return formatWall(`${full}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T00:00:00Z`, 'date')
}
