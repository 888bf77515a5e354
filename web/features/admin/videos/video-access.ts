import { useQuery } from '@tanstack/react-query'
import { queries } from '#web/lib/api.ts'

/** The access to videos, in a sentence (docs/domain.md O2). */
export function useVideoAccess(): string {
  const query = useQuery(queries.studioPackages.all.queryOptions({ input: {}, staleTime: 300_000, meta: { handled: true } }))
  if (!query.data) return 'Los ve quien tiene vigente un paquete online.'
  const names = query.data.class_packages
    .filter((classPackage) => classPackage.is_online && classPackage.available)
    .map(({ title }) => title)
  if (names.length === 0) return 'Nadie puede comprarlos todavía: aún no vendes un paquete online.'
  return `Los ve quien tiene vigente un paquete online: ${new Intl.ListFormat('es-MX', { type: 'disjunction' }).format(names)}.`
}
