/** The receipt of a whole sale at the counter as a PDF: every item and every payment; deterministic for the same facts. Pure. */
import { type Letterhead, openPage, PAGE_HEIGHT } from './pdf-page.ts'

interface Row {
  label: string
  amount: string
}

export interface SaleReceiptFacts extends Omit<Letterhead, 'title' | 'height'> {
  folio: string
  /** "18 nov 2026 · Roma Norte · Atendió Lucía". */
  about: string
  customer: string
  items: Row[]
  /** Discount and IVA. */
  sums: Row[]
  total: string
  payments: Row[]
  notes: string[]
  taxpayer: string[]
  contact: string[]
}

/** Points of everything but the rows, and of a row. */
const FRAME = 420
const ROW = 20

/** Draws the receipt; the page is as long as its contents. Runs on the worker thread. */
export function saleReceiptPdf(facts: SaleReceiptFacts): Promise<Uint8Array<ArrayBuffer>> {
  const { studio, logo, at, folio, items, sums, payments, notes } = facts
  const height = FRAME + (items.length + sums.length + payments.length + notes.length) * ROW
  const page = openPage({ studio, logo, at, title: `Comprobante ${folio}`, height: Math.max(PAGE_HEIGHT, height) })
  page.put('Comprobante de pago', 22, { bold: true, gap: 2 })
  page.put(`Folio ${folio} · ${facts.about}`, 10.5, { soft: true, gap: 16 })
  page.put(facts.customer, 11.5, { bold: true, gap: 14 })
  page.rule()
  for (const { label, amount } of items) page.row(label, amount, { bold: true })
  page.skip(6)
  for (const { label, amount } of sums) page.row(label, amount)
  page.total('Total', facts.total)
  for (const { label, amount } of payments) page.row(label, amount)
  page.skip(8)
  for (const note of notes) page.put(note, 10.5, { soft: true, gap: 3 })
  if (facts.taxpayer.length > 0) page.foot(facts.taxpayer.join(' · '), 76)
  page.foot('Este comprobante no es un CFDI.', 62)
  page.foot([page.name, ...facts.contact].join(' · '), 48)
  return page.finish()
}
