import { IconAlertCircle, IconCheck } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ImportChoices, ImportField, ImportRow, ImportView } from '#contract/imports.ts'
import { formatPhone } from '#contract/phone.ts'
import { api, queries } from '#web/lib/api.ts'
import { alertFailure } from '#web/lib/errors.ts'
import { Button } from '#web/ui/button.tsx'
import { Comparison } from './comparison.tsx'
import {
  addsText,
  alikeText,
  comparedValues,
  consentTexts,
  creditsText,
  dayText,
  fieldLabel,
  fixedText,
  isContested,
  personName,
  ROW_STATES,
  visitsText,
} from './import-text.ts'

type Change = Omit<Parameters<typeof api.imports.fix>[0], 'import_id' | 'n'>

/** A row that was answered, as it is now, and what takes the answer back. */
export interface Fixed {
  row: ImportRow
  undo: Change
}

interface RowProps {
  row: ImportRow
  view: ImportView
  onView: (view: ImportView) => void
}

function useFix({ row, view, onView }: RowProps, onDone?: (answer: ImportRow, change: Change) => void) {
  const client = useQueryClient()
  return useMutation({
    meta: { handled: true },
    mutationFn: (change: Change) => api.imports.fix({ import_id: view.import_id, n: row.n, ...change }),
    async onSuccess(answer, change) {
      onDone?.(answer.row, change)
      onView(answer.import)
      await client.invalidateQueries({ queryKey: queries.imports.rows.key() })
    },
    onError: alertFailure,
  })
}

const isOpen = ({ state }: ImportRow): boolean => state === 'error' || state === 'duplicate'

/** What takes a change back: the file's own values, and no decision. */
const undoOf = ({ values, decision }: Change): Change => ({
  ...(values ? { values: Object.fromEntries(Object.keys(values).map((field) => [field, null])) } : {}),
  ...(decision === undefined ? {} : { decision: null }),
})

/** A row with what is to be corrected or decided about it. */
export function RowItem({ row, view, onView, onAnswered }: RowProps & { onAnswered: (fixed: readonly Fixed[]) => void }) {
  const client = useQueryClient()
  const canFix = view.state === 'draft'
  const fix = useFix({ row, view, onView }, (answer, change) => {
    if ((change.values || change.decision) && !isOpen(answer)) onAnswered([{ row: answer, undo: undoOf(change) }])
  })
  const fixAll = useMutation({
    meta: { handled: true },
    mutationFn: (use: 'suggestion' | 'merge' | 'new') => api.imports.fixAlike({ import_id: view.import_id, n: row.n, use }),
    async onSuccess(answer, use) {
      const field = row.issues[0]?.field as ImportField | undefined
      const undo: Change = use === 'suggestion' && field ? { values: { [field]: null } } : { decision: null }
      onAnswered(answer.rows.filter((row) => !isOpen(row)).map((row) => ({ row, undo })))
      onView(answer.import)
      await client.invalidateQueries({ queryKey: queries.imports.rows.key() })
    },
    onError: alertFailure,
  })
  const facts = factsText(row)
  const compares =
    canFix && (row.state === 'duplicate' || ((row.state === 'update' || row.state === 'same') && comparedValues(row).some(isContested)))
  return (
    <li>
      <p className="import-row-head">
        <span className="small muted">{row.n.toLocaleString('es-MX')}</span>
        <span className="strong">{personName(row)}</span>
        <span className="small muted">{ROW_STATES[row.state]}</span>
      </p>
      <div className="import-row-body">
        {facts && <p className="small muted">{facts}</p>}
        {row.issues.map((issue) =>
          canFix && row.state === 'error' ? (
            <FixField
              key={`${issue.field} ${row.values[issue.field] ?? ''}`}
              row={row}
              issue={issue}
              pending={fix.isPending}
              onFix={(values) => fix.mutate({ values })}
            />
          ) : (
            <p key={issue.field} className="small muted">
              {issue.message}
            </p>
          ),
        )}
        {row.match && row.state !== 'error' && (
          <p className="small">
            {row.match.why}: <span className="strong">{row.match.name}</span>
            {compares && comparedValues(row).some(isContested) && '. Elige qué se queda.'}
          </p>
        )}
        {compares && <Comparison row={row} pending={fix.isPending} onChoose={(choices: ImportChoices) => fix.mutate({ choices })} />}
        {row.state === 'update' && row.adds.length > 0 && <p className="small">{addsText(row)}</p>}
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
      </div>
    </li>
  )
}

/** A row that was answered a moment ago and is no longer in the list. */
export function FixedRow({ row, undo, view, onView, onUndone }: RowProps & Fixed & { onUndone: () => void }) {
  const fix = useFix({ row, view, onView }, onUndone)
  const corrected = Object.keys(undo.values ?? {}).map((field) => `${fieldLabel(field)}: ${row.values[field] || 'vacío'}`)
  return (
    <li className="import-fixed">
      <p className="import-row-head">
        <span className="small">{row.n.toLocaleString('es-MX')}</span>
        <span className="strong">{personName(row)}</span>
      </p>
      <div className="import-fixed-body">
        {corrected.length > 0 && <span>{corrected.join(' · ')}</span>}
        <span className="small strong import-state import-state-ok">
          <IconCheck className="icon" aria-hidden="true" />
          <span>{fixedText(row)}</span>
        </span>
        <button type="button" className="link small" disabled={fix.isPending} onClick={() => fix.mutate(undo)}>
          Deshacer
          <span className="sr-only"> · {personName(row)}</span>
        </button>
      </div>
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

/** What a row says of a person, or of what it is about. */
function factsText({ facts, person }: ImportRow): string {
  if (facts.length > 0) return facts.join(' · ')
  if (!person) return ''
  const { email, phone, birthdate, created_on, expires_on, frozen_on } = person
  const credits = creditsText(person)
  return [
    email,
    phone && formatPhone(phone),
    birthdate && `Nació ${dayText(birthdate)}`,
    created_on && `Alta ${dayText(created_on)}`,
    visitsText(person),
    credits && expires_on ? `${credits}, hasta el ${dayText(expires_on)}` : credits,
    frozen_on && `congeladas desde el ${dayText(frozen_on)}`,
    ...consentTexts(person),
  ]
    .filter(Boolean)
    .join(' · ')
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
