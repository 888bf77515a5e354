import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { api } from '#web/lib/api.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { Button } from '#web/ui/button.tsx'

/** Downloads the receipt as a PDF. The request needs the bearer token, so it cannot be a plain link. */
export function ReceiptDownload({ purchase_id }: { purchase_id: number }) {
  const fetched = useMutation({
    mutationFn: () => api.studioSales.receipt({ purchase_id }),
    onSuccess: saveFile,
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
