import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { packageSections } from '#contract/package-sections.ts'
import { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { Ctx } from '#server/modules/ctx.ts'
import { announceRenewals } from '#server/modules/sales/aftersales/subscriptions.ts'
import { reconcile, sweep } from '#server/modules/sales/jobs.ts'
import { compareBooks } from '#server/modules/sales/settlement/reconciliation.ts'
import { findBrokenInDemo } from '#server/testing/demo-invariants.ts'
import { type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { firstOwner, type Login, ownerLink, seedDemo } from './demo.ts'

/** Every row of every table that a second start must leave alone. */
async function everything(on: TestStudio): Promise<Record<string, string>> {
  const tables = await on.sql<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  const all: Record<string, string> = {}
  for (const { name } of tables) {
    const [row] = await on.sql<{ sum: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as sum from "${name}" t`,
    )
    all[name] = row?.sum ?? ''
  }
  return all
}

/** A person who logged in with the printed credentials. */
async function enter(on: TestStudio, login: Login): Promise<Person> {
  const answer = await fetch(`${on.url}/identidad/v1/accounts:signInWithPassword?key=estudio-identidad`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: login.email, password: login.password, returnSecureToken: true }),
  })
  const body = (await answer.json()) as { localId: string; idToken: string }
  expect(answer.status, JSON.stringify(body)).toBe(200)
  return { uid: body.localId, email: login.email, token: body.idToken, customer_id: 0 }
}

describe.each(['vaiven', 'fragua'] as const)('the demo studio %s', (brand) => {
  let on: TestStudio
  let logins: Login[]

  beforeAll(async () => {
    on = await studio()
    logins = await seedDemo(on.studio, brand)
  })
  afterAll(() => on.close())

  it('satisfies all constraints between the tables', async () => {
    expect(await findBrokenInDemo(on)).toEqual([])
  })

  it('the demo studio has a plausible week: full classes, free spots, and fewer people further ahead', async () => {
    const { days } = await on.as(null).schedule.week({})
    const ahead = days.flatMap((day) => day.classes).filter((cls) => cls.state !== 'past')
    expect(days).toHaveLength(7)
    expect(ahead.length).toBeGreaterThan(12)
    expect(ahead.some((cls) => cls.state === 'full')).toBe(true)
    expect(ahead.some((cls) => cls.state === 'available')).toBe(true)
    const share = await on.sql<{ week: number; share: number }>(
      `select floor(extract(epoch from starts_at - $1) / 604800)::int as week, (sum(taken)::float / sum(capacity)) as share
       from single_class where "cancelledAt" is null and class_package_id is null group by 1 order by 1`,
      [on.clock.now()],
    )
    const of = (week: number) => share.find((row) => row.week === week)?.share ?? -1
    expect(of(-2)).toBeGreaterThan(0.55)
    expect(of(0)).toBeGreaterThan(of(1))
    expect(of(1)).toBeGreaterThan(of(3))
    expect(of(5)).toBeLessThan(0.1)
  })

  it('sells ten packages of every kind', async () => {
    const { class_packages } = await on.as(null).catalogue.packages()
    expect(class_packages).toHaveLength(10)
    const sections = packageSections(class_packages, 'page')
    expect(sections.trial).toHaveLength(1)
    expect(class_packages.some((classPackage) => classPackage.is_subscription)).toBe(true)
    expect(class_packages.some((classPackage) => classPackage.is_online)).toBe(true)
    expect(class_packages.some((classPackage) => classPackage.is_special_event && classPackage.left === 16)).toBe(true)
    expect(class_packages.some((classPackage) => classPackage.sale_price !== null)).toBe(true)
    expect(class_packages.filter((classPackage) => classPackage.is_featured)).toHaveLength(1)
    expect(class_packages.some((classPackage) => classPackage.class_amount === -1)).toBe(true)
  })

  it('all six printed accounts can sign in', async () => {
    expect(logins.map((login) => login.role)).toEqual(['propietaria', 'gerencia', 'recepción', 'coach', 'con clases', 'sin clases'])
    const [owner, manager, reception, coach, regular, newcomer] = await Promise.all(logins.map((login) => enter(on, login)))
    if (!owner || !manager || !reception || !coach || !regular || !newcomer) throw new Error('Somebody is missing.')
    const roles = await on.sql<{ role: string; instructor_id: number | null }>(`select role, instructor_id from staff order by staff_id`)
    expect(roles.map((row) => row.role)).toEqual(['owner', 'manager', 'reception', 'coach'])
    expect(roles[3]?.instructor_id).not.toBeNull()

    const me = await on.as(regular).people.me()
    expect(me.customer.name).toBe('Ana Sofía')
    expect((await on.as(regular).content.accepted()).pending).toEqual([])
    const { summary, available_classes } = await on.as(regular).credits.list()
    expect(summary.available).toBeGreaterThanOrEqual(13)
    expect(available_classes.some((creditLot) => creditLot.class_type_id !== null)).toBe(true)
    const { class_reservations } = await on.as(regular).bookings.list({})
    const statuses = class_reservations.map((reservation) => reservation.status)
    for (const status of ['Próxima', 'Exitosa', 'No Asistí', 'Cancelada']) expect(statuses).toContain(status)
    expect(class_reservations.some((reservation) => reservation.guest === 'Jimena' && reservation.status === 'Próxima')).toBe(true)
    expect(class_reservations.some((reservation) => reservation.actions.rate)).toBe(true)

    expect((await on.as(newcomer).credits.list()).summary.available).toBe(0)
    expect((await on.as(reception).people.find({ customer_id: me.customer.customer_id })).customer.email).toBe(regular.email)
  })

  it('its codes make every package cheaper for a new customer', async () => {
    const login = logins.at(-1)
    if (!login) throw new Error('Nobody has just arrived.')
    const newcomer = on.as(await enter(on, login))
    const codes = await on.sql<{ code: string }>('select code from discount order by discount_id')
    expect(codes).toHaveLength(2)
    const { class_packages } = await on.as(null).catalogue.packages()
    for (const { code } of codes)
      for (const { class_package_id, is_subscription } of class_packages) {
        const { quote, discount } = await newcomer.discounts.byCode({ code, class_package_id })
        expect(Number(quote.total)).toBeLessThan(Number(quote.subtotal))
        if (is_subscription) expect(quote.next_total).toBe(discount.first_invoice_only ? quote.subtotal : quote.total)
      }
  })

  it('shows the regular’s card purchases: a package, a membership, a refunded one, and the card (S1-2.72, S1-2.91, V23)', async () => {
    const login = logins[4]
    if (!login) throw new Error('Somebody is missing.')
    const regular = on.as(await enter(on, login))
    const card = 'Visa terminada en 4242'
    const { payment_sources } = await regular.sales.cards()
    expect(payment_sources.map(({ card_type, last_digits }) => [card_type, last_digits])).toEqual([['visa', '4242']])

    const { purchases } = await regular.sales.list()
    const byCard = purchases.filter((sale) => sale.payment_method?.name === card)
    expect(byCard.map(({ status, has_receipt }) => [status, has_receipt])).toEqual([
      ['completed', true],
      ['active', true],
      ['revoked', true],
    ])
    const [, monthly, back] = byCard
    expect(back?.refunded).toBe(back?.total_payment)
    expect(monthly?.next_charge?.amount).toBe(monthly?.total_payment)
    const days = (Date.parse(monthly?.next_charge?.date ?? '') - on.clock.now().getTime()) / 86_400_000
    expect(days).toBeGreaterThan(10)
    expect(days).toBeLessThan(32)

    const { invoices } = await regular.invoices.list({})
    const charged = (id: number | undefined) => invoices.filter((row) => row.purchase_id === id).map((row) => row.status)
    expect(byCard.map((sale) => charged(sale.purchase_id))).toEqual([['paid'], ['paid', 'paid'], ['refunded']])
    const { available_classes } = await regular.credits.list()
    expect(available_classes.filter((creditLot) => creditLot.title === monthly?.title)).toHaveLength(1)
  })

  it('the processor’s clock, the sweeper and the reconciliation change nothing of it', async () => {
    // The key that signs notices is made at its first use.
    const books = async () => ({ ...(await everything(on)), sandbox_config: null })
    const before = await books()
    const sandbox = on.studio.ports.gateways.get('sandbox')
    if (!(sandbox instanceof Sandbox)) throw new Error('There is no built-in processor.')
    const year = 365 * 86_400_000
    const reported = await Array.fromAsync(sandbox.since(new Date(on.clock.now().getTime() - year)))
    expect(reported.map(({ payments }) => payments.length).sort()).toEqual([1, 1, 2])
    const ctx = new Ctx(on.studio, { actor: { kind: 'system', job: 'test' } })
    const onlyCards = { ...on.studio, ports: { ...on.studio.ports, gateways: new Map([[sandbox.id, sandbox]]) } }
    await sandbox.tick()
    await sweep(ctx)
    await reconcile(ctx)
    await compareBooks(new Ctx(onlyCards, { actor: { kind: 'system', job: 'test' } }), year)
    await announceRenewals(ctx)
    expect(await on.sql('select * from money_difference')).toEqual([])
    expect(await books()).toEqual(before)
  })

  it('a second start changes nothing', async () => {
    const before = await everything(on)
    expect(await seedDemo(on.studio, brand)).toEqual(logins)
    expect(await everything(on)).toEqual(before)
  })

  it('the studio’s own verbs accept its records', async () => {
    const [, , , , regularLogin, newcomerLogin] = logins
    if (!regularLogin || !newcomerLogin) throw new Error('Somebody is missing.')
    const [regular, newcomer] = [await enter(on, regularLogin), await enter(on, newcomerLogin)]
    const { purchases } = await on.as(regular).sales.list()
    expect(purchases.map((sale) => sale.status).sort()).toEqual([
      'active',
      ...Array(brand === 'vaiven' ? 5 : 4).fill('completed'),
      'revoked',
    ])
    for (const { purchase_id, status } of purchases)
      expect((await on.as(regular).sales.one({ id: purchase_id })).purchase.status).toBe(status)

    const mine = (await on.as(regular).bookings.list({})).class_reservations
    const shared = mine.find((reservation) => reservation.guest !== null && reservation.actions.cancel === 'free')
    if (!shared) throw new Error('There is no place to give up.')
    const credits = async () => (await on.as(regular).credits.list()).summary.available
    const before = await credits()
    expect((await on.as(regular).bookings.cancel({ class_reservation_id: shared.class_reservation_id })).credit).toBe('returned')
    expect(await credits()).toBe(before + 2)

    const { days } = await on.as(regular).schedule.week({ start_date: '2026-11-23', end_date: '2026-11-29' })
    const open = days.flatMap((day) => day.classes).find((cls) => cls.actions.reserve === 'ok' && cls.spot_map !== null)
    if (!open) throw new Error('There is no class to reserve.')
    const takenSpots = open.class_reservations.map((reservation) => reservation.spot)
    const spot = open.spot_map
      ?.split(',')
      .flatMap((size, row) => Array.from({ length: Number(size) }, (_, seat) => `${row + 1}-${seat + 1}`))
      .find((spot) => !takenSpots.includes(spot))
    const input = { single_class_id: open.single_class_id, spot: spot ?? null }
    expect((await refusalOf(on.as(newcomer).bookings.reserve(input))).code).toBe('NO_CREDITS')
    expect((await on.as(regular).bookings.reserve(input)).class_reservation.status).toBe('Próxima')
    expect(await findBrokenInDemo(on)).toEqual([])
  })

  it('starting with the other brand keeps the existing demo', async () => {
    const before = await everything(on)
    expect(await seedDemo(on.studio, brand === 'vaiven' ? 'fragua' : 'vaiven')).toEqual(logins)
    expect(await everything(on)).toEqual(before)
    expect(on.logged.join()).toContain('db:reset')
  })

  it('three weeks later only the missing days are added, and after two months the current week is filled again', async () => {
    const count = async () => Number((await on.sql<{ count: string }>('select count(*) from single_class'))[0]?.count)
    const last = async () => (await on.sql<{ at: Date }>('select max(starts_at) as at from single_class'))[0]?.at.getTime() ?? 0
    const [classes, until] = [await count(), await last()]
    on.clock.advance({ days: 21 })
    await seedDemo(on.studio, brand)
    expect(await last()).toBeGreaterThan(until + 20 * 86_400_000)
    expect(await count()).toBeGreaterThan(classes + 3 * 30)

    on.clock.advance({ days: 75 })
    await seedDemo(on.studio, brand)
    const { days } = await on.as(null).schedule.week({})
    const ahead = days.flatMap((day) => day.classes)
    expect(ahead.length).toBeGreaterThan(25)
    expect(ahead.some((cls) => cls.taken > 0)).toBe(true)
    expect(await findBrokenInDemo(on)).toEqual([])
    // The processor renews the demo's subscription by itself; what is due by now is done before the rows are compared.
    const bank = on.bank()
    bank.held = true
    await bank.tick()
    await bank.post()
    const before = await everything(on)
    await seedDemo(on.studio, brand)
    expect(await everything(on)).toEqual(before)
  })
})

describe('two concurrent starts', () => {
  it('create one demo', async () => {
    const on = await studio()
    const logins = await Promise.all([seedDemo(on.studio, 'fragua'), seedDemo(on.studio, 'fragua')])
    expect(logins[0]).toEqual(logins[1])
    expect(await on.sql(`select action from audit where entity = 'demo' order by action`)).toEqual([
      { action: 'demo.photos' },
      { action: 'demo.seed' },
    ])
    expect(await on.sql('select count(*)::int as n from location')).toEqual([{ n: 2 }])
    expect(await on.sql('select count(*)::int as n from staff')).toEqual([{ n: 4 }])
    on.clock.advance({ days: 15 })
    await Promise.all([seedDemo(on.studio, 'fragua'), seedDemo(on.studio, 'fragua')])
    expect(await findBrokenInDemo(on)).toEqual([])
    await on.close()
  })

  it('complete what a killed start had begun', async () => {
    const on = await studio()
    await on.studio.ports.identity.createAccount({ email: 'ana@fragua.example', password: 'fragua-ana', emailVerified: true })
    await on.change({ business_name: 'Fragua' })
    const logins = await seedDemo(on.studio, 'fragua')
    const [, , , , regular] = logins
    if (!regular) throw new Error('Nobody to enter.')
    expect((await on.as(await enter(on, regular)).people.me()).customer.name).toBe('Ana Sofía')
    await on.close()
  })
})

describe('a database that is not a demo', () => {
  let on: TestStudio
  beforeAll(async () => {
    on = await studio({ work: true })
  })
  afterAll(() => on.close())

  it('of a real studio is never changed', async () => {
    await on.make.customer()
    const before = await everything(on)
    expect(await seedDemo(on.studio, 'vaiven')).toEqual([])
    expect(await everything(on)).toEqual(before)
  })

  it('gets its payment methods and its first owner once, with a mailed link (S1-3.34, S1-3.35, P6)', async () => {
    const config = { OWNER_EMAIL: 'Duena@Estudio.example' }
    expect(await ownerLink(on.studio, config, false)).toBeNull()
    expect(await firstOwner(on.studio, config)).toBe(true)
    // Without a mail server the email would not arrive: the terminal prints the link while it is valid.
    const link = await ownerLink(on.studio, config, true)
    expect(link).toMatch(/\/cuenta\/accion\?mode=resetPassword&oobCode=[\w-]+&apiKey=/)
    expect(await ownerLink(on.studio, config, false)).toBe(link)
    expect(await ownerLink(on.studio, { OWNER_EMAIL: 'otra@estudio.example' }, false)).toBeNull()
    expect(
      (await on.as(null).catalogue.paymentMethods()).payment_methods.map(({ payment_method_id, name }) => [payment_method_id, name]),
    ).toEqual([
      [1, 'Tarjeta'],
      [2, 'Efectivo'],
    ])
    expect(await on.sql('select role, email from staff')).toEqual([{ role: 'owner', email: 'duena@estudio.example' }])
    await vi.waitFor(async () => expect(await on.sql(`select "to" from mail_outbox`)).toEqual([{ to: 'duena@estudio.example' }]), 10_000)
    expect(await firstOwner(on.studio, { OWNER_EMAIL: 'otra@estudio.example' })).toBe(false)
    expect(await on.sql('select count(*)::int as n from staff')).toEqual([{ n: 1 }])
    on.clock.advance({ minutes: 61 })
    expect(await ownerLink(on.studio, config, false)).toBeNull()
  })

  it('a database that is not a demo does not trust an existing account with the owner’s address', async () => {
    const other = await studio()
    const identity = other.studio.ports.identity
    const { uid } = await identity.createAccount({ email: 'duena@estudio.example', password: 'del-intruso' })
    const token = await identity.tokenFor(uid)
    await firstOwner(other.studio, { OWNER_EMAIL: 'duena@estudio.example' })
    const [owner] = await other.sql<{ uid: string }>('select uid from staff')
    expect(owner?.uid).not.toBe(uid)
    await expect(identity.verify(token)).rejects.toThrow()

    // A customer's account is theirs: it is neither removed nor promoted.
    const third = await studio()
    const ana = await third.make.customer({ email: 'ana@estudio.example' })
    await firstOwner(third.studio, { OWNER_EMAIL: ana.email })
    expect(await third.sql('select 1 from staff')).toEqual([])
    expect((await third.as(ana).people.me()).customer.email).toBe(ana.email)
    await Promise.all([other.close(), third.close()])
  })
})
