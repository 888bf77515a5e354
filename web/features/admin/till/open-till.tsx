import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { MoneyPad, useMoneyPad } from '#web/features/admin/frame/money-pad.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { AMOUNT, AMOUNT_HINT } from './cash-text.ts'

/** Opens the till of the signed-in staff member at a location. The cash left by the last count is the suggested opening. */
export function OpenTill({ location_id, onOpened }: { location_id: number; onOpened: () => void }) {
  const till = useQuery(queries.cashSessions.current.queryOptions({ input: { location_id }, meta: { handled: true } }))
  const [typed, setTyped] = useState<string | null>(null)
  const hasPad = useMoneyPad()
  const opening = typed ?? till.data?.suggested_opening ?? ''
  const open = useIdempotentMutation(api.cashSessions.open, {
    onSuccess() {
      showAlert('success', 'Caja abierta.')
      onOpened()
    },
    onError: () => undefined,
  })
  return (
    <form
      className="stack gap-12"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (AMOUNT.test(opening)) open.mutate({ location_id, opening })
      }}
    >
      <TextField
        label="Efectivo con el que abres"
        inputMode={hasPad ? 'none' : 'decimal'}
        maxLength={12}
        hint="Cuenta lo que hay en el cajón."
        value={opening}
        readOnly={open.isPending}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={open.isError ? toFailure(open.error).message : null}
      />
      <MoneyPad label="Efectivo con el que abres" value={opening} disabled={open.isPending} onChange={setTyped} />
      <Button type="submit" loading={open.isPending} reason={AMOUNT.test(opening) ? null : AMOUNT_HINT}>
        Abrir caja
      </Button>
    </form>
  )
}
