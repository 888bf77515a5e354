import { useState } from 'react'
import { useSavePreference } from '#web/features/admin/frame/preferences.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import type { ColumnOption } from './columns.tsx'

interface ChooseColumnsProps {
  /** the key of the choice among the person's preferences */
  preference: string
  options: readonly ColumnOption[]
  chosen: readonly string[]
  onClose: () => void
}

/** Which columns a list has. */
export function ChooseColumns({ preference, options, chosen, onClose }: ChooseColumnsProps) {
  const [columns, setColumns] = useState(chosen)
  const saving = useSavePreference(preference, onClose)
  return (
    <Dialog
      open
      onClose={saving.isPending ? null : onClose}
      title="Columnas"
      actions={
        <>
          <Button variant="outline" onClick={() => setColumns(options.filter(({ isShown }) => isShown).map(({ key }) => key))}>
            Las de siempre
          </Button>
          <Button
            loading={saving.isPending}
            onClick={() => saving.mutate(options.map(({ key }) => key).filter((key) => columns.includes(key)))}
          >
            Guardar
          </Button>
        </>
      }
    >
      {saving.isError && (
        <Banner tone="danger" live>
          {toFailure(saving.error).message}
        </Banner>
      )}
      <fieldset className="stack gap-8">
        <legend className="sr-only">Columnas</legend>
        {options.map(({ key, label }) => (
          <Checkbox
            key={key}
            checked={columns.includes(key)}
            onChange={(event) => {
              const { checked } = event.currentTarget
              setColumns((before) => (checked ? [...before, key] : before.filter((other) => other !== key)))
            }}
          >
            {label}
          </Checkbox>
        ))}
      </fieldset>
    </Dialog>
  )
}
