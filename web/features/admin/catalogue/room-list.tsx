/** Salas as the administration edits them: a plain list, with the link to the map. */
import { IconArmchair } from '@tabler/icons-react'
import { adminPaths } from '#contract/admin-paths.ts'
import type { RoomMap } from '#contract/room-map.ts'
import { seatsForSale } from '#contract/room-map.ts'
import { api, queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { apiCalls, type CatalogueList, type CatalogueRecord, joinFacts, text } from './catalogue-lists.ts'

interface ListedLocation {
  location_id: number
  name: string
}

/** "10 lugares en el mapa"; null: the room has none. */
function mapText({ map }: CatalogueRecord): string | null {
  if (!map) return null
  const seats = seatsForSale(map as RoomMap, null)
  return seats === 1 ? '1 lugar en el mapa' : `${seats} lugares en el mapa`
}

/** The list of rooms for the locations of the studio. */
export function roomList(locations: readonly ListedLocation[]): CatalogueList {
  const locationOf = (row: CatalogueRecord) => locations.find(({ location_id }) => location_id === row.location_id)?.name ?? ''
  return {
    slug: 'salas',
    title: 'Salas',
    add: 'Nueva sala',
    one: 'Sala',
    thisOne: 'esta sala',
    idKey: 'room_id',
    empty: 'Aquí van las salas de tus estudios, cada una con su mapa de lugares.',
    fields: [
      { key: 'name', label: 'Nombre', kind: 'text', required: true, max: 80 },
      {
        key: 'location_id',
        label: 'Estudio',
        kind: 'select',
        required: true,
        isNumber: true,
        hint: 'Una sala se queda en su estudio.',
        initial: locations.length === 1 ? text(locations[0]?.location_id) : '',
        options: [
          ...(locations.length === 1 ? [] : [{ value: '', label: 'Elige uno' }]),
          ...locations.map(({ location_id, name }) => ({ value: text(location_id), label: name })),
        ],
      },
      { key: 'capacity', label: 'Capacidad', kind: 'number', hint: 'Cuántas personas caben. Vacío: lo dice su mapa, o cada clase.' },
      { key: 'exclusive', label: 'Una clase a la vez', kind: 'switch', hint: 'Otra clase a la misma hora se rechaza.', initial: true },
    ],
    about: (row) => joinFacts(locationOf(row), mapText(row) ?? 'Sin mapa', row.exclusive === false && 'Se comparte'),
    copied(row) {
      const map = mapText(row)
      return map === null ? null : { label: 'Con su mapa', hint: `${map}, todos abiertos.`, sent: { map_of: row.room_id } }
    },
    query: () => queries.rooms.all.queryOptions({ meta: { handled: true } }),
    rowsOf: (answer) => (answer as { rooms: CatalogueRecord[] }).rooms,
    details: ({ row }) => (
      <AppLink to={adminPaths.room(Number(row.room_id))} className="link room-back">
        <IconArmchair className="icon" aria-hidden="true" /> {row.map ? 'Cambiar el mapa de la sala' : 'Hacer el mapa de la sala'}
      </AppLink>
    ),
    ...apiCalls({
      create: api.rooms.create,
      update: api.rooms.update,
      remove: (room_id) => api.rooms.remove({ room_id }),
    }),
    arranged: {
      archive: (room_id, archived) => api.rooms.update({ room_id, archived }),
      order: (ids) => api.rooms.order({ ids }),
      uses: (room_id) => api.rooms.uses({ room_id }),
      ...(locations.length > 1 ? { groupBy: 'location_id', groupName: locationOf } : {}),
    },
    saved: 'Guardado.',
    removed: 'Eliminado.',
  }
}
