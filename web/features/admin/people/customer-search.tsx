import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatPhone } from '#contract/phone.ts'
import { PartNotLoaded } from '#web/features/site/not-loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { useDelayed } from '#web/lib/use-delayed.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { TextField } from '#web/ui/field.tsx'
import './people.css'

export interface FoundCustomer {
  customer_id: number
  name: string
  last_name: string
  email: string | null
  phone: string | null
}

/** Pause in typing, in ms, after which the search runs. */
const PAUSE_MS = 150

/** The customers that match best: by name, telephone or email. */
export function useFoundCustomers(typed: string) {
  const query = useDelayed(typed.trim(), PAUSE_MS)
  return useQuery({
    ...queries.people.query.queryOptions({ input: { query: query || '?' }, staleTime: 10_000, meta: { handled: true } }),
    enabled: query.length > 1,
    placeholderData: keepPreviousData,
  })
}

interface CustomerSearchProps {
  label?: string
  onChoose: (customer: FoundCustomer) => void
  /** offers to create a customer if none is found */
  onCreate?: (typed: string) => void
}

/** Searches for a customer. */
export function CustomerSearch({ label = 'Cliente', onChoose, onCreate }: CustomerSearchProps) {
  const [typed, setTyped] = useState('')
  const search = useFoundCustomers(typed)
  const customers = typed.trim().length > 1 ? (search.data?.customers ?? []) : []
  return (
    <div className="customer-search stack gap-8">
      <TextField
        label={label}
        type="search"
        autoComplete="off"
        placeholder="Nombre, teléfono o correo"
        data-focus-first
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        before={<IconSearch className="icon muted" aria-hidden="true" />}
      />
      {search.isError && <PartNotLoaded query={search}>No pudimos buscar.</PartNotLoaded>}
      <ul className="found-customers" aria-label="Clientes encontrados">
        {customers.map((customer) => (
          <li key={customer.customer_id}>
            <button type="button" className="found-customer" onClick={() => onChoose(customer)}>
              <Avatar name={`${customer.name} ${customer.last_name}`} size={36} />
              <span>
                <span className="strong">
                  {customer.name} {customer.last_name}
                </span>
                <span className="small muted">
                  {[customer.phone && formatPhone(customer.phone), customer.email].filter(Boolean).join(' · ')}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p role="status" className="small muted">
        {typed.trim().length > 1 &&
          search.isSuccess &&
          !search.isPlaceholderData &&
          customers.length === 0 &&
          'Nadie coincide con tu búsqueda.'}
      </p>
      {onCreate && typed.trim().length > 1 && (
        <button type="button" className="link link-alone found-create" onClick={() => onCreate(typed.trim())}>
          Dar de alta a «{typed.trim()}»
        </button>
      )}
    </div>
  )
}
