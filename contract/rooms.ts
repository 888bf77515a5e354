/** Rooms of the locations and their maps (docs/domain.md L17 to L19). */
import * as z from 'zod'
import { archived, crud, orderedListEndpoints, versioned } from './crud.ts'
import { endpoint, id, instant, localDay, pathId, refusals, singleLine } from './endpoint.ts'
import { MAX_ROWS, MAX_SEATS_IN_ROW, SEAT_KINDS } from './room-map.ts'

const TAG = 'Salas'
const spot = z.string().regex(/^[1-9]\d?-[1-9]\d?$/)

const seatFields = {
  label: singleLine(4).describe('Lo que dice el lugar: 17, A4.'),
  kind: z.enum(SEAT_KINDS).describe('Qué es. `coach` y `hueco` ocupan una posición y no se venden.'),
  closed: z.boolean().default(false).describe('Si está cerrado.'),
  closed_until: localDay.nullable().default(null).describe('Último día en que está cerrado; null: hasta abrirlo.'),
  closed_reason: singleLine(120).nullable().default(null).describe('Por qué está cerrado.'),
}
const rowLabel = singleLine(20).describe('Cómo se llama la fila.')

/** A map on the wire: a spot is row-column, counted from 1, gaps included (settled 23). */
export const roomMap = z.object({
  rows: z
    .array(z.object({ label: rowLabel, seats: z.array(z.object({ spot, ...seatFields })).describe('De izquierda a derecha.') }))
    .describe('De adelante hacia atrás.'),
})

/** A map to be saved. `spot`: the former spot of the seat, whose reservations move with it; null = a new seat. */
export const roomMapSent = z
  .object({
    rows: z
      .array(
        z.object({
          label: rowLabel,
          seats: z
            .array(z.object({ spot: spot.nullable().default(null).describe('El lugar que era; null: uno nuevo.'), ...seatFields }))
            .min(1)
            .max(MAX_SEATS_IN_ROW)
            .describe('De izquierda a derecha.'),
        }),
      )
      .min(1)
      .max(MAX_ROWS)
      .describe('De adelante hacia atrás.'),
  })
  .refine(
    ({ rows }) => {
      const before = rows.flatMap(({ seats }) => seats.flatMap((seat) => seat.spot ?? []))
      return new Set(before).size === before.length
    },
    { message: 'Dos lugares no pueden venir del mismo.', path: ['rows'] },
  )

const roomFields = {
  location_id: id,
  name: singleLine(80).min(1, 'Debes llenar este campo.'),
  /** Number of people that fit; null = as many as its map has seats, or each class decides. */
  capacity: z.int().min(1).max(1_000).nullish().describe('Cuántas personas caben; null: lo dice su mapa, o cada clase.'),
  exclusive: z.boolean().optional().describe('Si solo cabe una clase a la vez; otra a la misma hora se rechaza.'),
  sort: z.int().min(0).max(100_000).optional(),
  archived: archived.optional(),
  /** A new room gets the map of this one, with all of its seats open (L17). PROTECTED for a room that is there. */
  map_of: id.nullish().describe('Solo al crear: la sala cuyo mapa se copia, con todos sus lugares abiertos.'),
}

/** A person whose seat a change of the map takes, with a proposal. */
const affected = z.object({
  class_reservation_id: id,
  single_class_id: id,
  name: z.string().describe('De quién es el lugar; de un invitado, su nombre.'),
  class_date: instant,
  class_type: z.string().describe('Tipo de clase.'),
  spot: spot.describe('El lugar que tiene.'),
  proposed: spot.nullable().describe('El lugar libre más cercano; null: no queda ninguno.'),
  free: z.array(spot).describe('Los lugares libres de esa clase.'),
})
export type AffectedSeat = z.infer<typeof affected>

export const rooms = {
  ...crud({
    path: '/rooms',
    one: 'room',
    many: 'rooms',
    id: 'room_id',
    tag: TAG,
    called: 'salas',
    access: 'staff:catalogue.edit',
    fields: { ...versioned.sent, ...roomFields },
    row: {
      ...versioned.row,
      location_id: id,
      name: z.string(),
      capacity: z.int().nullable(),
      exclusive: z.boolean(),
      map: roomMap.nullable().describe('El mapa de la sala; null: sin mapa.'),
      sort: z.int(),
      archived,
    },
  }),
  ...orderedListEndpoints({ path: '/rooms', id: 'room_id', tag: TAG, called: 'salas', access: 'staff:catalogue.edit' }),
  /** Rooms of the locations where the caller works, for the forms of the timetable; also archived ones, which classes may have. */
  list: endpoint('GET', '/rooms', 'staff:classes.own', TAG, 'Salas de los estudios').output(
    z.object({
      rooms: z.array(
        z.object({
          room_id: id,
          location_id: id,
          name: z.string(),
          capacity: z.int().nullable(),
          exclusive: z.boolean(),
          seats: z.int().nullable().describe('Lugares de su mapa que se venden; null: sin mapa.'),
          spot_map: z.string().nullable(),
          archived,
        }),
      ),
    }),
  ),
  /**
   * Saves the map of a room and applies it to its coming classes. Every reservation stays: one whose seat is no longer open needs a move,
   * otherwise SPOTS_IN_USE lists it; `dry_run` returns them with proposals and writes nothing. Customers whose seat has another name
   * afterwards are notified.
   */
  saveMap: endpoint('PUT', '/rooms/{room_id}/map', 'staff:schedule.edit', TAG, 'Guardar el mapa de una sala')
    .input(
      z.object({
        room_id: pathId,
        map: roomMapSent.nullable().describe('El mapa; null: sin mapa, y cada clase conserva el suyo.'),
        moves: z
          .array(z.object({ class_reservation_id: id, spot: spot.describe('Su lugar en el mapa nuevo.') }))
          .max(2_000)
          .default([])
          .describe('A dónde pasan quienes pierden su lugar.'),
        if_updatedAt: instant.nullish(),
        dry_run: z.boolean().default(false).describe('Solo decir qué pasaría.'),
      }),
    )
    .errors(
      refusals(
        'NOT_FOUND',
        'CHANGED_MEANWHILE',
        'SPOTS_IN_USE',
        'SPOT_TAKEN',
        'CAPACITY_BELOW_TAKEN',
        'TOO_MANY_CLASSES',
        'IDEMPOTENCY_KEY_REUSED',
      ),
    )
    .output(
      z.object({
        map: roomMap.nullable().describe('El mapa como quedó.'),
        updatedAt: instant,
        classes: z.int().describe('Clases por venir cuyo mapa cambia.'),
        told: z.int().describe('Personas a las que se avisa.'),
        affected: z.array(affected).describe('Quienes se quedarían sin lugar.'),
      }),
    ),
}
