import { IconArmchair, IconMapPin } from '@tabler/icons-react'
import { memo, useEffect, useId, useRef } from 'react'
import { instructorFullName, instructorName } from '#contract/copy/instructor-names.ts'
import { success } from '#contract/copy/messages.ts'
import { spotInSentence, spotName, spotsName } from '#contract/copy/names.ts'
import { paths } from '#contract/paths.ts'
import type { ClassDetail, CreditSpend } from '#contract/schedule.ts'
import { formatWall } from '#contract/time.ts'
import { ProfilePrompt } from '#web/features/account/profile-prompt.tsx'
import { useOtherHour } from '#web/features/calendar/use-other-hour.ts'
import { Art, slugOfName } from '#web/features/site/art.tsx'
import { CoachAvatar } from '#web/features/site/coach-portrait.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { RadioCards, Switch } from '#web/ui/choice.tsx'
import { CloseButton } from '#web/ui/close-button.tsx'
import { SpotMap } from '#web/ui/spot-map.tsx'
import { creditsLeftText, guestHint, spendLegend } from './credit-text.ts'
import { GuestNameField } from './guest-name-field.tsx'
import { type RepeatedWeeks, WeeksField, weeklyText } from './repeat-report.tsx'
import { type Reserving, useReserving } from './use-reserve.ts'
import './reserve-form.css'

interface ReserveFormProps {
  cls: ClassDetail
  onRepeated: (report: RepeatedWeeks) => void
  onClose: () => void
}

interface PartProps {
  cls: ClassDetail
  reserving: Reserving
}

/** The class, and beside it everything that can be chosen. */
export function ReserveForm({ cls, onRepeated, onClose }: ReserveFormProps) {
  const reserving = useReserving(cls, onRepeated, onClose)
  const { room, weeks, places, spends, spot, guestSpot, wrong } = reserving
  const form = useRef<HTMLDivElement>(null)
  // Scroll to the first problem and focus it: the map comes before the guest's name.
  useEffect(() => {
    if (wrong.map) {
      form.current?.querySelector('.reserve-seats')?.scrollIntoView({ block: 'start' })
      form.current?.querySelector<HTMLElement>('[role="radio"][tabindex="0"]')?.focus({ preventScroll: true })
    } else if (wrong.guest) form.current?.querySelector<HTMLElement>('[name="guest"]')?.focus()
  }, [wrong])
  return (
    <div className="reserve">
      {reserving.incomplete && <ProfilePrompt onClose={onClose} />}
      <Stage cls={cls} />
      <div ref={form} className="reserve-form">
        <div className="row spread reserve-seats">
          <h3 className="t3">{room.rows ? 'Elige tu lugar' : 'Reserva tu lugar'}</h3>
          <CloseButton onClose={onClose} />
        </div>
        {reserving.paidOrder && (
          <Banner tone="ok" title={success.bought}>
            Falta un paso: aparta tu lugar.{' '}
            <AppLink className="link" to={paths.order(reserving.paidOrder)}>
              Ver mi orden
            </AppLink>
          </Banner>
        )}
        {room.rows && <SeatPart cls={cls} rows={room.rows} reserving={reserving} />}
        {reserving.mayBring && !weeks && <GuestPart reserving={reserving} />}
        {!reserving.hasGuest && <WeeksPart cls={cls} reserving={reserving} />}
        {spends && !weeks && <CreditPart cls={cls} spends={spends} reserving={reserving} />}
        <p className="muted small reserve-policy">{policyOf(cls)}</p>
        {wrong.form && (
          <Banner tone="danger" live>
            {wrong.form}
          </Banner>
        )}
        <div className="reserve-bar">
          <p className="small grow">
            {spot && (
              <span className="muted reserve-line">
                {guestSpot ? spotsName(spot, guestSpot, [room.labelOf(spot), room.labelOf(guestSpot)]) : spotName(spot, room.labelOf(spot))}
              </span>
            )}
            {spends && !weeks && <b className="reserve-line">{creditsLeftText(spends, cls.credits)}</b>}
          </p>
          <Button variant="outline" onClick={onClose}>
            Ahora no
          </Button>
          <Button loading={reserving.busy} onClick={reserving.submit}>
            {weeks ? `Reservar ${weeks} semanas` : submitText(places, reserving.paidOrder !== null)}
          </Button>
        </div>
      </div>
    </div>
  )
}

function submitText(spots: number, isPaid: boolean): string {
  if (isPaid) return spots === 1 ? 'Apartar mi lugar' : `Apartar ${spots} lugares`
  return spots === 1 ? 'Reservar' : `Reservar ${spots} lugares`
}

/** What the class is, where and with which coach: the same for every choice in the form. */
const Stage = memo(function Stage({ cls }: { cls: ClassDetail }) {
  // The dialog's loading title, which had the focus, has been replaced: focus the new one.
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const coach = cls.class_instructors[0]?.instructor
  const zone = useOtherHour(cls.location_id)
  return (
    <div className="reserve-stage ground-stage">
      <p className="muted">{[formatWall(cls.class_date, 'class'), zone].filter(Boolean).join(' · ')}</p>
      <h2 ref={title} id="reservar-clase" className="t2" tabIndex={-1} data-title>
        {cls.class_type.name}
      </h2>
      <p className="row gap-8">
        {coach && <CoachAvatar coach={coach} size={28} />}
        {[coach && instructorFullName(coach), `${cls.duration_minutes} min`].filter(Boolean).join(' · ')}
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
        seed={`${slugOfName(cls.class_type.name)}-${cls.class_type.class_type_id}`}
        ground="stage"
        width={420}
        height={300}
        className="reserve-art"
      />
      <p className="muted small reserve-policy">{policyOf(cls)}</p>
    </div>
  )
})

function SeatPart({ cls, rows, reserving }: PartProps & { rows: number[] }) {
  const { room, hasGuest, choosing, guestSpot, wrong } = reserving
  const problem = useId()
  const coach = cls.class_instructors[0]?.instructor
  return (
    <>
      {hasGuest && (
        <p className="small muted" role="status">
          {choosing === 'me'
            ? reserving.spot
              ? 'Toca un lugar para cambiar el tuyo.'
              : 'Elige tu lugar; buscamos uno junto para tu invitado.'
            : guestSpot
              ? `Tu invitado va en ${spotInSentence(guestSpot, room.labelOf(guestSpot))}. Toca otro lugar para cambiarlo.`
              : 'Ahora elige el lugar de tu invitado.'}
        </p>
      )}
      {wrong.map && (
        <Banner id={problem} tone="danger" live>
          {wrong.map}
        </Banner>
      )}
      <SpotMap
        rows={rows}
        seats={room.seats}
        taken={room.taken}
        broken={room.closed}
        value={reserving.spot}
        guest={hasGuest ? reserving.guestSpot : undefined}
        choosing={choosing}
        problem={wrong.map ? problem : undefined}
        onChoose={reserving.choose}
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
        <Button variant="outline" size="small" icon={<IconArmchair className="icon" aria-hidden="true" />} onClick={reserving.anySpot}>
          Elige por mí
        </Button>
        {hasGuest && (
          <Button variant="quiet" size="small" onClick={reserving.chooseOther}>
            {choosing === 'me' ? 'Mover a mi invitado' : 'Mover mi lugar'}
          </Button>
        )}
      </div>
    </>
  )
}

function GuestPart({ reserving }: { reserving: Reserving }) {
  const { paying, hasGuest, guestIsPaid } = reserving
  const title = useId()
  return (
    <section className="stack gap-16 rule reserve-part" aria-labelledby={title}>
      <Switch
        checked={hasGuest}
        disabled={!hasGuest && !guestIsPaid}
        onChange={(event) => reserving.bring(event.currentTarget.checked)}
        hint={paying && guestHint(paying.spends)}
      >
        <span id={title}>Llevo un invitado</span>
      </Switch>
      {hasGuest && <GuestNameField value={reserving.guest} onChange={reserving.setGuest} error={reserving.wrong.guest} />}
    </section>
  )
}

function WeeksPart({ cls, reserving: { weeks, repeatFor } }: PartProps) {
  return (
    <div className="stack gap-16 rule reserve-part">
      <Switch
        checked={weeks !== null}
        onChange={(event) => repeatFor(event.currentTarget.checked ? 4 : null)}
        hint={`La misma clase, ${weeklyText(cls.class_date)}, mientras haya lugar y créditos.`}
      >
        Repetir cada semana
      </Switch>
      {weeks && <WeeksField value={weeks} onChange={repeatFor} hint="Al terminar te decimos qué semanas quedaron." />}
    </div>
  )
}

/** The credit lot to pay with; the server proposes the first and gives what each would spend (settled 18). */
function CreditPart({ cls, spends, reserving: { paying, payWith } }: PartProps & { spends: readonly CreditSpend[] }) {
  return (
    <div className="rule reserve-part">
      <RadioCards
        legend={spendLegend(spends, cls.credits)}
        options={cls.credits.map((credit) => ({
          value: String(credit.available_class_id),
          title: credit.title,
          detail: [
            credit.expiration_date ? `Vence el ${formatWall(credit.expiration_date, 'date')}` : 'Empieza a contar con tu primera clase',
            credit.class_types && `solo ${credit.class_types}`,
          ]
            .filter(Boolean)
            .join(', '),
          aside:
            credit.available_classes < 0
              ? 'Ilimitadas'
              : `${credit.available_classes} ${credit.available_classes === 1 ? 'disponible' : 'disponibles'}`,
        }))}
        value={paying ? String(paying.available_class_id) : null}
        onChange={payWith}
      />
    </div>
  )
}

const policyOf = (cls: ClassDetail): string | null =>
  cls.free_cancel_until
    ? `Puedes cancelar sin perder tu crédito hasta el ${formatWall(cls.free_cancel_until, 'class')}.`
    : cls.policy.cancel
