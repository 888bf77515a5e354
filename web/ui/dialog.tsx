import { type ReactNode, useId, useState } from 'react'
import { Banner, type BannerTone } from './banner.tsx'
import { Button } from './button.tsx'
import { CloseButton } from './close-button.tsx'
import { useModal } from './modal.ts'
import './section.css'
import './dialog.css'

interface DialogProps {
  open: boolean
  /** called by Escape, the cross and the backdrop; null when it can only be answered (required documents) */
  onClose: (() => void) | null
  title: ReactNode
  /** 500, 640 or 1010 px; a sheet from the bottom on phones */
  width?: 'normal' | 'middle' | 'wide'
  /** buttons that repeat the verb; they stay at hand at the foot of a sheet */
  actions?: ReactNode
  /** ids of the sentences to be read with the title, where the focus starts below them */
  describedBy?: string
  children?: ReactNode
}

/** A dialog: the browser's own modal, labelled by its title. Its contents live only while it is shown. */
export function Dialog({ open, onClose, title, width = 'normal', actions, describedBy, children }: DialogProps) {
  const { ref, present } = useModal({ open, onClose })
  const titleId = useId()
  return (
    <dialog
      ref={ref}
      className={`dialog ground-paper ${width === 'normal' ? '' : `dialog-${width}`}`}
      aria-labelledby={titleId}
      aria-describedby={describedBy}
    >
      {present && (
        <div className="dialog-body">
          <div className="dialog-head">
            <h2 id={titleId} className="t3" tabIndex={-1} data-title>
              {title}
            </h2>
            {onClose && <CloseButton onClose={onClose} />}
          </div>
          {children}
          {actions && <div className="dialog-actions">{actions}</div>}
        </div>
      )}
    </dialog>
  )
}

interface BareDialogProps extends Omit<DialogProps, 'title' | 'actions' | 'describedBy'> {
  /** id of the element inside that is its title */
  labelledBy: string
}

/** A dialog that draws its own inside, edge to edge (the reserve dialog, the daily image). Place a `CloseButton` in it. */
export function BareDialog({ open, onClose, width = 'normal', labelledBy, children }: BareDialogProps) {
  const { ref, present } = useModal({ open, onClose })
  return (
    <dialog ref={ref} className={`dialog ground-paper ${width === 'normal' ? '' : `dialog-${width}`}`} aria-labelledby={labelledBy}>
      {present && children}
    </dialog>
  )
}

interface ConfirmProps {
  open: boolean
  onClose: () => void
  /** the work of the verb; the dialog shows it working until the promise settles and stays open, whoever closes it decides */
  onConfirm: () => Promise<unknown> | unknown
  title?: ReactNode
  /** the verb of each button: "Sí, eliminar", "No, conservarla" */
  yes: string
  no: string
  /** a loss that cannot be undone: the red button */
  destructive?: boolean
  /** what will happen, in a box */
  consequence?: { tone: BannerTone; words: ReactNode }
  children: ReactNode
}

/** Asks before a verb. The way back is focused first, never the destructive one (design section 6). */
export function ConfirmDialog({
  open,
  onClose,
  onConfirm,
  title = 'Precaución',
  yes,
  no,
  destructive = true,
  consequence,
  children,
}: ConfirmProps) {
  const [working, setWorking] = useState(false)
  const id = useId()
  const confirm = async (): Promise<void> => {
    setWorking(true)
    try {
      await onConfirm()
    } finally {
      setWorking(false)
    }
  }
  return (
    <Dialog
      open={open}
      onClose={working ? null : onClose}
      title={title}
      describedBy={`${id}-question ${id}-consequence`}
      actions={
        <>
          <Button variant="outline" data-focus-first disabled={working} onClick={onClose}>
            {no}
          </Button>
          <Button variant={destructive ? 'danger' : 'filled'} loading={working} onClick={confirm}>
            {yes}
          </Button>
        </>
      }
    >
      <div id={`${id}-question`}>{children}</div>
      {consequence && (
        <Banner id={`${id}-consequence`} tone={consequence.tone}>
          {consequence.words}
        </Banner>
      )}
    </Dialog>
  )
}
