/** What the screens that edit one record share: the record while it loads, the parts of its form, and the bar that saves it. */
import './record-editor.css'
import { type ReactNode, useId } from 'react'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { Button } from '#web/ui/button.tsx'
import { ScreenHead } from './admin-frame.tsx'

interface NoRecordProps {
  title: string
  query: Parameters<typeof Loaded>[0]['query']
  /** "No pudimos cargar el paquete." */
  failed: string
  /** "Ese paquete ya no existe." */
  missing: string
  /** it is known not to exist, whatever the state of the query */
  isMissing?: boolean
}

/** The screen of a record without data: it loads, could not be loaded, or does not exist. */
export function NoRecord({ title, query, failed, missing, isMissing = false }: NoRecordProps) {
  const nothing = <EmptyState>{missing}</EmptyState>
  return (
    <>
      <ScreenHead title={title} />
      {isMissing ? (
        nothing
      ) : (
        <Loaded query={query} skeleton={<ListSkeleton rows={6} />} failed={failed} nothing={nothing}>
          {null}
        </Loaded>
      )}
    </>
  )
}

/** A part of the form under its title. */
export function RecordPart({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className="record-part" aria-labelledby={id}>
      <h2 id={id} className="t3">
        {title}
      </h2>
      <div className="stack gap-16">{children}</div>
    </section>
  )
}

interface SaveBarProps {
  /** a text about unsaved changes; empty without any, which the button shows */
  children: ReactNode
  isChanged: boolean
  saving: boolean
  onSave(): void
  /** puts everything back; nothing: the form has no such button */
  onDiscard?: (() => void) | undefined
  /** further buttons, before the others */
  more?: ReactNode
}

/** At the bottom of the form, always in sight: what is not saved, and the buttons. */
export function SaveBar({ children, isChanged, saving, onSave, onDiscard, more }: SaveBarProps) {
  return (
    <div className="save-bar">
      <p className="small" role="status">
        {children}
      </p>
      {more}
      {onDiscard && isChanged && (
        <Button variant="outline" onClick={onDiscard}>
          Descartar
        </Button>
      )}
      <Button loading={saving} reason={isChanged ? null : 'Sin cambios.'} onClick={onSave}>
        Guardar
      </Button>
    </div>
  )
}
