import '#web/ui/chip.css'
import { IconX } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import type { LocalDate } from '#contract/time.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import type { BulkKind } from './bulk-changes.ts'
import type { PlanRecords } from './plan-views.ts'
import { PublishDialog } from './publish-dialog.tsx'
import { ScopeDialog } from './scope-dialog.tsx'
import { publishLabel } from './timetable-text.ts'
import type { useFreeHours } from './use-free-hours.ts'
import type { PlanDialog, usePlanEdits } from './use-plan-edits.ts'
import '#web/features/admin/table/select-bar.css'

const BulkClasses = lazy(() => import('./bulk-classes.tsx'))
const CancelClasses = lazy(() => import('./cancel-classes.tsx'))
const DeleteClasses = lazy(() => import('./delete-classes.tsx'))

const CHANGES: readonly { kind: BulkKind; label: string }[] = [
  { kind: 'hour', label: 'Hora' },
  { kind: 'coach', label: 'Coach' },
  { kind: 'room', label: 'Sala' },
  { kind: 'capacity', label: 'Capacidad' },
  { kind: 'tags', label: 'Etiquetas' },
  { kind: 'seats', label: 'Cerrar lugares' },
  { kind: 'copy', label: 'Copiar a otras semanas' },
]

interface PlanBarsProps {
  edits: ReturnType<typeof usePlanEdits>
  free: ReturnType<typeof useFreeHours>
  records: PlanRecords
  monday: LocalDate
  today: LocalDate
}

/** Below the timetable: the edit that is not saved yet, what is selected, and what has to be decided first. */
export function PlanBars({ edits, free, records, monday, today }: PlanBarsProps) {
  const { pending, dialog, selection } = edits
  const close = () => edits.setDialog(null)
  const keys = edits.marks.pending
  const chosen = selection.map(edits.keyOf)
  const drafts = [...new Set(selection.flatMap((cls) => cls.class_draft_id ?? []))]
  const finish = () => {
    close()
    edits.clear()
  }
  return (
    <>
      <div role="status" className="plan-bars">
        {pending && (
          <div className="select-bar">
            <p className="strong grow">{pending.text}</p>
            <Button variant="quiet" size="small" onClick={pending.leave}>
              Dejarlo
            </Button>
            <Button variant="quiet" size="small" loading={pending.isSaving} onClick={pending.save} data-pending-save>
              Guardar
            </Button>
          </div>
        )}
      </div>
      {free.text !== null && (
        <section className="select-bar" aria-label="Horas libres" onKeyDown={free.onKeyDown}>
          <div className="grow">
            <p className="strong" role="status">
              {free.text}
            </p>
            <p className="small">Las flechas las mueven; con Mayúsculas se alargan.</p>
          </div>
          <Button variant="quiet" size="small" onClick={free.leave}>
            Dejarlo
          </Button>
          <Button variant="quiet" size="small" onClick={free.create} data-create-here>
            Crear aquí
          </Button>
        </section>
      )}
      {selection.length > 0 && !pending && free.text === null && (
        <section className="select-bar" aria-label="Selección">
          <p className="strong grow" aria-live="polite">
            {selectedText(selection.length, edits.beyond)}
          </p>
          <Menu button="Cambiar" buttonClass="chip">
            {CHANGES.filter(
              ({ kind }) =>
                (kind !== 'room' || records.rooms.length > 0) && (kind !== 'seats' || selection.some(({ spot_map }) => spot_map !== null)),
            ).map(({ kind, label }) => (
              <MenuItem key={kind} onClick={() => edits.setDialog({ kind, keys: chosen })}>
                {label}
              </MenuItem>
            ))}
            {drafts.length > 0 && <MenuItem onClick={() => edits.setDialog({ kind: 'drafts', ids: drafts })}>Publicar</MenuItem>}
            <hr />
            <MenuItem onClick={() => edits.setDialog({ kind: 'cancel', keys: chosen })}>Cancelar</MenuItem>
            <MenuItem onClick={() => edits.setDialog({ kind: 'delete', keys: chosen })}>Eliminar las que nadie reservó</MenuItem>
          </Menu>
          <IconButton bare label="Quitar la selección" onClick={edits.clear}>
            <IconX className="icon" aria-hidden="true" />
          </IconButton>
        </section>
      )}
      {dialog?.kind === 'scope' && (
        <ScopeDialog
          cls={dialog.cls}
          onClose={close}
          onChoose={(scope) => {
            close()
            edits.commit(keys.size > 0 ? [...keys] : [edits.keyOf(dialog.cls)], dialog.edit, scope)
          }}
        />
      )}
      {dialog?.kind === 'publish' && (
        <PublishDialog
          title="Publicar el cambio"
          yes="Publicar"
          changes={dialog.changes}
          done={() => `${dialog.text}.`}
          onDone={() => {
            close()
            edits.settle()
          }}
          onClose={close}
        />
      )}
      {dialog?.kind === 'delete' && (
        <Suspense>
          <DeleteClasses classes={edits.find(dialog.keys)} onDone={finish} onClose={close} />
        </Suspense>
      )}
      {dialog?.kind === 'cancel' && (
        <Suspense>
          <CancelClasses classes={edits.find(dialog.keys)} onDone={finish} onClose={close} />
        </Suspense>
      )}
      {dialog?.kind === 'drafts' && (
        <PublishDialog
          title="Publicar cambios"
          yes={publishLabel(dialog.ids.length)}
          changes={{ drafts: dialog.ids }}
          done={() => 'Cambios publicados.'}
          onDone={finish}
          onClose={close}
        />
      )}
      {dialog && isBulk(dialog) && (
        <Suspense>
          <BulkClasses
            kind={dialog.kind}
            classes={edits.find(dialog.keys)}
            records={records}
            monday={monday}
            today={today}
            onSend={(sent) => {
              close()
              edits.send(sent)
            }}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  )
}

const selectedText = (count: number, beyond: number): string =>
  `${count === 1 ? '1 clase seleccionada' : `${count} clases seleccionadas`}${beyond > 0 ? `, ${beyond} fuera de esta semana` : ''}`

const isBulk = (dialog: PlanDialog): dialog is Extract<PlanDialog, { kind: BulkKind }> => CHANGES.some(({ kind }) => kind === dialog.kind)
