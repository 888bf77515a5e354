import { IconArrowLeft, IconBackspace } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { DevicePerson } from '#contract/shared-device.ts'
import { Brand } from '#web/features/site/brand.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { PageTitle } from '#web/features/site/page-meta.tsx'
import { api, queries } from '#web/lib/api.ts'
import { failureOf } from '#web/lib/errors.ts'
import { endSession } from '#web/lib/session.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { reloadAdministration } from './shared-device.ts'
import { ROLE_NAMES } from './staff.tsx'
import './locked-device.css'

/** A shared device that waits for a PIN: who is it, and their digits. */
export default function LockedDevice() {
  const state = useQuery(queries.sharedDevice.state.queryOptions({ meta: { handled: true }, refetchOnWindowFocus: true }))
  const [person, setPerson] = useState<DevicePerson | null>(null)
  return (
    <main className="locked">
      <PageTitle>¿Quién eres?</PageTitle>
      <meta name="robots" content="noindex, nofollow" />
      <Brand size="big" />
      {person ? (
        <PinPad person={person} onBack={() => setPerson(null)} />
      ) : (
        <Loaded query={state} failed="No pudimos cargar al equipo." nothing={null} skeleton={<Skeleton height="240px" />}>
          <h1 className="t1">¿Quién eres?</h1>
          <ul className="locked-people">
            {state.data?.people.map((one) => (
              <li key={one.staff_id}>
                <button type="button" className="locked-person" onClick={() => setPerson(one)}>
                  <Avatar name={one.name} src={one.photo} size={64} />
                  <span className="strong">{one.name}</span>
                  <span className="small muted">{ROLE_NAMES[one.role]}</span>
                </button>
              </li>
            ))}
          </ul>
          <p className="small muted">¿No estás aquí? Elige tu PIN en el menú de tu cuenta, en tu propio dispositivo.</p>
        </Loaded>
      )}
      <button type="button" className="link" onClick={() => void endSession()}>
        Salir de este dispositivo
      </button>
    </main>
  )
}

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const
const LONGEST = 6
const SHORTEST = 4

function PinPad({ person, onBack }: { person: DevicePerson; onBack: () => void }) {
  const [pin, setPin] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const type = (next: string) => {
    setWrong(null)
    setPin(next.replace(/\D/g, '').slice(0, LONGEST))
  }
  async function enter(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    if (pin.length < SHORTEST) return setWrong('El PIN lleva de 4 a 6 números.')
    setBusy(true)
    try {
      await api.sharedDevice.choose({ staff_id: person.staff_id, pin })
      reloadAdministration()
    } catch (error) {
      setBusy(false)
      setPin('')
      setWrong(failureOf(error).message)
      field.current?.focus()
    }
  }
  return (
    <form className="locked-pad" onSubmit={(event) => void enter(event)}>
      <div className="locked-pad-head">
        <IconButton label="Elegir a otra persona" onClick={onBack}>
          <IconArrowLeft className="icon" aria-hidden="true" />
        </IconButton>
        <h1 className="t2">Hola, {person.name}</h1>
      </div>
      <div className="field">
        <label className="field-label" htmlFor="pin">
          Tu PIN
        </label>
        <span className="control">
          <input
            ref={field}
            id="pin"
            className="locked-pin"
            type="password"
            // The keys below are the keyboard; one of the system would cover them.
            inputMode="none"
            autoComplete="off"
            value={pin}
            aria-invalid={wrong ? true : undefined}
            aria-describedby={wrong ? 'pin-error' : undefined}
            onChange={(event) => type(event.currentTarget.value)}
          />
        </span>
        <span role="alert">{wrong && <FieldError id="pin-error">{wrong}</FieldError>}</span>
      </div>
      <div className="locked-keys">
        {KEYS.map((key) => (
          <button key={key} type="button" className="locked-key" onClick={() => type(pin + key)}>
            {key}
          </button>
        ))}
        <button type="button" className="locked-key" aria-label="Borrar el último número" onClick={() => type(pin.slice(0, -1))}>
          <IconBackspace className="icon" aria-hidden="true" />
        </button>
        <button type="button" className="locked-key" onClick={() => type(`${pin}0`)}>
          0
        </button>
      </div>
      <Button type="submit" loading={busy}>
        Entrar
      </Button>
    </form>
  )
}
