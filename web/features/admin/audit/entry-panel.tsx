import { useQuery } from '@tanstack/react-query'
import type { AuditLogEntry } from '#contract/audit.ts'
import { formatInstant } from '#contract/time.ts'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { Drawer } from '#web/ui/drawer.tsx'
import { entryValues, type ValueRow } from './entry-values.ts'
import './audit.css'

/** One entry: the sentence, the reason, and the values before and after. An entry of another page is read by its id. */
export function EntryPanel({ audit_id, shown, onClose }: { audit_id: number; shown: AuditLogEntry | undefined; onClose: () => void }) {
  const query = useQuery({
    ...queries.auditLog.list.queryOptions({ input: { audit_id }, meta: { handled: true }, staleTime: 60_000 }),
    enabled: !shown,
  })
  const entry = shown ?? query.data?.entries[0]
  return (
    <Drawer open side="right" label="Detalle" closeLabel="Cerrar" onClose={onClose} head={<h2 className="t3">Detalle</h2>}>
      {entry ? (
        <Entry entry={entry} />
      ) : (
        <Loaded query={query} skeleton={<ListSkeleton rows={2} />} failed="No pudimos cargar el detalle." nothing={null}>
          <p className="record-panel muted">Esta entrada no está en la bitácora.</p>
        </Loaded>
      )}
    </Drawer>
  )
}

/** "23 nov 2026, 10:05". */
export const entryTime = (at: string, zone: string): string =>
  `${formatInstant(new Date(at), zone, 'date')}, ${formatInstant(new Date(at), zone, 'hour')}`

function Entry({ entry }: { entry: AuditLogEntry }) {
  const { zone } = useSite()
  const { changed, same } = entryValues(entry, zone)
  return (
    <div className="record-panel">
      <div>
        <p className="strong">{entry.sentence}.</p>
        <p className="small muted">{entryTime(entry.at, zone)}</p>
      </div>
      {entry.reason && (
        <p>
          <span className="small muted">Motivo</span>
          <br />
          {entry.reason}
        </p>
      )}
      {entry.link && (
        <p>
          <Button as={AppLink} to={entry.link} variant="outline" size="small">
            Abrir
          </Button>
        </p>
      )}
      {changed.length > 0 && <Values caption="Antes y después" rows={changed} />}
      {same.length > 0 && (
        <details className="audit-same">
          <summary>Lo que no cambió</summary>
          <Values caption="Lo que no cambió" rows={same} />
        </details>
      )}
    </div>
  )
}

function Values({ caption, rows }: { caption: string; rows: readonly ValueRow[] }) {
  return (
    <table className="audit-values">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Dato</th>
          <th scope="col">Antes</th>
          <th scope="col">Después</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <th scope="row">{row.label}</th>
            <td>{row.before ?? '—'}</td>
            <td>{row.after ?? '—'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
