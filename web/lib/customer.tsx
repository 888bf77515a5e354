/** The signed-in customer, loaded once by the shell for every page of the account area. */
import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext } from 'react'
import type { Customer } from '#contract/people.ts'
import { queries } from './api.ts'

const CustomerContext = createContext<Customer | null>(null)
export const CustomerProvider = ({ customer, children }: { customer: Customer; children: ReactNode }) => (
  <CustomerContext value={customer}>{children}</CustomerContext>
)

/** The customer as last loaded; invalidate `queries.people.me.key()` to reload. Throws outside the account shell. */
export function useCustomer(): Customer {
  const customer = useContext(CustomerContext)
  if (!customer) throw new Error('useCustomer needs the account shell')
  return customer
}

/** The query behind `useCustomer`, for components that show loading and failure themselves. */
export const useCustomerQuery = () => useQuery(queries.people.me.queryOptions({ staleTime: 60_000, meta: { handled: true } }))
