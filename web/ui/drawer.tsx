import type { ReactNode } from 'react'
import { CloseButton } from './close-button.tsx'
import { useModal } from './modal.ts'
import './section.css'
import './dialog.css'

interface DrawerProps {
  open: boolean
  onClose: () => void
  /** accessible name */
  label: string
  /** at the top beside the cross, for example the logo */
  head?: ReactNode
  foot?: ReactNode
  side?: 'left' | 'right'
  closeLabel?: string
  children: ReactNode
}

/** A panel at the side: the menu on phones (320 px), a record beside its table (480 px). Its rows have the class `drawer-row`. */
export function Drawer({ open, onClose, label, head, foot, side = 'left', closeLabel = 'Cerrar menú', children }: DrawerProps) {
  const { ref, isRendered } = useModal({ open, onClose })
  return (
    <dialog ref={ref} className={`drawer ground-paper ${side === 'right' ? 'drawer-right' : ''}`} aria-label={label}>
      {isRendered && (
        <div className="drawer-body">
          <div className="drawer-head">
            <div className="grow">{head}</div>
            <CloseButton onClose={onClose} label={closeLabel} />
          </div>
          {children}
          {foot && <div className="drawer-foot">{foot}</div>}
        </div>
      )}
    </dialog>
  )
}
