/** Finding customers as staff, and mails sent on request (docs/domain.md P11, P12; S1-7.05, S1-7.06, S1-7.14, S1-8.55). */
import { describe, expect, it } from 'vitest'
import { refusalOf, studio } from '#server/testing/studio.ts'

describe('customers for staff (P11, S1-7.05, S1-7.06)', () => {
  it('customers for staff are listed by name, and found by parts of name, email and phone, ignoring accents', async () => {
    const ownStudio = await studio()
    const desk = ownStudio.as(await ownStudio.make.staff('reception'))
    for (const [name, last_name, phone] of [
      ['Zoé', 'Ñuñez', '5512340001'],
      ['álvaro', 'Peña Conceição', '5512340002'],
      ['Bruno 100%', 'O’Hara_x', '5512340003'],
    ] as const)
      await ownStudio.make.customer({ name, last_name, phone, email: `${phone}@correo.mx` })
    await ownStudio.make.customer({ name: 'Borrada', deletedAt: ownStudio.clock.now() })
    await desk.people.create({ name: 'Sin', last_name: 'Cuenta', email: 'sin@correo.mx' })
    const names = async (query?: string) =>
      (await desk.people.list(query === undefined ? {} : { query })).customers.map((found) => found.name)
    expect(await names()).toEqual(['Bruno 100%', 'Sin', 'Zoé', 'álvaro'])
    expect(await names('nunez zoe')).toEqual(['Zoé'])
    expect(await names('ALVARO')).toEqual(['álvaro'])
    expect(await names('conceicao')).toEqual(['álvaro'])
    expect(await names('(551) 234-0002')).toEqual(['álvaro'])
    expect(await names('correo.mx')).toHaveLength(4)
    expect(await names('100%')).toEqual(['Bruno 100%'])
    expect(await names('_x')).toEqual(['Bruno 100%'])
    expect(await names('%')).toEqual(['Bruno 100%'])
    expect(await names("' or 1=1 --")).toEqual([])
    expect((await desk.people.list({})).customers.map((found) => found.has_account)).toEqual([true, false, true, true])
    expect((await desk.people.query({ query: 'zoe' })).customers).toMatchObject([{ name: 'Zoé', phone: '5512340001' }])
    expect((await desk.people.query({ query: 'nadie' })).customers).toEqual([])
    await ownStudio.close()
  })

  it('customers for staff are listed 50 per page without gaps or repetitions; a search while typing returns ten', async () => {
    const ownStudio = await studio()
    await ownStudio.sql(
      `insert into customer (name, last_name, email) select 'Ana', 'X', 'ana' || i || '@correo.mx' from generate_series(1, 120) i`,
    )
    const desk = ownStudio.as(await ownStudio.make.staff('reception'))
    const pages = await Promise.all([1, 2, 3, 4].map((page) => desk.people.list({ page, query: 'ana' })))
    expect(pages.map((page) => page.customers.length)).toEqual([50, 50, 20, 0])
    expect(pages[0]).toMatchObject({ total: 120, pages: 3 })
    expect(new Set(pages.flatMap((page) => page.customers.map((found) => found.customer_id))).size).toBe(120)
    expect((await desk.people.query({ query: 'ana' })).customers).toHaveLength(10)
    for (const page of [0, -1, 100_000]) expect((await refusalOf(desk.people.list({ page }))).code).toBe('INVALID_INPUT')
    await ownStudio.close()
  })
})

describe('emails on request (P12)', () => {
  it('recovery returns the same for every address; a job emails existing accounts only (S1-7.14)', async () => {
    const ownStudio = await studio({ work: true })
    const cara = await ownStudio.make.customer()
    const answers = await Promise.all(
      [cara.email.toUpperCase(), 'nadie@ejemplo.mx'].map((email) => ownStudio.as(null).people.recover({ email })),
    )
    expect(answers).toEqual([{ ok: true }, { ok: true }])
    const mails = () => ownStudio.sql<{ to: string; subject: string }>('select "to", subject from mail_outbox')
    await expect.poll(mails, { timeout: 15_000 }).toHaveLength(1)
    expect((await mails())[0]).toMatchObject({ to: cara.email, subject: expect.stringContaining('contraseña') })
    for (const email of ['', 'nadie', 'a b@c.mx'])
      expect((await refusalOf(ownStudio.as(null).people.recover({ email }))).code).toBe('INVALID_INPUT')
    await ownStudio.close()
  })

  it('both endpoints share one limit per address: five at once, then one every ten minutes', async () => {
    const ownStudio = await studio()
    const { email } = await ownStudio.make.customer()
    const { identity } = ownStudio.studio.ports
    const mailCount = async () =>
      (await ownStudio.sql(`select 1 from jobs.job where data->>'job' = 'identity-letter' and data::text like '%' || $1 || '%'`, [email]))
        .length
    const atTheService = async () => {
      const answer = await fetch(`${ownStudio.url}/identidad/v1/accounts:sendOobCode?key=estudio-identidad`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ requestType: 'PASSWORD_RESET', email }),
      })
      return answer.status
    }
    // What the job of `POST /customer/recover` does.
    for (let n = 0; n < 3; n++) expect(await identity.sendPasswordLink(email)).toBe(true)
    expect([await atTheService(), await atTheService(), await atTheService()]).toEqual([200, 200, 400])
    expect(await identity.sendPasswordLink(email)).toBe(false)
    expect(await mailCount()).toBe(5)
    ownStudio.clock.advance({ minutes: 10 })
    expect(await identity.sendPasswordLink(email)).toBe(true)
    expect(await atTheService()).toBe(400)
    // The verification mail counts against the same limit, and is refused with a code, because its caller is signed in.
    const ana = await ownStudio.make.account()
    await ownStudio.sql('update identity_account set email_verified = false where uid = $1', [ana.uid])
    for (let n = 0; n < 5; n++) await identity.sendPasswordLink(ana.email)
    expect((await refusalOf(ownStudio.as(ana).people.confirm())).code).toBe('TOO_MANY_REQUESTS')
    await ownStudio.close()
  })

  it('limits requests per client address', async () => {
    const ownStudio = await studio()
    for (let n = 0; n < 8; n++) expect(await ownStudio.as(null).people.recover({ email: 'ana@ejemplo.mx' })).toEqual({ ok: true })
    for (let n = 0; n < 12; n++) await ownStudio.as(null).people.recover({ email: `ana${n}@ejemplo.mx` })
    expect(await refusalOf(ownStudio.as(null).people.recover({ email: 'otra@ejemplo.mx' }))).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      status: 429,
    })
    await ownStudio.close()
  })

  it('confirming an address emails a link, until it is verified (S1-8.55)', async () => {
    const ownStudio = await studio({ work: true })
    const { uid } = await ownStudio.studio.ports.identity.createAccount({ email: 'nueva@ejemplo.mx' })
    const nueva = { uid, email: 'nueva@ejemplo.mx', token: await ownStudio.studio.ports.identity.tokenFor(uid), customer_id: 0 }
    expect(await ownStudio.as(nueva).people.confirm()).toEqual({ sent: true })
    await expect
      .poll(() => ownStudio.sql('select "to", subject from mail_outbox'), { timeout: 15_000 })
      .toMatchObject([{ to: 'nueva@ejemplo.mx', subject: expect.stringContaining('Confirma') }])
    for (let n = 0; n < 4; n++) await ownStudio.as(nueva).people.confirm()
    expect((await refusalOf(ownStudio.as(nueva).people.confirm())).code).toBe('TOO_MANY_REQUESTS')
    expect(await ownStudio.as(await ownStudio.make.customer()).people.confirm()).toEqual({ sent: false })
    expect((await refusalOf(ownStudio.as(null).people.confirm())).code).toBe('UNAUTHENTICATED')
    await ownStudio.close()
  })
})
