import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { REPORT_KEYS } from '#contract/copy/reports.ts'
import { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { Ctx } from '#server/modules/ctx.ts'
import { reconcile, sweep } from '#server/modules/sales/jobs.ts'
import { compareBooks } from '#server/modules/sales/settlement/reconciliation.ts'
import { findBrokenInDemo } from '#server/testing/demo-invariants.ts'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { type Client, type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { seedDemo } from './demo.ts'

const DAY = 86_400_000

describe.each(['vaiven', 'fragua'] as const)('the year of %s', (brand) => {
  let on: TestStudio
  let owner: Client
  const day = (ago: number) => new Date(on.clock.now().getTime() - ago * DAY).toISOString().slice(0, 10)
  const count = async (what: string) => (await on.sql<{ n: number }>(`select count(*)::int as n from ${what}`))[0]?.n ?? 0

  beforeAll(async () => {
    on = await studio()
    const [login] = await seedDemo(on.studio, brand, { history: true })
    const answer = await fetch(`${on.url}/identidad/v1/accounts:signInWithPassword?key=estudio-identidad`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...login, returnSecureToken: true }),
    })
    const { localId: uid, idToken: token } = (await answer.json()) as { localId: string; idToken: string }
    owner = on.as({ uid, email: login?.email ?? '', token, customer_id: 0 } satisfies Person)
  })
  afterAll(() => on.close())

  it('satisfies all constraints between the tables, although their triggers were off', async () => {
    expect(await findBrokenInDemo(on)).toEqual([])
    expect(await wrongMoney(on, true)).toEqual({})
    expect(await on.sql(`select tgrelid::regclass::text as name from pg_trigger where tgenabled = 'D'`)).toEqual([])
    const keys = await on.sql<{ child: string; parent: string; columns: string[]; referenced: string[] }>(
      `select conrelid::regclass::text as child, confrelid::regclass::text as parent,
        array(select quote_ident(attname) from unnest(conkey) with ordinality k(n, at) join pg_attribute on attrelid = conrelid and attnum = n order by at) as columns,
        array(select quote_ident(attname) from unnest(confkey) with ordinality k(n, at) join pg_attribute on attrelid = confrelid and attnum = n order by at) as referenced
       from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
    )
    expect(keys.length).toBeGreaterThan(100)
    for (const { child, parent, columns, referenced } of keys)
      expect(
        await count(
          `${child} c where ${columns.map((column) => `c.${column} is not null`).join(' and ')}
           and not exists (select from ${parent} p where ${columns.map((column, n) => `p.${referenced[n]} = c.${column}`).join(' and ')})`,
        ),
        `${child} (${columns}) without ${parent}`,
      ).toBe(0)
  })

  it('sold in every way, in every month, more in the end than in the beginning', async () => {
    const months = await on.sql<{ month: string; total: number }>(
      `select to_char("paidAt", 'YYYY-MM') as month, sum(total_centavos)::int as total from invoice where "paidAt" is not null group by 1 order by 1`,
    )
    expect(months.length).toBeGreaterThanOrEqual(12)
    const [, second, ...later] = months
    expect(later.at(-2)?.total).toBeGreaterThan((second?.total ?? 0) * 1.1)
    const labels = (await on.sql<{ label: string }>(`select distinct label from invoice`)).map(({ label }) => label)
    for (const label of ['Efectivo', 'Terminal', 'Transferencia', 'OXXO', 'SPEI', 'PayPal', 'Tarjeta de regalo'])
      expect(labels).toContain(label)
    expect(labels.some((label) => /terminada en/.test(label))).toBe(true)
    for (const what of [
      'refund',
      'discount_use',
      'gift_card',
      'product',
      'sale where owed_centavos > 0',
      `sale_payment where state = 'pending'`,
    ])
      expect(await count(what), what).toBeGreaterThan(1)
    const states = await on.sql<{ state: string }>(
      `select distinct case when status = 'cancelled' and benefits_until > $1 then 'ending' when paused_since is not null then 'paused'
         when past_due_since is not null then 'past_due' else status end as state from purchase where is_subscription`,
      [on.clock.now()],
    )
    for (const state of ['active', 'cancelled', 'ending', 'paused', 'past_due']) expect(states.map((row) => row.state)).toContain(state)
  })

  it('the demo studio’s year has customers in every state', async () => {
    const { states } = await owner.customerList.list({})
    for (const [state, count] of Object.entries(states)) expect(count, state).toBeGreaterThan(0)
  })

  it('fills every report of the year', async () => {
    for (const key of REPORT_KEYS) {
      if (key === 'videos') continue
      const report = await owner.reports.read({ key, from: day(360), to: day(1) })
      expect(report.rows.length, key).toBeGreaterThan(0)
      expect(
        report.figures.some(({ value }) => value !== null && value !== 0),
        key,
      ).toBe(true)
    }
  })

  it('has people who stood in line for a full class, who got in from there, and who found it full and did not wait', async () => {
    const { figures } = await owner.reports.read({ key: 'espera', from: day(28), to: day(1) })
    for (const key of ['outside', 'got_in', 'refused', 'fill'])
      expect(figures.find((figure) => figure.key === key)?.value, key).toBeGreaterThan(0)
  })

  it('what was paid is recognised, still to be recognised, or went back (conservation)', async () => {
    const report = await owner.reports.read({ key: 'cobrado', from: day(380), to: day(0) })
    const [sums] = await on.sql<{ collected: number }>(
      `select (sum(total_centavos - refunded_centavos) filter (where gateway <> 'regalo' and status not in ('pending', 'void')))::int as collected from invoice`,
    )
    expect(Math.round(100 * (report.figures.find(({ key }) => key === 'collected')?.value ?? 0))).toBe(sums?.collected)
  })

  it('the processor’s clock, the sweeper and the reconciliation change nothing of it', async () => {
    const sums = () =>
      on.sql(`select (select count(*) from invoice) as charges, (select sum(refunded_centavos) from invoice) as back,
        (select count(*) from sandbox_ledger) as ledger, (select count(*) from available_class) as lots, (select sum(balance) from available_class) as balance,
        (select jsonb_object_agg(status, n) from (select status, count(*) as n from purchase group by 1) s) as purchases`)
    const before = await sums()
    const sandbox = on.studio.ports.gateways.get('sandbox')
    if (!(sandbox instanceof Sandbox)) throw new Error('There is no built-in processor.')
    const ctx = new Ctx(on.studio, { actor: { kind: 'system', job: 'test' } })
    await sandbox.tick()
    await sweep(ctx)
    await reconcile(ctx)
    await compareBooks(ctx, 6 * DAY)
    expect(await on.sql('select kind, about, details from money_difference')).toEqual([])
    expect(await sums()).toEqual(before)
  })

  it('pays its coaches: approved periods, one that waits, substitutes by the rule of whom they replaced', async () => {
    expect(await count('payroll_period where "approvedAt" is not null')).toBeGreaterThan(20)
    const { previous } = await owner.payrolls.read({})
    const last = await owner.payrolls.read({ from: previous.from })
    expect([last.period?.state, last.without_rule, last.unsettled]).toEqual(['open', 0, 0])
    // What was approved is what the studio's own computation gives: the open period corrects nothing.
    expect(last.coaches.flatMap(({ lines }) => lines).filter(({ kind }) => kind !== 'class')).toEqual([])
    expect(await count(`substitution where state = 'done'`)).toBeGreaterThan(10)
    expect(await count(`substitution where state = 'open'`)).toBe(1)
  })

  it('a second start changes nothing, and three weeks later it gets the missing days', async () => {
    const before = [await count('class_reservation'), await count('single_class'), await count('purchase')]
    await seedDemo(on.studio, brand, { history: true })
    expect([await count('class_reservation'), await count('single_class'), await count('purchase')]).toEqual(before)
    on.clock.advance({ days: 21 })
    await seedDemo(on.studio, brand, { history: true })
    expect(await count('single_class')).toBeGreaterThan((before[1] ?? 0) + 90)
    expect(await findBrokenInDemo(on)).toEqual([])
  })
})
