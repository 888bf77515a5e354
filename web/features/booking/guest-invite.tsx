import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Reservation } from '#contract/bookings.ts'
import { formatWall } from '#contract/time.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** “Ven conmigo”: holds the guest's place and shares its link (docs/domain.md R29), with the device's own sheet where it has one. */
export function GuestInvite({ row }: { row: Reservation }) {
  const client = useQueryClient()
  const { class_reservation_id, single_class: cls } = row
  const isStarted = useRef(false)
  const invite = useMutation({
    meta: { handled: true },
    mutationFn: () => api.guestInvites.create({ class_reservation_id }),
    onSuccess: () => client.invalidateQueries({ queryKey: queries.schedule.key() }),
  })
  const { mutate } = invite
  useEffect(() => {
    if (isStarted.current) return
    isStarted.current = true
    mutate()
  }, [mutate])
  if (invite.isError)
    return (
      <Banner tone="danger" live>
        {toFailure(invite.error).message}
      </Banner>
    )
  if (!invite.data) return <Skeleton height="88px" />
  const { url, until_wall } = invite.data
  const text = `Ven conmigo a ${cls.class_type.name}, ${formatWall(cls.class_date, 'class')}. Tu lugar está apartado: `
  async function copy() {
    await navigator.clipboard.writeText(`${text}${url}`)
    showAlert('success', 'Enlace copiado.')
  }
  return (
    <div className="stack gap-8">
      <p className="small" role="status">
        Apartamos un lugar hasta el {formatWall(until_wall, 'class')}. Se usa tu crédito cuando tu invitado lo toma.
      </p>
      <span className="row wraps gap-8">
        {'share' in navigator && (
          // Closing the sheet without sharing is no failure.
          <Button size="small" onClick={() => void navigator.share({ text, url }).catch(() => {})}>
            Compartir
          </Button>
        )}
        <Button
          size="small"
          variant="outline"
          onClick={() => void copy().catch(() => showAlert('alert', 'No se pudo copiar. Mantén presionado el enlace para copiarlo.'))}
        >
          Copiar enlace
        </Button>
      </span>
      <a className="link small" href={url}>
        Ver la invitación
      </a>
    </div>
  )
}
