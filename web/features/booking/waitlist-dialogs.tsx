import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { success } from '#contract/copy/messages.ts'
import { formatWall } from '#contract/time.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { alertFailure, toFailure } from '#web/lib/errors.ts'
import { offerPush } from '#web/lib/push-invite.ts'
import { type Site, useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/choice.tsx'
import { ConfirmDialog, Dialog } from '#web/ui/dialog.tsx'

type Rules = Pick<Site, 'waitlist_mode' | 'waitlist_offer_minutes'>

/** "30 minutos", "2 horas" */
export function offerTime(minutes: number): string {
  if (minutes % 60) return `${minutes} minutos`
  return minutes === 60 ? '1 hora' : `${minutes / 60} horas`
}

/** The rules of this studio's waitlist, in sentences (settled 22). */
export function waitlistRules({ waitlist_mode, waitlist_offer_minutes }: Rules): readonly string[] {
  const offerText = `Tienes ${offerTime(waitlist_offer_minutes)} para tomarlo; si no respondes, pasa a quien sigue.`
  switch (waitlist_mode) {
    case 'todos':
      return [
        'Cuando se libera un lugar avisamos por WhatsApp, al mismo tiempo, a quienes están en espera.',
        'El lugar es de quien reserve primero. Estar en la lista no usa tu crédito.',
      ]
    case 'oferta':
      return ['Cuando se libera un lugar lo apartamos para quien sigue en la lista y le avisamos.', offerText]
    case 'auto':
      return [
        'Cuando se libera un lugar, quien sigue en la lista lo toma sin hacer nada, si así lo eligió, y usa su crédito.',
        `A los demás les preguntamos antes. ${offerText}`,
      ]
  }
}

/** The class whose waitlist is joined or left. */
export interface Waited {
  single_class_id: number
  name: string
  class_date: string
}

/** Joins the waitlist of a full class; explains its rules first (S2-2.28, S2-4.17). */
export function JoinWaitlist({ cls, onClose }: { cls: Waited | null; onClose: () => void }) {
  const site = useSite()
  const client = useQueryClient()
  const [auto, setAuto] = useState(true)
  const [wrong, setWrong] = useState<string | null>(null)
  const close = () => {
    setWrong(null)
    onClose()
  }
  const choosesAuto = site.waitlist_mode === 'auto'
  const join = useMutation({
    meta: { handled: true },
    mutationFn: (single_class_id: number) => api.waitlist.join({ single_class_id, ...(choosesAuto ? { auto } : {}) }),
    async onSuccess() {
      showAlert('success', success.waitlistJoined)
      close()
      offerPush('waitlist')
      await Promise.all([queries.schedule, queries.waitlist].map((part) => client.invalidateQueries({ queryKey: part.key() })))
    },
    async onError(error) {
      setWrong(toFailure(error).message)
      await client.invalidateQueries({ queryKey: queries.schedule.key() })
    },
  })
  return (
    <Dialog
      open={cls !== null}
      onClose={join.isPending ? null : close}
      title="Lista de espera"
      actions={
        <>
          <Button variant="outline" disabled={join.isPending} onClick={close}>
            Ahora no
          </Button>
          <Button loading={join.isPending} onClick={() => cls && join.mutate(cls.single_class_id)}>
            Anotarme
          </Button>
        </>
      }
    >
      {cls && (
        <p>
          <b>{cls.name}</b>, {formatWall(cls.class_date, 'class')}. Ya no hay lugares.
        </p>
      )}
      {waitlistRules(site).map((sentence) => (
        <p key={sentence} className="muted">
          {sentence}
        </p>
      ))}
      {choosesAuto && (
        <Switch
          checked={auto}
          onChange={(event) => setAuto(event.currentTarget.checked)}
          hint="Si se libera uno, es tuyo y usa tu crédito. Si no, te preguntamos."
        >
          Tomar el lugar sin preguntarme
        </Switch>
      )}
      {wrong && (
        <Banner tone="danger" live>
          {wrong}
        </Banner>
      )}
    </Dialog>
  )
}

/** Leaves a waitlist after a confirmation (S2-4.18). Warns if a spot on hold would go to the next customer. */
export function LeaveWaitlist({
  leaving,
  onClose,
}: {
  leaving: { waitlist_id: number; name: string; class_date: string; offered?: boolean } | null
  onClose: () => void
}) {
  const client = useQueryClient()
  const leave = useMutation({
    meta: { handled: true },
    mutationFn: (waitlist_id: number) => api.waitlist.leave({ waitlist_id }),
    // Alerts are rendered inside the open dialog and disappear with it: show the alert, then close.
    onSuccess() {
      showAlert('success', success.waitlistLeft)
      onClose()
    },
    onError(error) {
      onClose()
      alertFailure(error)
    },
    async onSettled() {
      await Promise.all([queries.schedule, queries.waitlist].map((part) => client.invalidateQueries({ queryKey: part.key() })))
    },
  })
  if (!leaving) return null
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => leave.mutateAsync(leaving.waitlist_id).catch(() => {})}
      yes="Sí, quitarme"
      no="No, seguir en la lista"
      consequence={leaving.offered ? { tone: 'warn', text: 'El lugar que te apartamos pasa a quien sigue.' } : undefined}
    >
      ¿Quieres salir de la lista de espera de {leaving.name}, {formatWall(leaving.class_date, 'class')}?
    </ConfirmDialog>
  )
}
