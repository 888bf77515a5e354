/** A studio that issues invoices through the sandbox's PAC, with helpers for tests of invoices. */
import { createHash } from 'node:crypto'
import type { FiscalDocument } from '#contract/fiscal.ts'
import type { PacSandbox } from '#server/adapters/pac/sandbox/sandbox.ts'
import { type Person, studio } from './studio.ts'

const ISSUER = {
  business_rfc: 'EKU9003173C9',
  business_legal_name: 'Escuela Kemper Urgate',
  business_postal_code: '42501',
  business_regime: '601',
} as const

/** A receiver that the sandbox's registry of taxpayers knows. */
export const KARLA = { rfc: 'FUNK671228PH6', name: 'Karla Fuente Nolasco', postal_code: '01160', regime: '612', use: 'G03' } as const

/** A charge and its purchase. */
export interface Sold {
  purchase_id: number
  invoice_id: number
}

type Motive = '01' | '02' | '03'

export const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')

export async function invoicing() {
  const s = await studio()
  const desk = s.as(await s.make.staff('reception'))
  const boss = s.as(await s.make.staff('owner'))
  const ana = await s.make.customer()
  const { payment_method_id: cash } = await s.make.paymentMethod({ name: 'Efectivo', kind: 'cash' })
  const { location_id } = await s.make.location()
  const pac = s.studio.ports.pac as PacSandbox

  /** The charge of a purchase; 0 if it has none. */
  async function soldAs(purchase_id: number): Promise<Sold> {
    const [row] = await s.sql<{ invoice_id: number }>('select invoice_id from invoice where purchase_id = $1', [purchase_id])
    return { purchase_id, invoice_id: row?.invoice_id ?? 0 }
  }
  /** The documents of a purchase that the owner sees, of one kind. */
  async function documentsOf(purchase_id: number, kind: FiscalDocument['kind']): Promise<FiscalDocument[]> {
    return (await boss.fiscal.ofPurchase({ purchase_id })).documents.filter((document) => document.kind === kind)
  }

  return {
    s,
    desk,
    boss,
    ana,
    cash,
    location_id,
    pac,
    soldAs,
    /** For `beforeEach`: the clock at its start, the issuer's settings, a PAC that answers. */
    async reset() {
      await s.reset(ISSUER)
      pac.fault = 'none'
    },
    /** A package that a customer paid in cash: its purchase and charge. */
    async paid(person: Person, price = 145_000, { at = location_id, ...more }: { at?: number; sat_key?: string } = {}): Promise<Sold> {
      const { class_package_id } = await s.make.package({ title: 'Paquete 10', price_centavos: price, class_amount: 10, ...more })
      const { purchase } = await boss.studioSales.giveAccess({
        customer_id: person.customer_id,
        class_package_id,
        payment_method_id: cash,
        location_id: at,
      })
      return await soldAs(purchase.purchase_id)
    },
    /** Refunds a part of a charge in cash. */
    refund: (sold: Sold, amount: string) =>
      boss.studioSales.refund({ ...sold, amount, by_hand: true, reason: 'Prueba', payment_method_id: cash }),
    issue: (invoice_ids: number[], receiver: object = {}, client = desk) =>
      client.fiscal.issue({ invoice_ids, receiver: { ...KARLA, ...receiver } }).then(({ fiscal_document }) => fiscal_document),
    cancel: ({ fiscal_document_id }: FiscalDocument, motive: Motive = '02', more: object = {}) =>
      boss.fiscal.cancel({ fiscal_document_id, motive, ...more }).then(({ fiscal_document }) => fiscal_document),
    xmlOf: async ({ fiscal_document_id }: FiscalDocument) => (await boss.fiscal.xml({ fiscal_document_id })).text(),
    /** The document of the list with this folio of series F. */
    byFolio: async (folio: number) => (await desk.fiscal.list({ query: `F-${folio}` })).fiscal_documents.find((row) => row.folio === folio),
    notesOf: (purchase_id: number) => documentsOf(purchase_id, 'credit'),
    globalsOf: (purchase_id: number) => documentsOf(purchase_id, 'global'),
    /** How many live lines of documents have this charge as income. */
    async liveLines(invoice_id: number): Promise<number> {
      const [row] = await s.sql<{ n: number }>(
        'select count(*)::int as n from fiscal_line where invoice_id = $1 and live and refund_id is null and not takes_out',
        [invoice_id],
      )
      return row?.n ?? 0
    },
  }
}
