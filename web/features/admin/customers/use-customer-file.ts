/** The file of a customer (notes, tags, alerts, figures) in the query cache. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { queries } from '#web/lib/api.ts'

export const useCustomerFile = (customer_id: number) =>
  useQuery(queries.customerFile.one.queryOptions({ input: { customer_id }, meta: { handled: true } }))

/** Returns a function that reloads the file after a change, and the lists that show parts of it. */
export function useCustomerFileChanged() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: queries.customerFile.key() })
}
