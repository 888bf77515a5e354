import { useQuery } from '@tanstack/react-query'
import { adminPaths } from '#contract/admin-paths.ts'
import type { UseCount } from '#contract/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import type { CatalogueList } from './catalogue-lists.ts'
import './catalogue.css'

/** What uses a record, in the words of the studio: one, several, and where it is seen by the list that the record is in. */
const KINDS: Readonly<Record<string, { one: string; many: string; link?: (list: CatalogueList, id: number) => string | null }>> = {
  single_class: { one: 'clase', many: 'clases', link: (list, id) => SCHEDULE[list.slug]?.(id) ?? null },
  class_tag: { one: 'clase', many: 'clases' },
  class_package: { one: 'paquete', many: 'paquetes', link: () => adminPaths.packages },
  class_package_type: { one: 'paquete', many: 'paquetes', link: () => adminPaths.packages },
  available_class: { one: 'crédito vigente', many: 'créditos vigentes' },
  staff: { one: 'persona del equipo', many: 'personas del equipo', link: () => adminPaths.team },
  video: { one: 'video', many: 'videos', link: () => adminPaths.videos },
  video_tag: { one: 'video', many: 'videos', link: () => adminPaths.videos },
  customer_tag: { one: 'cliente', many: 'clientes', link: (_, id) => adminPaths.customersWithTag(id) },
  invoice: { one: 'cargo', many: 'cargos', link: () => adminPaths.sales },
  purchase: { one: 'compra', many: 'compras', link: () => adminPaths.sales },
  signup_fee: { one: 'ajuste', many: 'ajustes', link: () => adminPaths.settings },
  setting: { one: 'ajuste', many: 'ajustes', link: () => adminPaths.settings },
}

const SCHEDULE: Readonly<Record<string, (id: number) => string>> = {
  tipos: (id) => adminPaths.scheduleOf({ tipo: id }),
  coaches: (id) => adminPaths.scheduleOf({ coach: id }),
  estudios: (id) => adminPaths.scheduleOf({ estudio: id }),
  salas: (id) => adminPaths.scheduleOf({ sala: id }),
}

/** The counts of a refusal because something is in use. */
export const usesIn = (data: Record<string, unknown> | undefined): readonly UseCount[] => (data?.uses as UseCount[] | undefined) ?? []

/** "En uso: 31 clases, 2 paquetes", each leading to where it is. */
export function UseList({ uses, list, id }: { uses: readonly UseCount[]; list: CatalogueList; id: number }) {
  if (uses.length === 0) return null
  return (
    <p>
      En uso:{' '}
      {uses.map(({ kind, count }, at) => {
        const texts = KINDS[kind]
        const text = `${count.toLocaleString('es-MX')} ${texts ? (count === 1 ? texts.one : texts.many) : kind.replaceAll('_', ' ')}`
        const link = texts?.link?.(list, id) ?? null
        return (
          <span key={kind}>
            {at > 0 && ', '}
            {link ? (
              <AppLink className="link" to={link}>
                {text}
              </AppLink>
            ) : (
              text
            )}
          </span>
        )
      })}
      .
    </p>
  )
}

/** What uses a record that is open. */
export function RecordUses({ list, id }: { list: CatalogueList; id: number }) {
  const { data } = useQuery({
    queryKey: ['catalogue-uses', list.slug, id],
    queryFn: () => list.arranged?.uses(id) ?? Promise.resolve({ uses: [] }),
    meta: { handled: true },
  })
  if (!data) return null
  return (
    <section className="record-uses" aria-label="En qué se usa">
      {data.uses.length === 0 ? <p className="muted">No se usa en ningún lado.</p> : <UseList uses={data.uses} list={list} id={id} />}
    </section>
  )
}
