/**
 * Fills a studio with generated rows, reproducible by seed, for tests that compare a computation with a slow one: an ordinary studio, or a
 * chaotic one in which everything that can go wrong did.
 */
import { eq } from 'drizzle-orm'
import { Chance } from '#server/demo/chance.ts'
import { classReservation, waitlistEntry } from '#server/modules/bookings/tables.ts'
import type { classPackage } from '#server/modules/catalogue/tables.ts'
import { availableClass, creditMovement } from '#server/modules/credits/tables.ts'
import { customer } from '#server/modules/people/tables.ts'
import { disputeMovement, refund } from '#server/modules/sales/aftersales-tables.ts'
import { cashSession } from '#server/modules/sales/counter-tables.ts'
import { discountUse, invoice, purchase } from '#server/modules/sales/tables.ts'
import { classInstructor, singleClass } from '#server/modules/schedule/tables.ts'
import type { TestStudio } from './studio.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

export type StudioKind = 'ordinary' | 'chaotic' | 'empty'
export const STUDIO_KINDS = ['ordinary', 'chaotic', 'empty'] as const

export interface Generated {
  /** The first is on the clocks of the studio, the second on those of `elsewhere`. */
  locations: readonly [number, number]
  customers: number[]
}

interface Bought {
  creditLot: typeof availableClass.$inferInsert & { available_class_id: number }
  left: number
}

const rate = 1_600
const taxOf = (total: number, tax_rate: number) => {
  const net = Math.round(total / (1 + tax_rate / 10_000))
  return { tax_rate, net_centavos: net, tax_centavos: total - net }
}

/** Writes the rows of about four months until the studio's clock, and two weeks after it. An empty studio gets locations only. */
export async function generateStudio(s: TestStudio, kind: StudioKind, seed: number, elsewhere = 'America/Tijuana'): Promise<Generated> {
  const luck = new Chance(seed)
  const isChaotic = kind === 'chaotic'
  const happens = (share: number, chaotic = share) => luck.next() < (isChaotic ? chaotic : share)
  const between = (from: number, to: number) => from + luck.next() * (to - from)
  const now = s.clock.now().getTime()
  const locations = [(await s.make.location()).location_id, (await s.make.location({ timezone: elsewhere })).location_id] as const
  if (kind === 'empty') return { locations, customers: [] }
  const owner = await s.make.staff('owner')
  const [{ staff_id } = { staff_id: 0 }] = await s.sql<{ staff_id: number }>('select staff_id from staff where uid = $1', [owner.uid])
  const types = [await s.make.classType(), await s.make.classType(), await s.make.classType()].map((type) => type.class_type_id)
  const coaches = [await s.make.instructor(), await s.make.instructor({ nick_name: 'Xime' }), await s.make.instructor()].map(
    (instructor) => instructor.instructor_id,
  )
  const cash = (await s.make.paymentMethod({ name: `Efectivo ${seed}`, kind: 'cash' })).payment_method_id
  const monthly = { is_subscription: true, subscription_period: 'month', subscription_interval: 1, expiration_days: 30 } as const
  const packages = {
    ten: await s.make.package(),
    trial: await s.make.package({ class_amount: 1, is_trial: true, price_centavos: 15_000, expiration_days: 10 }),
    eight: await s.make.package({ ...monthly, class_amount: 8, price_centavos: 129_900 }),
    endless: await s.make.package({ ...monthly, class_amount: -1, price_centavos: 189_900 }),
    fee: await s.make.package({ class_amount: 0, price_centavos: 50_000, tax_rate: 800 }),
  }
  const code = await s.make.discount()
  const { db } = s.studio

  const people = await db.tx((tx) =>
    tx
      .insert(customer)
      .values(
        Array.from({ length: 36 }, (_, n) => ({
          name: `Persona ${n}`,
          last_name: 'Generada',
          email: `persona${n}.${seed}.${Math.floor(now / HOUR)}@ejemplo.mx`,
          createdAt: new Date(now - between(1, 125) * DAY),
        })),
      )
      .returning({ customer_id: customer.customer_id, createdAt: customer.createdAt }),
  )

  const planned: (typeof singleClass.$inferInsert)[] = []
  for (let day = -125; day < 14; day++)
    for (let n = 0; n < 2; n++) {
      if (happens(0.15)) continue
      // Whole hours, some exactly at midnight of the studio.
      const starts_at = new Date(Math.floor((now + day * DAY) / HOUR) * HOUR + Math.floor(between(-9, 9)) * HOUR)
      planned.push({
        class_type_id: luck.one(types),
        location_id: luck.one(locations),
        starts_at,
        ends_at: new Date(starts_at.getTime() + 50 * 60_000),
        capacity: happens(0, 0.08) ? null : 3 + Math.floor(between(0, 5)),
        cancelledAt: happens(0.03, 0.15) ? new Date(starts_at.getTime() - between(1, 40) * HOUR) : null,
        settledAt: starts_at.getTime() < now - DAY && !happens(0.02, 0.2) ? new Date(starts_at.getTime() + 3 * HOUR) : null,
      })
    }
  const classes = await db.tx(async (tx) => {
    const rows = await tx.insert(singleClass).values(planned).returning()
    await tx.insert(classInstructor).values(
      rows.flatMap(({ single_class_id }) => {
        const [first, second] = happens(0.05, 0.2) ? [coaches[0], coaches[1]] : [luck.one(coaches), undefined]
        return [first, second].flatMap((instructor_id, sort) => (instructor_id ? [{ single_class_id, instructor_id, sort }] : []))
      }),
    )
    return rows
  })

  /** Sells a package: the purchase, its charges, its lots. */
  async function sell(customer_id: number, soldPackage: typeof classPackage.$inferSelect, at: Date): Promise<Bought[]> {
    const isGift = happens(0.03, 0.1)
    const withCode = !isGift && happens(0.15)
    const online = happens(0.5)
    const amount = soldPackage.price_centavos
    const discounted = withCode ? Math.round(amount / 10) : 0
    const total = amount - discounted
    const periods = soldPackage.is_subscription ? 1 + Math.floor(between(0, Math.min(4, (now - at.getTime()) / (30 * DAY)))) : 1
    const benefits_until = soldPackage.is_subscription ? new Date(at.getTime() + periods * 30 * DAY) : null
    const ends = soldPackage.is_subscription && (benefits_until as Date).getTime() < now
    const revoked = !soldPackage.is_subscription && happens(0.02, 0.1)
    const tax_rate = soldPackage.tax_rate ?? rate
    return db.tx(async (tx) => {
      const [sold] = await tx
        .insert(purchase)
        .values({
          customer_id,
          class_package_id: soldPackage.class_package_id,
          title: soldPackage.title,
          amount_centavos: amount,
          discount_centavos: discounted,
          total_centavos: total,
          class_amount: soldPackage.class_amount,
          expiration_days: soldPackage.expiration_days,
          ...(soldPackage.is_subscription
            ? { is_subscription: true, subscription_period: 'month' as const, subscription_interval: 1, benefits_until }
            : {}),
          ...(withCode ? { discount_id: code.discount_id, discount_code: code.code } : {}),
          status: ends ? 'cancelled' : revoked ? 'revoked' : soldPackage.is_subscription ? 'active' : 'completed',
          ...(ends ? { cancelledAt: benefits_until, cancel_reason: happens(0.5) ? 'Me mudo' : null } : {}),
          ...(online
            ? { gateway: 'sandbox' }
            : { gateway: 'efectivo', location_id: luck.one(locations), staff_id, payment_method_id: cash }),
          is_gift: isGift,
          request_hash: 'generated',
          completedAt: at,
          createdAt: at,
          updatedAt: at,
        })
        .returning()
      if (!sold) throw new Error('nothing sold')
      const { purchase_id } = sold
      if (withCode)
        await tx
          .insert(discountUse)
          .values({ purchase_id, discount_id: code.discount_id, customer_id, state: 'used', createdAt: at, updatedAt: at })
      const bought: Bought[] = []
      for (let n = 0; n < periods; n++) {
        const from = new Date(at.getTime() + n * 30 * DAY)
        const period = soldPackage.is_subscription ? `period-${n + 1}` : 'once'
        const isOwed = !online && happens(0.03, 0.15)
        const lost = happens(0, 0.06)
        const back = happens(0.04, 0.15) ? (happens(0.5) ? total : Math.floor(between(1, total))) : 0
        const doneAt = new Date(Math.min(now - 1, from.getTime() + between(0, 25) * DAY))
        const returns = back > 0 && happens(0, 0.2)
        if (!isGift) {
          // Some banks take only a part, some in two disputes, and some return it.
          const takenAmount = lost && !isOwed ? Math.ceil(total / (1 + (n % 2))) : 0
          const isReturned = takenAmount > 0 && purchase_id % 5 === 0
          const refunded = lost ? 0 : returns ? 0 : back
          const [charge] = await tx
            .insert(invoice)
            .values({
              purchase_id,
              customer_id,
              gateway: sold.gateway,
              provider_payment: `generated-${seed}-${purchase_id}-${n}`,
              period,
              total_centavos: total,
              refunded_centavos: 0,
              ...taxOf(total, tax_rate),
              location_id: sold.location_id,
              staff_id: sold.staff_id,
              payment_method_id: sold.payment_method_id,
              ...(isOwed
                ? { status: 'pending' as const }
                : {
                    status: lost
                      ? isReturned
                        ? ('paid' as const)
                        : ('lost' as const)
                      : refunded === 0
                        ? 'paid'
                        : refunded === total
                          ? 'refunded'
                          : 'partially_refunded',
                    paidAt: from,
                  }),
              ...(isReturned ? {} : { disputed_centavos: takenAmount }),
              createdAt: from,
            })
            .returning({ invoice_id: invoice.invoice_id })
          if (charge && takenAmount > 1) {
            const { invoice_id } = charge
            const later = new Date(Math.min(now - 1, doneAt.getTime() + 3 * DAY))
            await tx
              .insert(disputeMovement)
              .values(
                [
                  { invoice_id, amount_centavos: takenAmount - Math.floor(takenAmount / 3), createdAt: doneAt },
                  { invoice_id, amount_centavos: Math.floor(takenAmount / 3), createdAt: later },
                  ...(isReturned ? [{ invoice_id, amount_centavos: -takenAmount, createdAt: later }] : []),
                ].filter(({ amount_centavos }) => amount_centavos !== 0),
              )
          }
          if (charge && back > 0 && !lost && !isOwed) {
            const refundedAt = returns
              ? { state: 'refused' as const, doneAt, returnedAt: new Date(doneAt.getTime() + HOUR) }
              : { state: 'done' as const, doneAt }
            await tx.insert(refund).values({
              purchase_id,
              invoice_id: charge.invoice_id,
              amount_centavos: back,
              by_hand: true,
              reason: 'generado',
              ...refundedAt,
              createdAt: doneAt,
              updatedAt: doneAt,
            })
            if (refunded > 0) await tx.update(invoice).set({ refunded_centavos: refunded }).where(eq(invoice.invoice_id, charge.invoice_id))
          }
        }
        if (soldPackage.class_amount === 0) continue
        const unlimited = soldPackage.class_amount === -1
        const revokedAt = revoked ? new Date(Math.min(now - 1, from.getTime() + between(1, 20) * DAY)) : null
        const [creditLot] = await tx
          .insert(availableClass)
          .values({
            customer_id,
            class_package_id: soldPackage.class_package_id,
            purchase_id,
            period,
            title: soldPackage.title,
            unlimited,
            granted: unlimited ? null : soldPackage.class_amount,
            balance: unlimited ? null : 0,
            expires_at: new Date(from.getTime() + soldPackage.expiration_days * DAY),
            revokedAt,
            frozenAt: !revokedAt && happens(0.02, 0.06) ? new Date(from.getTime() + 2 * DAY) : null,
            createdAt: from,
          })
          .returning()
        if (!creditLot) continue
        await tx.insert(creditMovement).values({
          available_class_id: creditLot.available_class_id,
          customer_id,
          kind: 'grant',
          amount: creditLot.granted ?? 0,
          actor: 'test',
          createdAt: from,
        })
        bought.push({ creditLot, left: unlimited ? 1_000 : (creditLot.granted ?? 0) })
      }
      return bought
    })
  }

  const creditLots: Bought[] = []
  for (const { customer_id, createdAt } of people) {
    if (happens(0.1)) continue
    let at = createdAt.getTime()
    if (happens(0.7)) creditLots.push(...(await sell(customer_id, packages.trial, new Date(at))))
    at += between(0, 20) * DAY
    while (at < now) {
      const soldPackage = luck.one([packages.ten, packages.ten, packages.eight, packages.endless])
      creditLots.push(...(await sell(customer_id, soldPackage, new Date(at))))
      if (happens(0.1)) await sell(customer_id, packages.fee, new Date(at))
      if (soldPackage.is_subscription || happens(0.25)) break
      at += between(10, 60) * DAY
    }
  }

  for (const { customer_id, createdAt } of people.slice(0, 6))
    if (happens(0.7))
      creditLots.push({
        creditLot: await s.make.lot(
          { customer_id },
          { granted: 1, is_courtesy: true, title: 'Cortesía', createdAt, expires_at: new Date(now) },
        ),
        left: 1,
      })

  /** Reservations per class, each paid from a credit lot. */
  const takenByClass = new Map<number, number>()
  await db.tx(async (tx) => {
    for (const cls of classes) {
      const seated = new Set<number>()
      for (const counted of creditLots) {
        const { creditLot } = counted
        const start = cls.starts_at.getTime()
        if (counted.left < 1 || seated.has(creditLot.customer_id) || (takenByClass.get(cls.single_class_id) ?? 0) >= (cls.capacity ?? 0))
          continue
        if (
          start < creditLot.createdAt.getTime() ||
          start > (creditLot.expires_at?.getTime() ?? 0) ||
          (creditLot.revokedAt && start > creditLot.revokedAt.getTime())
        )
          continue
        if (creditLot.frozenAt && start > creditLot.frozenAt.getTime()) continue
        if (!happens(0.12)) continue
        seated.add(creditLot.customer_id)
        const createdAt = new Date(Math.max(creditLot.createdAt.getTime(), Math.min(now - 1, start - between(1, 60) * HOUR)))
        const isOver = start < now
        const cancelledBy = cls.cancelledAt
          ? 'studio'
          : happens(0.12, 0.3)
            ? luck.one(['customer', 'staff', 'undo', 'move'] as const)
            : null
        const late = cancelledBy === 'customer' && happens(0.4)
        const mark = isOver && !cancelledBy && cls.settledAt && !happens(0.1) ? !happens(0.12) : null
        const deletedAt = cancelledBy
          ? (cls.cancelledAt ?? new Date(Math.min(now - 1, Math.max(createdAt.getTime(), start - 2 * HOUR))))
          : null
        const [row] = await tx
          .insert(classReservation)
          .values({
            single_class_id: cls.single_class_id,
            customer_id: creditLot.customer_id,
            available_class_id: creditLot.available_class_id,
            attend: mark,
            excuse: mark === false && happens(0.2) ? 'Enferma' : null,
            createdAt,
            updatedAt: createdAt,
            deletedAt,
            cancelled_by: cancelledBy,
            cancelled_late: cancelledBy ? late : null,
            ...(mark && happens(0.3) ? { coach_stars: 1 + Math.floor(between(0, 5)), comment: happens(0.4) ? 'Muy buena' : null } : {}),
          })
          .returning({ id: classReservation.class_reservation_id })
        if (!row) continue
        if (!cancelledBy) takenByClass.set(cls.single_class_id, (takenByClass.get(cls.single_class_id) ?? 0) + 1)
        const movement = {
          available_class_id: creditLot.available_class_id,
          customer_id: creditLot.customer_id,
          class_reservation_id: row.id,
          actor: 'test',
        }
        const unit = creditLot.unlimited ? 0 : 1
        await tx.insert(creditMovement).values({ ...movement, kind: 'spend', amount: -unit, createdAt })
        counted.left -= unit
        if (cancelledBy && !late) {
          await tx.insert(creditMovement).values({ ...movement, kind: 'give_back', amount: unit, createdAt: deletedAt as Date })
          counted.left += unit
        }
      }
      if ((takenByClass.get(cls.single_class_id) ?? 0) >= (cls.capacity ?? 1)) {
        const waiting = people.filter(({ customer_id }) => !seated.has(customer_id)).slice(0, Math.floor(between(0, 4)))
        for (const { customer_id } of waiting)
          await tx.insert(waitlistEntry).values({
            single_class_id: cls.single_class_id,
            customer_id,
            status: 'closed',
            createdAt: cls.createdAt,
            updatedAt: cls.createdAt,
          })
      }
    }
    for (const { creditLot, left } of creditLots) {
      if (!creditLot.revokedAt || creditLot.unlimited || left === 0) continue
      await tx.insert(creditMovement).values({
        available_class_id: creditLot.available_class_id,
        customer_id: creditLot.customer_id,
        kind: 'revoke',
        amount: -left,
        actor: 'test',
        createdAt: creditLot.revokedAt,
      })
    }
    for (let day = -60; day < 0; day += 2) {
      const expected = Math.floor(between(0, 400_000))
      const closedAt = new Date(now + day * DAY)
      await tx
        .insert(cashSession)
        .values({
          location_id: luck.one(locations),
          staff_id,
          opening_centavos: 50_000,
          openedAt: new Date(closedAt.getTime() - 8 * HOUR),
          closedAt,
          closed_by: staff_id,
          cash_count: {},
          left_centavos: 0,
          counted: [
            { payment_method_id: cash, expected, counted: expected - (happens(0.2, 0.6) ? Math.floor(between(-9_000, 9_000)) : 0) },
          ],
          ...(happens(0.7) ? { approvedAt: closedAt, approved_by: staff_id } : {}),
        })
        .onConflictDoNothing()
    }
  })
  return { locations, customers: people.map(({ customer_id }) => customer_id) }
}
