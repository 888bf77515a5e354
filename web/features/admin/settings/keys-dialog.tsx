import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { KeyState } from '#contract/processor-states.ts'
import { formatInstant } from '#contract/time.ts'
import { fieldErrors } from '#web/features/admin/frame/issues.ts'
import { useProven } from '#web/features/admin/frame/use-proven.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { toFailure } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { PasswordField, TextArea, TextField } from '#web/ui/field.tsx'

interface KeysDialogProps {
  /** the service whose keys they are */
  name: string
  keys: readonly KeyState[]
  /** where the keys come from */
  about: string
  /** whether a key has several lines, such as a certificate */
  isLong?: (key: string) => boolean
  /** whether it is seen while it is typed, such as a user's name */
  isShown?: (key: string) => boolean
  onClose: () => void
  /** stores the typed keys; null takes one away */
  save: (values: Record<string, string | null>) => Promise<unknown>
}

/** The keys of a service: typed, replaced or removed. Stored keys are never shown; empty fields stay unchanged. */
export function KeysDialog({ name, keys, about, isLong = () => false, isShown = () => false, onClose, save: store }: KeysDialogProps) {
  const { zone } = useSite()
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const [removed, setRemoved] = useState<readonly string[]>([])
  const { run, proof } = useProven()
  const save = useMutation({
    meta: { handled: true },
    mutationFn: (values: Record<string, string | null>) =>
      run(async () => {
        await store(values)
        showAlert('success', 'Guardado.')
        onClose()
      }),
  })
  const failure = save.error ? toFailure(save.error) : null
  const issues = fieldErrors(failure)
  const changes = {
    ...Object.fromEntries(Object.entries(typed).filter(([, value]) => value.trim() !== '')),
    ...Object.fromEntries(removed.map((name) => [name, null])),
  }
  function send(event: FormEvent) {
    event.preventDefault()
    if (Object.keys(changes).length > 0) save.mutate(changes)
  }
  return (
    <Dialog open onClose={onClose} title={`Llaves de ${name}`}>
      {proof}
      <form className="stack gap-16" noValidate autoComplete="off" hidden={proof !== null} onSubmit={send}>
        <p className="muted">{about} Se guardan cifradas y se usan desde este momento.</p>
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
              <KeyField
                isLong={isLong(key)}
                isShown={isShown(key)}
                label={label}
                error={issues[key]}
                disabled={removed.includes(key)}
                hint={
                  changed_at
                    ? `Guardada el ${formatInstant(new Date(changed_at), zone, 'date')}${ending ? `, termina en ${ending}` : ''}. Vacío: se queda.`
                    : undefined
                }
                value={typed[key] ?? ''}
                onChange={(value) => setTyped({ ...typed, [key]: value })}
              />
              {source === 'stored' && (
                <Checkbox
                  checked={removed.includes(key)}
                  onChange={(event) =>
                    setRemoved(event.currentTarget.checked ? [...removed, key] : removed.filter((other) => other !== key))
                  }
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

interface KeyFieldProps {
  isLong: boolean
  isShown: boolean
  label: string
  value: string
  error: string | undefined
  hint: string | undefined
  disabled: boolean
  onChange: (value: string) => void
}

/** A key as it is typed: hidden on one line, or several lines as they were pasted. */
function KeyField({ isLong, isShown, onChange, ...field }: KeyFieldProps) {
  const shared = { ...field, required: false, autoComplete: 'off' }
  if (isShown)
    return <TextField {...shared} spellCheck={false} autoCapitalize="none" onChange={(event) => onChange(event.currentTarget.value)} />
  return isLong ? (
    <TextArea {...shared} rows={4} spellCheck={false} autoCapitalize="none" onChange={(event) => onChange(event.currentTarget.value)} />
  ) : (
    <PasswordField {...shared} shows={`Mostrar ${field.label.toLowerCase()}`} onChange={(event) => onChange(event.currentTarget.value)} />
  )
}
