import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { api } from '#web/lib/api.ts'
import { Button, type ButtonSize } from '#web/ui/button.tsx'

interface ReceiptButtonProps {
  purchase: number
  /** one charge of the purchase; the latest if absent */
  invoice?: number
  size?: ButtonSize
  full?: boolean
  /** names the purchase in the accessible label, where a list has several buttons */
  of?: string
}

/** Downloads the receipt as a PDF. The request needs the bearer token, so it cannot be a plain link. */
export function ReceiptButton({ purchase, invoice, size = 'normal', full = false, of }: ReceiptButtonProps) {
  const fetched = useMutation({
    mutationFn: () => api.invoices.receipt({ id: purchase, ...(invoice === undefined ? {} : { invoice_id: invoice }) }),
    onSuccess(file) {
      const address = URL.createObjectURL(file)
      const link = Object.assign(document.createElement('a'), { href: address, download: file.name || `recibo-${purchase}.pdf` })
      link.click()
      // Some browsers read the file only after the click has returned.
      setTimeout(() => URL.revokeObjectURL(address), 60_000)
    },
  })
  return (
    <Button
      variant="outline"
      size={size}
      full={full}
      loading={fetched.isPending}
      icon={<IconDownload className="icon" aria-hidden="true" />}
      onClick={() => fetched.mutate()}
      {...(of && { 'aria-label': `Descargar recibo de ${of}` })}
    >
      {size === 'normal' ? 'Descargar recibo' : 'Recibo'}
    </Button>
  )
}
