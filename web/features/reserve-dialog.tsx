import { IconArmchair, IconMapPin } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { success, validation } from '#contract/messages.ts'
import type { ClassDetail } from '#contract/schedule.ts'
import { allSpots, spotRows } from '#contract/spots.ts'
import { formatWall } from '#contract/time.ts'
import { instructorName, spotName } from '#contract/wording.ts'
import { say } from '#web/lib/alerts.ts'
import { api, queries, useIntention } from '#web/lib/api.ts'
import { failureOf } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { paths } from '#web/lib/paths.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { RadioCards, Switch } from '#web/ui/choice.tsx'
import { BareDialog, CloseButton, Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { SpotMap } from '#web/ui/spot-map.tsx'
import { Art, slug } from './art.tsx'
import { CoachAvatar } from './coach-portrait.tsx'
import { PenaltyDialog } from './penalty-dialog.tsx'
import { ProfilePrompt } from './profile-prompt.tsx'
import './reserve-dialog.css'

interface ReserveDialogProps {
  /** the class to reserve, or null while the dialog is closed */
  classId: number | null
  onClose: () => void
}

/** Reserving: spot map, guest, the credit that will be used and its consequence (S2-2.27, S2-2.30, decisions 18, 21, 23). */
export function ReserveDialog({ classId, onClose }: ReserveDialogProps) {
  const { data, isError, refetch } = useQuery({
    ...queries.schedule.one.queryOptions({ input: { single_class_id: classId ?? 1 }, staleTime: 0 }),
    enabled: classId !== null,
  })
  const cls = data?.single_class.single_class_id === classId ? data?.single_class : undefined
  const reserve = cls?.actions.reserve
  if (cls && cls.state === 'penalised') return <PenaltyDialog cls={cls} onClose={onClose} />
  if (cls?.why_not?.code === 'PROFILE_INCOMPLETE') return <ProfilePrompt onClose={onClose} />
  if (cls && reserve === 'buy_credits') return <NoCredits message={cls.why_not?.message ?? ''} onClose={onClose} />
  if (cls && reserve === 'buy' && cls.class_package_id !== null)
    return <SoldApart cls={cls} packageId={cls.class_package_id} onClose={onClose} />
  if (cls && reserve !== 'ok')
    return (
      <Refused
        title={cls.mine ? 'Ya tienes tu lugar' : 'No se puede reservar'}
        message={cls.why_not?.message ?? 'Ya tienes un lugar en esta clase.'}
        onClose={onClose}
      />
    )
  return (
    <BareDialog open={classId !== null} onClose={onClose} width="wide" labelledBy="reservar-clase">
      {isError ? (
        <div className="dialog-body">
          <h2 id="reservar-clase" className="t3">
            No pudimos abrir esta clase
          </h2>
          <Button onClick={() => void refetch()}>Intentar de nuevo</Button>
        </div>
      ) : cls ? (
        <ReserveForm key={cls.single_class_id} cls={cls} onClose={onClose} />
      ) : (
        <div className="dialog-body" role="status">
          <h2 id="reservar-clase" className="sr-only">
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

function ReserveForm({ cls, onClose }: { cls: ClassDetail; onClose: () => void }) {
  const site = useSite()
  const client = useQueryClient()
  const intention = useIntention()
  const guestTitle = useId()
  const [spot, setSpot] = useState<string | null>(null)
  const [hasGuest, setHasGuest] = useState(false)
  const [guest, setGuest] = useState('')
  const [guestSpot, setGuestSpot] = useState<string | null>(null)
  const [choosing, setChoosing] = useState<'me' | 'guest'>('me')
  const [lot, setLot] = useState(String(cls.credits[0]?.available_class_id ?? ''))
  const [incomplete, setIncomplete] = useState(false)
  const [wrong, setWrong] = useState<{ guest?: string; form?: string }>({})

  const rows = spotRows(cls.spot_map)
  const taken = new Set(cls.class_reservations.flatMap((one) => (one.spot ? [one.spot] : [])))
  const closed = new Set(cls.closed_spots)
  const free = allSpots(cls.spot_map).filter((one) => !taken.has(one) && !closed.has(one))
  const coach = cls.class_instructors[0]?.instructor
  const places = hasGuest ? 2 : 1
  const paying = cls.credits.find((one) => String(one.available_class_id) === lot) ?? cls.credits[0]
  const policy = cls.free_cancel_until
    ? `Puedes cancelar sin perder tu crédito hasta el ${formatWall(cls.free_cancel_until, 'class')}.`
    : cls.policy.cancel
  const mayBring = site.allow_class_guests && cls.places_left > 1

  const reserve = useMutation({
    meta: { handled: true },
    mutationFn: () =>
      api.bookings.reserve(
        {
          single_class_id: cls.single_class_id,
          spot,
          guest: hasGuest ? guest.trim() : null,
          guest_spot: hasGuest ? guestSpot : null,
          available_class_id: paying ? paying.available_class_id : null,
        },
        { context: { intention: intention.key } },
      ),
    async onSuccess() {
      say('success', success.reservationSaved)
      onClose()
      await Promise.all(
        [queries.schedule, queries.bookings, queries.credits].map((part) => client.invalidateQueries({ queryKey: part.key() })),
      )
    },
    async onError(error) {
      const { code, message, status } = failureOf(error)
      // Refused, not lost: what is asked next is another thing.
      if (status >= 400 && status < 500) intention.renew()
      if (code === 'PROFILE_INCOMPLETE') setIncomplete(true)
      setWrong({ form: message })
      await client.invalidateQueries({ queryKey: queries.schedule.key() })
    },
  })

  function choose(at: string) {
    setWrong({})
    if (choosing === 'guest' && hasGuest) {
      setGuestSpot(at)
      setChoosing('me')
    } else {
      setSpot(at)
      if (guestSpot === at) setGuestSpot(null)
      if (hasGuest && !guestSpot) setChoosing('guest')
    }
  }
  function anySpot() {
    const mine = free[Math.floor(Math.random() * free.length)]
    if (!mine) return
    setSpot(mine)
    if (hasGuest) {
      const [row, column] = mine.split('-').map(Number)
      const beside = [`${row}-${(column ?? 0) + 1}`, `${row}-${(column ?? 0) - 1}`].find((one) => free.includes(one))
      setGuestSpot(beside ?? free.find((one) => one !== mine) ?? null)
    }
    setChoosing('me')
  }
  function submit() {
    if (hasGuest && guest.trim().length < 2) return setWrong({ guest: validation.guestName })
    if (rows && !spot) return setWrong({ form: 'Elige un lugar del mapa.' })
    if (rows && hasGuest && !guestSpot) return setWrong({ form: 'Elige también el lugar de tu invitado.' })
    setWrong({})
    reserve.mutate()
  }

  return (
    <div className="reserve">
      {incomplete && <ProfilePrompt onClose={onClose} />}
      <div className="reserve-stage ground-stage">
        <p className="muted">{formatWall(cls.class_date, 'class')}</p>
        <h2 id="reservar-clase" className="t2" tabIndex={-1} data-title>
          {cls.class_type.name}
        </h2>
        <p className="row gap-8">
          {coach && <CoachAvatar coach={coach} size={28} />}
          {[coach && `${instructorName(coach)} ${coach.last_name}`, `${cls.duration_minutes} min`].filter(Boolean).join(' · ')}
        </p>
        <p className="row gap-8">
          <IconMapPin className="icon" aria-hidden="true" />
          {[cls.location.name, cls.location.address].filter(Boolean).join(', ')}
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
        {mayBring && (
          <section className="stack gap-16 rule reserve-part" aria-labelledby={guestTitle}>
            <Switch
              checked={hasGuest}
              onChange={(event) => {
                setHasGuest(event.currentTarget.checked)
                setChoosing(event.currentTarget.checked && spot ? 'guest' : 'me')
                setGuestSpot(null)
              }}
              hint="Usa un crédito más."
            >
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
        {paying && (
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
                aside: one.available_classes < 0 ? 'Ilimitadas' : `${one.available_classes} disponibles`,
                disabled: one.available_classes >= 0 && one.available_classes < places,
              }))}
              value={lot}
              onChange={setLot}
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
            {paying && paying.available_classes >= 0 && <b className="reserve-line">{leftWords(paying.available_classes - places)}</b>}
          </p>
          <Button variant="outline" onClick={onClose}>
            Ahora no
          </Button>
          <Button loading={reserve.isPending} onClick={submit}>
            {places === 1 ? 'Reservar' : `Reservar ${places} lugares`}
          </Button>
        </div>
      </div>
    </div>
  )
}

const leftWords = (left: number): string => (left === 1 ? 'Te queda 1 clase' : `Te quedan ${Math.max(0, left)} clases`)

/** Credits exhausted, with the way to the packages (S2-8.11). */
export function NoCredits({ message, onClose }: { message: string; onClose: () => void }) {
  const site = useSite()
  return (
    <Dialog
      open
      onClose={onClose}
      title="Agotaste tus créditos"
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            Ahora no
          </Button>
          <Button as={AppLink} to={paths.mystudio.packages(site)}>
            Comprar Clases
          </Button>
        </>
      }
    >
      <p>{message}</p>
    </Dialog>
  )
}

function SoldApart({ cls, packageId, onClose }: { cls: ClassDetail; packageId: number; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={cls.class_type.name}
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            Ahora no
          </Button>
          <Button as={AppLink} to={paths.checkout(packageId)}>
            Comprar
          </Button>
        </>
      }
    >
      <p>Esta clase se compra por separado.</p>
    </Dialog>
  )
}

function Refused({ title, message, onClose }: { title: string; message: string; onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title={title} actions={<Button onClick={onClose}>Entendido</Button>}>
      <p>{message}</p>
    </Dialog>
  )
}
