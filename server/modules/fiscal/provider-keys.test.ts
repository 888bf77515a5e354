/** The keys that choose the provider of stamps, and documents that are stuck at it (docs/domain.md FA17). */
import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { keyOfText } from '#server/adapters/pac/certificate.ts'
import { makeCertificate } from '#server/adapters/pac/sandbox/make-certificate.ts'
import { PacSandbox } from '#server/adapters/pac/sandbox/sandbox.ts'
import { SW_FAKE_PASSWORD, SW_FAKE_USER, SwFake } from '#server/testing/fakes/sw.ts'
import { type Client, codeOf, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { readCancelled } from './cancelling.ts'
import { issueGlobals } from './global-invoices.ts'
import { recoverDocuments } from './recovering.ts'

const ISSUER = { rfc: 'EKU9003173C9', name: 'ESCUELA KEMPER URGATE', postalCode: '42501', regime: '601' } as const
const KARLA = { rfc: 'FUNK671228PH6', name: 'KARLA FUENTE NOLASCO', postalCode: '01160', regime: '612', use: 'G03' } as const
const SW_KEYS = { SW_USER: SW_FAKE_USER, SW_PASSWORD: SW_FAKE_PASSWORD, SW_ENVIRONMENT: 'produccion' } as const

describe('the keys of the provider (FA17)', () => {
  let s: TestStudio
  let sw: SwFake
  let boss: Client
  let books: PacSandbox
  let payment_method_id: number
  let location_id: number
  beforeAll(async () => {
    const bases: Record<string, string> = {}
    // The fake's books are the studio's own sandbox tables.
    sw = await new SwFake({ now: () => s.clock.now(), sat: new Proxy({} as PacSandbox, { get: (_, name) => bound(name) }) }).listen()
    for (const name of ['SW_API_BASE', 'SW_STORAGE_API_BASE', 'SAT_API_BASE']) bases[name] = sw.url
    s = await studio({ env: { ...bases, LOG_LEVEL: 'debug' } })
    books = new PacSandbox({ db: s.studio.db, now: () => s.clock.now() })
    boss = s.as(await s.make.staff('owner'))
    payment_method_id = (await s.make.paymentMethod({ name: 'Efectivo', kind: 'cash' })).payment_method_id
    location_id = (await s.make.location()).location_id
  })
  const bound = (name: string | symbol) => {
    const value = books[name as keyof PacSandbox] as unknown
    return typeof value === 'function' ? value.bind(books) : value
  }
  afterAll(async () => {
    expect(sw.complaints).toEqual([])
    await sw.close()
    await s.close()
  })
  beforeEach(async () => {
    await s.reset({
      business_rfc: ISSUER.rfc,
      business_legal_name: ISSUER.name,
      business_postal_code: ISSUER.postalCode,
      business_regime: '601',
    })
    await boss.fiscalProvider.saveKeys({ keys: { SW_USER: null, SW_PASSWORD: null, SW_ENVIRONMENT: null } })
    await s.sql('delete from fiscal_certificate')
  })

  async function paid(price = 145_000) {
    const ana = await s.make.customer()
    const { class_package_id } = await s.make.package({ title: 'Paquete 10', price_centavos: price, class_amount: 10 })
    const { purchase } = await boss.studioSales.giveAccess({
      customer_id: ana.customer_id,
      class_package_id,
      payment_method_id,
      location_id,
    })
    const [row] = await s.sql<{ invoice_id: number }>('select invoice_id from invoice where purchase_id = $1', [purchase.purchase_id])
    return row?.invoice_id ?? 0
  }
  const receiver = { rfc: KARLA.rfc, name: KARLA.name, postal_code: KARLA.postalCode, regime: KARLA.regime, use: KARLA.use }
  const issue = async (price?: number) => (await boss.fiscal.issue({ invoice_ids: [await paid(price)], receiver })).fiscal_document
  /** A certificate by the authority that the fake knows, under a name that is not the sandbox's own. */
  async function uploadCertificate() {
    await books.issueTestCertificate({ ...ISSUER, regimes: ['601'] })
    const [row] = await s.sql<{ value: string }>("select value from pac_sandbox_value where name = 'key'")
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const certificate = makeCertificate({
      number: '30001000000500009999',
      issuer: { CN: 'AC UAT' },
      key: privateKey,
      authorityKey: keyOfText(row?.value ?? ''),
      from: new Date(s.clock.now().getTime() - 86_400_000),
      until: new Date(s.clock.now().getTime() + 900 * 86_400_000),
      subject: { CN: ISSUER.name, name: ISSUER.name, O: ISSUER.name, OU: 'Matriz', x500UniqueIdentifier: `${ISSUER.rfc} / ${ISSUER.rfc}` },
    })
    const key = privateKey.export({ format: 'der', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'clave-del-sat' })
    const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
    await boss.fiscal.saveCertificate({ certificate: base64(certificate), key: base64(key), password: 'clave-del-sat' })
  }
  const documentOf = async (folio: number) =>
    (await boss.fiscal.list({ query: `F-${folio}` })).fiscal_documents.find((row) => row.folio === folio)

  test('typed keys change the provider at once; they are never shown, and the connection is tried', async () => {
    expect((await boss.fiscalProvider.read()).fiscal_provider).toMatchObject({ provider: 'sandbox', state: 'missing', is_test: true })
    expect(await codeOf(boss.fiscalProvider.check())).toBe('NOT_FOUND')
    const { fiscal_provider } = await boss.fiscalProvider.saveKeys({ keys: { SW_USER: SW_FAKE_USER, SW_PASSWORD: SW_FAKE_PASSWORD } })
    expect(fiscal_provider).toMatchObject({ provider: 'sandbox', state: 'partial' })
    const whole = await boss.fiscalProvider.saveKeys({ keys: { SW_ENVIRONMENT: 'produccion' } })
    expect(whole.fiscal_provider).toMatchObject({ provider: 'sw', state: 'ready', is_test: false })
    expect(await boss.fiscalProvider.check()).toEqual({ ok: true, message: 'Respondió y aceptó las llaves.' })
    await boss.fiscalProvider.saveKeys({ keys: { SW_PASSWORD: 'otra-clave-larga-xq7z' } })
    expect(await boss.fiscalProvider.check()).toMatchObject({ ok: false })
    const answers = [await boss.fiscalProvider.read(), await boss.auditLog.list({ entity: 'processor_key' })]
    for (const text of [JSON.stringify(answers), JSON.stringify(s.logged)]) expect(text).not.toMatch(/Clave\$123|otra-clave|xq7z/)
    expect(JSON.stringify(answers)).toContain('cambió la llave de SW Sapien: Contraseña')
    const [row] = await s.sql<{ sealed_value: string; ending: string }>(
      "select sealed_value, ending from processor_key where name = 'SW_PASSWORD'",
    )
    expect(row?.sealed_value).not.toContain('otra')
    // A password has no ending that could be shown.
    expect(row?.ending).toBe('')
    const { keys } = (await boss.fiscalProvider.read()).fiscal_provider
    expect(keys.find(({ name }) => name === 'SW_PASSWORD')).toMatchObject({ source: 'stored', ending: '' })
  })

  test('wrong keys are named by field; others than the owner, and keys of the environment, are refused', async () => {
    const refusal = await refusalOf(boss.fiscalProvider.saveKeys({ keys: { SW_ENVIRONMENT: 'sandbox', SW_PASSWORD: 'contraseña' } }))
    expect(refusal).toMatchObject({ code: 'INVALID_INPUT', data: { issues: [{ path: 'SW_ENVIRONMENT' }, { path: 'SW_PASSWORD' }] } })
    expect(JSON.stringify(refusal)).not.toContain('contraseña"')
    expect(await codeOf(s.as(await s.make.staff('manager')).fiscalProvider.saveKeys({ keys: {} }))).toBe('FORBIDDEN')
    const fixed = await studio({ env: { SW_USER: SW_FAKE_USER } })
    try {
      const owner = fixed.as(await fixed.make.staff('owner'))
      expect(await codeOf(owner.fiscalProvider.saveKeys({ keys: { SW_USER: 'otro@ejemplo.mx' } }))).toBe('PROTECTED')
    } finally {
      await fixed.close()
    }
  })

  test('a certificate of the sandbox seals nothing for the SAT; what the sandbox stamped stays with it', async () => {
    const before = await issue(90_000)
    expect(before.is_test).toBe(true)
    await boss.fiscalProvider.saveKeys({ keys: SW_KEYS })
    expect(await refusalOf(issue())).toMatchObject({ code: 'INVOICING_NOT_READY' })
    expect((await boss.fiscal.setup()).missing).toEqual(['un certificado de sello digital vigente de ese RFC'])
    const { fiscal_document } = await boss.fiscal.cancel({ fiscal_document_id: before.fiscal_document_id, motive: '02' })
    expect(fiscal_document.state).toBe('cancelled')
    expect(sw.countOf('POST /cfdi33/cancel')).toBe(0)
  })

  test('what was invoiced as a test is invoiced for real once the keys are real', async () => {
    const invoice_ids = [await paid(90_000)]
    expect((await boss.fiscal.issue({ invoice_ids, receiver })).fiscal_document.is_test).toBe(true)
    await recoverDocuments(s.system())
    expect(await codeOf(boss.fiscal.issue({ invoice_ids, receiver }))).toBe('CHARGE_INVOICED')
    await boss.fiscalProvider.saveKeys({ keys: SW_KEYS })
    s.clock.advance({ minutes: 1 })
    await uploadCertificate()
    await recoverDocuments(s.system())
    const { fiscal_document } = await boss.fiscal.issue({ invoice_ids, receiver })
    expect(fiscal_document).toMatchObject({ state: 'valid', is_test: false, total: '900.00' })
  })

  test('without the keys of its provider a document is not cancelled by another', async () => {
    const document = await issue(90_000)
    await s.sql(`update fiscal_document set pac = 'sw' where fiscal_document_id = $1`, [document.fiscal_document_id])
    expect(await codeOf(boss.fiscal.cancel({ fiscal_document_id: document.fiscal_document_id, motive: '02' }))).toBe('INVOICING_NOT_READY')
    const [row] = await s.sql<{ cancel_motive: string | null }>('select cancel_motive from fiscal_document where fiscal_document_id = $1', [
      document.fiscal_document_id,
    ])
    expect(row?.cancel_motive).toBeNull()
    await recoverDocuments(s.system())
    await readCancelled(s.system())
  })

  test('without the certificate of its issuer, a cancellation is refused before anything is written', async () => {
    await boss.fiscalProvider.saveKeys({ keys: SW_KEYS })
    await uploadCertificate()
    const { fiscal_document_id } = await issue(90_000)
    await s.sql(`update fiscal_certificate set rfc = 'XIA190128J61'`)
    expect(await codeOf(boss.fiscal.cancel({ fiscal_document_id, motive: '03' }))).toBe('INVOICING_NOT_READY')
    const [row] = await s.sql('select state, cancel_motive from fiscal_document where fiscal_document_id = $1', [fiscal_document_id])
    expect(row).toEqual({ state: 'valid', cancel_motive: null })
  })

  test('after a silent SAT, unchecked documents stay the first of the next run', async () => {
    await boss.fiscalProvider.saveKeys({ keys: SW_KEYS })
    await uploadCertificate()
    await s.sql('update fiscal_document set "checkedAt" = $1', [s.clock.now()])
    const documents = [await issue(90_000), await issue(91_000), await issue(92_000)]
    sw.break('drop after', 'POST /ConsultaCFDIService.svc')
    await readCancelled(s.system())
    const left = () => s.sql<{ uuid: string }>('select uuid from fiscal_document where "checkedAt" is null order by 1')
    expect(await left()).toHaveLength(2)
    await readCancelled(s.system())
    expect(await left()).toEqual([])
    expect(documents.every(({ state }) => state === 'valid')).toBe(true)
  })

  test('with a certificate of the SAT an invoice is stamped, lost and found, cancelled with its receipt, and cancelled in the portal', async () => {
    await boss.fiscalProvider.saveKeys({ keys: SW_KEYS })
    await uploadCertificate()
    expect(await boss.fiscal.setup()).toMatchObject({ ready: true, is_test: false })
    const document = await issue(90_000)
    expect(document).toMatchObject({ state: 'valid', is_test: false, total: '900.00' })
    const cancelled = (await boss.fiscal.cancel({ fiscal_document_id: document.fiscal_document_id, motive: '03' })).fiscal_document
    expect(cancelled.state).toBe('cancelled')
    const [stored] = await s.sql<{ pac: string; cancel_receipt: string }>(
      'select pac, cancel_receipt from fiscal_document where uuid = $1',
      [document.uuid],
    )
    expect(stored).toMatchObject({ pac: 'sw', cancel_receipt: expect.stringContaining('EstatusUUID="201"') })

    sw.break('drop after', 'POST /v4/cfdi33/stamp')
    const lost = await issue()
    expect(lost.state).toBe('stamping')
    s.clock.advance({ minutes: 2 })
    await recoverDocuments(s.system())
    const found = await documentOf(lost.folio)
    expect(found).toMatchObject({ state: 'valid', is_test: false })

    await books.cancelAtPortal(found?.uuid ?? '')
    await readCancelled(s.system())
    expect((await documentOf(lost.folio))?.state).toBe('cancelled')
    const [checked] = await s.sql<{ at: Date | null }>('select "checkedAt" as at from fiscal_document where uuid = $1', [found?.uuid])
    expect(checked?.at).not.toBeNull()
  })

  /** An invoice whose stamp was made and whose answer was lost. */
  async function lostInvoice(invoice_id: number, when: 'before' | 'after' = 'after') {
    sw.break(`drop ${when}`, 'POST /v4/cfdi33/stamp')
    const { fiscal_document } = await boss.fiscal.issue({ invoice_ids: [invoice_id], receiver })
    expect(fiscal_document.state).toBe('stamping')
    return fiscal_document
  }
  const giveUp = async (fiscal_document_id: number) =>
    (await boss.fiscal.giveUp({ fiscal_document_id, reason: 'No está en el portal del SAT' })).fiscal_document
  const taskOf = async (folio: number) =>
    (await boss.today.read({})).tasks.find(({ kind, title }) => kind === 'invoice_unstamped' && title.endsWith(` F-${folio}`))

  test('a document without an answer is a task after a day, and can be given up after 72 hours, once its provider was queried', async () => {
    await boss.fiscalProvider.saveKeys({ keys: SW_KEYS })
    await uploadCertificate()
    const invoice_id = await paid(90_000)
    const { fiscal_document_id, folio, give_up_from } = await lostInvoice(invoice_id, 'before')
    expect(give_up_from).toBe(new Date(s.clock.now().getTime() + 72 * 3_600_000).toISOString())
    expect((await refusalOf(giveUp(fiscal_document_id))).message).toMatch(/todavía se intenta timbrar\. Se puede desde el /)
    expect(await taskOf(folio)).toBeUndefined()
    s.clock.advance({ hours: 25 })
    expect(await taskOf(folio)).toMatchObject({ link: `/admin/ventas?ver=facturas&q=F-${folio}`, amount: '900.00' })
    // The clocks of the country are hours apart, so that the SAT is a little later than 72 hours.
    s.clock.advance({ hours: 60 })
    await recoverDocuments(s.system())
    expect((await documentOf(folio))?.state).toBe('stamping')
    expect(await codeOf(boss.fiscal.issue({ invoice_ids: [invoice_id], receiver }))).toBe('CHARGE_INVOICED')
    // A provider that does not answer gives no state.
    sw.break('500 before', 'POST /v4/cfdi33/stamp')
    expect(await refusalOf(giveUp(fiscal_document_id))).toMatchObject({ code: 'INVOICE_MAY_BE_STAMPED' })
    sw.mend()
    expect((await documentOf(folio))?.state).toBe('stamping')
    expect(await codeOf(s.as(await s.make.staff('manager')).fiscal.giveUp({ fiscal_document_id, reason: 'Prueba' }))).toBe('FORBIDDEN')
    expect(await giveUp(fiscal_document_id)).toMatchObject({ state: 'refused', give_up_from: null, error: { code: 'SIN TIMBRE' } })
    expect(await giveUp(fiscal_document_id)).toMatchObject({ state: 'refused' })
    expect(await taskOf(folio)).toBeUndefined()
    const { entries } = await boss.auditLog.list({ entity: 'fiscal_document' })
    expect(entries.filter(({ action }) => action === 'fiscal_document.give_up')).toMatchObject([{ reason: 'No está en el portal del SAT' }])
    const again = await boss.fiscal.issue({ invoice_ids: [invoice_id], receiver })
    expect(again.fiscal_document).toMatchObject({ state: 'valid', total: '900.00' })
  })

  test('one that was stamped after all is found instead of given up', async () => {
    await boss.fiscalProvider.saveKeys({ keys: SW_KEYS })
    await uploadCertificate()
    const { fiscal_document_id } = await lostInvoice(await paid(90_000))
    s.clock.advance({ hours: 73 })
    expect(await giveUp(fiscal_document_id)).toMatchObject({ state: 'valid', uuid: expect.any(String) })
  })

  test('the account is not changed while a document that was sent with it has no answer; its password is', async () => {
    await boss.fiscalProvider.saveKeys({ keys: SW_KEYS })
    await uploadCertificate()
    const { folio } = await lostInvoice(await paid(90_000))
    const save = (keys: Record<string, string | null>) => boss.fiscalProvider.saveKeys({ keys })
    for (const [name, value] of [
      ['SW_USER', 'otra@ejemplo.mx'],
      ['SW_ENVIRONMENT', 'pruebas'],
      ['SW_PASSWORD', null],
    ] as const)
      expect(await refusalOf(save({ [name]: value }))).toMatchObject({
        code: 'INVOICES_WAITING',
        message: expect.stringContaining(`F-${folio}`),
      })
    await save({ SW_PASSWORD: 'otra-clave' })
    await save({ SW_USER: SW_FAKE_USER.toUpperCase() })
    await save(SW_KEYS)
    s.clock.advance({ minutes: 2 })
    await recoverDocuments(s.system())
    expect((await documentOf(folio))?.state).toBe('valid')
    expect((await save({ SW_USER: 'otra@ejemplo.mx' })).fiscal_provider.state).toBe('ready')
  })

  test('a closed account blocks neither its studio nor its documents: after 72 hours both continue, and the document says that it could not be checked', async () => {
    await boss.fiscalProvider.saveKeys({ keys: SW_KEYS })
    await uploadCertificate()
    const [one_id, two_id] = [await paid(90_000), await paid(91_000)]
    const [first, second] = [await lostInvoice(one_id, 'before'), await lostInvoice(two_id, 'before')]
    // The provider refuses the former keys.
    await boss.fiscalProvider.saveKeys({ keys: { SW_PASSWORD: 'cerrada' } })
    const other = { keys: { SW_USER: 'otra@ejemplo.mx' } }
    s.clock.advance({ hours: 71 })
    boss = s.as(await s.make.staff('owner'))
    expect(await codeOf(boss.fiscalProvider.saveKeys(other))).toBe('INVOICES_WAITING')
    expect(await codeOf(giveUp(first.fiscal_document_id))).toBe('INVOICE_MAY_BE_STAMPED')
    s.clock.advance({ hours: 2 })
    boss = s.as(await s.make.staff('owner'))
    const refusal = (why: string) => ({ state: 'refused', error: { code: 'SIN TIMBRE', message: expect.stringContaining(why) } })
    expect(await giveUp(first.fiscal_document_id)).toMatchObject(
      refusal('No se le pudo preguntar al proveedor de timbrado: no acepta las llaves'),
    )
    expect((await boss.fiscalProvider.saveKeys(other)).fiscal_provider.state).toBe('ready')
    const before = sw.countOf('POST /v4/cfdi33/stamp')
    expect(await giveUp(second.fiscal_document_id)).toMatchObject(refusal('la cuenta con la que se envió ya no es la de Ajustes'))
    expect(sw.countOf('POST /v4/cfdi33/stamp')).toBe(before)
    await boss.fiscalProvider.saveKeys({ keys: SW_KEYS })
    for (const invoice_id of [one_id, two_id])
      expect((await boss.fiscal.issue({ invoice_ids: [invoice_id], receiver })).fiscal_document.state).toBe('valid')
  })

  test('a test document without an answer keeps the account from nothing, and is given up without its account', async () => {
    await boss.fiscalProvider.saveKeys({ keys: { ...SW_KEYS, SW_ENVIRONMENT: 'pruebas' } })
    await uploadCertificate()
    const { fiscal_document_id, is_test } = await lostInvoice(await paid(90_000), 'before')
    expect(is_test).toBe(true)
    expect((await boss.fiscalProvider.saveKeys({ keys: SW_KEYS })).fiscal_provider).toMatchObject({ state: 'ready', is_test: false })
    s.clock.advance({ hours: 73 })
    boss = s.as(await s.make.staff('owner'))
    expect(await giveUp(fiscal_document_id)).toMatchObject({ state: 'refused' })
  })

  test('a document from before accounts were stored uses the current account, which is not changed meanwhile', async () => {
    await boss.fiscalProvider.saveKeys({ keys: SW_KEYS })
    await uploadCertificate()
    const { fiscal_document_id, folio } = await lostInvoice(await paid(90_000))
    const account = async () =>
      (await s.sql<{ of: string }>('select pac_account as of from fiscal_document where fiscal_document_id = $1', [fiscal_document_id]))[0]
        ?.of
    const then = await account()
    await s.sql(`update fiscal_document set pac_account = 'unknown' where fiscal_document_id = $1`, [fiscal_document_id])
    expect(await refusalOf(boss.fiscalProvider.saveKeys({ keys: { SW_USER: 'otra@ejemplo.mx' } }))).toMatchObject({
      code: 'INVOICES_WAITING',
      message: expect.stringContaining(`F-${folio}`),
    })
    await boss.fiscalProvider.saveKeys({ keys: SW_KEYS })
    s.clock.advance({ minutes: 2 })
    await recoverDocuments(s.system())
    expect([(await documentOf(folio))?.state, await account()]).toEqual(['valid', then])
  })

  test('keys that were never accepted sent nothing, and are changed; a document of another account is not sent again', async () => {
    await boss.fiscalProvider.saveKeys({ keys: { ...SW_KEYS, SW_USER: 'mal-escrito@ejemplo.mx' } })
    await uploadCertificate()
    const { fiscal_document: waiting } = await boss.fiscal.issue({ invoice_ids: [await paid(90_000)], receiver })
    expect(waiting.state).toBe('stamping')
    await boss.fiscalProvider.saveKeys({ keys: { SW_USER: SW_FAKE_USER } })
    s.clock.advance({ minutes: 2 })
    await recoverDocuments(s.system())
    expect((await documentOf(waiting.folio))?.state).toBe('valid')
    const lost = await lostInvoice(await paid(91_000))
    await s.sql(`update fiscal_document set pac_account = 'otra' where fiscal_document_id = $1`, [lost.fiscal_document_id])
    const before = sw.countOf('POST /v4/cfdi33/stamp')
    s.clock.advance({ minutes: 2 })
    await recoverDocuments(s.system())
    expect(sw.countOf('POST /v4/cfdi33/stamp')).toBe(before)
    expect((await documentOf(lost.folio))?.state).toBe('stamping')
    s.clock.advance({ hours: 73 })
    expect(await giveUp(lost.fiscal_document_id)).toMatchObject({ state: 'refused' })
    expect(sw.countOf('POST /v4/cfdi33/stamp')).toBe(before)
  })

  test('charges of a test global invoice that was cancelled to be replaced are in the real one', async () => {
    await s.having({ global_invoice: 'month', global_leave: 'replace' }, async () => {
      s.clock.set('2027-03-10T12:00:00-06:00')
      const invoice_id = await paid(90_000)
      s.clock.set('2027-04-02T12:00:00-06:00')
      await issueGlobals(s.system())
      const [test] = await s.sql<{ id: number; is_test: boolean }>(
        `select d.fiscal_document_id as id, d.is_test from fiscal_line f join fiscal_document d using (fiscal_document_id) where f.invoice_id = $1`,
        [invoice_id],
      )
      expect(test?.is_test).toBe(true)
      // Cancelled because another charge left it, and not replaced before the keys were real.
      await s.sql(
        `update fiscal_document set state = 'cancelled', "cancelledAt" = $2, cancel_motive = '04' where fiscal_document_id = $1`,
        [test?.id, s.clock.now()],
      )
      await s.sql('update fiscal_line set live = false where fiscal_document_id = $1', [test?.id])
      // Signed in just now.
      boss = s.as(await s.make.staff('owner'))
      await boss.fiscalProvider.saveKeys({ keys: SW_KEYS })
      s.clock.advance({ minutes: 1 })
      await uploadCertificate()
      await issueGlobals(s.system())
      const real = await s.sql<{ state: string; is_test: boolean; relation: unknown }>(
        `select d.state, d.is_test, d.draft->'relation' as relation from fiscal_line f join fiscal_document d using (fiscal_document_id) where f.invoice_id = $1 and f.live`,
        [invoice_id],
      )
      expect(real).toEqual([{ state: 'valid', is_test: false, relation: null }])
    })
  })
})
