import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatInstant } from '#contract/time.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

/** Says for a day that another record was merged into this one, and separates them again. */
export function MergeState({ customer_id }: { customer_id: number }) {
  const { zone } = useSite()
  const client = useQueryClient()
  const [isConfirming, setIsConfirming] = useState(false)
  const state = useQuery(queries.customerMerge.state.queryOptions({ input: { customer_id }, meta: { handled: true } }))
  const separating = useIdempotentMutation(api.customerMerge.undo, {
    onSuccess() {
      setIsConfirming(false)
      void client.invalidateQueries()
    },
    onError: () => undefined,
  })
  const undoable = state.data?.undoable
  if (!undoable) return null
  const { name, undo_until, customer_merge_id } = undoable
  return (
    <>
      <div className="alert-row" role="note">
        <p className="grow">
          Se combinó con el registro de {name}. Se pueden separar hasta el {formatInstant(new Date(undo_until), zone, 'class')}.
        </p>
        <Button variant="outline" size="small" onClick={() => setIsConfirming(true)}>
          Separar
        </Button>
      </div>
      {isConfirming && (
        <Dialog
          open
          onClose={separating.isPending ? null : () => setIsConfirming(false)}
          title="Separar los registros"
          actions={
            <>
              <Button variant="outline" onClick={() => setIsConfirming(false)}>
                Dejarlos juntos
              </Button>
              <Button loading={separating.isPending} onClick={() => separating.mutate({ customer_merge_id })}>
                Separar
              </Button>
            </>
          }
        >
          {separating.isError && (
            <Banner tone="danger" live>
              {toFailure(separating.error).message}
            </Banner>
          )}
          <p>El registro de {name} vuelve a ser propio, con todo lo que tenía. Este queda como estaba antes.</p>
        </Dialog>
      )}
    </>
  )
}
