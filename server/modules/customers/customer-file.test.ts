/** State, alerts, habits and figures on the file of a customer (docs/domain.md X3 to X5). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, type Person, START, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let desk: Person
beforeAll(async () => {
  s = await studio({ settings: { drop_in_price: '220.00', cash_checkout_enabled: true } })
  desk = await s.make.staff('reception')
})
afterAll(() => s.close())

const fileOf = ({ customer_id }: { customer_id: number }) => s.as(desk).customerFile.one({ customer_id })
const back = (days: number) => new Date(Date.parse(START) - days * 86_400_000)

describe('the file of a customer', () => {
  it('counts visits, unexcused absences, and what is owed (X5, A4)', async () => {
    const ana = await s.make.customer({ createdAt: back(200) })
    const addReservation = async (days: number, attend: boolean | null, more = '') => {
      const cls = await s.make.class({ starts_at: back(days) })
      await s.sql(`update single_class set "settledAt" = now() where single_class_id = $1`, [cls.single_class_id])
      await s.sql(
        `insert into class_reservation (single_class_id, customer_id, attend, is_cash, is_paid, excuse, "createdAt", "updatedAt")
         values ($1, $2, $3, $4, $5, $6, now(), now())`,
        [cls.single_class_id, ana.customer_id, attend, more === 'unpaid', more !== 'unpaid', more === 'excused' ? 'Enferma' : null],
      )
    }
    for (const days of [70, 40, 21, 14, 7]) await addReservation(days, days === 40 ? null : true)
    await addReservation(3, false)
    await addReservation(4, false, 'excused')
    await addReservation(2, true, 'unpaid')
    const { figures, state, alerts, habits } = await fileOf(ana)
    expect(figures).toMatchObject({ visits: 6, visits_30: 4, visits_before: 1, no_shows: 1, marked: 6, spent: '0.00', owed: '220.00' })
    expect(figures.first_visit).toBe(back(70).toISOString())
    expect(figures.last_visit).toBe(back(2).toISOString())
    expect(state).toBe('expiring')
    expect(alerts).toMatchObject([{ kind: 'debt', message: 'Debe $220.00.' }])
    expect(habits).toMatchObject({ weekday: 'jueves', hour: '10:00' })
  })

  it('alerts to credits that end within a week and an active penalty, and has none for a new customer (X3, X5)', async () => {
    const [leo, eva] = [await s.make.customer(), await s.make.customer()]
    await s.make.lot(leo, { title: 'Cinco', expires_at: back(-5) })
    await s.sql(
      `insert into class_reservation_penalty (customer_id, reason, starts_at, ends_at, "createdAt") values ($1, 'Faltó tres veces', $2, $3, now())`,
      [leo.customer_id, back(1), back(-6)],
    )
    expect((await fileOf(leo)).alerts.map(({ kind, detail }) => [kind, detail])).toEqual([
      ['penalty', 'Faltó tres veces'],
      ['expiring', null],
    ])
    expect(await fileOf(eva)).toMatchObject({
      state: 'new',
      alerts: [],
      habits: null,
      figures: { visits: 0, last_visit: null, owed: '0.00' },
    })
  })

  it('alerts to documents that are not accepted in their current version (T3, X5)', async () => {
    const ana = await s.make.customer()
    const page = await s.make.page({ title: 'Aviso de privacidad', required: true, content: '<p>Uno</p>' })
    expect((await fileOf(ana)).alerts).toMatchObject([
      { kind: 'documents', message: 'Falta aceptar un documento.', detail: 'Aviso de privacidad' },
    ])
    await s.sql('insert into accepted_page (customer_id, page_id, version) values ($1, $2, $3)', [
      ana.customer_id,
      page.page_id,
      page.version,
    ])
    expect((await fileOf(ana)).alerts).toEqual([])
    await s.sql('update page set required = false where page_id = $1', [page.page_id])
  })

  it('names the sign-up fee that is not paid, and the packages of which the customer may buy no more (V2, V3, X5)', async () => {
    const [ana, eva] = [await s.make.customer(), await s.make.customer()]
    const fee = await s.make.package({ title: 'Inscripción', price_centavos: 50_000, sale_price_centavos: 40_000 })
    const trial = await s.make.package({ title: 'Primera clase', limit_per_customer: 1, class_amount: 1 })
    const twice = await s.make.package({ title: 'Dos por persona', limit_per_customer: 2 })
    await s.make.package({ title: 'Archivado', limit_per_customer: 1, available: false })
    await s.change({ signup_fee: fee.class_package_id })
    expect(await fileOf(ana)).toMatchObject({
      alerts: [{ kind: 'signup_fee', message: 'No ha pagado “Inscripción”.', detail: '$400.00' }],
      limits_reached: [],
    })
    const give = (class_package_id: number) =>
      s.as(desk).studioSales.giveAccess({ customer_id: ana.customer_id, class_package_id, location_id: null })
    await give(fee.class_package_id)
    const { purchase } = await give(trial.class_package_id)
    await give(twice.class_package_id)
    expect(await fileOf(ana)).toMatchObject({
      alerts: [],
      limits_reached: [{ class_package_id: trial.class_package_id, title: 'Primera clase', limit: 1 }],
    })
    // A trial counts although it was taken back; with trials that may repeat only what is live counts.
    await s.sql(`update purchase set status = 'revoked' where purchase_id = $1`, [purchase.purchase_id])
    expect((await fileOf(ana)).limits_reached).toHaveLength(1)
    await s.change({ trial_once_per_customer: false })
    expect((await fileOf(ana)).limits_reached).toEqual([])
    expect(await fileOf(eva)).toMatchObject({ alerts: [{ kind: 'signup_fee' }], limits_reached: [] })
    await s.change({ trial_once_per_customer: true, signup_fee: null })
  })

  it('sums payments minus refunds', async () => {
    const ana = await s.make.customer()
    const { class_package_id } = await s.make.package({ price_centavos: 179_000 })
    const { purchase } = await s.as(desk).studioSales.giveAccess({ customer_id: ana.customer_id, class_package_id, is_gift: true })
    await s.sql(
      `insert into invoice (purchase_id, customer_id, gateway, provider_payment, period, total_centavos, refunded_centavos, status, tax_rate, net_centavos, tax_centavos, "paidAt", "createdAt")
       values ($1, $2, 'sandbox', 'pay_facts', 'once', 100000, 25000, 'partially_refunded', 1600, 86207, 13793, now(), now())`,
      [purchase.purchase_id, ana.customer_id],
    )
    expect((await fileOf(ana)).figures).toMatchObject({ spent: '750.00', owed: '0.00' })
  })

  it('lists what changed the credits, with the staff member who did it, and nothing of another customer', async () => {
    const [ana, eva] = [await s.make.customer(), await s.make.customer()]
    const creditLot = await s.make.lot(ana, { title: 'Diez', granted: 10 })
    await s.make.lot(eva, { title: 'Cinco' })
    const lorena = await s.make.staff('reception', { name: 'Lorena V.' })
    await s.as(lorena).credits.revoke({ available_class_id: creditLot.available_class_id, reason: 'Se cargaron de más' })
    const { movements, total, pages } = await s.as(desk).customerFile.creditMovements({ customer_id: ana.customer_id })
    expect({ total, pages }).toEqual({ total: 2, pages: 1 })
    expect(movements).toMatchObject([
      {
        kind: 'revoke',
        amount: -10,
        title: 'Diez',
        who: 'Lorena V.',
        reason: 'Se cargaron de más',
        available_class_id: creditLot.available_class_id,
      },
      { kind: 'grant', who: null },
    ])
    expect(await codeOf(s.as(desk).customerFile.creditMovements({ customer_id: 2_000_000 }))).toBe('NOT_FOUND')
  })
})
