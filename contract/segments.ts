/** Segments of customers: a named filter of the list, which always selects the customers who match now (docs/domain.md X15). */
import * as z from 'zod'
import { crud, versioned } from './crud.ts'
import { segmentFilter } from './customer-list.ts'
import { endpoint, id, singleLine } from './endpoint.ts'

/** Segments that a studio has at most: each is counted whenever their list is read. */
export const MAX_SEGMENTS = 60

const row = {
  name: z.string().describe('Cómo se llama.'),
  filter: segmentFilter.describe('A quiénes reúne: los filtros de la lista de clientes.'),
  count: z.int().describe('Cuántos clientes reúne ahora.'),
  ...versioned.row,
}
const segment = z.object({ segment_id: id.describe('El segmento.'), ...row })
export type Segment = z.infer<typeof segment>

const lists = crud({
  path: '/segments',
  one: 'segment',
  many: 'segments',
  id: 'segment_id',
  tag: 'Clientes',
  called: 'segmentos',
  access: 'staff:customers.edit',
  fields: {
    ...versioned.sent,
    name: singleLine(60).min(1, 'Escribe un nombre.'),
    filter: segmentFilter.refine((filter) => Object.values(filter).some((value) => value !== undefined), {
      message: 'Elige al menos un filtro.',
    }),
  },
  row,
})

export const segments = {
  ...lists,
  /** All segments by name, each with how many customers match it now. */
  all: endpoint('GET', '/segments/admin/all', 'staff:customers.read', 'Clientes', 'Todo lo guardado: segmentos').output(
    z.object({ segments: z.array(segment) }),
  ),
}
