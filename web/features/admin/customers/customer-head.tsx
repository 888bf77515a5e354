import { IconBrandWhatsapp, IconCalendarPlus, IconDots, IconGift, IconMail, IconPhone } from '@tabler/icons-react'
import { adminPaths } from '#contract/admin-paths.ts'
import type { Customer } from '#contract/people.ts'
import { formatPhone, whatsappLink } from '#contract/phone.ts'
import { formatInstant } from '#contract/time.ts'
import type { CreditLot } from '#web/features/admin/customers/credit-lots.tsx'
import { CustomerStateBadge } from '#web/features/admin/customers/customer-facts.tsx'
import { CustomerTags } from '#web/features/admin/customers/customer-tags.tsx'
import { inviteLabel, useInvite } from '#web/features/admin/customers/use-invite.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { fileUrl, useSite } from '#web/lib/settings.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import type { CustomerDialog } from './open-customer-dialog.tsx'

interface CustomerHeadProps {
  customer: Customer
  /** Undefined until they are loaded. */
  creditLots: readonly CreditLot[] | undefined
  onOpen: (dialog: CustomerDialog) => void
}

/** The head of a customer's file: name, state and what can be done. */
export function CustomerHead({ customer, creditLots, onOpen }: CustomerHeadProps) {
  const site = useSite()
  const staff = useStaff()
  const { customer_id } = customer
  const name = `${customer.name} ${customer.last_name}`.trim()
  const { photo } = customer.file
  return (
    <header className="customer-head">
      <title>{`${name} · ${site.business_name}`}</title>
      <Avatar name={name} src={photo && fileUrl(site, photo.thumbnail ?? photo.src)} size={64} />
      <div className="grow">
        <div className="row gap-12 wraps">
          <h1 className="t1">{name}</h1>
          <CustomerStateBadge customer_id={customer_id} />
        </div>
        <p className="muted">Cliente desde el {formatInstant(new Date(customer.createdAt), site.zone, 'date')}</p>
      </div>
      <div className="row gap-8 wraps">
        {may(staff, 'sales.sell') && (
          <Button as={AppLink} to={adminPaths.newSaleWith({ cliente: customer_id })} variant="outline">
            Vender
          </Button>
        )}
        {may(staff, 'roster.all') && (
          <Button
            variant="outline"
            icon={<IconCalendarPlus className="icon" aria-hidden="true" />}
            onClick={() => onOpen({ verb: 'reserve', single_class_id: null })}
          >
            Reservar
          </Button>
        )}
        {may(staff, 'credits.edit') && (
          <Button icon={<IconGift className="icon" aria-hidden="true" />} onClick={() => onOpen({ verb: 'access' })}>
            Dar acceso
          </Button>
        )}
        <MoreActions customer={customer} creditLots={creditLots} onOpen={onOpen} />
      </div>
    </header>
  )
}

function MoreActions({ customer, creditLots, onOpen }: CustomerHeadProps) {
  const staff = useStaff()
  const invite = useInvite()
  const { customer_id } = customer
  const canEdit = may(staff, 'credits.edit')
  const canPenalise = may(staff, 'roster.all')
  const canExport = may(staff, 'customers.erase')
  const canMerge = may(staff, 'customers.merge')
  const hasCreditLots = (state: 'alive' | 'frozen') => creditLots?.some((creditLot) => creditLot.state === state)
  if (!canEdit && !canPenalise && !canExport && !canMerge && !may(staff, 'customers.edit')) return null
  return (
    <Menu label="Más acciones" buttonClass="icon-btn" button={<IconDots className="icon" aria-hidden="true" />}>
      {may(staff, 'customers.edit') && <MenuItem onClick={() => onOpen({ verb: 'data' })}>Cambiar sus datos</MenuItem>}
      {canEdit && <MenuItem onClick={() => onOpen({ verb: 'credits', action: 'credits.give' })}>Dar clases</MenuItem>}
      {canEdit && <MenuItem onClick={() => onOpen({ verb: 'remove' })}>Restar clases</MenuItem>}
      {canEdit && hasCreditLots('alive') && (
        <MenuItem onClick={() => onOpen({ verb: 'credits', action: 'credits.freeze' })}>Congelar</MenuItem>
      )}
      {canEdit && hasCreditLots('frozen') && (
        <MenuItem onClick={() => onOpen({ verb: 'credits', action: 'credits.thaw' })}>Descongelar</MenuItem>
      )}
      {canPenalise && <MenuItem onClick={() => onOpen({ verb: 'penalise' })}>Penalizar</MenuItem>}
      {canMerge && <MenuItem onClick={() => onOpen({ verb: 'merge' })}>Combinar con otro registro</MenuItem>}
      {may(staff, 'customers.edit') && customer.email && (
        <MenuItem onClick={() => invite.mutate({ customer_id })}>{inviteLabel(customer.uid !== '')}</MenuItem>
      )}
      {may(staff, 'customers.edit') && <MenuItem onClick={() => onOpen({ verb: 'archive' })}>Dar de baja</MenuItem>}
      {canExport && <MenuItem onClick={() => onOpen({ verb: 'export' })}>Descargar sus datos</MenuItem>}
      {canExport && <MenuItem onClick={() => onOpen({ verb: 'erase' })}>Borrar sus datos</MenuItem>}
    </Menu>
  )
}

interface ContactRowProps {
  customer: Customer
  /** Opens the dialog in which the email is written; null without the right. */
  onChange: (() => void) | null
}

/** Telephone, WhatsApp, email and tags. */
export function ContactRow({ customer, onChange }: ContactRowProps) {
  const { customer_id } = customer
  const name = `${customer.name} ${customer.last_name}`.trim()
  return (
    <div className="contact-row">
      {customer.phone && (
        <>
          <a className="chip" href={`tel:${customer.phone}`}>
            <IconPhone className="icon" aria-hidden="true" /> {formatPhone(customer.phone)}
          </a>
          <a className="chip" href={whatsappLink(customer.phone)} target="_blank" rel="noopener">
            <IconBrandWhatsapp className="icon" aria-hidden="true" /> WhatsApp
          </a>
        </>
      )}
      {customer.email ? (
        <a className="chip" href={`mailto:${customer.email}`}>
          <IconMail className="icon" aria-hidden="true" /> {customer.email}
        </a>
      ) : (
        onChange && (
          <button type="button" className="chip" onClick={onChange}>
            <IconMail className="icon" aria-hidden="true" /> Agregar su correo
          </button>
        )
      )}
      <CustomerTags customer_id={customer_id} name={name} />
    </div>
  )
}
