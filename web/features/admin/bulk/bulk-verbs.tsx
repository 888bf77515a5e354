/** What can be done with many records at once. */
import { BULK_SUBJECTS, type BulkAction, type BulkSubject } from '#contract/bulk-actions.ts'
import type { Right } from '#contract/rights.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'

/** Which: by ids, or the filter of their list. */
export type BulkTarget = { ids: number[] } | { filter: object } | { reservation_filter: object } | { purchase_filter: object }

const VERBS: readonly { action: BulkAction; label: string; needs: Right }[] = [
  { action: 'tags.add', label: 'Agregar etiqueta', needs: 'customers.edit' },
  { action: 'tags.remove', label: 'Quitar etiqueta', needs: 'customers.edit' },
  { action: 'credits.give', label: 'Dar clases', needs: 'credits.edit' },
  { action: 'credits.extend', label: 'Extender vencimiento', needs: 'credits.edit' },
  { action: 'credits.freeze', label: 'Congelar', needs: 'credits.edit' },
  { action: 'credits.thaw', label: 'Descongelar', needs: 'credits.edit' },
  { action: 'customers.invite', label: 'Invitar a crear cuenta', needs: 'customers.edit' },
  { action: 'customers.archive', label: 'Dar de baja', needs: 'customers.edit' },
  { action: 'reservations.cancel', label: 'Cancelar', needs: 'roster.all' },
  { action: 'reservations.move', label: 'Mover a otra clase', needs: 'roster.all' },
  { action: 'purchases.mark_paid', label: 'Marcar como pagadas', needs: 'sales.sell' },
  { action: 'purchases.receipt', label: 'Enviar comprobante', needs: 'sales.sell' },
]

/** A menu of the verbs for one kind of record that the person may use. */
export function BulkVerbs({
  subject,
  onChoose,
  onMessage,
}: {
  subject: BulkSubject
  onChoose: (action: BulkAction) => void
  /** writes to the selected customers */
  onMessage?: (() => void) | undefined
}) {
  const staff = useStaff()
  return (
    <Menu button="Cambiar" buttonClass="chip">
      {VERBS.filter(({ action, needs }) => BULK_SUBJECTS[action] === subject && may(staff, needs)).map(({ action, label }) => (
        <MenuItem key={action} onClick={() => onChoose(action)}>
          {label}
        </MenuItem>
      ))}
      {onMessage && may(staff, 'messages.send') && <MenuItem onClick={onMessage}>Enviar mensaje</MenuItem>}
    </Menu>
  )
}
