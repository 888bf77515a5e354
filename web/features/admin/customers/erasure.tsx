import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatInstant } from '#contract/time.ts'
import { PartNotLoaded } from '#web/features/site/not-loaded.tsx'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const useErasure = (customer_id: number) =>
  useQuery(queries.customerErasure.one.queryOptions({ input: { customer_id }, staleTime: 0, meta: { handled: true } }))

/** Announces in a customer's file that their data will be erased, with the button that withdraws it. */
export function ErasureBanner({ customer_id }: { customer_id: number }) {
  const { zone } = useSite()
  const client = useQueryClient()
  const state = useErasure(customer_id)
  const withdrawing = useMutation({
    mutationFn: () => api.customerErasure.withdraw({ customer_id }),
    onSettled: () => client.invalidateQueries({ queryKey: queries.customerErasure.key() }),
    onError: () => undefined,
  })
  const erasure = state.data?.erasure
  if (!erasure) return null
  return (
    <div className="alert-row" role="note">
      <p className="grow">
        <b>Sus datos se borran el {formatInstant(new Date(erasure.final_at), zone, 'class')}.</b> Lo pidió {erasure.by}: {erasure.reason}
        {withdrawing.isError && <span className="field-error"> {toFailure(withdrawing.error).message}</span>}
      </p>
      <Button variant="outline" size="small" loading={withdrawing.isPending} onClick={() => !withdrawing.isPending && withdrawing.mutate()}>
        No borrarlos
      </Button>
    </div>
  )
}

interface EraseDialogProps {
  customer_id: number
  name: string
  /** classes that they can still use; null: unlimited */
  unused: number | null
  onClose: () => void
}

/** Requests the erasure of a person's data: what is erased, what stays, its obstacles, and the reason. */
export function EraseDialog({ customer_id, name, unused, onClose }: EraseDialogProps) {
  const client = useQueryClient()
  const [reason, setReason] = useState('')
  const state = useErasure(customer_id)
  const starting = useMutation({
    mutationFn: () => api.customerErasure.start({ customer_id, reason: reason.trim() }),
    onSuccess() {
      void client.invalidateQueries({ queryKey: queries.customerErasure.key() })
      onClose()
    },
    onError: () => undefined,
  })
  const obstacles = state.data?.obstacles ?? []
  const problem = !state.data
    ? 'Un momento: se revisa si se puede.'
    : state.data.erasure
      ? 'Sus datos ya están por borrarse.'
      : obstacles.length > 0
        ? 'Todavía no se pueden borrar sus datos.'
        : reason.trim().length < 3
          ? 'Escribe el motivo.'
          : null
  return (
    <Dialog
      open
      onClose={starting.isPending ? null : onClose}
      title="Borrar sus datos"
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            No borrar nada
          </Button>
          <Button variant="danger" loading={starting.isPending} reason={problem} onClick={() => !problem && starting.mutate()}>
            Borrar en 72 horas
          </Button>
        </>
      }
    >
      {starting.isError && (
        <Banner tone="danger" live>
          {toFailure(starting.error).message}
        </Banner>
      )}
      {state.isError && !state.data ? (
        <PartNotLoaded query={state}>No pudimos revisar si se puede.</PartNotLoaded>
      ) : !state.data ? (
        <Skeleton height="96px" />
      ) : (
        obstacles.length > 0 && (
          <Banner tone="warn" title="Todavía no se puede.">
            {obstacles.map(({ message }) => message).join(' ')}
          </Banner>
        )
      )}
      <p>
        Se van el nombre de {name}, su correo, su teléfono, sus archivos, respuestas, notas, mensajes y su cuenta. Lo cobrado, los créditos
        y la asistencia se quedan, sin su nombre.
      </p>
      {unused !== 0 && (
        <p className="strong">
          {unused === null
            ? 'Pierde sus clases ilimitadas.'
            : unused === 1
              ? 'Pierde 1 clase por usar.'
              : `Pierde ${unused} clases por usar.`}
        </p>
      )}
      <p className="muted">Durante 72 horas puedes cambiar de opinión. Después no hay vuelta atrás.</p>
      <TextField label="Motivo" maxLength={300} value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
    </Dialog>
  )
}
