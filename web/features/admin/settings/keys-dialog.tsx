import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { PROCESSOR_NAMES, type ProcessorState } from '#contract/processor-states.ts'
import { formatInstant } from '#contract/time.ts'
import { issuesOf } from '#web/features/admin/frame/issues.ts'
import { useProven } from '#web/features/admin/frame/use-proven.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { failureOf } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { PasswordField } from '#web/ui/field.tsx'

interface KeysDialogProps {
  state: ProcessorState
  onClose: () => void
  /** the connection can be tried with the new keys */
  onSaved: () => void
}

/** The keys of a processor: typed, replaced or taken away. What is stored is never shown; empty fields stay as they are. */
export function KeysDialog({ state: { processor, keys }, onClose, onSaved }: KeysDialogProps) {
  const { zone } = useSite()
  const client = useQueryClient()
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const [removed, setRemoved] = useState<readonly string[]>([])
  const { run, proof } = useProven()
  const save = useMutation({
    meta: { handled: true },
    mutationFn: (values: Record<string, string | null>) =>
      run(async () => {
        await api.processorStates.saveKeys({ processor, keys: values })
        await client.invalidateQueries({ queryKey: queries.processorStates.key() })
        showAlert('success', 'Guardado.')
        onSaved()
        onClose()
      }),
  })
  const failure = save.error ? failureOf(save.error) : null
  const issues = issuesOf(failure)
  const changes = {
    ...Object.fromEntries(Object.entries(typed).filter(([, value]) => value.trim() !== '')),
    ...Object.fromEntries(removed.map((name) => [name, null])),
  }
  const name = PROCESSOR_NAMES[processor]
  function send(event: FormEvent) {
    event.preventDefault()
    if (Object.keys(changes).length > 0) save.mutate(changes)
  }
  return (
    <Dialog open onClose={onClose} title={`Llaves de ${name}`}>
      {proof}
      <form className="stack gap-16" noValidate autoComplete="off" hidden={proof !== null} onSubmit={send}>
        <p className="muted">Cópialas del panel de {name}. Se guardan cifradas y se usan desde este momento.</p>
        {failure && Object.keys(issues).length === 0 && (
          <Banner tone="danger" live>
            {failure.message}
          </Banner>
        )}
        {keys.map(({ name: key, label, source, ending, changed_at }) =>
          source === 'environment' ? (
            <p key={key} className="small">
              <span className="strong">{label}</span>: la pone el servidor{ending ? `, termina en ${ending}` : ''}.
            </p>
          ) : (
            <div key={key} className="stack gap-8">
              <PasswordField
                label={label}
                required={false}
                autoComplete="off"
                shows={`Mostrar ${label.toLowerCase()}`}
                error={issues[key]}
                disabled={removed.includes(key)}
                hint={
                  changed_at
                    ? `Guardada el ${formatInstant(new Date(changed_at), zone, 'date')}${ending ? `, termina en ${ending}` : ''}. Vacío: se queda.`
                    : undefined
                }
                value={typed[key] ?? ''}
                onChange={(event) => setTyped({ ...typed, [key]: event.currentTarget.value })}
              />
              {source === 'stored' && (
                <Checkbox
                  checked={removed.includes(key)}
                  onChange={(event) => setRemoved(event.currentTarget.checked ? [...removed, key] : removed.filter((one) => one !== key))}
                >
                  Quitar esta llave
                </Checkbox>
              )}
            </div>
          ),
        )}
        <Button type="submit" full loading={save.isPending} reason={Object.keys(changes).length === 0 ? 'No has escrito ninguna.' : null}>
          Guardar
        </Button>
      </form>
    </Dialog>
  )
}
