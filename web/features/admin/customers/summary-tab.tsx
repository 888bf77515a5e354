import type { UseQueryResult } from '@tanstack/react-query'

import type { Customer } from '#contract/people.ts'
import { formatWall } from '#contract/time.ts'
import { type CreditLot, CreditLotList } from '#web/features/admin/customers/credit-lots.tsx'
import { CustomerFigures, HabitText } from '#web/features/admin/customers/customer-facts.tsx'
import { CustomerNotes } from '#web/features/admin/customers/customer-notes.tsx'
import { CustomerTimeline } from '#web/features/admin/customers/customer-timeline.tsx'
import { NextClasses } from '#web/features/admin/customers/next-classes.tsx'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { PartNotLoaded } from '#web/features/site/not-loaded.tsx'
import { DefinitionList } from '#web/ui/definition-list.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { CustomerPart } from './customer-part.tsx'
import type { CustomerDialog } from './open-customer-dialog.tsx'

/** What the server answers about the credits of a customer. */
interface CreditLotsAnswer {
  available_classes: readonly CreditLot[]
  summary: { has_unlimited: boolean; available: number }
}

interface SummaryTabProps {
  customer: Customer
  creditLots: UseQueryResult<CreditLotsAnswer>
  onOpen: (dialog: CustomerDialog) => void
  onChanged: () => void
}

/** Resumen: what the customer has, what comes next, what happened, notes and personal data. */
export function SummaryTab({ customer, creditLots, onOpen, onChanged }: SummaryTabProps) {
  const staff = useStaff()
  const { customer_id } = customer
  return (
    <div className="customer-parts">
      <div className="stack gap-16">
        <CustomerPart id="lo-que-tiene" title="Lo que tiene" aside="En el orden en que se gasta">
          {creditLots.isError && !creditLots.data ? (
            <div className="panel-body">
              <PartNotLoaded query={creditLots}>No pudimos cargar sus créditos.</PartNotLoaded>
            </div>
          ) : creditLots.data ? (
            <UsableCredits data={creditLots.data} canEdit={may(staff, 'credits.edit')} onChanged={onChanged} />
          ) : (
            <Skeleton height="120px" />
          )}
        </CustomerPart>
        <CustomerPart id="proximas-clases" title="Próximas clases">
          <NextClasses reservations={customer.class_reservations} />
          <HabitText
            customer_id={customer_id}
            onReserve={may(staff, 'roster.all') ? (single_class_id) => onOpen({ verb: 'reserve', single_class_id }) : null}
          />
        </CustomerPart>
        <CustomerTimeline customer_id={customer_id} />
      </div>
      <div className="stack gap-16">
        <CustomerFigures customer_id={customer_id} />
        <CustomerPart id="notas" title="Notas">
          <CustomerNotes customer_id={customer_id} />
        </CustomerPart>
        <CustomerPart id="datos" title="Datos">
          <div className="panel-body">
            <PersonalFacts customer={customer} />
          </div>
        </CustomerPart>
      </div>
    </div>
  )
}

function PersonalFacts({ customer }: { customer: Customer }) {
  const facts = [
    ['Nacimiento', customer.birthdate && formatWall(`${customer.birthdate}T00:00:00.000Z`, 'date')],
    ['Instagram', customer.instagram],
    ['Llegó por', customer.signup_reason_other || customer.signup_reason],
    ['Le falta en su perfil', customer.missing.map(({ label }) => label).join(', ')],
    ['Trabaja aquí', customer.role ? 'Sí' : null],
  ] as const
  return facts.some(([, value]) => value) ? <DefinitionList items={facts} /> : <p className="muted">No ha dado más datos.</p>
}

/** What a customer can still book with, and for how many classes. */
function UsableCredits({ data, canEdit, onChanged }: { data: CreditLotsAnswer; canEdit: boolean; onChanged: () => void }) {
  const live = data.available_classes.filter(({ state }) => state === 'alive' || state === 'frozen')
  if (live.length === 0) return <p className="panel-body muted">No tiene clases.</p>
  const { has_unlimited, available } = data.summary
  return (
    <div className="has-summary">
      <p className="has-count">
        <span className="figure">{has_unlimited ? '∞' : available}</span>
        <span className="strong">{has_unlimited ? 'Ilimitadas' : available === 1 ? 'clase' : 'clases'}</span>
        <span className="small muted">para reservar</span>
      </p>
      <CreditLotList creditLots={live} canEdit={canEdit} onChanged={onChanged} />
    </div>
  )
}
