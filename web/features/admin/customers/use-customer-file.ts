/** What the staff wrote down about a customer, in the query cache. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { queries } from '#web/lib/api.ts'

export const useCustomerFile = (customer_id: number) =>
  useQuery(queries.customerFile.one.queryOptions({ input: { customer_id }, meta: { handled: true } }))

/** Loads the file again after a change, and the lists that show a part of it. */
export function useCustomerFileChanged() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: queries.customerFile.key() })
}
