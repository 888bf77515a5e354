import { useState } from 'react'
import type { EditedSetting } from '#contract/content.ts'
import type { SettingConflict } from '#contract/errors.ts'
import { formatInstant } from '#contract/time.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { RadioCards } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { type Change, valueText } from './setting-draft.ts'

interface DangerDialogProps {
  /** the changed settings that need a confirmation */
  settings: readonly EditedSetting[]
  saving: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Shows the effect of dangerous changes, and requires the name of the studio. */
export function DangerDialog({ settings, saving, onConfirm, onClose }: DangerDialogProps) {
  const { business_name } = useSite()
  const [typed, setTyped] = useState('')
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const isTyped = typed.trim().toLowerCase() === business_name.trim().toLowerCase()
  return (
    <Dialog
      open
      onClose={saving ? null : onClose}
      title="Confirma el cambio"
      actions={
        <>
          <Button variant="outline" disabled={saving} onClick={onClose}>
            No guardar
          </Button>
          <Button variant="danger" loading={saving} onClick={() => (isTyped ? onConfirm() : setWasSubmitted(true))}>
            Sí, guardar
          </Button>
        </>
      }
    >
      <div className="stack gap-16">
        {settings.map(({ key, label, danger }) => (
          <Banner key={key} tone="warn" title={label}>
            {danger}
          </Banner>
        ))}
        <TextField
          label={`Escribe “${business_name}” para confirmar`}
          autoComplete="off"
          data-focus-first
          value={typed}
          error={wasSubmitted && !isTyped ? 'Escribe el nombre del estudio tal como está.' : null}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </div>
    </Dialog>
  )
}

interface ConflictDialogProps {
  conflicts: readonly SettingConflict[]
  settings: ReadonlyMap<string, EditedSetting>
  /** what was to be saved */
  changes: readonly Change[]
  /** the keys whose own version is saved; the others take the stored one */
  onResolve: (mine: ReadonlySet<string>) => void
  onClose: () => void
}

/** Shows both versions of each setting that was changed by another person since it was loaded, to choose one. */
export function ConflictDialog({ conflicts, settings, changes, onResolve, onClose }: ConflictDialogProps) {
  const { zone } = useSite()
  const [mine, setMine] = useState<ReadonlySet<string>>(new Set())
  return (
    <Dialog
      open
      onClose={onClose}
      width="middle"
      title="Alguien más cambió esto"
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            Seguir editando
          </Button>
          <Button onClick={() => onResolve(mine)}>Guardar lo elegido</Button>
        </>
      }
    >
      <div className="stack gap-16">
        {conflicts.map(({ key, value, at, by }) => {
          const setting = settings.get(key)
          if (!setting) return null
          const own = changes.find((change) => change.key === key)?.value
          const when = at ? `${formatInstant(new Date(at), zone, 'date')}, ${formatInstant(new Date(at), zone, 'hour')}` : ''
          return (
            <RadioCards
              key={key}
              legend={setting.label}
              options={[
                {
                  value: 'theirs',
                  title: valueText(setting, value),
                  detail: [`La de ${by ?? 'el sistema'}`, when].filter(Boolean).join(' · '),
                },
                { value: 'mine', title: valueText(setting, own), detail: 'La tuya' },
              ]}
              value={mine.has(key) ? 'mine' : 'theirs'}
              onChange={(chosen) => setMine(new Set(chosen === 'mine' ? [...mine, key] : [...mine].filter((other) => other !== key)))}
            />
          )
        })}
      </div>
    </Dialog>
  )
}
