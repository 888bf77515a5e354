import { type ReactNode, useId, useState } from 'react'
import { Banner, type BannerTone } from './banner.tsx'
import { Button } from './button.tsx'
import { CloseButton } from './close-button.tsx'
import { useModal } from './modal.ts'
import './section.css'
import './dialog.css'

interface DialogProps {
  open: boolean
  /** called by Escape, the cross and the backdrop; null if the dialog cannot be dismissed (required documents) */
  onClose: (() => void) | null
  title: ReactNode
  /** 500, 640 or 1010 px; a bottom sheet on phones */
  width?: 'normal' | 'middle' | 'wide'
  /** buttons that name the action; sticky at the foot of a sheet */
  actions?: ReactNode
  /** ids of the texts to be read with the title when the focus starts below them */
  describedBy?: string
  children?: ReactNode
}

/** A dialog: the browser's own modal, labelled by its title. Its contents are mounted only while it is shown. */
export function Dialog({ open, onClose, title, width = 'normal', actions, describedBy, children }: DialogProps) {
  const { ref, isRendered } = useModal({ open, onClose })
  const titleId = useId()
  return (
    <dialog
      ref={ref}
      className={`dialog ground-paper ${width === 'normal' ? '' : `dialog-${width}`}`}
      aria-labelledby={titleId}
      aria-describedby={describedBy}
    >
      {isRendered && (
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
  /** id of the title element inside */
  labelledBy: string
}

/** A dialog without padding and header of its own (the reserve dialog, the daily image). Put a `CloseButton` in it. */
export function BareDialog({ open, onClose, width = 'normal', labelledBy, children }: BareDialogProps) {
  const { ref, isRendered } = useModal({ open, onClose })
  return (
    <dialog ref={ref} className={`dialog ground-paper ${width === 'normal' ? '' : `dialog-${width}`}`} aria-labelledby={labelledBy}>
      {isRendered && children}
    </dialog>
  )
}

interface ConfirmProps {
  open: boolean
  onClose: () => void
  /** the confirmed action; the dialog shows progress until the promise settles and stays open: the caller closes it */
  onConfirm: () => Promise<unknown> | unknown
  title?: ReactNode
  /** the text of each button: "Sí, eliminar", "No, conservarla" */
  yes: string
  no: string
  /** the action cannot be undone: the button is red */
  destructive?: boolean
  /** what will happen, in a box */
  consequence?: { tone: BannerTone; text: ReactNode }
  children: ReactNode
}

/** Confirms an action. The safe button gets the focus first, never the destructive one (design section 6). */
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
          {consequence.text}
        </Banner>
      )}
    </Dialog>
  )
}
