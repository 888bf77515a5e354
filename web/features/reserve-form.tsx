import { IconArmchair, IconMapPin } from '@tabler/icons-react'
import { useEffect, useId, useRef } from 'react'
import type { ClassDetail } from '#contract/schedule.ts'
import { formatWall } from '#contract/time.ts'
import { instructorName, spotName } from '#contract/wording.ts'
import { Button } from '#web/ui/button.tsx'
import { RadioCards, Switch } from '#web/ui/choice.tsx'
import { CloseButton } from '#web/ui/close-button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { SpotMap } from '#web/ui/spot-map.tsx'
import { Art, slug } from './art.tsx'
import { CoachAvatar } from './coach-portrait.tsx'
import { GuestNameField } from './guest-name-field.tsx'
import { ProfilePrompt } from './profile-prompt.tsx'
import { type RepeatedWeeks, WeeksField, weeklyWords } from './repeat-report.tsx'
import { type Reserving, useReserving } from './reserving.ts'
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

/** The class on its stage, and beside it everything that can be chosen. */
export function ReserveForm({ cls, onRepeated, onClose }: ReserveFormProps) {
  const reserving = useReserving(cls, onRepeated, onClose)
  const { room, weeks, places, paying, spot, guestSpot, wrong } = reserving
  return (
    <div className="reserve">
      {reserving.incomplete && <ProfilePrompt onClose={onClose} />}
      <Stage cls={cls} />
      <div className="reserve-form">
        <div className="row spread">
          <h3 className="t3">{room.rows ? 'Elige tu lugar' : 'Reserva tu lugar'}</h3>
          <CloseButton onClose={onClose} />
        </div>
        {room.rows && <SeatPart cls={cls} rows={room.rows} reserving={reserving} />}
        {reserving.mayBring && !weeks && <GuestPart reserving={reserving} />}
        {!reserving.hasGuest && <WeeksPart cls={cls} reserving={reserving} />}
        {paying && !weeks && <CreditPart cls={cls} reserving={reserving} />}
        <p className="muted small reserve-policy">{policyOf(cls)}</p>
        {wrong.form && (
          <Notice tone="danger" live>
            {wrong.form}
          </Notice>
        )}
        <div className="reserve-bar">
          <p className="small grow">
            {spot && (
              <span className="muted reserve-line">{guestSpot ? `${spotName(spot)} y ${spotName(guestSpot)}` : spotName(spot)}</span>
            )}
            {paying && !weeks && paying.available_classes >= 0 && (
              <b className="reserve-line">{leftWords(paying.available_classes - places, cls.credits.length > 1 ? paying.title : null)}</b>
            )}
          </p>
          <Button variant="outline" onClick={onClose}>
            Ahora no
          </Button>
          <Button loading={reserving.busy} onClick={reserving.submit}>
            {weeks ? `Reservar ${weeks} semanas` : places === 1 ? 'Reservar' : `Reservar ${places} lugares`}
          </Button>
        </div>
      </div>
    </div>
  )
}

/** What the class is, where and with whom. */
function Stage({ cls }: { cls: ClassDetail }) {
  // The title that had the focus while the class was on its way is gone.
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const coach = cls.class_instructors[0]?.instructor
  return (
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
      <p className="muted small reserve-policy">{policyOf(cls)}</p>
    </div>
  )
}

function SeatPart({ cls, rows, reserving }: PartProps & { rows: number[] }) {
  const { room, hasGuest, choosing } = reserving
  const coach = cls.class_instructors[0]?.instructor
  return (
    <>
      {hasGuest && (
        <p className="small muted" role="status">
          {choosing === 'guest' ? 'Ahora elige el lugar de tu invitado.' : 'Toca un lugar para cambiar el tuyo.'}
        </p>
      )}
      <SpotMap
        rows={rows}
        taken={room.taken}
        broken={room.closed}
        value={reserving.spot}
        guest={hasGuest ? reserving.guestSpot : undefined}
        choosing={choosing}
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
  const title = useId()
  return (
    <section className="stack gap-16 rule reserve-part" aria-labelledby={title}>
      <Switch checked={reserving.hasGuest} onChange={(event) => reserving.bring(event.currentTarget.checked)} hint="Usa un crédito más.">
        <span id={title}>Llevo un invitado</span>
      </Switch>
      {reserving.hasGuest && <GuestNameField value={reserving.guest} onChange={reserving.setGuest} error={reserving.wrong.guest} />}
    </section>
  )
}

function WeeksPart({ cls, reserving: { weeks, repeatFor } }: PartProps) {
  return (
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
  )
}

/** Which lot pays; the server proposes the first (decision 18). */
function CreditPart({ cls, reserving: { paying, places, payWith } }: PartProps) {
  return (
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

/** `title`: of which package, where there are several; the others keep what they have. */
function leftWords(left: number, title: string | null): string {
  const of = title ? ` de ${title}` : ''
  return left === 1 ? `Te queda 1 clase${of}` : left > 1 ? `Te quedan ${left} clases${of}` : `Ya no te quedan clases${of}`
}
