import { IconArrowLeft, IconBackspace } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import type { DevicePerson } from '#contract/shared-device.ts'
import { Brand } from '#web/features/site/brand.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { PageTitle } from '#web/features/site/page-meta.tsx'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { endSession } from '#web/lib/session.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/field-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { pinRefusal } from './pin-refusal.ts'
import { reloadAdministration } from './shared-device.ts'
import { ROLE_NAMES } from './staff.tsx'
import './locked-device.css'

interface LockedDeviceProps {
  /** The screen of a device in kiosk mode; `onLeave` opens the PIN pad. */
  kiosk: (kiosk: { location: string | null; onLeave: () => void }) => ReactNode
}

/** A shared device that waits for a PIN: the choice of the person, and the PIN pad. In kiosk mode the kiosk comes first. */
export default function LockedDevice({ kiosk: renderKiosk }: LockedDeviceProps) {
  const state = useQuery(queries.sharedDevice.state.queryOptions({ meta: { handled: true }, refetchOnWindowFocus: true }))
  const [person, setPerson] = useState<DevicePerson | null>(null)
  const [isLeaving, setLeaving] = useState(false)
  const kiosk = state.data?.kiosk ?? null
  // Returns to the kiosk when the PIN pad was left open.
  const backToKiosk = useCallback(() => {
    setPerson(null)
    setLeaving(false)
  }, [])
  useKioskReturn(kiosk !== null && isLeaving, backToKiosk)
  if (kiosk && !isLeaving) return renderKiosk({ location: kiosk.location, onLeave: () => setLeaving(true) })
  return (
    <main className="locked">
      <PageTitle>¿Quién eres?</PageTitle>
      <meta name="robots" content="noindex, nofollow" />
      <Brand size="big" />
      {person ? (
        <PinPad person={person} then={kiosk ? adminPaths.scan : undefined} onBack={() => setPerson(null)} />
      ) : (
        <Loaded query={state} failed="No pudimos cargar al equipo." nothing={null} skeleton={<Skeleton height="240px" />}>
          <h1 className="t1">¿Quién eres?</h1>
          <ul className="locked-people">
            {state.data?.people.map((person) => (
              <li key={person.staff_id}>
                <button type="button" className="locked-person" onClick={() => setPerson(person)}>
                  <Avatar name={person.name} src={person.photo} size={64} />
                  <span className="strong">{person.name}</span>
                  <span className="small muted">{ROLE_NAMES[person.role]}</span>
                </button>
              </li>
            ))}
          </ul>
          <p className="small muted">¿No estás aquí? Elige tu PIN en el menú de tu cuenta, en tu propio dispositivo.</p>
        </Loaded>
      )}
      {kiosk && (
        <button type="button" className="link" onClick={backToKiosk}>
          Volver al kiosco
        </button>
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

/** How long the screen for the PIN stays in front of a kiosk without use. */
const KIOSK_RETURN_MS = 30_000

function useKioskReturn(isOn: boolean, onIdle: () => void): void {
  useEffect(() => {
    if (!isOn) return
    let timer = setTimeout(onIdle, KIOSK_RETURN_MS)
    const onUse = () => {
      clearTimeout(timer)
      timer = setTimeout(onIdle, KIOSK_RETURN_MS)
    }
    const uses = ['pointerdown', 'keydown'] as const
    for (const use of uses) addEventListener(use, onUse)
    return () => {
      clearTimeout(timer)
      for (const use of uses) removeEventListener(use, onUse)
    }
  }, [isOn, onIdle])
}

/** `then`: the screen that opens with the right PIN; without it the one of the address. */
function PinPad({ person, then, onBack }: { person: DevicePerson; then: string | undefined; onBack: () => void }) {
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
      reloadAdministration(then)
    } catch (error) {
      setBusy(false)
      setPin('')
      setWrong(pinRefusal(toFailure(error)))
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
