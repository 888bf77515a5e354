import { lazy, Suspense } from 'react'
import { formatPhone } from '#contract/phone.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { CustomerSearch, type FoundCustomer } from '#web/features/admin/people/customer-search.tsx'
import { DocumentsToAccept } from '#web/features/admin/people/documents-to-accept.tsx'
import { NewCustomer } from '#web/features/admin/people/new-customer.tsx'
import { Avatar } from '#web/ui/avatar.tsx'

const BuyerFacts = lazy(() => import('./buyer-facts.tsx'))
const BuyerDebts = lazy(() => import('#web/features/admin/sales/debts.tsx'))

interface BuyerPanelProps {
  buyer: FoundCustomer | null
  /** Whether the sale goes to the public, without a customer. */
  sellsToPublic: boolean
  /** Whether it could: products and other items only. */
  mayBePublic: boolean
  onPublic: (isPublic: boolean) => void
  /** The name that was typed for a new customer; '' after a buyer was changed. */
  creating: string | null
  onCreating: (typed: string) => void
  onChoose: (customer: FoundCustomer | null) => void
}

/** Cliente: the buyer, or the search for one. */
export function BuyerPanel({ buyer, sellsToPublic, mayBePublic, onPublic, creating, onCreating, onChoose }: BuyerPanelProps) {
  const staff = useStaff()
  return (
    <section id="vender-a" className="panel-card panel-body stack gap-12" aria-label="Cliente">
      {buyer ? (
        <div className="basket-row">
          <Avatar name={`${buyer.name} ${buyer.last_name}`} size={44} />
          <span className="grow">
            <span className="strong">
              {buyer.name} {buyer.last_name}
            </span>
            <span className="small muted">{[buyer.phone && formatPhone(buyer.phone), buyer.email].filter(Boolean).join(' · ')}</span>
          </span>
          <button
            type="button"
            className="link link-alone"
            onClick={() => {
              onChoose(null)
              onCreating('')
            }}
          >
            Cambiar
          </button>
        </div>
      ) : creating ? (
        <NewCustomer
          typed={creating}
          onMade={(customer) => {
            onChoose(customer)
            onCreating('')
          }}
          onBack={() => onCreating('')}
        />
      ) : sellsToPublic ? (
        <div className="basket-row">
          <span className="grow strong">Público en general</span>
          <button type="button" className="link link-alone" onClick={() => onPublic(false)}>
            Elegir cliente
          </button>
        </div>
      ) : (
        <>
          <CustomerSearch onChoose={onChoose} onCreate={onCreating} />
          {mayBePublic && (
            <button type="button" className="link link-alone" onClick={() => onPublic(true)}>
              Vender a público en general
            </button>
          )}
        </>
      )}
      {buyer && (
        <Suspense>
          <BuyerFacts key={buyer.customer_id} customer_id={buyer.customer_id} />
          <BuyerDebts key={buyer.customer_id} customer_id={buyer.customer_id} name={buyer.name} />
        </Suspense>
      )}
      {buyer && (
        <DocumentsToAccept
          key={buyer.customer_id}
          customer_id={buyer.customer_id}
          name={buyer.name}
          mayAccept={may(staff, 'customers.edit')}
        />
      )}
    </section>
  )
}
