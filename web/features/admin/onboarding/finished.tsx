import {
  IconCircleCheck,
  IconCircleDashed,
  IconCopy,
  IconFileImport,
  IconMailOff,
  IconPrinter,
  IconTicket,
  IconTrash,
  IconUserPlus,
  type TablerIcon,
} from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import type { Onboarding } from '#contract/onboarding.ts'
import { paths } from '#contract/paths.ts'
import { capitalize } from '#contract/text.ts'
import { addDays, formatWall } from '#contract/time.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { useStoresMails } from '#web/features/admin/messages/mail-banner.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, newIdempotencyKey, queries } from '#web/lib/api.ts'
import { currentInstant, todayIn } from '#web/lib/clock.ts'
import { alertFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextArea } from '#web/ui/field.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { shareSentence } from './share-text.ts'
import { useSettingValues } from './use-settings.ts'
import './onboarding.css'
import './finished.css'

/** Days that are searched for a class for the test reservation. */
const TEST_DAYS = 21
/** Side of the QR code, in pixels. */
const QR_SIDE = 400

/** The end of the first steps: the address of the site, a first reservation, what comes next, and what is left. */
export function Finished({ onboarding }: { onboarding: Onboarding }) {
  const staff = useStaff()
  const site = useSite()
  const storesMails = useStoresMails()
  const { steps, done, total, examples } = onboarding
  const schedule = steps.find(({ key }) => key === 'schedule')
  const qr = useQr(site.publicUrl)
  const host = site.publicUrl.replace(/^https?:\/\//, '')
  return (
    <div className="finished">
      <section className="finished-stage" aria-label="Tu sitio">
        <div className="grow">
          <p className="strong">
            {done} de {total} pasos
          </p>
          <h1 className="t1">¡Tu sitio está listo!</h1>
          <p>
            {schedule?.summary ? `Tienes ${schedule.summary}.` : 'Todavía no tiene clases.'} Falta una cosa: verlo como lo verá tu gente.
          </p>
          <div className="finished-verbs">
            <TestReservation onboarding={onboarding} />
            <Button as="a" href={paths.home} target="_blank" rel="noreferrer" variant="outline" className="finished-outline">
              Ver el sitio
            </Button>
          </div>
        </div>
        <div className="finished-qr">
          {qr && <img src={qr} width={180} height={180} alt={`Código QR de ${host}`} />}
          <Button
            variant="outline"
            size="small"
            className="finished-outline"
            icon={<IconPrinter className="icon" aria-hidden="true" />}
            onClick={() => print()}
          >
            Imprimir QR
          </Button>
        </div>
      </section>
      <section className="panel-card" aria-labelledby="avisa">
        <div className="panel-head">
          <h2 id="avisa" className="t3">
            Avisa a tu gente
          </h2>
        </div>
        <div className="panel-body stack">
          <ShareWithFacts host={host} />
        </div>
        <ul className="finished-list">
          {may(staff, 'data.import') && (
            <NextStep Icon={IconFileImport} title="Importar clientes" about="De otro sistema o de Excel. No se avisa a nadie.">
              <Button as={AppLink} to={adminPaths.imports} variant="outline" size="small">
                Importar
              </Button>
            </NextStep>
          )}
          {may(staff, 'staff.edit') && (
            <NextStep Icon={IconUserPlus} title="Invitar a tu equipo" about="Gerencia, recepción y coaches, cada quien con sus permisos.">
              <Button as={AppLink} to={adminPaths.invite} variant="outline" size="small">
                Invitar
              </Button>
            </NextStep>
          )}
          {storesMails && (
            <NextStep
              Icon={IconMailOff}
              title="Conectar el correo"
              about="Los correos de tu estudio todavía no salen: falta SMTP_URL, de quien instaló el programa. Mientras, se guardan aquí."
            >
              <Button as={AppLink} to={adminPaths.storedMails} variant="outline" size="small">
                Ver correos
              </Button>
            </NextStep>
          )}
          {examples > 0 && <RemoveExamples examples={examples} />}
        </ul>
      </section>
      <section className="panel-card" aria-labelledby="lo-que-quedo">
        <div className="panel-head">
          <h2 id="lo-que-quedo" className="t3">
            Lo que quedó
          </h2>
          <Badge tone={done === total ? 'ok' : 'outline'}>
            {done} de {total}
          </Badge>
        </div>
        <ul className="finished-steps">
          {steps.map(({ key, title, state, summary }) => (
            <li key={key}>
              {state === 'done' ? (
                <IconCircleCheck className="icon finished-done" aria-hidden="true" />
              ) : (
                <IconCircleDashed className="icon" aria-hidden="true" />
              )}
              <p className="grow">
                <span className="strong">{title}</span>{' '}
                <span className="muted">{summary ?? (state === 'skipped' ? 'Lo saltaste' : 'Falta')}</span>
              </p>
              <AppLink to={adminPaths.onboardingStep(key)} className="link link-alone">
                {state === 'done' ? 'Cambiar' : 'Hacerlo'}
                <span className="sr-only"> {title}</span>
              </AppLink>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}

/** The QR code of an address as an image; null while it is drawn. */
function useQr(address: string): string | null {
  const [picture, setPicture] = useState<string | null>(null)
  useEffect(() => {
    let isCurrent = true
    void import('qrcode')
      .then(({ default: qr }) => qr.toDataURL(address, { width: QR_SIDE, margin: 1 }))
      .then((url) => isCurrent && setPicture(url))
    return () => {
      isCurrent = false
    }
  }, [address])
  return picture
}

/** A reservation of a test customer, so that the owner sees what a reservation is; removed with one click. */
function TestReservation({ onboarding: { test_customer_id, has_reservations } }: { onboarding: Onboarding }) {
  const { zone } = useSite()
  const client = useQueryClient()
  const [rosterOf, setRosterOf] = useState<number | null>(null)
  const reload = () => client.invalidateQueries()
  const verbs = useRef<HTMLDivElement>(null)
  const shown = useRef(test_customer_id)
  // The pressed button is replaced: the focus moves to its replacement.
  useEffect(() => {
    if (shown.current === test_customer_id) return
    shown.current = test_customer_id
    if (document.activeElement === document.body) verbs.current?.querySelector<HTMLElement>('a, button')?.focus()
  }, [test_customer_id])
  const reserve = useMutation({
    meta: { handled: true },
    async mutationFn() {
      const today = todayIn(zone)
      const [{ days }, { staff }] = await Promise.all([
        api.schedule.week({ start_date: today, end_date: addDays(today, TEST_DAYS) }),
        api.team.me(),
      ])
      const now = currentInstant().getTime()
      const cls = days.flatMap(({ classes }) => classes).find((cls) => Date.parse(cls.starts_at) > now && cls.places_left > 0)
      if (!cls) throw new Error('no class')
      const once = () => ({ context: { intention: newIdempotencyKey() } })
      const { customer_id } = await api.people.create({ name: 'Persona', last_name: 'de prueba', email: testAddress(staff.email) }, once())
      // From here on it can be taken off, whatever fails below.
      await api.onboarding.update({ key: 'schedule', examples: [{ entity: 'customer', entity_id: customer_id }] })
      const until = addDays(cls.class_date.slice(0, 10), 1)
      await api.credits.create(
        {
          available_class_id: 'nuevo',
          customer_id,
          title: 'Prueba',
          available_classes: 1,
          expiration_date: until,
          reason: 'Reservación de prueba',
        },
        once(),
      )
      await api.attendance.reserve({ customer_id, single_class_id: cls.single_class_id, spot: firstFreeSpot(cls) }, once())
      return cls
    },
    async onSuccess(cls) {
      setRosterOf(cls.single_class_id)
      showAlert('success', `Reservada: ${cls.class_type.name}, ${formatWall(cls.class_date, 'class')}.`)
      await reload()
    },
    onError(error) {
      if (error instanceof Error && error.message === 'no class')
        showAlert('alert', 'Todavía no hay clases con lugar. Pinta tu horario primero.')
      else alertFailure(error)
      void reload()
    },
  })
  const remove = useMutation({
    meta: { handled: true },
    mutationFn: (customer_id: number) => api.onboarding.removeTestCustomer({ customer_id }),
    async onSuccess() {
      setRosterOf(null)
      showAlert('success', 'Se quitó la persona de prueba.')
      await reload()
    },
    onError: alertFailure,
  })
  if (test_customer_id === null && has_reservations) return null
  return (
    <div ref={verbs} className="finished-test">
      {test_customer_id === null ? (
        <Button
          className="finished-loud"
          loading={reserve.isPending}
          icon={<IconTicket className="icon" aria-hidden="true" />}
          onClick={() => reserve.mutate()}
        >
          Haz tu primera reservación
        </Button>
      ) : (
        <>
          {rosterOf !== null && (
            <Button as={AppLink} to={adminPaths.roster(rosterOf)} className="finished-loud">
              Ver la lista de la clase
            </Button>
          )}
          <Button variant="outline" className="finished-outline" loading={remove.isPending} onClick={() => remove.mutate(test_customer_id)}>
            Quitar a la persona de prueba
          </Button>
        </>
      )}
    </div>
  )
}

/** An address whose mails reach the owner: "sofia+prueba@marea.mx". */
const testAddress = (email: string): string => email.replace(/(?:\+[^@]*)?@/, '+prueba@')

/** The first free seat of a class with a map; null without a map. */
function firstFreeSpot(cls: {
  spot_map: string | null
  closed_spots: readonly string[]
  class_reservations: readonly { spot: string | null }[]
}): string | null {
  if (!cls.spot_map) return null
  const takenSpots = new Set([...cls.closed_spots, ...cls.class_reservations.flatMap(({ spot }) => spot ?? [])])
  for (const [row, size] of cls.spot_map.split(',').map(Number).entries())
    for (let column = 1; column <= size; column++) if (!takenSpots.has(`${row + 1}-${column}`)) return `${row + 1}-${column}`
  return null
}

/** The message to customers, as it is sent by WhatsApp. */
function ShareWithFacts({ host }: { host: string }) {
  const values = useSettingValues()
  const states = useQuery(queries.processorStates.list.queryOptions({ meta: { handled: true } }))
  const rooms = useQuery(queries.rooms.list.queryOptions({ meta: { handled: true } }))
  const types = useQuery(queries.catalogue.classTypes.queryOptions({ meta: { handled: true } }))
  if (!values || states.isPending || rooms.isPending || types.isPending) return <Skeleton height="160px" />
  const hasSeats =
    rooms.data?.rooms.some(({ seats }) => seats !== null) || types.data?.class_types.some(({ spot_map }) => spot_map !== null) || false
  const text = shareSentence({ hasSeats, takesCards: states.data?.takes_cards === true, takesCash: values.cash_checkout_enabled === true })
  return <ShareText host={host} sentence={text} />
}

function ShareText({ host, sentence }: { host: string; sentence: string }) {
  const { business_name, publicUrl } = useSite()
  const [text, setText] = useState(`Ya puedes reservar tus clases de ${business_name} en ${publicUrl}. ${sentence}`)
  const copy = () =>
    navigator.clipboard.writeText(publicUrl).then(
      () => showAlert('success', 'Copiado.'),
      () => showAlert('alert', 'Tu navegador no dejó copiar. Selecciona el texto y cópialo.'),
    )
  return (
    <>
      <p className="finished-address">
        <span className="strong">{host}</span>
        <Button variant="quiet" size="small" icon={<IconCopy className="icon" aria-hidden="true" />} onClick={() => void copy()}>
          Copiar
        </Button>
      </p>
      <TextArea label="Mensaje" rows={3} required={false} value={text} onChange={(event) => setText(event.currentTarget.value)} />
      <Button
        as="a"
        href={`https://wa.me/?text=${encodeURIComponent(text)}`}
        target="_blank"
        rel="noreferrer"
        variant="outline"
        size="small"
        className="steps-add"
      >
        Enviar por WhatsApp
      </Button>
    </>
  )
}

/** Removes examples that were neither changed nor used. */
function RemoveExamples({ examples }: { examples: number }) {
  const client = useQueryClient()
  const remove = useMutation({
    meta: { handled: true },
    mutationFn: () => api.onboarding.removeExamples({}),
    async onSuccess({ removed, kept }) {
      const stays = kept.length > 0 ? ` Se ${kept.length === 1 ? 'queda 1' : `quedan ${kept.length}`}: ${kept[0]?.why}` : ''
      showAlert('success', `${removed === 1 ? 'Se quitó 1 registro.' : `Se quitaron ${removed} registros.`}${stays}`)
      await client.invalidateQueries()
    },
    onError: alertFailure,
  })
  return (
    <NextStep
      Icon={IconTrash}
      title="Borrar lo de ejemplo"
      about={`${capitalize(examples === 1 ? 'un registro propuesto' : `${examples} registros propuestos`)}. Solo se quita lo que nadie ha usado.`}
    >
      <Button variant="outline" size="small" loading={remove.isPending} onClick={() => remove.mutate()}>
        Borrar
      </Button>
    </NextStep>
  )
}

function NextStep({ Icon, title, about, children }: { Icon: TablerIcon; title: string; about: string; children: ReactNode }) {
  return (
    <li>
      <span className="finished-icon" aria-hidden="true">
        <Icon className="icon" />
      </span>
      <p className="grow">
        <span className="strong">{title}</span>
        <span className="small muted steps-line">{about}</span>
      </p>
      {children}
    </li>
  )
}
