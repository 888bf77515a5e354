import { IconX } from '@tabler/icons-react'
import { IconButton } from './button.tsx'

/** The cross that closes a dialog or drawer. */
export function CloseButton({ onClose, label = 'Cerrar' }: { onClose: () => void; label?: string }) {
  return (
    <IconButton bare label={label} onClick={onClose}>
      <IconX className="icon" aria-hidden="true" />
    </IconButton>
  )
}
