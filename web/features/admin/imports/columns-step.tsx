import { IconAlertTriangle, IconArrowRight, IconCheck, IconFileSpreadsheet, IconLock, IconMinus } from '@tabler/icons-react'
import {
  type DateOrder,
  fieldsOfKind,
  type ImportField,
  type ImportView,
  importDates,
  importFields,
  importSources,
} from '#contract/imports.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Segmented, Switch } from '#web/ui/choice.tsx'
import { columnState, dayText, sheetColumn } from './import-text.ts'
import { RowPreview } from './row-preview.tsx'
import './imports.css'
import './columns-step.css'

export interface MapChange {
  columns?: { index: number; field: ImportField | null }[]
  date_order?: DateOrder
  remember?: boolean
}

interface ColumnsStepProps {
  view: ImportView
  onMap: (change: MapChange) => void
  /** another file in place of this one */
  onFile: () => void
}

/** Columnas: the meaning of each column, with samples; one question about ambiguous dates. Beside it: a row as it will be, and the file. */
export function ColumnsStep({ view, onMap, onFile }: ColumnsStepProps) {
  const { business_name } = useSite()
  const firstDate = view.columns.find(({ field }) => field !== null && importDates.has(field))?.index
  return (
    <div className="import-beside">
      <section className="panel-card import-map" aria-labelledby="import-columns">
        <div className="import-map-head">
          <h2 id="import-columns" className="t3">
            Di qué es cada columna
          </h2>
          <p className="small muted">Adivinamos por el nombre y lo que traen.</p>
        </div>
        <div className="import-map-row import-map-names small muted" aria-hidden="true">
          <span>En tu archivo</span>
          <span>Muestras</span>
          <span />
          <span>En {business_name}</span>
          <span>Estado</span>
        </div>
        <ul>
          {view.columns.map((column) => (
            <ColumnRow key={column.index} column={column} view={view} onMap={onMap} showsOrder={column.index === firstDate} />
          ))}
        </ul>
      </section>
      <aside className="import-aside">
        <RowPreview view={view} />
        <section className="panel-card import-card" aria-labelledby="import-source-file">
          <h2 id="import-source-file" className="strong import-file-name">
            <IconFileSpreadsheet className="icon" aria-hidden="true" />
            <span>{view.file_name}</span>
          </h2>
          <p className="small muted">{view.file_note}</p>
          <button type="button" className="link import-other-file" onClick={onFile}>
            Cambiar archivo
          </button>
          <div className="import-remember">
            <Switch
              checked={view.remember}
              hint={
                view.source === 'other'
                  ? 'Al importar, para el próximo archivo'
                  : `Al importar, para el próximo archivo de ${importSources[view.source]}`
              }
              onChange={(event) => onMap({ remember: event.currentTarget.checked })}
            >
              Recordar columnas
            </Switch>
          </div>
        </section>
      </aside>
    </div>
  )
}

interface ColumnRowProps extends Omit<ColumnsStepProps, 'onFile'> {
  column: ImportView['columns'][number]
  /** the order of the file's dates is said here */
  showsOrder: boolean
}

const ICONS = { ok: IconCheck, ask: IconAlertTriangle, none: IconMinus } as const

function ColumnRow({ column, view, onMap, showsOrder }: ColumnRowProps) {
  const { tone, text } = columnState(column, view)
  const takenFields = new Set(view.columns.flatMap(({ field }) => field ?? []))
  const Icon = ICONS[tone]
  return (
    <li className={tone === 'ask' ? 'import-map-asks' : undefined}>
      <div className="import-map-row">
        <span className="import-map-name strong">
          <span className="small muted" aria-hidden="true">
            {sheetColumn(column.index)}
          </span>
          <span>{column.name}</span>
        </span>
        <span className="small muted import-map-samples">
          {column.locked
            ? '••••'
            : [...column.samples, ...(column.empty > 0 || column.samples.length === 0 ? ['(vacío)'] : [])].join(' · ')}
        </span>
        <IconArrowRight className="icon muted import-map-arrow" aria-hidden="true" />
        {column.locked ? (
          <span className="muted import-locked">
            <IconLock className="icon" aria-hidden="true" /> No se importa
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
              .filter((key) => key === column.field || !takenFields.has(key))
              .map((key) => (
                <option key={key} value={key}>
                  {importFields[key]}
                </option>
              ))}
          </select>
        )}
        <span className={`small strong import-state import-state-${tone}`}>
          <Icon className="icon" aria-hidden="true" />
          <span>{text}</span>
        </span>
      </div>
      {showsOrder && <DateQuestion view={view} onMap={onMap} />}
    </li>
  )
}

/** Whether the day or the month comes first, once for all dates of the file. */
function DateQuestion({ view: { date_question, date_order }, onMap }: Pick<ColumnsStepProps, 'view' | 'onMap'>) {
  return (
    <div className="import-dates">
      <p className="small">
        {date_question
          ? `En ${date_question.rows === 1 ? '1 renglón' : `${date_question.rows.toLocaleString('es-MX')} renglones`} las dos formas son posibles. Aplica a todas las fechas del archivo.`
          : 'Así se leen todas las fechas del archivo.'}
      </p>
      <Segmented
        label="Qué va primero en las fechas"
        options={[
          { value: 'dmy', label: date_question ? `Día: ${sampleText(date_question.sample, 'dmy')}` : 'Día primero' },
          { value: 'mdy', label: date_question ? `Mes: ${sampleText(date_question.sample, 'mdy')}` : 'Mes primero' },
        ]}
        value={date_question ? '' : date_order}
        onChange={(value) => onMap({ date_order: value as DateOrder })}
      />
    </div>
  )
}

/** "03 abr 1994" of "03/04/94", in one of the two orders. */
function sampleText(sample: string, order: DateOrder): string {
  const [first = '', second = '', year = ''] = sample.split(/[/.-]/)
  const [day, month] = order === 'dmy' ? [first, second] : [second, first]
  const full = year.length === 4 ? year : Number(year) <= 40 ? `20${year}` : `19${year}`
  return dayText(`${full}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`)
}
