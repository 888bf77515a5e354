import type { AuditLogEntry } from '#contract/audit.ts'
import type { Column } from '#web/ui/table.tsx'
import { entryTime } from './entry-panel.tsx'
import './audit.css'

/** The columns of a list of entries; the sentence opens its panel. `when`: the head of the column of their time. */
export const entryColumns = (
  zone: string,
  onOpen: (audit_id: number) => void,
  when: Pick<Column<AuditLogEntry>, 'header' | 'head' | 'sorted' | 'order'> = { header: 'Cuándo' },
): readonly Column<AuditLogEntry>[] => [
  { header: 'Qué pasó', cell: (row) => <Sentence row={row} onOpen={onOpen} /> },
  { header: 'Quién', cell: (row) => <span className="nowrap">{row.who.name}</span> },
  { header: 'Motivo', cell: (row) => <span className="muted">{row.reason ?? '—'}</span> },
  { ...when, cell: (row) => <span className="nowrap">{entryTime(row.at, zone)}</span> },
]

/** An entry as a card. */
export function EntryCard({ row, zone, onOpen }: { row: AuditLogEntry; zone: string; onOpen: (audit_id: number) => void }) {
  return (
    <>
      <Sentence row={row} onOpen={onOpen} />
      <p className="small muted">{[entryTime(row.at, zone), row.reason].filter(Boolean).join(' · ')}</p>
    </>
  )
}

function Sentence({ row, onOpen }: { row: AuditLogEntry; onOpen: (audit_id: number) => void }) {
  return (
    <button type="button" className="audit-open strong" onClick={() => onOpen(row.audit_id)}>
      {row.sentence}
    </button>
  )
}
