import {
  IconArmchair,
  IconArrowsExchange,
  IconCash,
  IconCheck,
  IconListCheck,
  IconNote,
  IconRepeat,
  IconUser,
  IconUserPlus,
  IconX,
} from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import type { RosterReservation } from '#contract/attendance.ts'
import { spotName } from '#contract/copy/names.ts'
import { formatPesos } from '#contract/money.ts'
import { formatPhone } from '#contract/phone.ts'
import { formatInstant, formatWall } from '#contract/time.ts'
import { CheckinCard } from '#web/features/admin/checkin/checkin-card.tsx'
import { isSoundOn, playSignal, signalOf } from '#web/features/admin/checkin/signal.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { cancelledText, ReservationStatus, SOURCES } from '#web/features/admin/roster/reservation-facts.tsx'
import { useRosterChanged } from '#web/features/admin/roster/use-roster.ts'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { NotLoaded } from '#web/features/site/not-loaded.tsx'
import { api, queries } from '#web/lib/api.ts'
import { alertFailure, toFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { useNow } from '#web/lib/use-now.ts'
import { Button } from '#web/ui/button.tsx'
import { DefinitionList } from '#web/ui/definition-list.tsx'
import { Loading } from '#web/ui/skeleton.tsx'

export const handle: AdminHandle = { title: 'Reservación', detail: true }

const verbs = () => import('#web/features/admin/roster/reservation-verbs.tsx')
const CancelReservation = lazy(() => verbs().then(({ CancelReservation }) => ({ default: CancelReservation })))
const MoveReservation = lazy(async () => ({
  default: (await import('#web/features/admin/roster/change-verbs.tsx')).MoveReservation,
}))
const ReservationStep = lazy(() => import('#web/features/admin/roster/reservation-step.tsx'))
const RepeatReservation = lazy(() => import('#web/features/admin/roster/repeat-verb.tsx'))
const ReceiveMoney = lazy(() => verbs().then(({ ReceiveMoney }) => ({ default: ReceiveMoney })))

/**
 * One reservation. Opened by its QR code (S2-2.49) it checks the customer in at once, as a scan does; opened from a list (`ver=detalle`) it
 * is read-only.
 */
export default function ReservationScreen() {
  const { class_reservation_id = '' } = useParams()
  const [query] = useSearchParams()
  const changed = useRosterChanged()
  const isScan = query.get('ver') !== 'detalle'
  const checked = useRef('')
  const checkin = useMutation({
    meta: { handled: true },
    mutationFn: (allow_owed: boolean) => api.frontDesk.checkin({ class_reservation_id: Number(class_reservation_id), allow_owed }),
    onSuccess: ({ result }) => playSignal(signalOf(result), isSoundOn()),
    onError: (error) => alertFailure(error),
    onSettled: changed,
  })
  const { mutate } = checkin
  useEffect(() => {
    if (!isScan || checked.current === class_reservation_id || !/^[1-9]\d{0,9}$/.test(class_reservation_id)) return
    checked.current = class_reservation_id
    mutate(false)
  }, [isScan, class_reservation_id, mutate])
  const reservationQuery = useQuery({
    ...queries.attendance.one.queryOptions({ input: { class_reservation_id }, meta: { handled: true } }),
    enabled: !isScan || !checkin.isPending,
  })
  return (
    <>
      <ScreenHead title="Reservación" />
      {checkin.data && (
        <CheckinCard checkin={checkin.data}>
          {checkin.data.result === 'owed' && (
            <Button variant="outline" onClick={() => mutate(true)}>
              Pasa y paga después
            </Button>
          )}
        </CheckinCard>
      )}
      {reservationQuery.data ? (
        <Loaded row={reservationQuery.data.class_reservation} cls={reservationQuery.data.single_class} />
      ) : (
        <Loading loading={reservationQuery.isPending} skeleton={<ListSkeleton rows={3} />}>
          <NotLoaded query={reservationQuery}>{toFailure(reservationQuery.error).message}</NotLoaded>
        </Loading>
      )}
    </>
  )
}

type ReservationClass = Awaited<ReturnType<typeof api.attendance.one>>['single_class']

type ReservationStepName = 'cancel' | 'move' | 'pay' | 'repeat' | 'spot' | 'guest' | 'no-guest' | 'excuse'

function Loaded({ row, cls }: { row: RosterReservation; cls: ReservationClass }) {
  const staff = useStaff()
  const changed = useRosterChanged()
  const [open, setOpen] = useState<ReservationStepName | null>(null)
  const mark = useMutation({
    meta: { handled: true },
    mutationFn: (attendance: { attend: boolean | null; excuse?: string }) =>
      api.attendance.mark({ class_reservation_id: row.class_reservation_id, ...attendance }),
    onError: (error) => alertFailure(error),
    onSettled: changed,
  })
  const close = () => setOpen(null)
  const isOver = Date.parse(cls.ends_at) <= useNow()
  const canChange = may(staff, 'roster.all') && !row.deletedAt && !isOver
  useShortcuts('Reservación', [
    canChange && { keys: 'c', label: 'Cancelar su lugar', act: () => setOpen('cancel') },
    canChange && { keys: 'm', label: 'Mover a otra clase', act: () => setOpen('move') },
  ])
  return (
    <section className="panel-card reservation" aria-labelledby="de-quien">
      <div className="panel-head">
        <h2 id="de-quien" className="t3">
          {`${row.name} ${row.last_name}`.trim()}
        </h2>
        <ReservationStatus row={row} />
      </div>
      <div className="panel-body stack gap-16">
        <ReservationFacts row={row} cls={cls} />
        <div className="row gap-8 wraps">
          <AttendanceVerbs row={row} cls={cls} isMarking={mark.isPending} onMark={mark.mutate} onExcuse={() => setOpen('excuse')} />
          <ReservationLinks row={row} onPay={() => setOpen('pay')} />
          <ChangeVerbs row={row} cls={cls} canChange={canChange} onOpen={setOpen} />
        </div>
      </div>
      <Suspense>
        {open === 'cancel' && <CancelReservation row={row} onClose={close} onBack={close} />}
        {open === 'move' && <MoveReservation cls={cls} row={row} onClose={close} onBack={close} />}
        {open === 'repeat' && <RepeatReservation cls={cls} row={row} onClose={close} onBack={close} />}
        {(open === 'spot' || open === 'guest' || open === 'no-guest' || open === 'excuse') && (
          <ReservationStep step={open} cls={cls} row={row} onMark={(attendance) => mark.mutate(attendance)} onClose={close} />
        )}
        {open === 'pay' && <ReceiveMoney row={row} location_id={cls.location_id} onClose={close} onBack={close} />}
      </Suspense>
    </section>
  )
}

/** Everything that is known about a reservation, as a list of terms. */
function ReservationFacts({ row, cls }: { row: RosterReservation; cls: ReservationClass }) {
  const site = useSite()
  const at = (instant: string) => formatInstant(new Date(instant), site.zone, 'class')
  return (
    <DefinitionList
      items={[
        ['Clase', `${cls.class_type}, ${formatWall(cls.class_date, 'spoken')}`],
        ['Estudio', [cls.location, cls.coaches].filter(Boolean).join(' · ')],
        ['Lugar', row.spot && spotName(row.spot, row.seat_label)],
        [
          'Invitado',
          row.guest && [row.guest, row.guest_spot && spotName(row.guest_spot, row.guest_seat_label)].filter(Boolean).join(' · '),
        ],
        ['Se pagó con', row.paid_with ?? (row.is_cash ? 'Pago en el estudio' : null)],
        ['Debe', row.owed && formatPesos(row.owed)],
        ['Reservada', [at(row.createdAt), SOURCES.find(({ value }) => value === row.source)?.label].filter(Boolean).join(' · ')],
        [
          'Asistencia',
          row.attend === null
            ? null
            : [row.attend ? 'Llegó' : 'No asistió', row.marked && at(row.marked.at), row.marked?.who, row.excuse]
                .filter(Boolean)
                .join(' · '),
        ],
        ['Cancelada', row.cancelled && `${at(row.cancelled.at)}. ${cancelledText(row.cancelled)}`],
        ['Teléfono', row.phone && formatPhone(row.phone)],
        ['Correo', row.email],
      ]}
    />
  )
}

interface AttendanceVerbsProps {
  row: RosterReservation
  cls: ReservationClass
  isMarking: boolean
  onMark: (attendance: { attend: boolean | null }) => void
  onExcuse: () => void
}

/** The marks of attendance; a cancelled place and a cancelled class have none. */
function AttendanceVerbs({ row, cls, isMarking, onMark, onExcuse }: AttendanceVerbsProps) {
  return (
    <>
      {!row.deletedAt && !cls.cancelled && row.attend !== true && (
        <Button loading={isMarking} icon={<IconCheck className="icon" aria-hidden="true" />} onClick={() => onMark({ attend: true })}>
          Llegó
        </Button>
      )}
      {!row.deletedAt && row.attend === true && (
        <Button variant="outline" loading={isMarking} onClick={() => onMark({ attend: null })}>
          Quitar «llegó»
        </Button>
      )}
      {!row.deletedAt && !cls.cancelled && (
        <>
          <Button variant="outline" loading={isMarking} onClick={() => onMark({ attend: row.attend === false ? null : false })}>
            {row.attend === false ? 'Quitar «no asistió»' : 'No asistió'}
          </Button>
          <Button variant="outline" icon={<IconNote className="icon" aria-hidden="true" />} onClick={onExcuse}>
            Justificar la falta
          </Button>
        </>
      )}
    </>
  )
}

/** What is owed for the place, its class and its customer. */
function ReservationLinks({ row, onPay }: { row: RosterReservation; onPay: () => void }) {
  const staff = useStaff()
  return (
    <>
      {row.owed && !row.deletedAt && may(staff, 'sales.sell') && (
        <Button variant="outline" icon={<IconCash className="icon" aria-hidden="true" />} onClick={onPay}>
          Recibir {formatPesos(row.owed)}
        </Button>
      )}
      <Button
        as={AppLink}
        variant="outline"
        icon={<IconListCheck className="icon" aria-hidden="true" />}
        to={adminPaths.roster(row.single_class_id)}
      >
        Abrir la lista
      </Button>
      {may(staff, 'customers.read') && (
        <Button
          as={AppLink}
          variant="outline"
          icon={<IconUser className="icon" aria-hidden="true" />}
          to={adminPaths.customer(row.customer_id)}
        >
          Ver ficha
        </Button>
      )}
    </>
  )
}

interface ChangeVerbsProps {
  row: RosterReservation
  cls: ReservationClass
  canChange: boolean
  onOpen: (step: ReservationStepName) => void
}

/** Changes of the place: seat, guest, class, repetition and cancellation. */
function ChangeVerbs({ row, cls, canChange, onOpen }: ChangeVerbsProps) {
  const staff = useStaff()
  return (
    <>
      {canChange && cls.spot_map && (
        <Button variant="outline" icon={<IconArmchair className="icon" aria-hidden="true" />} onClick={() => onOpen('spot')}>
          Cambiar de lugar
        </Button>
      )}
      {canChange && (
        <Button
          variant="outline"
          icon={<IconUserPlus className="icon" aria-hidden="true" />}
          onClick={() => onOpen(row.guest ? 'no-guest' : 'guest')}
        >
          {row.guest ? 'Quitar al invitado' : 'Agregar un invitado'}
        </Button>
      )}
      {canChange && (
        <Button variant="outline" icon={<IconArrowsExchange className="icon" aria-hidden="true" />} onClick={() => onOpen('move')}>
          Mover a otra clase
        </Button>
      )}
      {may(staff, 'roster.all') && !row.deletedAt && !cls.cancelled && (
        <Button variant="outline" icon={<IconRepeat className="icon" aria-hidden="true" />} onClick={() => onOpen('repeat')}>
          Repetir cada semana
        </Button>
      )}
      {canChange && (
        <Button variant="danger-quiet" icon={<IconX className="icon" aria-hidden="true" />} onClick={() => onOpen('cancel')}>
          Cancelar su lugar
        </Button>
      )}
    </>
  )
}
