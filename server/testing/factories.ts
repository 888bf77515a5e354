/** Factories for tests: each inserts one record with plausible defaults and returns what the test needs. */
import { randomUUID } from 'node:crypto'
import type { AllowedTime } from '#contract/credits.ts'
import type { Role } from '#contract/rights.ts'
import { kindByName } from '#server/modules/catalogue/lists.ts'
import { classPackage, classType, discount, instructor, location, paymentMethod } from '#server/modules/catalogue/tables.ts'
import { page } from '#server/modules/content/tables.ts'
import { availableClass, creditMovement } from '#server/modules/credits/tables.ts'
import type { Studio } from '#server/modules/ctx.ts'
import { customer, staff } from '#server/modules/people/tables.ts'
import { classInstructor, singleClass } from '#server/modules/schedule/tables.ts'
import { video } from '#server/modules/videos/tables.ts'
import { singleRow } from '#server/platform/db.ts'

type New<T extends { $inferInsert: object }> = Partial<T['$inferInsert']>

let phones = 0
/** Unique, also between two processes that share a database, because a phone must not be in use twice. */
const nextPhone = () => String(8_100_000_000 + (process.pid % 9_000) * 10_000 + phones++)

export type Factories = ReturnType<typeof factories>

export function factories(studio: Studio, clock: { now(): Date }) {
  const { db } = studio
  let count = 0
  /** An account without password and customer, and a token that does not expire in a test. */
  const login = async (email: string) => {
    const { uid } = await studio.ports.identity.createAccount({ email, emailVerified: true })
    return { uid, email, token: await studio.ports.identity.tokenFor(uid, 10 * 365 * 86_400), customer_id: 0 }
  }
  const insertCreditLot = async (values: typeof availableClass.$inferInsert) =>
    db.tx(async (tx) => {
      const creditLot = singleRow(
        await tx
          .insert(availableClass)
          .values({ ...values, balance: values.unlimited ? null : 0 })
          .returning(),
      )
      await tx.insert(creditMovement).values({
        available_class_id: creditLot.available_class_id,
        customer_id: creditLot.customer_id,
        kind: 'grant',
        amount: values.granted ?? 0,
        actor: 'test',
        createdAt: clock.now(),
      })
      return creditLot
    })

  return {
    /** A customer with a login. */
    async customer(values: New<typeof customer> = {}) {
      const n = ++count
      const email = values.email ?? `cliente${n}.${randomUUID().slice(0, 6)}@ejemplo.mx`
      const account = await login(email)
      const row = singleRow(
        await db.tx((tx) =>
          tx
            .insert(customer)
            .values({
              uid: account.uid,
              name: `Ana ${n}`,
              last_name: 'Treviño',
              email,
              phone: nextPhone(),
              createdAt: clock.now(),
              ...values,
            })
            .returning(),
        ),
      )
      return { ...account, customer_id: row.customer_id }
    },

    /** An account without a customer, as right after sign-up at the identity service. */
    account: (email = `nueva${++count}.${randomUUID().slice(0, 6)}@ejemplo.mx`) => login(email),

    async staff(role: Role, values: New<typeof staff> = {}) {
      const email = `${role}${++count}.${randomUUID().slice(0, 6)}@ejemplo.mx`
      const account = await login(email)
      await db.tx((tx) => tx.insert(staff).values({ uid: account.uid, name: `Equipo ${count}`, email, role, ...values }))
      return account
    },

    location: async (values: New<typeof location> = {}) =>
      singleRow(
        await db.tx((tx) =>
          tx
            .insert(location)
            .values({ name: `Estudio ${++count}`, address: 'Tonalá 118', ...values })
            .returning(),
        ),
      ),

    classType: async (values: New<typeof classType> = {}) =>
      singleRow(
        await db.tx((tx) =>
          tx
            .insert(classType)
            .values({ name: `Reformer ${++count}`, duration_minutes: 50, ...values })
            .returning(),
        ),
      ),

    instructor: async (values: New<typeof instructor> = {}) =>
      singleRow(
        await db.tx((tx) =>
          tx
            .insert(instructor)
            .values({ name: `Renata ${++count}`, last_name: 'Quiroz', ...values })
            .returning(),
        ),
      ),

    /** `kind`: guessed from the name, as for staff. */
    paymentMethod: async (values: New<typeof paymentMethod> = {}) => {
      const name = values.name ?? `Tarjeta ${++count}`
      return singleRow(
        await db.tx((tx) =>
          tx
            .insert(paymentMethod)
            .values({ name, kind: kindByName(name), ...values })
            .returning(),
        ),
      )
    },

    page: async (values: New<typeof page> = {}) =>
      singleRow(
        await db.tx((tx) =>
          tx
            .insert(page)
            .values({ slug: `pagina-${++count}`, title: `Página ${count}`, content: '<p>Texto</p>', ...values })
            .returning(),
        ),
      ),

    /** A package of ten classes for $2,190.00, good for 60 days. */
    package: async (values: New<typeof classPackage> = {}) =>
      singleRow(
        await db.tx((tx) =>
          tx
            .insert(classPackage)
            .values({ title: `Diez ${++count}`, price_centavos: 219_000, class_amount: 10, expiration_days: 60, is_home: true, ...values })
            .returning(),
        ),
      ),

    /** A code of ten percent, for all packages and customers. */
    discount: async (values: New<typeof discount> = {}) =>
      singleRow(
        await db.tx((tx) =>
          tx
            .insert(discount)
            .values({
              code: `DIEZ${++count}`,
              amount: 1_000,
              is_percent: true,
              createdAt: clock.now(),
              updatedAt: clock.now(),
              ...values,
            })
            .returning(),
        ),
      ),

    /** A credit lot of a customer: by default ten classes for 60 days. */
    lot: (person: { customer_id: number }, values: New<typeof availableClass> & { allowed_times?: AllowedTime[] } = {}) =>
      insertCreditLot({
        customer_id: person.customer_id,
        title: 'Diez',
        unlimited: false,
        granted: values.unlimited ? null : (values.granted ?? 10),
        expires_at: new Date(clock.now().getTime() + 60 * 86_400_000),
        createdAt: clock.now(),
        ...values,
      }),

    /** A customer with credits. */
    async buyer(creditLot: Parameters<typeof this.lot>[1] = {}) {
      const customer = await this.customer()
      await this.lot(customer, creditLot)
      return customer
    },

    /** A video of 24 minutes, published yesterday. */
    video: async (values: New<typeof video> = {}) =>
      singleRow(
        await db.tx((tx) =>
          tx
            .insert(video)
            .values({
              name: `Reformer en casa ${++count}`,
              duration: 24,
              url: 'https://vimeo.com/76979871',
              published_at: new Date(clock.now().getTime() - 86_400_000),
              createdAt: clock.now(),
              updatedAt: clock.now(),
              ...values,
            })
            .returning(),
        ),
      ),

    /** A class tomorrow at the same hour with ten places; creates its type, location and instructor. */
    async class(values: New<typeof singleClass> & { instructor_id?: number } = {}) {
      const { instructor_id, ...others } = values
      const class_type_id = others.class_type_id ?? (await this.classType()).class_type_id
      const location_id = others.location_id ?? (await this.location()).location_id
      const coach = instructor_id ?? (await this.instructor()).instructor_id
      const starts_at = others.starts_at ?? new Date(clock.now().getTime() + 86_400_000)
      return db.tx(async (tx) => {
        const row = singleRow(
          await tx
            .insert(singleClass)
            .values({
              capacity: 10,
              ...others,
              class_type_id,
              location_id,
              starts_at,
              ends_at: others.ends_at ?? new Date(starts_at.getTime() + 50 * 60_000),
            })
            .returning(),
        )
        await tx.insert(classInstructor).values({ single_class_id: row.single_class_id, instructor_id: coach })
        tx.notify({ topic: 'class', single_class_id: row.single_class_id, class_date: row.starts_at.toISOString() })
        return row
      })
    },
  }
}
