import { useEffect, useRef } from 'react'
import { accountErrors } from '#contract/copy/errors-account.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { OrderLink } from './open-purchase.tsx'
import type { How, Refused } from './use-paying.ts'

/** A refusal at the top of the page; scrolled into view, because the button is far below. */
export function Refusal({ refused, busy, onAgain }: { refused: Refused; busy: boolean; onAgain: (how: How) => void }) {
  const { message, orderId, again } = refused
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new refusal scrolls again
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'center' })
  }, [refused])
  return (
    <div ref={box}>
      {orderId === null ? (
        <Banner tone="danger" live>
          {message}
        </Banner>
      ) : (
        <Banner tone={again ? 'warn' : 'danger'} live title={message}>
          <div className="row wraps gap-16">
            <OrderLink purchase_id={orderId} />
            {again && (
              <Button variant="outline" size="small" loading={busy} onClick={() => onAgain(again)}>
                Comprar otro igual
              </Button>
            )}
          </div>
        </Banner>
      )}
    </div>
  )
}

/** The sign-up fee must be bought first (S1-2.71). */
export function FeeFirst({
  feeId,
  busy,
  onPay,
  onClose,
}: {
  feeId: number | null
  busy: boolean
  onPay: (feeId: number) => void
  onClose: () => void
}) {
  return (
    <Dialog
      open={feeId !== null}
      onClose={onClose}
      title="Completar Inscripción"
      actions={
        <Button loading={busy} onClick={() => onPay(feeId ?? 0)}>
          Ir a Pagar
        </Button>
      }
    >
      <p>{accountErrors.SIGNUP_FEE_REQUIRED.message}</p>
    </Dialog>
  )
}
