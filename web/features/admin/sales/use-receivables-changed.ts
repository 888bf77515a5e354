import { useQueryClient } from '@tanstack/react-query'
import { queries } from '#web/lib/api.ts'

/** Returns a function that reads again what shows owed or received money, after some of it was received. */
export function useReceivablesChanged() {
  const client = useQueryClient()
  return () => {
    for (const part of [
      queries.studioSales,
      queries.counterSales,
      queries.counterOrders,
      queries.frontDesk,
      queries.attendance,
      queries.customerFile,
      queries.credits,
      queries.today,
      queries.cashSessions,
    ])
      void client.invalidateQueries({ queryKey: part.key() })
  }
}
