import { IconArmchair, IconMapPin } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState } from 'react'
import { success, validation } from '#contract/messages.ts'
import type { ClassDetail } from '#contract/schedule.ts'
import { formatWall } from '#contract/time.ts'
import { instructorName, spotName } from '#contract/wording.ts'
import { say } from '#web/lib/alerts.ts'
import { api, useOnce } from '#web/lib/api.ts'
import { useChosen, useDraft } from '#web/lib/chosen.ts'
import { useCustomer } from '#web/lib/customer.tsx'
import { failureOf } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { RadioCards, Switch } from '#web/ui/choice.tsx'
import { BareDialog, CloseButton, Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { SpotMap } from '#web/ui/spot-map.tsx'
import { Art, slug } from './art.tsx'
import { useClassDetail } from './class-detail.ts'
import { myPlaceWords } from './class-facts.ts'
import { CoachAvatar } from './coach-portrait.tsx'
import { PenaltyDialog } from './penalty-dialog.tsx'
import { usePlacesChanged } from './places-changed.ts'
import { ProfilePrompt } from './profile-prompt.tsx'
import { type RepeatedWeeks, RepeatReport, WeeksField, weeklyWords, weeksFrom } from './repeat-report.tsx'
import { NoCredits, NotOpened, Refused, SoldApart } from './reserve-refusals.tsx'
import { roomOf, seatBeside, seatFrom } from './seats.ts'
import './reserve-dialog.css'

interface ReserveDialogProps {
  /** the class to reserve, or null while the dialog is closed */
  classId: number | null
  /** the class is mine already: what can be done with that place */
  onMine: (classReservationId: number) => void
  /** it is full: its line */
  onJoin: (classId: number) => void
  onClose: () => void
}

/** Reserving: spot map, guest, the credit that will be used and its consequence (S2-2.27, S2-2.30, decisions 18, 21, 23). */
export function ReserveDialog({ classId, onMine, onJoin, onClose }: ReserveDialogProps) {
  const { cls, error, refetch } = useClassDetail(classId)
  // What was answered stays on the screen, although the class is mine by then.
  const [answered, setAnswered] = useState<{ classId: number; report: RepeatedWeeks } | null>(null)
  const site = useSite()
  const { missing } = useCustomer()
  const reserve = cls?.actions.reserve
  if (answered && answered.classId === classId) return <Repeated report={answered.report} onClose={onClose} />
  if (cls && cls.state === 'penalised') return <PenaltyDialog cls={cls} onClose={onClose} />
  if (cls && reserve === 'ok' && site.profile_required_to_reserve && missing.length > 0) return <ProfilePrompt onClose={onClose} />
  if (cls && reserve === 'buy_credits') return <NoCredits cls={cls} onClose={onClose} />
  if (cls && reserve === 'buy' && cls.class_package_id !== null)
    return <SoldApart cls={cls} packageId={cls.class_package_id} onClose={onClose} />
  if (cls?.mine && cls.state === 'reserved') return <Already cls={cls} onMine={onMine} onClose={onClose} />
  if (cls && reserve !== 'ok') return <Refused cls={cls} onJoin={onJoin} onClose={onClose} />
  if (error && !cls) return <NotOpened error={error} retry={() => void refetch()} onClose={onClose} />
  return (
    <BareDialog open={classId !== null} onClose={onClose} width="wide" labelledBy="reservar-clase">
      {cls ? (
        <ReserveForm
          key={cls.single_class_id}
          cls={cls}
          onRepeated={(report) => setAnswered({ classId: cls.single_class_id, report })}
          onClose={onClose}
        />
      ) : (
        <div className="dialog-body" role="status">
          <h2 id="reservar-clase" className="sr-only" tabIndex={-1} data-title>
            Cargando la clase
          </h2>
          <Skeleton height="42px" width="60%" />
          <Skeleton height="180px" />
          <Skeleton height="64px" />
        </div>
      )}
    </BareDialog>
  )
}

interface ReserveFormProps {
  cls: ClassDetail
  onRepeated: (report: RepeatedWeeks) => void
  onClose: () => void
}

function ReserveForm({ cls, onRepeated, onClose }: ReserveFormProps) {
  const site = useSite()
  const changed = usePlacesChanged()
  const guestTitle = useId()
  const { before, keep } = useChosen()
  const { rows, taken, closed, free } = roomOf(cls)
  const mayBring = site.allow_class_guests && cls.places_left > 1
  const known = before('sitio')
  const [spot, setSpot] = useState(() => seatFrom(known, free))
  const [hasGuest, setHasGuest] = useState(() => mayBring && before('con_invitado') === '1')
  const [guest, setGuest] = useDraft(`invitado:${cls.single_class_id}`)
  const [guestSpot, setGuestSpot] = useState(() =>
    hasGuest
      ? seatFrom(
          before('sitio_invitado'),
          free.filter((one) => one !== spot),
        )
      : null,
  )
  const [choosing, setChoosing] = useState<'me' | 'guest'>(hasGuest && spot && !guestSpot ? 'guest' : 'me')
  const [lot, setLot] = useState(() => (cls.credits.find(isLot(before('credito'))) ?? cls.credits[0])?.available_class_id)
  /** For how many weeks; null = only this class. */
  const [weeks, setWeeks] = useState(() => (hasGuest ? null : weeksFrom(before('semanas'))))
  const [incomplete, setIncomplete] = useState(false)
  const [wrong, setWrong] = useState<{ guest?: string; form?: string }>(() => (rows && known && !spot ? { form: SEAT_GONE } : {}))

  // The title that had the focus while the class was on its way is gone.
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])

  const coach = cls.class_instructors[0]?.instructor
  const places = hasGuest ? 2 : 1
  const paying = cls.credits.find((one) => one.available_class_id === lot) ?? cls.credits[0]
  const policy = cls.free_cancel_until
    ? `Puedes cancelar sin perder tu crédito hasta el ${formatWall(cls.free_cancel_until, 'class')}.`
    : cls.policy.cancel

  const reserve = useOnce(api.bookings.reserve, {
    onSuccess() {
      onClose()
      say('success', success.reservationSaved)
    },
    onError: refused,
    onSettled: changed,
  })
  const repeat = useOnce(api.bookings.repeat, { onSuccess: onRepeated, onError: refused, onSettled: changed })

  function refused(error: unknown) {
    const { code, message } = failureOf(error)
    if (code === 'PROFILE_INCOMPLETE') setIncomplete(true)
    setWrong({ form: message })
  }
  function sit(mine: string | null, beside: string | null) {
    setSpot(mine)
    setGuestSpot(beside)
    keep({ sitio: mine, sitio_invitado: beside })
  }
  function choose(at: string) {
    setWrong({})
    if (choosing === 'guest' && hasGuest) {
      sit(spot, at)
      setChoosing('me')
    } else {
      sit(at, guestSpot === at ? null : guestSpot)
      if (hasGuest && !guestSpot) setChoosing('guest')
    }
  }
  function anySpot() {
    const mine = free[Math.floor(Math.random() * free.length)]
    if (!mine) return
    sit(mine, hasGuest ? seatBeside(free, mine) : null)
    setChoosing('me')
  }
  function bring(somebody: boolean) {
    setHasGuest(somebody)
    setGuestSpot(null)
    setChoosing(somebody && spot ? 'guest' : 'me')
    keep({ con_invitado: somebody ? 1 : null, sitio_invitado: null })
  }
  function repeatFor(next: number | null) {
    setWeeks(next)
    keep({ semanas: next })
  }
  function submit() {
    if (hasGuest && guest.trim().length < 2) return setWrong({ guest: validation.guestName })
    if (rows && !spot) return setWrong({ form: 'Elige un lugar del mapa.' })
    if (rows && hasGuest && !guestSpot) return setWrong({ form: 'Elige también el lugar de tu invitado.' })
    setWrong({})
    const { single_class_id } = cls
    if (weeks) return repeat.mutate({ single_class_id, weeks, spot })
    reserve.mutate({
      single_class_id,
      spot,
      guest: hasGuest ? guest.trim() : null,
      guest_spot: hasGuest ? guestSpot : null,
      available_class_id: paying ? paying.available_class_id : null,
    })
  }

  return (
    <div className="reserve">
      {incomplete && <ProfilePrompt onClose={onClose} />}
      <div className="reserve-stage ground-stage">
        <p className="muted">{formatWall(cls.class_date, 'class')}</p>
        <h2 ref={title} id="reservar-clase" className="t2" tabIndex={-1} data-title>
          {cls.class_type.name}
        </h2>
        <p className="row gap-8">
          {coach && <CoachAvatar coach={coach} size={28} />}
          {[coach && `${instructorName(coach)} ${coach.last_name}`, `${cls.duration_minutes} min`].filter(Boolean).join(' · ')}
        </p>
        <p className="row gap-8 reserve-place">
          <IconMapPin className="icon" aria-hidden="true" />
          <span>
            {cls.location.name}
            {cls.location.address && <span className="small muted reserve-line">{cls.location.address}</span>}
          </span>
        </p>
        <Art
          kind="clase"
          seed={`${slug(cls.class_type.name)}-${cls.class_type.class_type_id}`}
          ground="stage"
          width={420}
          height={300}
          className="reserve-art"
        />
        <p className="muted small reserve-policy">{policy}</p>
      </div>
      <div className="reserve-form">
        <div className="row spread">
          <h3 className="t3">{rows ? 'Elige tu lugar' : 'Reserva tu lugar'}</h3>
          <CloseButton onClose={onClose} />
        </div>
        {rows && (
          <>
            {hasGuest && (
              <p className="small muted" role="status">
                {choosing === 'guest' ? 'Ahora elige el lugar de tu invitado.' : 'Toca un lugar para cambiar el tuyo.'}
              </p>
            )}
            <SpotMap
              rows={rows}
              taken={taken}
              broken={closed}
              value={spot}
              guest={hasGuest ? guestSpot : undefined}
              choosing={hasGuest ? choosing : 'me'}
              onChoose={choose}
              front={
                coach && (
                  <>
                    <CoachAvatar coach={coach} size={26} />
                    <span className="small muted">{instructorName(coach)}, al frente</span>
                  </>
                )
              }
            />
            <div className="row wraps gap-8 reserve-quick">
              <Button variant="outline" size="small" icon={<IconArmchair className="icon" aria-hidden="true" />} onClick={anySpot}>
                Elige por mí
              </Button>
              {hasGuest && (
                <Button variant="quiet" size="small" onClick={() => setChoosing(choosing === 'me' ? 'guest' : 'me')}>
                  {choosing === 'me' ? 'Mover a mi invitado' : 'Mover mi lugar'}
                </Button>
              )}
            </div>
          </>
        )}
        {mayBring && !weeks && (
          <section className="stack gap-16 rule reserve-part" aria-labelledby={guestTitle}>
            <Switch checked={hasGuest} onChange={(event) => bring(event.currentTarget.checked)} hint="Usa un crédito más.">
              <span id={guestTitle}>Llevo un invitado</span>
            </Switch>
            {hasGuest && (
              <TextField
                label="Nombre de tu invitado"
                name="guest"
                value={guest}
                maxLength={80}
                autoComplete="off"
                onChange={(event) => setGuest(event.currentTarget.value)}
                error={wrong.guest}
              />
            )}
          </section>
        )}
        {!hasGuest && (
          <div className="stack gap-16 rule reserve-part">
            <Switch
              checked={weeks !== null}
              onChange={(event) => repeatFor(event.currentTarget.checked ? 4 : null)}
              hint={`La misma clase, ${weeklyWords(cls.class_date)}, mientras haya lugar y créditos.`}
            >
              Repetir cada semana
            </Switch>
            {weeks && <WeeksField value={weeks} onChange={repeatFor} hint="Al terminar te decimos qué semanas quedaron." />}
          </div>
        )}
        {paying && !weeks && (
          <div className="rule reserve-part">
            <RadioCards
              legend={places === 1 ? 'Se usará 1 crédito de' : `Se usarán ${places} créditos de`}
              options={cls.credits.map((one) => ({
                value: String(one.available_class_id),
                title: one.title,
                detail: [
                  one.expiration_date ? `Vence el ${formatWall(one.expiration_date, 'date')}` : 'Empieza a contar con tu primera clase',
                  one.class_types && `solo ${one.class_types}`,
                ]
                  .filter(Boolean)
                  .join(', '),
                aside:
                  one.available_classes < 0
                    ? 'Ilimitadas'
                    : `${one.available_classes} ${one.available_classes === 1 ? 'disponible' : 'disponibles'}`,
                disabled: one.available_classes >= 0 && one.available_classes < places,
              }))}
              value={paying && String(paying.available_class_id)}
              onChange={(value) => {
                setLot(Number(value))
                keep({ credito: value })
              }}
            />
          </div>
        )}
        <p className="muted small reserve-policy">{policy}</p>
        {wrong.form && (
          <Notice tone="danger" live>
            {wrong.form}
          </Notice>
        )}
        <div className="reserve-bar">
          <p className="small grow">
            {spot && (
              <span className="muted reserve-line">
                {hasGuest && guestSpot ? `${spotName(spot)} y ${spotName(guestSpot)}` : spotName(spot)}
              </span>
            )}
            {paying && !weeks && paying.available_classes >= 0 && (
              <b className="reserve-line">{leftWords(paying.available_classes - places)}</b>
            )}
          </p>
          <Button variant="outline" onClick={onClose}>
            Ahora no
          </Button>
          <Button loading={reserve.isPending || repeat.isPending} onClick={submit}>
            {weeks ? `Reservar ${weeks} semanas` : places === 1 ? 'Reservar' : `Reservar ${places} lugares`}
          </Button>
        </div>
      </div>
    </div>
  )
}

const SEAT_GONE = 'El lugar que habías elegido ya no está libre. Elige otro.'

/** A lot by what an address says. */
const isLot =
  (id: string | null) =>
  (lot: ClassDetail['credits'][number]): boolean =>
    String(lot.available_class_id) === id

const leftWords = (left: number): string => (left === 1 ? 'Te queda 1 clase' : `Te quedan ${Math.max(0, left)} clases`)

function Already({ cls, onMine, onClose }: { cls: ClassDetail; onMine: (id: number) => void; onClose: () => void }) {
  const { mine } = cls
  return (
    <Dialog
      open
      onClose={onClose}
      title="Ya tienes tu lugar"
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            Entendido
          </Button>
          {mine && <Button onClick={() => onMine(mine.class_reservation_id)}>Ver mi lugar</Button>}
        </>
      }
    >
      <p>{[`${cls.class_type.name}, ${formatWall(cls.class_date, 'class')}`, myPlaceWords(cls)].filter(Boolean).join('. ')}.</p>
    </Dialog>
  )
}

function Repeated({ report, onClose }: { report: RepeatedWeeks; onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title="Repetir cada semana" actions={<Button onClick={onClose}>Listo</Button>}>
      <RepeatReport report={report} />
    </Dialog>
  )
}
