/**
 * The sandbox's SAT and PAC in one: checks a document at least as strictly as they do, stamps it without fiscal validity, keeps a ledger of
 * its own, and answers late, or not at all, on a test's request.
 */
import { createHash, generateKeyPair, type KeyObject, randomInt, randomUUID, X509Certificate } from 'node:crypto'
import { promisify } from 'node:util'
import { and, eq, gte, or, sql } from 'drizzle-orm'
import { FOREIGN_RFC, GENERIC_RFC } from '#contract/rfc.ts'
import { wallClock } from '#contract/time.ts'
import { isIssuedBy, keyOfText, keyText, readCertificate, seal, verifySeal } from '#server/adapters/pac/certificate.ts'
import { collapse, originalChain, stampChain, structureProblems, TFD_NAMESPACE, TFD_SCHEMA } from '#server/adapters/pac/cfdi-structure.ts'
import type { Cancellation, PacFact, PacPort, TestTaxpayer } from '#server/adapters/pac/port.ts'
import { type Element, element, findChild, listChildren, parse, serialize, XmlError } from '#server/adapters/pac/xml.ts'
import type { Db, Tx } from '#server/platform/db.ts'
import { makeCertificate } from './make-certificate.ts'
import { brokenRule } from './matrix.ts'
import { pacSandboxStamp, pacSandboxTaxpayer, pacSandboxValue } from './tables.ts'
import { TEST_TAXPAYERS } from './taxpayers.ts'

/** The failure of the next stamp: the request is lost, or it is stamped and the answer is lost. */
export type PacFault = 'none' | 'before' | 'after'

type StampRow = typeof pacSandboxStamp.$inferSelect

interface Authority {
  key: KeyObject
  /** The certificate that signs certificates, in Base64. */
  root: string
  /** The number of the certificate that signs stamps. */
  number: string
}

const HOUR = 3_600_000
const PAC_RFC = 'SPR190613I52'
const AUTHORITY_NAME = { CN: 'AC DE PRUEBAS DEL SANDBOX', O: 'SERVICIO DE PRUEBAS SIN VALIDEZ FISCAL' }
const LEGEND = 'Documento de prueba sin validez fiscal'
const CENTRAL = 'America/Mexico_City'
/** Hours between the clocks of Mexico and UTC: Quintana Roo, and the northwest in winter. */
const [EAST, WEST] = [5, 8]
const refused = (code: string, message: string): PacFact => ({ state: 'refused', refusal: { code, message } })
const digestOf = (xml: string) => createHash('sha256').update(xml).digest('hex')
const newKey = async () => (await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })).privateKey
const newNumber = () => `3000100000050${String(randomInt(10_000_000)).padStart(7, '0')}`

/** The instant after this number of business days, Monday to Friday. */
function afterBusinessDays(from: Date, days: number): Date {
  const at = new Date(from)
  for (let left = days; left > 0; ) {
    at.setUTCDate(at.getUTCDate() + 1)
    if (at.getUTCDay() !== 0 && at.getUTCDay() !== 6) left--
  }
  return at
}

/** Whether the sandbox made a certificate, which the SAT does not know. */
export const isOfSandbox = (base64: string): boolean =>
  new X509Certificate(Buffer.from(base64, 'base64')).issuer.includes(AUTHORITY_NAME.CN)

export class PacSandbox implements PacPort {
  readonly id = 'sandbox'
  readonly account = 'sandbox'
  readonly isSandbox = true
  readonly testTaxpayers = TEST_TAXPAYERS
  fault: PacFault = 'none'
  readonly #db: Db
  readonly #now: () => Date

  constructor({ db, now }: { db: Db; now: () => Date }) {
    this.#db = db
    this.#now = now
  }

  async stamp({ xml, key }: { xml: string; key: string }): Promise<PacFact> {
    if (this.fault === 'before') return { state: 'unknown', why: 'The connection broke before an answer.' }
    const fact = await this.#stamp(xml, key)
    if (this.fault !== 'after') return fact
    return { state: 'unknown', why: 'The connection broke while waiting for the answer.' }
  }

  async #stamp(xml: string, key: string): Promise<PacFact> {
    const digest = digestOf(xml)
    const known = await this.#known(key, digest)
    if (known) return known
    const document = documentOf(xml)
    if ('state' in document) return document
    const authority = await this.#authority()
    const whyNot = this.#whyNotSealed(document, authority) ?? (await this.#whyNotRule(document))
    if (whyNot) return whyNot
    const stamped = stampOf(xml, document, authority, this.#now())
    const { attributes } = document
    await this.#db.tx((tx) =>
      tx
        .insert(pacSandboxStamp)
        .values({
          uuid: stamped.uuid,
          key,
          digest,
          xml: stamped.xml,
          total: attributes.Total ?? '',
          kind: attributes.TipoDeComprobante ?? '',
          issuer: findChild(document, 'cfdi:Emisor')?.attributes.Rfc ?? '',
          receiver: findChild(document, 'cfdi:Receptor')?.attributes.Rfc ?? '',
          state: 'valid',
          stampedAt: this.#now(),
        })
        .onConflictDoNothing(),
    )
    // Of two at once the first one counts.
    return (await this.#known(key, digest)) ?? { state: 'unknown', why: 'The stamp was not kept.' }
  }

  async #known(key: string, digest: string): Promise<PacFact | null> {
    const rows = await this.#db.read
      .select()
      .from(pacSandboxStamp)
      .where(or(eq(pacSandboxStamp.key, key), eq(pacSandboxStamp.digest, digest)))
    const same = rows.find((row) => row.digest === digest)
    if (same) return factOf(same)
    return rows.length > 0 ? refused('307', 'Esta clave ya se usó con otro documento.') : null
  }

  async find({ key }: { key: string }): Promise<PacFact> {
    const [row] = await this.#db.read.select().from(pacSandboxStamp).where(eq(pacSandboxStamp.key, key))
    return row ? factOf(await this.#withVerdict(row)) : { state: 'absent' }
  }

  async read({ uuid }: { uuid: string }): Promise<PacFact> {
    const [row] = await this.#db.read.select().from(pacSandboxStamp).where(eq(pacSandboxStamp.uuid, uuid))
    return row ? factOf(await this.#withVerdict(row)) : { state: 'absent' }
  }

  async cancel({ uuid, rfc, motive, substitute }: { uuid: string; rfc: string; motive: string; substitute?: string }): Promise<PacFact> {
    const [row] = await this.#db.read
      .select()
      .from(pacSandboxStamp)
      .where(and(eq(pacSandboxStamp.uuid, uuid), eq(pacSandboxStamp.issuer, rfc)))
    if (!row) return refused('203', 'El folio fiscal no existe o no pertenece al emisor.')
    if (row.state !== 'valid') return factOf(await this.#withVerdict(row))
    if (!/^0[1-4]$/.test(motive)) return refused('CANC107', 'El motivo de cancelación no es válido.')
    if ((motive === '01') !== (substitute !== undefined))
      return refused('CANC107', 'El motivo 01 lleva el folio fiscal que sustituye, y los demás no.')
    if (await this.#hasLiveCreditNote(uuid, substitute))
      return refused('CANC108', 'No es cancelable: otro comprobante vigente está relacionado con él.')
    if (substitute !== undefined) {
      const [other] = await this.#db.read.select().from(pacSandboxStamp).where(eq(pacSandboxStamp.uuid, substitute))
      if (!other || other.state === 'cancelled' || !relatedOf(parse(other.xml), '04').includes(uuid))
        return refused('CANC107', 'El comprobante que sustituye debe estar vigente y relacionado con 04.')
    }
    const now = this.#now()
    const needsNoAcceptance = Number(row.total) <= 1000 || row.kind === 'E' || row.receiver === GENERIC_RFC || row.receiver === FOREIGN_RFC
    const isAtOnce = needsNoAcceptance || now <= afterBusinessDays(row.stampedAt, 1)
    await this.#db.tx((tx) =>
      tx
        .update(pacSandboxStamp)
        .set({
          motive,
          substitute: substitute ?? null,
          requestedAt: now,
          ...(isAtOnce ? { state: 'cancelled' as const, cancelledAt: now } : { state: 'requested' as const }),
        })
        .where(and(eq(pacSandboxStamp.uuid, uuid), eq(pacSandboxStamp.state, 'valid'))),
    )
    return this.read({ uuid })
  }

  async cancelledSince({ rfc, from }: { rfc: string; from: Date }): Promise<string[]> {
    const rows = await this.#db.read
      .select({ uuid: pacSandboxStamp.uuid })
      .from(pacSandboxStamp)
      .where(and(eq(pacSandboxStamp.issuer, rfc), gte(pacSandboxStamp.cancelledAt, from)))
      .orderBy(pacSandboxStamp.cancelledAt)
    return rows.map(({ uuid }) => uuid)
  }

  check = async () => 'ok' as const

  /** Simulates a cancellation in the SAT's portal. */
  async cancelAtPortal(uuid: string): Promise<void> {
    await this.#db.tx((tx) =>
      tx.update(pacSandboxStamp).set({ state: 'cancelled', cancelledAt: this.#now() }).where(eq(pacSandboxStamp.uuid, uuid)),
    )
  }

  /** The receiver's answer to a cancellation. */
  async answerCancellation(uuid: string, accepts: boolean): Promise<void> {
    await this.#db.tx((tx) =>
      tx
        .update(pacSandboxStamp)
        .set(accepts ? { state: 'cancelled', cancelledAt: this.#now() } : { state: 'valid', requestedAt: this.#now() })
        .where(and(eq(pacSandboxStamp.uuid, uuid), eq(pacSandboxStamp.state, 'requested'))),
    )
  }

  async issueTestCertificate(taxpayer: TestTaxpayer): Promise<{ certificate: Uint8Array; key: Uint8Array; password: string }> {
    const authority = await this.#authority()
    const key = await newKey()
    const now = this.#now()
    const certificate = makeCertificate({
      number: newNumber(),
      issuer: AUTHORITY_NAME,
      key,
      authorityKey: authority.key,
      from: new Date(now.getTime() - 24 * HOUR),
      until: new Date(now.getTime() + 4 * 365 * 24 * HOUR),
      subject: {
        CN: taxpayer.name,
        name: taxpayer.name,
        O: taxpayer.name,
        OU: 'Sucursal de prueba',
        x500UniqueIdentifier: `${taxpayer.rfc} / ${taxpayer.rfc}`,
      },
    })
    if (!TEST_TAXPAYERS.some(({ rfc }) => rfc === taxpayer.rfc)) {
      const row = { name: taxpayer.name, postal_code: taxpayer.postalCode, regimes: [...taxpayer.regimes] }
      await this.#db.tx((tx) =>
        tx
          .insert(pacSandboxTaxpayer)
          .values({ rfc: taxpayer.rfc, ...row })
          .onConflictDoUpdate({ target: pacSandboxTaxpayer.rfc, set: row }),
      )
    }
    const password = randomUUID().slice(0, 12)
    const encrypted = key.export({ format: 'der', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: password })
    return { certificate, key: encrypted, password }
  }

  /** A cancellation without an answer for three business days is accepted. */
  async #withVerdict(row: StampRow): Promise<StampRow> {
    if (row.state !== 'requested' || !row.requestedAt || this.#now() < afterBusinessDays(row.requestedAt, 3)) return row
    await this.answerCancellation(row.uuid, true)
    return { ...row, state: 'cancelled', cancelledAt: this.#now() }
  }

  async #hasLiveCreditNote(uuid: string, except: string | undefined): Promise<boolean> {
    const rows = await this.#db.read
      .select({ uuid: pacSandboxStamp.uuid, xml: pacSandboxStamp.xml })
      .from(pacSandboxStamp)
      .where(
        and(
          sql`${pacSandboxStamp.state} <> 'cancelled'`,
          eq(pacSandboxStamp.kind, 'E'),
          sql`position(${uuid} in ${pacSandboxStamp.xml}) > 0`,
        ),
      )
    return rows.some((row) => row.uuid !== uuid && row.uuid !== except && relatedOf(parse(row.xml), '01').includes(uuid))
  }

  #whyNotSealed(document: Element, authority: Authority): PacFact | null {
    const { Certificado = '', NoCertificado, Sello = '', Fecha = '' } = document.attributes
    const certificate = readCertificate(Buffer.from(Certificado, 'base64'))
    if (!certificate) return refused('306', 'El certificado no se puede leer.')
    if (!certificate.isSeal) return refused('306', 'El certificado no es de tipo CSD.')
    if (certificate.number !== NoCertificado) return refused('CFDI40106', 'NoCertificado no es el del certificado.')
    if (certificate.rfc !== findChild(document, 'cfdi:Emisor')?.attributes.Rfc)
      return refused('303', 'El sello no corresponde al emisor: el certificado es de otro RFC.')
    if (!isIssuedBy(certificate.base64, authority.root)) return refused('308', 'El certificado no fue expedido por el SAT.')
    const at = new Date(`${Fecha}Z`).getTime()
    if (at + EAST * HOUR < certificate.validFrom.getTime() || at + EAST * HOUR > certificate.validUntil.getTime())
      return refused('305', 'La fecha de emisión no está dentro de la vigencia del CSD.')
    if (!verifySeal(originalChain(document), collapse(Sello), Certificado))
      return refused('CFDI40102', 'El sello no corresponde a la cadena original y al certificado.')
    const now = this.#now().getTime()
    if (at + EAST * HOUR > now + 5 * 60_000) return refused('401', 'La fecha de generación es posterior a la hora actual.')
    if (at + WEST * HOUR < now - 72 * HOUR) return refused('401', 'Han pasado más de 72 horas desde la fecha de generación.')
    return null
  }

  async #whyNotRule(document: Element): Promise<PacFact | null> {
    const rows = await this.#db.read.select().from(pacSandboxTaxpayer)
    const enrolled = rows.map(({ rfc, name, postal_code, regimes }) => ({ rfc, name, postalCode: postal_code, regimes }))
    const registry = new Map([...enrolled, ...TEST_TAXPAYERS].map((taxpayer) => [taxpayer.rfc, taxpayer]))
    const refusal = brokenRule(document, { taxpayer: (rfc) => registry.get(rfc) ?? null })
    if (refusal) return { state: 'refused', refusal }
    for (const uuid of relatedOf(document)) {
      const [row] = await this.#db.read.select().from(pacSandboxStamp).where(eq(pacSandboxStamp.uuid, uuid))
      if (!row) return refused('CFDI40133', 'Un comprobante relacionado no existe.')
    }
    return null
  }

  /** The keys of the sandbox's authority, made at their first use; of two processes the first one's count. */
  async #authority(): Promise<Authority> {
    const read = async (from: Pick<Tx, 'select'> | Db['read']) =>
      new Map((await from.select().from(pacSandboxValue)).map(({ name, value }) => [name, value]))
    const found = await read(this.#db.read)
    const values = found.has('key') ? found : await this.#makeAuthority(read)
    const stamps = readCertificate(Buffer.from(values.get('stamp_certificate') ?? '', 'base64'))
    return { key: keyOfText(values.get('key') ?? ''), root: values.get('authority_certificate') ?? '', number: stamps?.number ?? '' }
  }

  async #makeAuthority(read: (from: Pick<Tx, 'select'>) => Promise<Map<string, string>>): Promise<Map<string, string>> {
    const key = await newKey()
    const now = this.#now()
    const life = { from: new Date(now.getTime() - 400 * 24 * HOUR), until: new Date(now.getTime() + 20 * 365 * 24 * HOUR) }
    const certify = (of: Record<string, string>) =>
      makeCertificate({ ...life, number: newNumber(), issuer: AUTHORITY_NAME, subject: of, key, authorityKey: key }).toString('base64')
    return this.#db.tx(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext('pac_sandbox'))`)
      const found = await read(tx)
      if (found.has('key')) return found
      await tx.insert(pacSandboxValue).values([
        { name: 'key', value: keyText(key) },
        { name: 'authority_certificate', value: certify({ ...AUTHORITY_NAME, x500UniqueIdentifier: 'SAT970701NN3' }) },
        { name: 'stamp_certificate', value: certify({ CN: 'PAC DE PRUEBAS', OU: 'Timbrado', x500UniqueIdentifier: PAC_RFC }) },
      ])
      return read(tx)
    })
  }
}

/** The parsed document, or why it is none. */
function documentOf(xml: string): Element | Extract<PacFact, { state: 'refused' }> {
  try {
    const document = parse(xml)
    const [problem] = structureProblems(document)
    if (problem) return refused('301', `La estructura del comprobante no es correcta: ${problem}`) as Extract<PacFact, { state: 'refused' }>
    if (findChild(document, 'cfdi:Complemento'))
      return refused('307', 'El comprobante contiene un timbre previo.') as Extract<PacFact, { state: 'refused' }>
    return document
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
    return refused('301', `XML mal formado: ${error.message}`) as Extract<PacFact, { state: 'refused' }>
  }
}

function stampOf(xml: string, document: Element, { key, number }: Authority, now: Date): { uuid: string; xml: string } {
  const uuid = randomUUID().toUpperCase()
  const facts = {
    'xmlns:tfd': TFD_NAMESPACE,
    'xsi:schemaLocation': TFD_SCHEMA,
    Version: '1.1',
    UUID: uuid,
    FechaTimbrado: wallClock(now, CENTRAL).toISOString().slice(0, 19),
    RfcProvCertif: PAC_RFC,
    Leyenda: LEGEND,
    SelloCFD: document.attributes.Sello ?? '',
    NoCertificadoSAT: number,
  }
  const stamp = element('tfd:TimbreFiscalDigital', { ...facts, SelloSAT: seal(stampChain(element('tfd:TimbreFiscalDigital', facts)), key) })
  const complement = serialize(element('cfdi:Complemento', {}, [stamp])).split('\n')[1] ?? ''
  return { uuid, xml: xml.replace(/<\/cfdi:Comprobante>\s*$/, `${complement}</cfdi:Comprobante>`) }
}

/** The documents that one refers to, by the kind of relation. */
const relatedOf = (document: Element, kind?: string): string[] =>
  listChildren(document, 'cfdi:CfdiRelacionados')
    .filter(({ attributes }) => kind === undefined || attributes.TipoRelacion === kind)
    .flatMap((relation) => listChildren(relation, 'cfdi:CfdiRelacionado').map(({ attributes }) => attributes.UUID ?? ''))

function factOf({ state, uuid, xml, cancelledAt, requestedAt }: StampRow): PacFact {
  if (state === 'cancelled')
    return {
      state: 'cancelled',
      uuid,
      xml,
      receipt: `<Acuse UUID="${uuid}" EstatusUUID="201" Fecha="${cancelledAt?.toISOString() ?? ''}"/>`,
    }
  const cancellation: Cancellation = state === 'requested' ? 'requested' : requestedAt ? 'rejected' : 'none'
  return { state: 'valid', uuid, xml, cancellation }
}
