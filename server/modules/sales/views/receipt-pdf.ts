/** The receipt as a PDF: one page in the studio's brand; deterministic for the same facts. Pure. */
import { receiptInEnglish } from '#contract/english/answers.ts'
import { type Letterhead, openPage } from './pdf-page.ts'

/** `at`: when the money was taken. */
export interface ReceiptFacts extends Omit<Letterhead, 'title' | 'height'> {
  /** Address and email of the studio; missing ones are left out. */
  contact: string[]
  /** Legal name and RFC; missing ones are left out. */
  taxpayer: string[]
  folio: string
  /** "18 nov 2026", in the studio's zone. */
  day: string
  customer: { name: string; email: string | null }
  /** What was bought, in order: "8 clases" and similar. */
  title: string
  details: string[]
  /** Formatted amounts; the last one is what was paid. */
  lines: { label: string; amount: string }[]
  total: string
  /** Beside the total: "Pagado con Visa ···4242". */
  notes: string[]
}

/** Draws the receipt. Runs on the worker thread. */
export function receiptPdf(facts: ReceiptFacts): Promise<Uint8Array<ArrayBuffer>> {
  const { studio, logo, at, language } = facts
  const translate = language === 'en' ? receiptInEnglish : (text: string) => text
  const page = openPage({ studio, logo, at, language, title: translate(`Comprobante ${facts.folio}`) })
  page.put(translate('Comprobante de pago'), 22, { bold: true, gap: 2 })
  page.put(translate(`Folio ${facts.folio} · ${facts.day}`), 10.5, { soft: true, gap: 18 })
  page.put(facts.customer.name, 11.5, { bold: true, gap: 1 })
  page.put(facts.customer.email ?? '', 10.5, { soft: true, gap: 16 })
  page.rule()
  page.put(facts.title, 13, { bold: true, gap: 3 })
  for (const detail of facts.details) page.put(translate(detail), 10.5, { soft: true, gap: 2 })
  page.skip(12)
  page.rule()
  for (const { label, amount } of facts.lines) page.row(translate(label), amount)
  page.total(translate('Total'), facts.total)
  for (const note of facts.notes) page.put(translate(note), 10.5, { soft: true, gap: 3 })
  if (facts.taxpayer.length > 0) page.foot(facts.taxpayer.join(' · '), 76)
  page.foot(translate('Este comprobante no es un CFDI.'), 62)
  page.foot([page.name, ...facts.contact].join(' · '), 48)
  return page.finish()
}
