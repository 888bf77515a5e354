/** Maps of rooms: saving one gives it to the coming classes of its room, and every reservation stays (docs/domain.md L18, L19). */
import type * as z from 'zod'
import { spotInSentence } from '#contract/copy/names.ts'
import { refuse } from '#contract/errors.ts'
import { nearestSpot, type RoomMap, roomPlan, seatAt, seatsForSale, spotAt } from '#contract/room-map.ts'
import type { AffectedSeat, rooms as wire } from '#contract/rooms.ts'
import { allSpots, isSpotOn } from '#contract/spots.ts'
import { MAX_CHANGED_CLASSES } from '#contract/studio-schedule.ts'
import { formatWall, localDate } from '#contract/time.ts'
import { applyClassUpdate, listSeated, moveSeats, type SeatedReservation, type SeatMove } from '#server/modules/bookings/bookings.ts'
import { lockRoom, roomList, serializeRoomMap, updateRoomMap } from '#server/modules/catalogue/catalogue.ts'
import { assertUnchanged } from '#server/modules/changed-meanwhile.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import {
  type LockedClass,
  listComingInRoom,
  lockClasses,
  openSeats,
  ownClosed,
  roomSeats,
  seatsOn,
} from '#server/modules/schedule/schedule.ts'
import type { Tx } from '#server/platform/db.ts'
import { Names } from './timetable-view.ts'

type Input = z.output<NonNullable<(typeof wire)['saveMap']['~orpc']['inputSchema']>>
type Answer<K extends 'list' | 'saveMap'> = Promise<z.output<NonNullable<(typeof wire)[K]['~orpc']['outputSchema']>>>

/** GET /rooms: those of the locations where the caller works. */
export async function listRooms(ctx: Ctx): Answer<'list'> {
  const today = localDate(ctx.now, ctx.zone)
  const rooms = (await roomList.all(ctx)).filter(({ location_id }) => ctx.worksAt(location_id))
  return {
    rooms: rooms.map(({ room_id, location_id, name, capacity, exclusive, map, archived }) => ({
      room_id,
      location_id,
      name,
      capacity,
      exclusive,
      archived,
      seats: map && seatsForSale(map, null),
      spot_map: map && roomPlan(map, today).spot_map,
    })),
  }
}

/** What a map means for one class. */
interface ClassPlan {
  cls: LockedClass
  spot_map: string
  closed_spots: string[]
  moves: SeatMove[]
  lost: { reservation: SeatedReservation; free: string[]; proposed: string | null }[]
}

/**
 * PUT /rooms/{room_id}/map (L19). NOT_FOUND, FORBIDDEN, CHANGED_MEANWHILE, INVALID_INPUT, SPOTS_IN_USE when a reservation of a removed spot
 * has no move, SPOT_TAKEN, CAPACITY_BELOW_TAKEN, TOO_MANY_CLASSES.
 */
export async function saveRoomMap(ctx: Ctx, input: Input): Answer<'saveMap'> {
  if (input.dry_run) return ctx.tx((tx) => planMap(tx, ctx, input).then(({ answer }) => answer))
  return ctx.once('rooms.saveMap', input, async (tx) => {
    const { answer, plans, after, before } = await planMap(tx, ctx, input)
    if (answer.affected.length > 0) throw refuse('SPOTS_IN_USE', { spots: describeAffected(answer.affected, before) })
    for (const { cls, moves, spot_map, closed_spots } of plans) {
      await moveSeats(tx, ctx, cls, moves)
      const { single_class_id, room_id } = cls
      await applyClassUpdate(tx, ctx, cls, { single_class_id }, { seating: { room_id, spot_map, closed_spots } })
    }
    await updateRoomMap(tx, input.room_id, after, ctx.now)
    await ctx.audit(tx, {
      action: 'room.map',
      entity: 'room',
      entity_id: input.room_id,
      before: { map: before },
      after: { map: after, classes: answer.classes, told: answer.told },
    })
    tx.notify({ topic: 'catalogue' })
    return { ...answer, updatedAt: ctx.now.toISOString() }
  })
}

async function planMap(tx: Tx, ctx: Ctx, input: Input) {
  const { room_id } = input
  // Classes before rooms, as the verbs that publish classes lock them; those that appeared meanwhile afterwards.
  await lockClasses(tx, ctx, await listComingInRoom(tx, room_id, ctx.now))
  const room = await lockRoom(tx, room_id)
  if (!room) throw refuse('NOT_FOUND')
  ctx.requireLocation('schedule.edit', room.location_id)
  await assertUnchanged(tx, ctx, { entity: 'room', id: room_id, updatedAt: room.updatedAt }, input.if_updatedAt)
  const before = room.map
  const after: RoomMap | null = input.map && {
    rows: input.map.rows.map(({ label, seats }) => ({ label, seats: seats.map(({ spot: _, ...seat }) => seat) })),
  }
  const ids = after ? await listComingInRoom(tx, room_id, ctx.now) : []
  if (ids.length > MAX_CHANGED_CLASSES) throw refuse('TOO_MANY_CLASSES', { most: MAX_CHANGED_CLASSES })
  const classes = await lockClasses(tx, ctx, ids)
  const seated = Map.groupBy(await listSeated(tx, ids), ({ single_class_id }) => single_class_id)
  const target = targetsOf(before, input.map)
  const nameOf = seatNames(before, after)
  const wanted = new Map(input.moves.map(({ class_reservation_id, spot }) => [class_reservation_id, spot]))
  const plans = after
    ? [...classes.values()].flatMap(
        (cls) => planClass(cls, { before, after, target, nameOf, wanted, seated: seated.get(cls.single_class_id) ?? [] }) ?? [],
      )
    : []
  const names = await Names.read(ctx, tx)
  const affected = plans.flatMap(({ cls, lost }) =>
    lost.map(({ reservation, free, proposed }): AffectedSeat => {
      const { class_reservation_id, single_class_id, name, spot } = reservation
      const class_type = names.type(cls.class_type_id)
      return { class_reservation_id, single_class_id, name, class_date: cls.wall.toISOString(), class_type, spot, proposed, free }
    }),
  )
  const notified = new Set(
    plans.flatMap(({ moves, lost }) =>
      [...moves.filter((move) => move.isNotified), ...lost.map(({ reservation }) => reservation)].map((move) => move.customer_id),
    ),
  )
  return {
    plans,
    after,
    before,
    answer: { map: serializeRoomMap(after), updatedAt: room.updatedAt.toISOString(), classes: plans.length, told: notified.size, affected },
  }
}

/** The names of seats in messages before and after the change: a customer is notified when the name of theirs differs. */
function seatNames(before: RoomMap | null, after: RoomMap | null) {
  const namesOf = (map: RoomMap | null) => {
    const labels = map && roomSeats(map).labels
    return (spot: string) => spotInSentence(spot, labels?.get(spot))
  }
  return { before: namesOf(before), after: namesOf(after) }
}

/** Where each seat of the map before is afterwards; a room without a map before keeps the spots of its classes. INVALID_INPUT. */
function targetsOf(before: RoomMap | null, sent: Input['map']): (spot: string) => string | null {
  const targets = new Map<string, string>()
  for (const [row, { seats }] of (sent?.rows ?? []).entries())
    for (const [column, { spot }] of seats.entries()) {
      if (spot === null) continue
      if (before && !seatAt(before, spot)) throw refuse('INVALID_INPUT', { field: 'map' })
      targets.set(spot, spotAt(row, column))
    }
  return before ? (spot) => targets.get(spot) ?? null : (spot) => spot
}

/** Null: nothing changes for the class. CAPACITY_BELOW_TAKEN, SPOT_TAKEN, INVALID_INPUT. */
function planClass(
  cls: LockedClass,
  of: {
    before: RoomMap | null
    after: RoomMap
    target: (spot: string) => string | null
    nameOf: { before: (spot: string) => string; after: (spot: string) => string }
    wanted: ReadonlyMap<number, string>
    seated: readonly SeatedReservation[]
  },
): ClassPlan | null {
  const { after, target, nameOf, wanted, seated } = of
  const own = ownClosed(of.before, cls.wall, cls.closed_spots).flatMap((spot) => target(spot) ?? [])
  const seats = seatsOn(after, cls.wall, own)
  const isOpen = (spot: string | null) => spot !== null && isSpotOn(seats.spot_map, spot) && !seats.closed_spots.includes(spot)
  const moves: SeatMove[] = []
  const lost: SeatedReservation[] = []
  const takenSpots = new Set<string>()
  for (const reservation of seated) {
    const requestedSpot = wanted.get(reservation.class_reservation_id)
    if (requestedSpot !== undefined && !isOpen(requestedSpot)) throw refuse('INVALID_INPUT', { field: 'moves' })
    const to = requestedSpot ?? target(reservation.spot)
    if (to === null || !isOpen(to)) {
      lost.push(reservation)
      continue
    }
    if (takenSpots.has(to)) throw refuse('SPOT_TAKEN')
    takenSpots.add(to)
    const name = nameOf.before(reservation.spot)
    const isNotified = name !== nameOf.after(to)
    if (to !== reservation.spot || isNotified) moves.push({ ...reservation, from: reservation.spot, from_name: name, to, isNotified })
  }
  const isSame = seats.spot_map === cls.spot_map && seats.closed_spots.join() === cls.closed_spots.join()
  if (isSame && moves.length === 0 && lost.length === 0) return null
  const busy = cls.taken + cls.held
  if (busy > (openSeats(seats) ?? 0)) throw refuse('CAPACITY_BELOW_TAKEN', { taken: busy })
  const free = allSpots(seats.spot_map).filter((spot) => isOpen(spot) && !takenSpots.has(spot))
  const left = [...free]
  return {
    cls,
    moves,
    ...seats,
    lost: lost.map((reservation) => {
      const proposed = nearestSpot(left, target(reservation.spot) ?? reservation.spot)
      if (proposed !== null) left.splice(left.indexOf(proposed), 1)
      return { reservation, free, proposed }
    }),
  }
}

const SHOWN = 6

/** "lugar 11 (Iván Cota, jue 19 nov, 20:30)" */
function describeAffected(affected: readonly AffectedSeat[], before: RoomMap | null): string {
  const nameOf = seatNames(before, null).before
  const named = affected.slice(0, SHOWN).map(({ spot, name, class_date }) => {
    return `${nameOf(spot)} (${name}, ${formatWall(class_date, 'class')})`
  })
  return affected.length > SHOWN ? `${named.join('; ')} y ${affected.length - SHOWN} más` : named.join('; ')
}
