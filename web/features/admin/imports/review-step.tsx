import { IconAlertCircle, IconDownload } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ImportField, ImportRow, ImportRowState, ImportView } from '#contract/imports.ts'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { api, queries } from '#web/lib/api.ts'
import { alertFailure } from '#web/lib/errors.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { addsText, alikeText, fieldLabel, leftOut, personName, STATE_NAMES } from './import-text.ts'

const TILES: readonly ImportRowState[] = ['new', 'update', 'same', 'duplicate', 'error', 'skipped', 'done', 'failed', 'undone', 'stayed']

interface ReviewStepProps {
  view: ImportView
  onView: (view: ImportView) => void
}

/** Revisión: the result of each row; errors are corrected and duplicates decided in place. Also the rows of a finished import. */
export function ReviewStep({ view, onView }: ReviewStepProps) {
  const { import_id, counts } = view
  const shown = TILES.filter((state) => counts[state])
  const [state, setState] = useState<ImportRowState | null>(counts.error ? 'error' : counts.duplicate ? 'duplicate' : null)
  const [page, setPage] = useState(1)
  const query = useQuery(
    queries.imports.rows.queryOptions({ input: { import_id, page, ...(state ? { state } : {}) }, meta: { handled: true } }),
  )
  const download = useMutation({
    meta: { handled: true },
    mutationFn: () => api.imports.rejected({ import_id }),
    onSuccess: saveFile,
    onError: alertFailure,
  })
  const choose = (next: ImportRowState | null) => {
    setState(next)
    setPage(1)
  }
  const rows = query.data?.rows ?? []
  return (
    <>
      {view.state === 'draft' && (
        <Banner title="Es un ensayo.">No se ha escrito nada ni se ha avisado a nadie. Después tienes 7 días para deshacer.</Banner>
      )}
      <div className="import-tiles">
        <button type="button" aria-pressed={state === null} onClick={() => choose(null)}>
          <span className="t3">{view.total.toLocaleString('es-MX')}</span>
          <span className="small">En el archivo</span>
        </button>
        {shown.map((key) => (
          <button key={key} type="button" aria-pressed={state === key} onClick={() => choose(state === key ? null : key)}>
            <span className="t3">{(counts[key] ?? 0).toLocaleString('es-MX')}</span>
            <span className="small">{STATE_NAMES[key]}</span>
          </button>
        ))}
      </div>
      <section className="panel-card import-card" aria-labelledby="import-rows">
        <div className="integration-head">
          <h2 id="import-rows" className="t3">
            {state ? STATE_NAMES[state] : 'Todos los renglones'}
          </h2>
          {leftOut(view) + (counts.failed ?? 0) > 0 && (
            <Button
              variant="outline"
              size="small"
              icon={<IconDownload className="icon" aria-hidden="true" />}
              loading={download.isPending}
              onClick={() => download.mutate()}
            >
              Descargar los que no entran
            </Button>
          )}
        </div>
        <Loaded
          query={query}
          skeleton={<ListSkeleton rows={5} />}
          failed="No pudimos cargar los renglones."
          nothing={rows.length === 0 && <p className="muted">Ya no queda ninguno.</p>}
        >
          <ul className="import-rows" aria-label="Renglones">
            {rows.map((row) => (
              <RowItem key={`${row.n} ${JSON.stringify(row.values)} ${row.decision}`} row={row} view={view} onView={onView} />
            ))}
          </ul>
          <Pager page={page} pages={query.data?.pages ?? 1} onPage={setPage} />
        </Loaded>
      </section>
    </>
  )
}

function RowItem({ row, view, onView }: { row: ImportRow; view: ImportView; onView: (view: ImportView) => void }) {
  const client = useQueryClient()
  const canFix = view.state === 'draft'
  const fix = useMutation({
    meta: { handled: true },
    mutationFn: (change: { values?: Partial<Record<ImportField, string>>; decision?: ImportRow['decision'] }) =>
      api.imports.fix({ import_id: view.import_id, n: row.n, ...change }),
    async onSuccess(answer) {
      onView(answer.import)
      await client.invalidateQueries({ queryKey: queries.imports.rows.key() })
    },
    onError: alertFailure,
  })
  const fixAll = useMutation({
    meta: { handled: true },
    mutationFn: (use: 'suggestion' | 'merge' | 'new') => api.imports.fixAlike({ import_id: view.import_id, n: row.n, use }),
    async onSuccess(answer) {
      onView(answer.import)
      await client.invalidateQueries({ queryKey: queries.imports.rows.key() })
    },
    onError: alertFailure,
  })
  const facts =
    row.facts.length > 0
      ? row.facts.join(' · ')
      : row.person
        ? [row.person.email, row.person.phone, row.person.birthdate, visitsText(row.person), creditsText(row), ...consentTexts(row.person)]
            .filter(Boolean)
            .join(' · ')
        : ''
  return (
    <li>
      <p className="import-row-head">
        <span className="small muted">{row.n}</span>
        <span className="strong">{personName(row)}</span>
        <span className="small muted">{STATE_NAMES[row.state]}</span>
      </p>
      {facts && <p className="small muted">{facts}</p>}
      {row.issues.map((issue) =>
        canFix && row.state === 'error' ? (
          <FixField key={issue.field} row={row} issue={issue} pending={fix.isPending} onFix={(values) => fix.mutate({ values })} />
        ) : (
          <p key={issue.field} className="small muted">
            {issue.message}
          </p>
        ),
      )}
      {row.match && row.state !== 'error' && (
        <p className="small">
          {row.match.why}: <span className="strong">{row.match.name}</span>
        </p>
      )}
      {row.state === 'update' && row.adds.length > 0 && <p className="small">{addsText(row.adds)}</p>}
      {canFix && (
        <div className="import-verbs">
          {row.state === 'duplicate' && (
            <>
              <Button variant="outline" size="small" loading={fix.isPending} onClick={() => fix.mutate({ decision: 'merge' })}>
                Combinar
              </Button>
              <Button variant="outline" size="small" loading={fix.isPending} onClick={() => fix.mutate({ decision: 'new' })}>
                Es otra persona
              </Button>
            </>
          )}
          {row.alike > 0 && <AlikeVerbs row={row} pending={fixAll.isPending} onFix={(use) => fixAll.mutate(use)} />}
          {(row.decision === null ? ['error', 'duplicate', 'new'].includes(row.state) : true) && (
            <button type="button" className="link small" onClick={() => fix.mutate({ decision: row.decision === null ? 'skip' : null })}>
              {row.decision === null ? 'Omitir' : 'Deshacer'}
              <span className="sr-only"> · {personName(row)}</span>
            </button>
          )}
        </div>
      )}
    </li>
  )
}

/** The same answer for every row with the same question. */
function AlikeVerbs({ row, pending, onFix }: { row: ImportRow; pending: boolean; onFix: (use: 'suggestion' | 'merge' | 'new') => void }) {
  const [issue] = row.issues
  const uses = row.state === 'duplicate' ? (['merge', 'new'] as const) : issue && issue.suggestion !== null ? (['suggestion'] as const) : []
  return uses.map((use) => (
    <button key={use} type="button" className="link small" disabled={pending} onClick={() => onFix(use)}>
      {alikeText(use, row)}
    </button>
  ))
}

const consentTexts = ({ promotions_on, whatsapp_on }: NonNullable<ImportRow['person']>): string[] => [
  ...(promotions_on ? [`Promociones desde ${promotions_on}`] : []),
  ...(whatsapp_on ? [`WhatsApp desde ${whatsapp_on}`] : []),
]

function visitsText({ created_on, visits, last_visit }: NonNullable<ImportRow['person']>): string {
  const came = visits === 0 ? '' : `${visits === 1 ? '1 visita' : `${visits} visitas`}${last_visit ? `, la última el ${last_visit}` : ''}`
  return [created_on && `Alta ${created_on}`, came].filter(Boolean).join(' · ')
}

function creditsText({ person }: ImportRow): string {
  if (!person || person.credits === 0) return ''
  const classes = person.credits === -1 ? 'Clases ilimitadas' : person.credits === 1 ? '1 clase' : `${person.credits} clases`
  return `${classes}${person.package ? ` de ${person.package}` : ''}, hasta el ${person.expires_on}${person.frozen_on ? `, congeladas desde el ${person.frozen_on}` : ''}`
}

interface FixFieldProps {
  row: ImportRow
  issue: ImportRow['issues'][number]
  pending: boolean
  onFix: (values: Partial<Record<ImportField, string>>) => void
}

function FixField({ row, issue, pending, onFix }: FixFieldProps) {
  const [value, setValue] = useState(row.values[issue.field] ?? '')
  const label = fieldLabel(issue.field)
  const send = (text: string) => onFix({ [issue.field]: text })
  return (
    <form
      className="import-fix"
      onSubmit={(event) => {
        event.preventDefault()
        send(value)
      }}
    >
      <label>
        <span className="small muted">{label}</span>
        <input
          className="control"
          aria-invalid="true"
          maxLength={300}
          autoComplete="off"
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
      </label>
      <span className="small import-why">
        <IconAlertCircle className="icon" aria-hidden="true" /> {issue.message}
      </span>
      <Button type="submit" variant="outline" size="small" loading={pending}>
        Corregir
      </Button>
      {issue.suggestion !== null && (
        <Button variant="outline" size="small" loading={pending} onClick={() => send(issue.suggestion ?? '')}>
          {issue.suggestion === '' ? 'Dejar vacío' : `Usar ${issue.suggestion}`}
        </Button>
      )}
    </form>
  )
}
