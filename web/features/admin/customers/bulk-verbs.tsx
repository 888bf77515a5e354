/** What can be done with many customers at once. */
import type { BulkAction } from '#contract/bulk.ts'
import type { Right } from '#contract/rights.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'

/** Who: by ids, or the filter of the list. */
export type BulkTarget = { ids: number[] } | { filter: object }

const VERBS: readonly { action: BulkAction; label: string; needs: Right }[] = [
  { action: 'tags.add', label: 'Agregar etiqueta', needs: 'customers.edit' },
  { action: 'tags.remove', label: 'Quitar etiqueta', needs: 'customers.edit' },
  { action: 'credits.give', label: 'Dar clases', needs: 'credits.edit' },
  { action: 'credits.extend', label: 'Extender vencimiento', needs: 'credits.edit' },
  { action: 'credits.freeze', label: 'Congelar', needs: 'credits.edit' },
  { action: 'credits.thaw', label: 'Descongelar', needs: 'credits.edit' },
]

/** A menu of the verbs that the person may use. */
export function BulkVerbs({ onChoose }: { onChoose: (action: BulkAction) => void }) {
  const staff = useStaff()
  return (
    <Menu button="Cambiar" buttonClass="chip">
      {VERBS.filter(({ needs }) => may(staff, needs)).map(({ action, label }) => (
        <MenuItem key={action} onClick={() => onChoose(action)}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  )
}
