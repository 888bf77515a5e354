/** The studio's certificate of digital seal, and whether everything for invoices is there. */
import { refuse } from '#contract/errors.ts'
import { CERTIFICATE_WARNING_DAYS, type FiscalCertificate } from '#contract/fiscal.ts'
import { isRfc } from '#contract/rfc.ts'
import { REGIMES, type RegimeCode, regimesOf } from '#contract/sat-catalogues.ts'
import { belongTogether, type CertificateFacts, keyText, readCertificate, readKey } from '#server/adapters/pac/certificate.ts'
import { isOfSandbox } from '#server/adapters/pac/sandbox/sandbox.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { cleanName, type Taxpayer } from './rules.ts'
import { type CertificateRow, findCertificate, upsertCertificate } from './taxpayer-store.ts'

const NO_PAC = 'un proveedor de timbrado (PAC)'

/** The studio as a taxpayer, and what is missing of it, in words. */
export function getIssuer({ settings }: Ctx): { issuer: Taxpayer; missing: string[] } {
  const { business_rfc: rfc, business_legal_name, business_postal_code: postalCode, business_regime: regime } = settings
  const name = cleanName(business_legal_name)
  const missing = [
    ...(isRfc(rfc) ? [] : ['el RFC del estudio']),
    ...(name === '' ? ['la razón social'] : []),
    ...(/^\d{5}$/.test(postalCode) ? [] : ['el código postal fiscal']),
    ...(regime === '' || (isRfc(rfc) && !regimesOf(rfc).includes(regime)) ? ['el régimen fiscal'] : []),
  ]
  return { issuer: { rfc, name, postalCode, regime: regime in REGIMES ? (regime as RegimeCode) : '616' }, missing }
}

const isUsable = (ctx: Ctx, row: CertificateRow, rfc: string): boolean =>
  row.rfc === rfc && row.validFrom <= ctx.now && ctx.now < row.validUntil && !isForTests(ctx, row)

/** A certificate that the sandbox made is not valid at the SAT. */
const isForTests = ({ ports }: Ctx, { certificate }: Pick<CertificateRow, 'certificate'>): boolean =>
  !ports.pac?.issueTestCertificate && isOfSandbox(certificate)

/** What is missing before something can be invoiced. The sandbox makes its certificate by itself. */
export async function missingForInvoices(ctx: Ctx): Promise<{ missing: string[]; certificate: CertificateRow | null }> {
  const { issuer, missing } = getIssuer(ctx)
  const certificate = await findCertificate(ctx.db)
  const { pac } = ctx.ports
  if (!pac) return { missing: [...missing, NO_PAC], certificate }
  const hasOne = certificate !== null && isUsable(ctx, certificate, issuer.rfc)
  return {
    missing: hasOne || pac.issueTestCertificate ? missing : [...missing, 'un certificado de sello digital vigente de ese RFC'],
    certificate,
  }
}

/** The certificate that seals now; in the sandbox a new one where there is none. INVOICING_NOT_READY. */
export async function readyToInvoice(ctx: Ctx): Promise<{ issuer: Taxpayer; certificate: CertificateRow }> {
  const { missing, certificate } = await missingForInvoices(ctx)
  if (missing.length > 0) throw refuse('INVOICING_NOT_READY', { missing: new Intl.ListFormat('es-MX').format(missing) })
  const { issuer } = getIssuer(ctx)
  if (certificate && isUsable(ctx, certificate, issuer.rfc)) return { issuer, certificate }
  const { pac } = ctx.ports
  const credentials = await pac?.issueTestCertificate?.({ ...issuer, regimes: [issuer.regime] })
  if (!credentials) throw new Error('The sandbox made no certificate.')
  const facts = readCertificate(credentials.certificate)
  const key = readKey(credentials.key, credentials.password)
  if (!facts || !key) throw new Error('The certificate of the sandbox cannot be read.')
  await ctx.tx((tx) => upsertCertificate(tx, rowOf(ctx, facts, keyText(key))))
  const row = await findCertificate(ctx.db)
  if (!row) throw new Error('The certificate is gone.')
  return { issuer, certificate: row }
}

const rowOf = (ctx: Ctx, facts: CertificateFacts, key: string) => ({
  number: facts.number,
  rfc: facts.rfc,
  name: facts.name,
  certificate: facts.base64,
  validFrom: facts.validFrom,
  validUntil: facts.validUntil,
  sealed_key: ctx.studio.sealFiscalKey(facts.number, key),
  createdAt: ctx.now,
})

type Shown = Pick<CertificateRow, 'number' | 'rfc' | 'name' | 'validFrom' | 'validUntil'>

function stateOf(ctx: Ctx, { rfc, validFrom, validUntil }: Shown): FiscalCertificate['state'] {
  if (rfc !== ctx.settings.business_rfc) return 'other_rfc'
  if (validUntil <= ctx.now) return 'expired'
  if (validFrom > ctx.now) return 'early'
  return validUntil.getTime() - ctx.now.getTime() <= CERTIFICATE_WARNING_DAYS * 86_400_000 ? 'ending' : 'valid'
}

const certificateOut = (ctx: Ctx, row: Shown): FiscalCertificate => ({
  number: row.number,
  rfc: row.rfc,
  name: row.name,
  state: stateOf(ctx, row),
  valid_from: row.validFrom.toISOString(),
  valid_until: row.validUntil.toISOString(),
})

/** GET /admin/fiscal_setup */
export async function readSetup(ctx: Ctx) {
  const { missing, certificate } = await missingForInvoices(ctx)
  const is_test = ctx.ports.pac?.isSandbox ?? false
  const { business_rfc: rfc } = ctx.settings
  return { ready: missing.length === 0, missing, is_test, rfc, certificate: certificate && certificateOut(ctx, certificate) }
}

const BASE64 = /^[A-Za-z0-9+/\s]+=*\s*$/

/** PUT /admin/fiscal_certificate. RECENT_SIGN_IN_REQUIRED; INVALID_INPUT by field; no message contains the key or its password. */
export async function saveCertificate(ctx: Ctx, input: { certificate: string; key: string; password: string }) {
  ctx.requireRecentSignIn()
  const wrong = (path: string, message: string) => refuse('INVALID_INPUT', { issues: [{ path, message }] })
  const facts = BASE64.test(input.certificate) ? readCertificate(Buffer.from(input.certificate, 'base64')) : null
  if (!facts) throw wrong('certificate', 'Este archivo no es un certificado del SAT (.cer).')
  if (!facts.isSeal) throw wrong('certificate', 'Este certificado es de tu e.firma. Las facturas se sellan con el de sello digital (CSD).')
  if (facts.rfc !== ctx.settings.business_rfc)
    throw wrong('certificate', `Este certificado es de ${facts.rfc}, y el RFC del estudio es otro.`)
  if (facts.validUntil <= ctx.now) throw wrong('certificate', 'Este certificado ya venció.')
  const key = BASE64.test(input.key) ? readKey(Buffer.from(input.key, 'base64'), input.password) : null
  if (!key) throw wrong('password', 'La contraseña no abre esta llave (.key).')
  if (!belongTogether(facts, key)) throw wrong('key', 'Esta llave es de otro certificado.')
  await ctx.tx(async (tx) => {
    await upsertCertificate(tx, rowOf(ctx, facts, keyText(key)))
    await ctx.audit(tx, {
      action: 'fiscal_certificate.save',
      entity: 'fiscal_certificate',
      entity_id: facts.number,
      after: { number: facts.number, rfc: facts.rfc, valid_until: facts.validUntil.toISOString() },
    })
  })
  return { certificate: certificateOut(ctx, facts) }
}
