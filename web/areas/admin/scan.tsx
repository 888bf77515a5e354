import { IconDeviceIpadHorizontal, IconScan } from '@tabler/icons-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import { formatPhone } from '#contract/phone.ts'
import { formatInstant, formatWall } from '#contract/time.ts'
import { Camera } from '#web/features/admin/checkin/camera.tsx'
import { CheckinCard } from '#web/features/admin/checkin/checkin-card.tsx'
import { type Checkin, checkinText, nameOf, RESULTS } from '#web/features/admin/checkin/checkin-text.ts'
import { isSoundOn, playSignal, storeSound } from '#web/features/admin/checkin/signal.ts'
import { type Answered, useCheckin } from '#web/features/admin/checkin/use-checkin.ts'
import { useReaderKeys } from '#web/features/admin/checkin/use-reader-keys.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { useLocationFilter, withLocation } from '#web/features/admin/frame/location-filter.tsx'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { useFoundCustomers } from '#web/features/admin/people/customer-search.tsx'
import { PartNotLoaded } from '#web/features/site/not-loaded.tsx'
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

const OpenKiosk = lazy(() => import('#web/features/admin/checkin/open-kiosk.tsx'))

/** Whether a text is a code: an address of a reservation, or a number too short for a telephone. Other texts are searched as names. */
const isCode = (text: string) => /\/admin\/reservaciones\/\d+|^#?\d{1,9}$/.test(text.trim())

/** Escanear: checks in one customer per scan: by camera, by a code reader that types, or by name. */
export default function Scan() {
  const staff = useStaff()
  const location_id = useLocationFilter()
  const [sound, setSound] = useState(isSoundOn)
  const mode = new URLSearchParams(useLocation().search).get('modo')
  const navigate = useNavigate()
  const [paying, setPaying] = useState<Answered | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const { answers, checkIn, undo, clear } = useCheckin((kind) => playSignal(kind, sound))
  const [last, ...earlier] = answers
  const where = { location_id }
  const onCode = (code: string) => checkIn({ code: code.slice(0, 500), ...where })

  useReaderKeys(field)

  // The customer is present: check in the reservation right after moving it to the current class.
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
        {may(staff, 'roster.all') && (
          <Button
            as={AppLink}
            variant="outline"
            to={withLocation(adminPaths.kiosk, location_id)}
            icon={<IconDeviceIpadHorizontal className="icon" aria-hidden="true" />}
          >
            Modo kiosco
          </Button>
        )}
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
          {earlier.length > 0 && <PreviousCheckins answers={earlier} onUndo={undo} />}
        </div>
      </div>
      {mode === 'kiosko' && may(staff, 'roster.all') && (
        <Suspense>
          <OpenKiosk
            location_id={location_id}
            onClose={() => void navigate(withLocation(adminPaths.scan, location_id), { replace: true })}
          />
        </Suspense>
      )}
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
  /** null: this staff member may not receive money */
  onPay: (() => void) | null
  onLetPass: (class_reservation_id: number) => void
  onChoose: (class_reservation_id: number) => void
  onMove: (input: { class_reservation_id: number; single_class_id: number }) => void
}

function Verbs({ answered: { checkin }, onUndo, onPay, onLetPass, onChoose, onMove }: VerbsProps) {
  const row = checkin.class_reservation
  if (checkin.result === 'choose')
    return checkin.choices.map((choice) => (
      <Button key={choice.class_reservation_id} onClick={() => onChoose(choice.class_reservation_id)}>
        {choice.class.class_type}, {formatWall(choice.class.class_date, 'hour')}
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
          {onPay && row.owed && <Button onClick={onPay}>{checkinText(checkin).replace('Debe', 'Cobrar')}</Button>}
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

/** The previous check-ins with their results, each with an undo button. */
function PreviousCheckins({ answers, onUndo }: { answers: readonly Answered[]; onUndo: (answered: Answered) => void }) {
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
                <span className="small">{answered.undone ? 'Se quitó su llegada' : checkinText(answered.checkin)}</span>
              </p>
              <p className="small muted">{answered.checkin.message}</p>
            </div>
            <span className="small muted scan-hour">{formatInstant(answered.at, site.zone, 'hour')}</span>
            {answered.checkin.result === 'ok' && !answered.undone && (
              <Button variant="outline" size="small" aria-label={`Deshacer: ${nameOf(answered.checkin)}`} onClick={() => onUndo(answered)}>
                Deshacer
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

/** The field for codes and names: an address or number with Enter is a code, anything else is searched as a name. */
function ScanField({ ref, onCode, onCustomer }: ScanFieldProps) {
  const staff = useStaff()
  const canSearch = may(staff, 'roster.all') && may(staff, 'customers.read')
  const [typed, setTyped] = useState('')
  const text = typed.trim()
  const isNameSearch = canSearch && text.length > 1 && !isCode(text)
  const search = useFoundCustomers(isNameSearch ? text : '')
  const customers = isNameSearch ? (search.data?.customers ?? []) : []
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
        if (isNameSearch && !(only && others.length === 0 && !search.isPlaceholderData)) return
        if (isNameSearch && only) return choose(only.customer_id)
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
      {search.isError && isNameSearch && <PartNotLoaded query={search}>No pudimos buscar.</PartNotLoaded>}
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
                  <span className="small muted">{customer.phone && formatPhone(customer.phone)}</span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <p role="status" className="small muted">
        {isNameSearch && search.isSuccess && !search.isPlaceholderData && customers.length === 0 && 'Nadie coincide con tu búsqueda.'}
      </p>
    </form>
  )
}
