/** The signed-in customer, loaded once by the shell; every page of the account area has one. */
import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext } from 'react'
import type { Customer } from '#contract/people.ts'
import { queries } from './api.ts'

const CustomerContext = createContext<Customer | null>(null)
export const CustomerProvider = ({ customer, children }: { customer: Customer; children: ReactNode }) => (
  <CustomerContext value={customer}>{children}</CustomerContext>
)

/** The customer as the last answer said; invalidate `queries.people.me.key()` to ask again. */
export function useCustomer(): Customer {
  const customer = useContext(CustomerContext)
  if (!customer) throw new Error('useCustomer needs the account shell')
  return customer
}

/** The query behind it, for whoever decides what to show while it is not there. */
export const useCustomerQuery = () => useQuery(queries.people.me.queryOptions({ staleTime: 60_000, meta: { handled: true } }))
