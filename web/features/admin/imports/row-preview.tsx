import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { IMPORT_ROWS_PER_PAGE, type ImportRow, type ImportView } from '#contract/imports.ts'
import { formatPhone } from '#contract/phone.ts'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { DefinitionList } from '#web/ui/definition-list.tsx'
import { consentTexts, creditsText, dayText, personName, visitsText } from './import-text.ts'

/** "Así queda el renglón 2": one row as it would be imported with the columns as they are, and arrows to the others. */
export function RowPreview({ view: { import_id, kind } }: { view: ImportView }) {
  const [at, setAt] = useState(0)
  const page = Math.floor(at / IMPORT_ROWS_PER_PAGE) + 1
  const query = useQuery(queries.imports.rows.queryOptions({ input: { import_id, page }, meta: { handled: true } }))
  const row = query.data?.rows[at % IMPORT_ROWS_PER_PAGE]
  const total = query.data?.total ?? 0
  return (
    <section className="panel-card import-card import-preview" aria-labelledby="import-preview">
      <h2 id="import-preview" className="small strong muted">
        Así queda el renglón{row ? ` ${row.n.toLocaleString('es-MX')}` : ''}
      </h2>
      <Loaded
        query={query}
        skeleton={<ListSkeleton rows={3} />}
        failed="No pudimos cargar los renglones."
        nothing={!row && <p className="muted">El archivo no trae renglones.</p>}
      >
        {row && (
          <div className="import-preview-row" aria-live="polite">
            <p className="import-preview-head">
              {kind === 'customers' && <Avatar name={personName(row)} size={44} />}
              <span className="strong">{personName(row)}</span>
            </p>
            {row.person && <DefinitionList items={itemsOf(row.person)} />}
            {row.facts.map((fact) => (
              <p key={fact} className="small">
                {fact}
              </p>
            ))}
            {row.issues.map(({ field, message }) => (
              <p key={`${field} ${message}`} className="small import-why">
                {message}
              </p>
            ))}
          </div>
        )}
      </Loaded>
      {total > 1 && (
        <div className="import-preview-pager">
          <IconButton label="Renglón anterior" disabled={at === 0} onClick={() => setAt(at - 1)}>
            <IconChevronLeft className="icon" aria-hidden="true" />
          </IconButton>
          <IconButton label="Renglón siguiente" disabled={at >= total - 1} onClick={() => setAt(at + 1)}>
            <IconChevronRight className="icon" aria-hidden="true" />
          </IconButton>
          <span className="small muted">
            {(at + 1).toLocaleString('es-MX')} de {total.toLocaleString('es-MX')}
          </span>
        </div>
      )}
    </section>
  )
}

const itemsOf = (person: NonNullable<ImportRow['person']>): [string, string][] => [
  ['Correo', person.email ?? ''],
  ['Teléfono', person.phone ? formatPhone(person.phone) : ''],
  ['Nació', person.birthdate ? dayText(person.birthdate) : ''],
  ['Alta', person.created_on ? dayText(person.created_on) : ''],
  ['Vino', visitsText(person)],
  ['Tiene', creditsText(person)],
  ['Vence', person.credits !== 0 && person.expires_on ? dayText(person.expires_on) : ''],
  ['Congelado', person.frozen_on ? `Desde ${dayText(person.frozen_on)}` : ''],
  ['Avisos', consentTexts(person).join(' · ') || 'Sin permiso'],
]
