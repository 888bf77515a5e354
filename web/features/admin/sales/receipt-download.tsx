import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { api } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'

/** The receipt as a PDF: asked for with the token that never leaves the page, so it is no plain link. */
export function ReceiptDownload({ purchase_id }: { purchase_id: number }) {
  const fetched = useMutation({
    mutationFn: () => api.studioSales.receipt({ purchase_id }),
    onSuccess(file) {
      const address = URL.createObjectURL(file)
      Object.assign(document.createElement('a'), { href: address, download: file.name || `recibo-${purchase_id}.pdf` }).click()
      // Some browsers read the file only after the click has returned.
      setTimeout(() => URL.revokeObjectURL(address), 60_000)
    },
  })
  return (
    <Button
      variant="outline"
      size="small"
      loading={fetched.isPending}
      icon={<IconDownload className="icon" aria-hidden="true" />}
      onClick={() => fetched.mutate()}
    >
      Comprobante
    </Button>
  )
}
