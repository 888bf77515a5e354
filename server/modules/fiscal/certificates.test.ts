/** The studio's certificate of digital seal: checked, stored encrypted, replaced in time (docs/domain.md, FA13). */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { invoicing } from '#server/testing/invoicing.ts'
import { refusalOf } from '#server/testing/studio.ts'

const { s, desk, boss, ana, pac, reset, paid, issue } = await invoicing()
afterAll(() => s.close())
beforeEach(reset)

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

test('a certificate is checked with its key and password, which no answer, audit entry or log line contains', async () => {
  const credentials = await pac.issueTestCertificate({
    rfc: 'EKU9003173C9',
    name: 'ESCUELA KEMPER URGATE',
    postalCode: '42501',
    regimes: ['601'],
  })
  const other = await pac.issueTestCertificate({
    rfc: 'XIA190128J61',
    name: 'XENON INDUSTRIAL ARTICLES',
    postalCode: '76343',
    regimes: ['601'],
  })
  const save = (more: object = {}) =>
    boss.fiscal.saveCertificate({
      certificate: base64(credentials.certificate),
      key: base64(credentials.key),
      password: credentials.password,
      ...more,
    })
  s.clock.advance({ minutes: 1 })
  const paths = async (more: object) => {
    const { issues } = (await refusalOf(save(more))).data as { issues: { path: string }[] }
    return issues.map(({ path }) => path)
  }
  expect(await paths({ certificate: 'AAAA' })).toEqual(['certificate'])
  expect(await paths({ certificate: base64(other.certificate) })).toEqual(['certificate'])
  expect(await paths({ password: 'otra' })).toEqual(['password'])
  expect(await paths({ key: base64(other.key), password: other.password })).toEqual(['key'])
  const { certificate } = await save()
  expect(certificate).toMatchObject({ rfc: 'EKU9003173C9', state: 'valid' })
  expect((await boss.fiscal.setup()).certificate?.number).toBe(certificate.number)
  const [row] = await s.sql<{ sealed_key: string }>('select sealed_key from fiscal_certificate where number = $1', [certificate.number])
  expect(row?.sealed_key).toMatch(/^v1\./)
  const trail = await s.sql<{ text: string }>(`select (after::text) as text from audit where action = 'fiscal_certificate.save'`)
  expect(JSON.stringify([trail, s.logged])).not.toContain(credentials.password)
  expect((await issue([(await paid(ana)).invoice_id])).state).toBe('valid')
})

test('a certificate that ends soon or has ended is a task of the owner; one of another RFC is named as such', async () => {
  const certificate = async () => (await boss.fiscal.setup()).certificate
  const taskOf = async (client = boss) => (await client.today.read({})).tasks.find(({ kind }) => kind === 'certificate_ending')
  const { invoice_id } = await paid(ana)
  await issue([invoice_id])
  expect((await certificate())?.state).toBe('valid')
  expect(await taskOf()).toBeUndefined()
  await s.sql(`update fiscal_certificate set "validUntil" = '2026-12-10T12:00:00-06:00'`)
  expect((await certificate())?.state).toBe('ending')
  expect(await taskOf()).toMatchObject({ link: '/admin/ajustes/pagos?ajuste=invoice_series' })
  expect((await taskOf())?.detail).toContain('10 dic 2026')
  expect(await taskOf(desk)).toBeUndefined()
  s.clock.set('2026-12-11T10:00:00-06:00')
  expect(await taskOf()).toMatchObject({ title: 'Venció el certificado de tus facturas' })
  expect((await certificate())?.state).toBe('expired')
  await s.change({ business_rfc: 'XIA190128J61' })
  expect((await certificate())?.state).toBe('other_rfc')
})
