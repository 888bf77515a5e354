import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import type { Customer } from '#contract/people.ts'
import { formatPhone } from '#contract/phone.ts'
import { capitalize } from '#contract/text.ts'
import { formatInstant, formatWall } from '#contract/time.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { DocumentsToAccept } from '#web/features/admin/people/documents-to-accept.tsx'
import { Signature } from '#web/features/admin/people/signature.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { fileUrl, useSite } from '#web/lib/settings.tsx'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { DefinitionList } from '#web/ui/definition-list.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { CustomerConsents } from './customer-consents.tsx'
import { ProfilePart } from './profile-part.tsx'
import { inviteLabel, useInvite } from './use-invite.ts'

const CustomerAnswers = lazy(async () => ({ default: (await import('./customer-answers.tsx')).CustomerAnswers }))

/** Perfil: data, answers, addresses, documents, cards, files, permissions and waitlists of a customer. */
export function CustomerProfile({ customer, onChange }: { customer: Customer; onChange: () => void }) {
  const site = useSite()
  const staff = useStaff()
  const { customer_id } = customer
  const canEdit = may(staff, 'customers.edit')
  const forms = [...new Set([site.profile_form_id, site.signup_form_id])].filter((form_id) => form_id !== null)
  return (
    <div className="customer-parts">
      <div className="stack gap-16">
        <ProfilePart
          id="datos-del-perfil"
          title="Datos"
          aside={
            canEdit && (
              <Button variant="outline" size="small" onClick={onChange}>
                Cambiar
              </Button>
            )
          }
        >
          <div className="panel-body">
            <DefinitionList
              items={[
                ['Nombre', `${customer.name} ${customer.last_name}`.trim()],
                ['Teléfono', customer.phone && formatPhone(customer.phone)],
                ['Correo', customer.email],
                ['Nacimiento', customer.birthdate && formatWall(`${customer.birthdate}T00:00:00.000Z`, 'date')],
                ['Instagram', customer.instagram],
                ['Llegó por', customer.signup_reason_other || customer.signup_reason],
                ['Le falta en su perfil', customer.missing.map(({ label }) => label).join(', ')],
                ['Trabaja aquí', customer.role ? 'Sí' : null],
              ]}
            />
          </div>
        </ProfilePart>
        <Account customer={customer} canEdit={canEdit} />
        <Suspense fallback={<Skeleton height="120px" />}>
          {forms.map((form_id) => (
            <CustomerAnswers key={form_id} customer_id={customer_id} form_id={form_id} canEdit={canEdit} />
          ))}
        </Suspense>
        <Waitlists customer_id={customer_id} />
      </div>
      <div className="stack gap-16">
        <CustomerConsents customer_id={customer_id} canEdit={canEdit} />
        <Documents customer_id={customer_id} name={customer.name} canEdit={canEdit} />
        <Cards customer_id={customer_id} />
        <Addresses customer_id={customer_id} />
        {canEdit && <Files customer_id={customer_id} />}
      </div>
    </div>
  )
}

/** Whether the customer has an account; the invitation to create one, or the link for a new password. */
function Account({ customer, canEdit }: { customer: Customer; canEdit: boolean }) {
  const hasAccount = customer.uid !== ''
  const invite = useInvite()
  return (
    <ProfilePart id="cuenta" title="Cuenta">
      <div className="panel-body stack gap-12">
        <p>
          {hasAccount
            ? `Tiene cuenta con ${customer.email}.`
            : customer.email
              ? 'Todavía no tiene cuenta. Con la invitación la crea con su correo y ahí estará todo lo que ya tiene.'
              : 'No tiene cuenta ni correo. Agrega su correo para invitarle.'}
        </p>
        {canEdit && customer.email && (
          <div>
            <Button variant="outline" loading={invite.isPending} onClick={() => invite.mutate({ customer_id: customer.customer_id })}>
              {inviteLabel(hasAccount)}
            </Button>
          </div>
        )}
      </div>
    </ProfilePart>
  )
}

function Documents({ customer_id, name, canEdit }: { customer_id: number; name: string; canEdit: boolean }) {
  const { zone } = useSite()
  const query = useQuery(queries.customerRecords.acceptedPages.queryOptions({ input: { customer_id }, meta: { handled: true } }))
  const { accepted_pages = [], pending = [] } = query.data ?? {}
  return (
    <ProfilePart id="documentos" title="Documentos">
      <Loaded query={query} skeleton={<ListSkeleton rows={2} />} failed="No pudimos cargar sus documentos." nothing={false}>
        <div className="panel-body stack gap-12">
          <DocumentsToAccept customer_id={customer_id} name={name} mayAccept={canEdit} />
          {accepted_pages.length === 0 && pending.length === 0 && <p className="muted">No ha aceptado documentos.</p>}
          <DefinitionList
            items={accepted_pages.map(({ title, version, is_current, createdAt, signature }) => [
              title,
              <div key={`${title}-${version}`} className="stack gap-8">
                <span>
                  {`Versión ${version}${is_current ? '' : ', ya cambió'}, ${formatInstant(new Date(createdAt), zone, signature ? 'class' : 'date')}`}
                </span>
                {signature && (
                  <span className="small muted">
                    Firmó {signature.name} en el estudio{signature.staff && `, ante ${signature.staff}`}.
                  </span>
                )}
                {signature && signature.strokes.length > 0 && (
                  <Signature strokes={signature.strokes} label={`Firma de ${signature.name}`} />
                )}
              </div>,
            ])}
          />
        </div>
      </Loaded>
    </ProfilePart>
  )
}

function Cards({ customer_id }: { customer_id: number }) {
  const query = useQuery(queries.customerRecords.paymentSources.queryOptions({ input: { customer_id }, meta: { handled: true } }))
  const cards = query.data?.payment_sources ?? []
  return (
    <ProfilePart id="tarjetas" title="Tarjetas guardadas">
      <Loaded
        query={query}
        skeleton={<ListSkeleton rows={1} />}
        failed="No pudimos cargar sus tarjetas."
        nothing={cards.length === 0 && <p className="panel-body muted">No ha guardado tarjetas.</p>}
      >
        <div className="panel-body">
          <DefinitionList
            items={cards.map(({ card_type, last_digits, exp, subscriptions }) => [
              `${capitalize(card_type)} ${last_digits}`,
              [
                exp && `Vence ${exp}`,
                subscriptions > 0 && (subscriptions === 1 ? 'cobra su suscripción' : `cobra ${subscriptions} suscripciones`),
              ]
                .filter(Boolean)
                .join(' · ') || 'Sin suscripciones',
            ])}
          />
        </div>
      </Loaded>
    </ProfilePart>
  )
}

function Addresses({ customer_id }: { customer_id: number }) {
  const query = useQuery(queries.customerRecords.addresses.queryOptions({ input: { customer_id }, meta: { handled: true } }))
  const addresses = query.data?.addresses ?? []
  return (
    <ProfilePart id="direcciones" title="Direcciones">
      <Loaded
        query={query}
        skeleton={<ListSkeleton rows={1} />}
        failed="No pudimos cargar sus direcciones."
        nothing={addresses.length === 0 && <p className="panel-body muted">No ha dado direcciones.</p>}
      >
        <div className="panel-body stack gap-12">
          {addresses.map((address, at) => (
            <p key={address.Address_id}>
              {[
                [address.street, address.number, address.interior_number && `int. ${address.interior_number}`].filter(Boolean).join(' '),
                address.neighborhood,
                [address.zip_code, address.city].filter(Boolean).join(' '),
                address.state,
                address.country,
              ]
                .filter(Boolean)
                .join(', ')}
              {at === 0 && addresses.length > 1 && <span className="small muted"> · para facturas</span>}
            </p>
          ))}
        </div>
      </Loaded>
    </ProfilePart>
  )
}

function Files({ customer_id }: { customer_id: number }) {
  const site = useSite()
  const query = useQuery(queries.files.list.queryOptions({ input: { customer_id }, staleTime: 0, meta: { handled: true } }))
  const files = query.data?.files ?? []
  return (
    <ProfilePart id="archivos" title="Archivos">
      <Loaded
        query={query}
        skeleton={<ListSkeleton rows={1} />}
        failed="No pudimos cargar sus archivos."
        nothing={files.length === 0 && <p className="panel-body muted">No ha subido archivos.</p>}
      >
        <ul className="panel-body stack gap-8">
          {files.map(({ file_id, name, src, createdAt }) => (
            <li key={file_id}>
              <a className="link" href={fileUrl(site, src)} target="_blank" rel="noopener">
                {name}
              </a>{' '}
              <span className="small muted">{formatInstant(new Date(createdAt), site.zone, 'date')}</span>
            </li>
          ))}
        </ul>
      </Loaded>
    </ProfilePart>
  )
}

type WaitlistStatus = 'waiting' | 'offered' | 'booked' | 'passed' | 'left' | 'closed'
const WAITLIST: Readonly<Record<WaitlistStatus, { label: string; tone: BadgeTone }>> = {
  waiting: { label: 'En espera', tone: 'warn' },
  offered: { label: 'Con lugar ofrecido', tone: 'brand' },
  booked: { label: 'Obtuvo lugar', tone: 'ok' },
  passed: { label: 'Dejó pasar el lugar', tone: 'outline' },
  left: { label: 'Salió de la lista', tone: 'outline' },
  closed: { label: 'Sin lugar', tone: 'outline' },
}

function Waitlists({ customer_id }: { customer_id: number }) {
  const query = useQuery(queries.customerRecords.waitlists.queryOptions({ input: { customer_id }, meta: { handled: true } }))
  const waitlists = query.data?.waitlists ?? []
  return (
    <ProfilePart id="listas-de-espera" title="Listas de espera">
      <Loaded
        query={query}
        skeleton={<ListSkeleton rows={2} />}
        failed="No pudimos cargar sus listas de espera."
        nothing={waitlists.length === 0 && <p className="panel-body muted">No ha estado en listas de espera.</p>}
      >
        <ul>
          {waitlists.map((row) => (
            <li key={row.waitlist_id} className="booked-row">
              <span className="booked-what grow">
                <AppLink className="row-link strong" to={adminPaths.roster(row.single_class_id)}>
                  {row.class_type}
                </AppLink>
                <span className="small muted">
                  {formatInstant(new Date(row.starts_at), row.timezone, 'class')} · {row.location}
                </span>
              </span>
              <Badge tone={WAITLIST[row.status].tone}>
                {row.position === null ? WAITLIST[row.status].label : `En espera, ${row.position}.º`}
              </Badge>
            </li>
          ))}
        </ul>
      </Loaded>
    </ProfilePart>
  )
}
