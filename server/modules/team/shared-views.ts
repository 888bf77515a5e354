/** Filters of lists that staff members saved for the whole team, among their own preferences (docs/domain.md LA8, E12). */
import * as z from 'zod'
import type { Right } from '#contract/rights.ts'
import type { Me } from '#contract/team.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { listSharedPreferences } from './store.ts'

/** The right that a list requires of readers of its views: the search text may contain a name or telephone. */
const LIST_RIGHTS: Readonly<Record<string, Right>> = {
  clientes: 'customers.read',
  mensajes: 'customers.read',
  reservaciones: 'roster.all',
  compras: 'sales.sell',
  cargos: 'sales.sell',
  suscripciones: 'sales.sell',
  devoluciones: 'sales.sell',
  facturas: 'sales.sell',
  tarjetas: 'sales.sell',
  cortes: 'cash.session',
  videos: 'videos.edit',
  bitacora: 'audit.read',
}
/** More are not shown. */
const MOST_VIEWS = 100

const sharedView = z.object({ nombre: z.string().min(1).max(40), filtro: z.string().min(1).max(2_000), equipo: z.literal(true) })

/** The views of colleagues whose access is not switched off, of the lists that the caller may read, by name. */
export async function sharedViews(ctx: Ctx, staff_id: number): Promise<Me['shared_views']> {
  const views = (await listSharedPreferences(ctx.db, staff_id)).flatMap(({ name, preferences }) =>
    Object.entries(LIST_RIGHTS).flatMap(([list, right]) => {
      const stored = preferences[`${list}.vistas`]
      if (!ctx.may(right) || !Array.isArray(stored)) return []
      return stored.flatMap((value: unknown) => {
        const { data } = sharedView.safeParse(value)
        return data ? [{ list, name: data.nombre, filter: data.filtro, by: name }] : []
      })
    }),
  )
  return views.sort((a, b) => a.name.localeCompare(b.name, 'es')).slice(0, MOST_VIEWS)
}
