/** Types and programs of videos as the administration edits them: plain lists. */

import { apiCalls, type CatalogueList, type CatalogueRecord, text } from '#web/features/admin/catalogue/catalogue-lists.ts'
import { api, queries } from '#web/lib/api.ts'

const NAME = { key: 'name', label: 'Nombre', kind: 'text', required: true, max: 120 } as const
const SORT = {
  key: 'sort',
  label: 'Orden',
  kind: 'number',
  required: true,
  hint: 'Los números menores van primero.',
  initial: '0',
} as const

export const VIDEO_TYPE_LIST: CatalogueList = {
  slug: 'tipos',
  title: 'Tipos de video',
  add: 'Nuevo tipo de video',
  one: 'Tipo de video',
  thisOne: 'este tipo de video',
  idKey: 'video_type_id',
  empty: 'Con tipos se filtran tus videos: Fuerza, Movilidad, Meditación.',
  fields: [NAME, SORT],
  about: () => '',
  query: () => queries.videos.admin.videoTypes.all.queryOptions({ meta: { handled: true } }),
  rowsOf: (answer) => (answer as { video_types: CatalogueRecord[] }).video_types,
  ...apiCalls({
    create: api.videos.admin.videoTypes.create,
    update: api.videos.admin.videoTypes.update,
    remove: (video_type_id) => api.videos.admin.videoTypes.remove({ video_type_id }),
  }),
  saved: 'Guardado.',
  removed: 'Eliminado.',
}

export const PROGRAM_LIST: CatalogueList = {
  slug: 'programas',
  title: 'Programas',
  add: 'Nuevo programa',
  one: 'Programa',
  thisOne: 'este programa',
  idKey: 'program_id',
  empty: 'Un programa es una serie de videos en orden, como un reto de siete días.',
  fields: [
    NAME,
    { key: 'description', label: 'Descripción', kind: 'long', max: 2000 },
    { key: 'image', label: 'Imagen', kind: 'picture' },
    SORT,
  ],
  about: (row) => text(row.description),
  query: () => queries.videos.admin.programs.all.queryOptions({ meta: { handled: true } }),
  rowsOf: (answer) => (answer as { programs: CatalogueRecord[] }).programs,
  ...apiCalls({
    create: api.videos.admin.programs.create,
    update: api.videos.admin.programs.update,
    remove: (program_id) => api.videos.admin.programs.remove({ program_id }),
  }),
  saved: 'Guardado.',
  removed: 'Eliminado.',
}
