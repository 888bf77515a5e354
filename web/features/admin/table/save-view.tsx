import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useSavePreference } from '#web/features/admin/frame/preferences.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import type { SavedView } from './saved-views.tsx'

/** Views of one list: those of a person fit into what the server stores under one key. */
const MOST_VIEWS = 20

/** As they are stored: `equipo` only where it holds. */
const stored = (views: readonly SavedView[]) =>
  views.map(({ nombre, filtro, equipo }) => ({ nombre, filtro, ...(equipo ? { equipo } : {}) }))

interface SaveViewProps {
  /** the key of the views among the person's preferences */
  preference: string
  views: readonly SavedView[]
  /** the filter of the address; null when nothing is filtered */
  view: string | null
  onClose: () => void
}

/** Saves the filter of the address under a name, or removes saved ones. */
export function SaveView({ preference, views, view, onClose }: SaveViewProps) {
  const [name, setName] = useState('')
  const [isShared, setIsShared] = useState(false)
  const saving = useSavePreference(preference, onClose)
  const removing = useSavePreference(preference)
  const nombre = name.trim()
  const others = views.filter((view) => view.nombre !== nombre)
  const problem =
    view === null
      ? 'Elige primero un filtro.'
      : nombre === ''
        ? 'Escribe un nombre.'
        : others.length >= MOST_VIEWS
          ? `Caben ${MOST_VIEWS} vistas: quita alguna.`
          : null
  const failed = saving.error ?? removing.error
  return (
    <Dialog
      open
      onClose={saving.isPending ? null : onClose}
      title="Vistas"
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            Cerrar sin guardar
          </Button>
          <Button
            loading={saving.isPending}
            reason={problem}
            onClick={() => !problem && view !== null && saving.mutate(stored([...others, { nombre, filtro: view, equipo: isShared }]))}
          >
            Guardar vista
          </Button>
        </>
      }
    >
      {failed && (
        <Banner tone="danger" live>
          {toFailure(failed).message}
        </Banner>
      )}
      <TextField
        label="Nombre de la vista"
        hint="Guarda la búsqueda, los filtros y el orden que están puestos."
        maxLength={40}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Checkbox checked={isShared} onChange={(event) => setIsShared(event.currentTarget.checked)}>
        Para todo el equipo. La ve quien puede ver esta lista.
      </Checkbox>
      {views.length > 0 && (
        <ul className="stack gap-8" aria-label="Vistas guardadas">
          {views.map((view) => (
            <li key={view.nombre} className="row spread">
              <span>
                <span className="strong">{view.nombre}</span> {view.equipo && <span className="small muted">del equipo</span>}
              </span>
              <IconButton
                bare
                label={`Quitar ${view.nombre}`}
                onClick={() => removing.mutate(stored(views.filter(({ nombre: other }) => other !== view.nombre)))}
              >
                <IconTrash className="icon" aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
