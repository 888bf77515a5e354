import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { failureOf } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'

interface CounterRefusalProps {
  error: unknown
  /** Where the money is received; null while nobody said. */
  location_id: number | null
  /** The till is open now: what was refused can be tried again. */
  onOpened: () => void
}

/** Why money could not be received; where it takes an open till, that is opened here. */
export function CounterRefusal({ error, location_id, onOpened }: CounterRefusalProps) {
  const { code, message } = failureOf(error)
  if (code === 'CASH_SESSION_REQUIRED' && location_id !== null)
    return <OpenTill message={message} location_id={location_id} onOpened={onOpened} />
  return (
    <Banner tone="danger" live>
      {message}
    </Banner>
  )
}

function OpenTill({ message, location_id, onOpened }: { message: string; location_id: number; onOpened: () => void }) {
  const till = useQuery(queries.cashSessions.current.queryOptions({ input: { location_id }, meta: { handled: true } }))
  const [typed, setTyped] = useState<string | null>(null)
  const opening = typed ?? till.data?.suggested_opening ?? ''
  const open = useIdempotentMutation(api.cashSessions.open, {
    onSuccess() {
      showAlert('success', 'Caja abierta.')
      onOpened()
    },
    onError: () => undefined,
  })
  return (
    <Banner tone="warn" live title={message}>
      <TextField
        label="Efectivo con el que abres"
        inputMode="decimal"
        maxLength={12}
        hint="Cuenta lo que hay en el cajón."
        value={opening}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={open.isError ? failureOf(open.error).message : null}
      />
      <Button
        size="small"
        loading={open.isPending}
        reason={/^\d+(\.\d{1,2})?$/.test(opening) ? null : 'Escribe una cantidad, por ejemplo 500.00.'}
        onClick={() => open.mutate({ location_id, opening })}
      >
        Abrir caja
      </Button>
    </Banner>
  )
}
