import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Right } from '#contract/rights.ts'
import { addDays } from '#contract/time.ts'
import { ProvenDialog } from '#web/features/admin/frame/proven-dialog.tsx'
import { useProven } from '#web/features/admin/frame/use-proven.tsx'
import { api } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { toFailure } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Select, TextField } from '#web/ui/field.tsx'
import { RightsField } from './rights-field.tsx'
import { ShownSecret } from './shown-secret.tsx'

/** Creates a key of the API and shows its secret once. */
export function NewKeyDialog({ onDone, onClose }: { onDone: () => Promise<unknown>; onClose: () => void }) {
  const site = useSite()
  const [name, setName] = useState('')
  const [rights, setRights] = useState<Right[]>([])
  const [days, setDays] = useState('0')
  const [shown, setShown] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const { run, proof } = useProven()
  const wrong = { name: name.trim() ? null : 'Escribe para qué es.', rights: rights.length ? null : 'Elige al menos un permiso.' }
  const create = useMutation({
    meta: { handled: true },
    mutationFn: () =>
      run(async () => {
        const expires_on = days === '0' ? null : addDays(todayIn(site.zone), Number(days))
        setSecret((await api.apiKeys.create({ name: name.trim(), rights, expires_on })).secret)
        await onDone()
      }),
  })
  if (secret)
    return (
      <Dialog open onClose={onClose} title="Llave creada" actions={<Button onClick={onClose}>Ya la guardé</Button>}>
        <ShownSecret secret={secret} what="la llave" />
        <p className="small muted">
          Se envía en cada llamada como <code>Authorization: Bearer …</code>. Lo que puede está en{' '}
          <a href="/api/reference/">la referencia de la API</a>.
        </p>
      </Dialog>
    )
  return (
    <ProvenDialog
      title="Llave nueva"
      verb="Crear llave"
      proof={proof}
      loading={create.isPending}
      failed={create.error && toFailure(create.error).message}
      onSubmit={() => {
        setShown(true)
        if (!wrong.name && !wrong.rights) create.mutate()
      }}
      onClose={onClose}
    >
      <div className="field-pair">
        <TextField
          label="Para qué es"
          hint="Así aparece en la bitácora."
          maxLength={80}
          autoComplete="off"
          error={shown ? wrong.name : null}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Select label="Vence" value={days} onChange={(event) => setDays(event.currentTarget.value)}>
          <option value="0">No vence</option>
          <option value="30">En 30 días</option>
          <option value="90">En 90 días</option>
          <option value="365">En un año</option>
        </Select>
      </div>
      {shown && wrong.rights && (
        <Banner tone="danger" live>
          {wrong.rights}
        </Banner>
      )}
      <RightsField value={rights} onChange={setRights} />
    </ProvenDialog>
  )
}
