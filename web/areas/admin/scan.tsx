import { IconScan } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { formatInstant, formatWall } from '#contract/time.ts'
import { Camera } from '#web/features/admin/checkin/camera.tsx'
import { CheckinCard } from '#web/features/admin/checkin/checkin-card.tsx'
import { type Checkin, nameOf, RESULTS, wordOf } from '#web/features/admin/checkin/checkin-text.ts'
import { isSoundOn, signal, storeSound } from '#web/features/admin/checkin/signal.ts'
import { type Answered, useCheckin } from '#web/features/admin/checkin/use-checkin.ts'
import { LocationFilter, useLocationFilter } from '#web/features/admin/day/location-filter.tsx'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { useFoundCustomers } from '#web/features/admin/people/customer-search.tsx'
import { PartNotLoaded } from '#web/features/site/not-loaded.tsx'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { api, useIdempotentMutation } from '#web/lib/api.ts'
import { alertFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/choice.tsx'
import { TextField } from '#web/ui/field.tsx'
import '#web/features/admin/people/people.css'

export const handle: AdminHandle = { title: 'Escanear' }

const ReceiveMoney = lazy(() =>
  import('#web/features/admin/roster/reservation-verbs.tsx').then(({ ReceiveMoney }) => ({ default: ReceiveMoney })),
)

/** An address, or a number that no telephone has: read by a scanner, not typed as a name. */
const isCode = (text: string) => /\/admin\/reservaciones\/\d+|^#?\d{1,9}$/.test(text.trim())

/** Escanear: one person in with each scan, by camera, by a reader that types, or by name. */
export default function Scan() {
  const staff = useStaff()
  const location_id = useLocationFilter()
  const [sound, setSound] = useState(isSoundOn)
  const [paying, setPaying] = useState<Answered | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const { answers, checkIn, undo, clear } = useCheckin((kind) => signal(kind, sound))
  const [last, ...earlier] = answers
  const where = { location_id }
  const onCode = (code: string) => checkIn({ code: code.slice(0, 500), ...where })

  // A reader types wherever the keys go; what it types belongs into the field, whatever was touched before.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof Element &&
        event.target.closest('input:not([type="checkbox"], [type="radio"]), textarea, select, dialog, [contenteditable]')
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1 || event.key === ' ') return
      field.current?.focus()
    }
    addEventListener('keydown', onKey, { capture: true })
    return () => removeEventListener('keydown', onKey, { capture: true })
  }, [])

  // Moved, they are here: the place in the class of now is checked in with the same tap.
  const move = useIdempotentMutation(api.frontDesk.move, {
    onSuccess: ({ class_reservation }) => checkIn({ class_reservation_id: class_reservation.class_reservation_id, ...where }),
    onError: (error) => alertFailure(error),
  })

  const verbs = (answered: Answered) => (
    <Verbs
      answered={answered}
      onUndo={() => undo(answered)}
      onPay={may(staff, 'sales.sell') ? () => setPaying(answered) : null}
      onLetPass={(id) => checkIn({ class_reservation_id: id, allow_owed: true, ...where })}
      onChoose={(id) => checkIn({ class_reservation_id: id, ...where })}
      onMove={(input) => move.mutate(input)}
    />
  )
  const paid = paying?.checkin.class_reservation
  return (
    <>
      <ScreenHead title="Escanear" about="Cada lectura registra la llegada de una persona.">
        <LocationFilter />
      </ScreenHead>
      <div className="scan-body">
        <div className="panel-card">
          <Camera onCode={onCode} />
          <div className="scan-field">
            <ScanField ref={field} onCode={onCode} onCustomer={(customer_id) => checkIn({ customer_id, ...where })} />
            <Switch
              checked={sound}
              onChange={(event) => {
                setSound(event.currentTarget.checked)
                storeSound(event.currentTarget.checked)
              }}
            >
              Sonido al leer
            </Switch>
          </div>
        </div>
        <div className="scan-side scan-answers">
          {last && !last.undone && <CheckinCard checkin={last.checkin}>{verbs(last)}</CheckinCard>}
          {last?.undone && <p role="status">Se quitó la llegada de {nameOf(last.checkin)}.</p>}
          {earlier.length > 0 && <Before answers={earlier} onUndo={undo} />}
        </div>
      </div>
      {paying && paid && (
        <Suspense>
          <ReceiveMoney
            row={paid}
            location_id={paying.checkin.single_class?.location_id ?? null}
            onBack={() => setPaying(null)}
            onClose={() => {
              setPaying(null)
              clear()
              checkIn({ class_reservation_id: paid.class_reservation_id, ...where })
            }}
          />
        </Suspense>
      )}
    </>
  )
}

interface VerbsProps {
  answered: Answered
  onUndo: () => void
  /** null: receives no money */
  onPay: (() => void) | null
  onLetPass: (class_reservation_id: number) => void
  onChoose: (class_reservation_id: number) => void
  onMove: (input: { class_reservation_id: number; single_class_id: number }) => void
}

function Verbs({ answered: { checkin }, onUndo, onPay, onLetPass, onChoose, onMove }: VerbsProps) {
  const row = checkin.class_reservation
  if (checkin.result === 'choose')
    return checkin.choices.map((one) => (
      <Button key={one.class_reservation_id} onClick={() => onChoose(one.class_reservation_id)}>
        {one.class.class_type}, {formatWall(one.class.class_date, 'hour')}
      </Button>
    ))
  if (!row) return null
  if (checkin.result === 'ok')
    return (
      <Button variant="outline" onClick={onUndo}>
        Deshacer
      </Button>
    )
  return (
    <>
      {checkin.result === 'owed' && (
        <>
          {onPay && row.owed && <Button onClick={onPay}>{wordOf(checkin).replace('Debe', 'Cobrar')}</Button>}
          <Button variant="outline" onClick={() => onLetPass(row.class_reservation_id)}>
            Pasa y paga después
          </Button>
        </>
      )}
      {checkin.move_to && (
        <Button
          onClick={() =>
            checkin.move_to && onMove({ class_reservation_id: row.class_reservation_id, single_class_id: checkin.move_to.single_class_id })
          }
        >
          Mover a hoy, {formatWall(checkin.move_to.class_date, 'hour')}
        </Button>
      )}
      {checkin.single_class && (
        <Button as={AppLink} variant="outline" to={adminPaths.roster(checkin.single_class.single_class_id)}>
          Abrir la lista
        </Button>
      )}
    </>
  )
}

/** Those who came before: what became of each, and the way back. */
function Before({ answers, onUndo }: { answers: readonly Answered[]; onUndo: (answered: Answered) => void }) {
  const site = useSite()
  return (
    <section className="panel-card" aria-labelledby="antes">
      <div className="panel-head">
        <h2 id="antes" className="t3">
          Antes
        </h2>
      </div>
      <ul className="scan-before">
        {answers.map((answered) => (
          <li key={answered.id}>
            <Mark checkin={answered.checkin} />
            <div>
              <p>
                <span className="strong">{nameOf(answered.checkin) ?? 'Código sin lugar'}</span>{' '}
                <span className="small">{answered.undone ? 'Se quitó su llegada' : wordOf(answered.checkin)}</span>
              </p>
              <p className="small muted">{answered.checkin.message}</p>
            </div>
            <span className="small muted scan-hour">{formatInstant(answered.at, site.zone, 'hour')}</span>
            {answered.checkin.result === 'ok' && !answered.undone && (
              <Button variant="outline" size="small" onClick={() => onUndo(answered)}>
                Deshacer<span className="sr-only">: {nameOf(answered.checkin)}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Mark({ checkin }: { checkin: Checkin }) {
  const { tone, Icon } = RESULTS[checkin.result]
  return (
    <span aria-hidden="true" className={`scan-mark scan-mark-${tone}`}>
      <Icon className="icon" />
    </span>
  )
}

interface ScanFieldProps {
  ref: React.Ref<HTMLInputElement>
  onCode: (code: string) => void
  onCustomer: (customer_id: number) => void
}

/** Where a reader types, and a person who has no code: an address or number and Enter is a code, anything else looks for a name. */
function ScanField({ ref, onCode, onCustomer }: ScanFieldProps) {
  const staff = useStaff()
  const canSearch = may(staff, 'roster.all') && may(staff, 'customers.read')
  const [typed, setTyped] = useState('')
  const text = typed.trim()
  const looksForName = canSearch && text.length > 1 && !isCode(text)
  const found = useFoundCustomers(looksForName ? text : '')
  const customers = looksForName ? (found.data?.customers ?? []) : []
  const choose = (customer_id: number) => {
    setTyped('')
    onCustomer(customer_id)
  }
  return (
    <form
      className="stack gap-8"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (text === '') return
        const [only, ...others] = customers
        if (looksForName && !(only && others.length === 0 && !found.isPlaceholderData)) return
        if (looksForName && only) return choose(only.customer_id)
        setTyped('')
        onCode(text)
      }}
    >
      <TextField
        ref={ref}
        label={canSearch ? 'Código, nombre o teléfono' : 'Código'}
        autoComplete="off"
        enterKeyHint="go"
        data-focus-first
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        before={<IconScan className="icon muted" aria-hidden="true" />}
        hint="El lector USB escribe aquí solo y no hay que tocar nada entre personas."
      />
      {found.isError && looksForName && <PartNotLoaded query={found}>No pudimos buscar.</PartNotLoaded>}
      {customers.length > 0 && (
        <ul className="found-customers" aria-label="Clientes encontrados">
          {customers.map((customer) => (
            <li key={customer.customer_id}>
              <button type="button" className="found-customer" onClick={() => choose(customer.customer_id)}>
                <Avatar name={`${customer.name} ${customer.last_name}`} size={36} />
                <span>
                  <span className="strong">
                    {customer.name} {customer.last_name}
                  </span>
                  <span className="small muted">{customer.phone}</span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <p role="status" className="small muted">
        {looksForName && found.isSuccess && !found.isPlaceholderData && customers.length === 0 && 'Nadie coincide con tu búsqueda.'}
      </p>
    </form>
  )
}
