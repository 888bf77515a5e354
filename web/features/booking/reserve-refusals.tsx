import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isWithinTimes } from '#contract/allowed-times.ts'
import type { ClassPackage } from '#contract/catalogue.ts'
import { packageSections } from '#contract/package-sections.ts'
import { paths } from '#contract/paths.ts'
import { quoteOnWire } from '#contract/pricing.ts'
import type { ClassDetail } from '#contract/schedule.ts'
import { addDays, formatWall, type LocalDate } from '#contract/time.ts'
import { OtherClasses } from '#web/features/calendar/other-classes.tsx'
import { type CardPackage, cardPackage } from '#web/features/checkout/card-package.ts'
import { nextStepFor } from '#web/features/site/next-steps.ts'
import { queries } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { useCustomer } from '#web/lib/customer.tsx'
import { toFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { useDialogState } from '#web/lib/use-dialog-state.ts'
import { forgetWantedClass, noteWantedClass, toNotedClass } from '#web/lib/wanted-class.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

/** The class could not be loaded: the reason, and a retry button if a retry can help. */
export function NotOpened({ error, retry, onClose }: { error: unknown; retry: () => void; onClose: () => void }) {
  const { status, message } = toFailure(error)
  const notFound = status === 404
  return (
    <Dialog
      open
      onClose={onClose}
      title="No pudimos abrir esta clase"
      actions={
        <>
          <Button variant={notFound ? 'filled' : 'outline'} onClick={onClose}>
            {notFound ? 'Entendido' : 'Ahora no'}
          </Button>
          {!notFound && <Button onClick={retry}>Intentar de nuevo</Button>}
        </>
      }
    >
      <p>{message}</p>
    </Dialog>
  )
}

/** Statuses of purchases that gave credits or will give them. */
const GIVING_CREDITS: readonly string[] = ['pending', 'active', 'completed']

/** Whether a package, bought today, gives at least `places` credits that can pay for the class: by type, location, hour and day. */
function covers(classPackage: ClassPackage, cls: ClassDetail, spots: number, today: LocalDate): boolean {
  const { class_package_types: types, class_amount, left, clock_starts, location_ids, allowed_times } = classPackage
  if (left === 0) return false
  if (location_ids && !location_ids.includes(cls.location.location_id)) return false
  if (!isWithinTimes(allowed_times, new Date(cls.class_date))) return false
  const own = types.find(({ class_type }) => class_type.class_type_id === cls.class_type.class_type_id)
  if (types.length > 0 && !own) return false
  const { class_amount: credits, expiration_days: days } = own ?? { class_amount, expiration_days: classPackage.expiration_days }
  return credits >= spots && (clock_starts === 'first_class' || addDays(today, days) >= cls.class_date.slice(0, 10))
}

/**
 * The package that a customer without purchases is offered in place: the trial, else the cheapest one that is enough. Null when `isOffered`
 * is false, also where the packages are already cached.
 */
function useOffer(cls: ClassDetail, isOffered: boolean, withGuest: boolean): CardPackage | null {
  const { data } = useQuery({ ...queries.catalogue.presencialesAll.queryOptions(), enabled: isOffered })
  const { trial, general } = packageSections((isOffered && data?.class_packages) || [], 'page')
  const price = (classPackage: ClassPackage) => quoteOnWire(classPackage, null).amount
  const oneOff = general.filter((classPackage) => !classPackage.is_subscription).sort((a, b) => price(a) - price(b))
  const today = todayIn(useSite().zone)
  const found = [...trial, ...oneOff].find((classPackage) => covers(classPackage, cls, withGuest ? 2 : 1, today))
  return found ? cardPackage(found) : null
}

/**
 * No credit for this class: links to buy, or the credits that the customer has for other classes (S2-8.11). A customer who never bought
 * anything gets a text of their own, and one package that is enough for this class; after the purchase they come back to it (V52).
 */
export function NoCredits({ cls, onClose }: { cls: ClassDetail; onClose: () => void }) {
  const site = useSite()
  const { purchases } = useCustomer()
  const { getChoice, setChoices } = useDialogState()
  const hasOtherCredits = cls.why_not?.code === 'NO_MATCHING_CREDITS'
  const isNew = !hasOtherCredits && !purchases.some(({ status }) => GIVING_CREDITS.includes(status))
  const mayBring = site.allow_class_guests && cls.places_left > 1
  const withGuest = mayBring && getChoice('con_invitado') === '1'
  const spot = getChoice('sitio')
  const offer = useOffer(cls, isNew, withGuest)
  const pairOffer = useOffer(cls, isNew && mayBring, true)
  const texts = offer?.texts
  // The next pages sell for this class. When the dialog is closed, it is no longer wanted.
  useEffect(() => noteWantedClass(toNotedClass(cls, { spot, with_guest: withGuest })), [cls, spot, withGuest])
  const close = () => {
    forgetWantedClass()
    onClose()
  }
  return (
    <Dialog
      open
      onClose={close}
      title={hasOtherCredits ? 'Tus créditos no aplican aquí' : isNew ? 'Te falta un paquete' : 'Agotaste tus créditos'}
      actions={
        <>
          {!offer && (
            <Button variant="outline" onClick={close}>
              Ahora no
            </Button>
          )}
          <Button as={AppLink} variant={offer ? 'outline' : 'filled'} to={paths.mystudio.packages(site)}>
            Comprar Clases
          </Button>
          {offer && (
            <Button as="a" href={paths.checkout(offer.class_package_id)}>
              Comprar y reservar
            </Button>
          )}
        </>
      }
    >
      <p>
        <b>{toNotedClass(cls).name}</b>, {formatWall(cls.class_date, 'class')}.
      </p>
      <p>{cls.why_not?.message}</p>
      {pairOffer && (
        <Switch
          checked={withGuest}
          onChange={(event) => setChoices({ con_invitado: event.currentTarget.checked ? 1 : null })}
          hint="Usa un crédito más."
        >
          Llevo un invitado
        </Switch>
      )}
      {offer && texts && (
        <Banner tone="brand" title={`${offer.title} ${texts.price}`}>
          {[offer.short_description, `${texts.expiry}.`].filter(Boolean).join(' ')}
        </Banner>
      )}
      {hasOtherCredits && site.allow_restricted_class_types && (
        <p>
          <AppLink className="link" to={paths.mystudio.credits}>
            Ver para qué sirven mis créditos
          </AppLink>
        </p>
      )}
    </Dialog>
  )
}

/** A class that needs a package of its own (S2-2.24). */
export function SoldApart({ cls, packageId, onClose }: { cls: ClassDetail; packageId: number; onClose: () => void }) {
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

/** Refusals that are solved by choosing another class. */
const TAKE_ANOTHER: readonly string[] = ['CLASS_FULL', 'CLASS_STARTED', 'CLASS_CLOSED', 'CLASS_CANCELLED']

interface RefusedProps {
  cls: ClassDetail
  onJoin: (classId: number) => void
  onClose: () => void
}

/** Why the class cannot be reserved now, in one sentence, and a next step. */
export function Refused({ cls, onJoin, onClose }: RefusedProps) {
  const site = useSite()
  const code = cls.why_not?.code ?? ''
  const waiting = cls.waitlist_id !== null && cls.state === 'waitlisted'
  const nextStep = waiting
    ? { label: 'Ver mis listas de espera', to: paths.mystudio.waitlists }
    : code === 'CLASS_FULL'
      ? null
      : nextStepFor(code, site, null)
  return (
    <Dialog
      open
      onClose={onClose}
      title="No se puede reservar"
      actions={
        <>
          <Button variant={nextStep || cls.actions.join_waitlist ? 'outline' : 'filled'} onClick={onClose}>
            Entendido
          </Button>
          {cls.actions.join_waitlist && <Button onClick={() => onJoin(cls.single_class_id)}>Anotarme en la lista de espera</Button>}
          {nextStep && (
            <Button as={AppLink} to={nextStep.to}>
              {nextStep.label}
            </Button>
          )}
        </>
      }
    >
      <p>
        {cls.why_not?.message ?? 'Esta clase ya no se puede reservar.'}
        {waiting && ' Estás en su lista de espera: te avisamos.'}
      </p>
      {TAKE_ANOTHER.includes(code) && <OtherClasses classId={cls.single_class_id} />}
    </Dialog>
  )
}
