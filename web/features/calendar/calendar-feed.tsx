import { IconCheck, IconCopy, IconRefresh } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { PartNotLoaded } from '#web/features/site/not-loaded.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/**
 * All reservations in the customer's own calendar program: a secret address to subscribe to, with copying and replacing it
 * (docs/domain.md R20).
 */
export function CalendarFeed({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const feed = useQuery(queries.bookings.feed.queryOptions({ meta: { handled: true } }))
  const field = useRef<HTMLInputElement>(null)
  const [copied, setCopied] = useState(false)
  const [confirming, setConfirming] = useState(false)
  const renew = useMutation({
    mutationFn: () => api.bookings.renewFeed(),
    onSuccess(fresh) {
      client.setQueryData(queries.bookings.feed.queryKey(), fresh)
      setCopied(false)
      setConfirming(false)
      showAlert('success', 'Tu enlace cambió. El anterior ya no funciona.')
    },
  })
  const url = feed.data?.url ?? ''
  async function copy() {
    try {
      await navigator.clipboard.writeText(url)
      setCopied(true)
    } catch {
      // The browser refused access to the clipboard: select the text, so that the customer can copy it.
      field.current?.select()
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Mis clases en mi calendario"
      actions={
        feed.data && (
          <Button as="a" href={feed.data.webcal_url}>
            Suscribirme
          </Button>
        )
      }
    >
      <p>Suscríbete una vez y tu calendario muestra tus clases, también cuando cambian de hora o las cancelas.</p>
      {feed.isError ? (
        <PartNotLoaded query={feed}>No pudimos cargar tu enlace.</PartNotLoaded>
      ) : !feed.data ? (
        <Skeleton height="76px" />
      ) : (
        <>
          <TextField
            ref={field}
            label="Tu enlace secreto"
            name="feed"
            readOnly
            value={url}
            onFocus={(event) => event.currentTarget.select()}
            hint="Para agregarlo a mano: pégalo en «Agregar calendario por URL». Quien lo tenga puede ver tus clases."
          />
          <div className="row wraps gap-8">
            <Button
              variant="outline"
              size="small"
              icon={copied ? <IconCheck className="icon" aria-hidden="true" /> : <IconCopy className="icon" aria-hidden="true" />}
              onClick={() => void copy()}
            >
              {copied ? 'Copiado' : 'Copiar enlace'}
            </Button>
            {!confirming && (
              <Button
                variant="quiet"
                size="small"
                icon={<IconRefresh className="icon" aria-hidden="true" />}
                onClick={() => setConfirming(true)}
              >
                Cambiar el enlace
              </Button>
            )}
          </div>
          <p className="sr-only" role="status">
            {copied ? 'Enlace copiado' : ''}
          </p>
          {confirming && (
            <Banner tone="warn" title="El enlace de ahora dejará de funcionar" live>
              <p>Los calendarios que lo usan ya no verán tus clases hasta que pongas el nuevo.</p>
              <p className="row wraps gap-8" style={{ marginTop: 10 }}>
                <Button size="small" variant="danger" loading={renew.isPending} onClick={() => renew.mutate()}>
                  Sí, cambiarlo
                </Button>
                <Button size="small" variant="outline" disabled={renew.isPending} onClick={() => setConfirming(false)}>
                  No, conservarlo
                </Button>
              </p>
            </Banner>
          )}
        </>
      )}
    </Dialog>
  )
}
