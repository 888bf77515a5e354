/** The receipt on paper: one page in the studio's brand, the same bytes for the same facts. Pure. */
import { type Theme, tokens } from '#contract/color.ts'

export interface ReceiptFacts {
  studio: Theme & { business_name: string }
  /** Address and mail of the studio, what there is of them. */
  contact: string[]
  folio: string
  /** "18 nov 2026", on the studio's clocks. */
  day: string
  customer: { name: string; email: string }
  /** What was bought, in order: "8 clases" and the like. */
  title: string
  details: string[]
  /** Amounts as people read them; the last one is what was paid. */
  lines: { label: string; amount: string }[]
  total: string
  /** Beside the total: "Pagado con Visa ···4242". */
  notes: string[]
  /** When the money was taken: the file's own date. */
  at: Date
}

const PAGE = { width: 420, height: 595 }
const EDGE = 36
const WIDE = PAGE.width - 2 * EDGE
/** The fonts of every PDF reader have the letters of western Europe: anything else would come out as noise. */
const readable = (text: string) => text.replace(/[^\u0020-\u007e\u00a0-\u00ff–—‘’“”•…€]/g, '').trim()

/** Draws it. pdfkit costs 20 MB to import, so it comes with the first receipt. */
export async function receiptPdf(facts: ReceiptFacts): Promise<Uint8Array<ArrayBuffer>> {
  const { default: PDFDocument } = await import('pdfkit')
  const colour = tokens({ ...facts.studio, theme_mode: 'dia' })
  const name = readable(facts.studio.business_name) || 'Estudio'
  const doc = new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    lang: 'es-MX',
    displayTitle: true,
    info: { Title: `Comprobante ${facts.folio}`, Author: name, CreationDate: facts.at, ModDate: facts.at },
  })
  const chunks: Uint8Array[] = []
  doc.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  const whole = new Promise<void>((resolve, reject) => doc.on('end', resolve).on('error', reject))

  const corner = { recta: 2, suave: 8, redonda: 18 }[facts.studio.theme_shape]
  doc.rect(0, 0, PAGE.width, 8).fill(colour.brand)
  doc.roundedRect(EDGE, 32, 36, 36, Math.min(corner, 12)).fill(colour.brand)
  doc.font('Helvetica-Bold').fontSize(19).fillColor(colour['on-brand'])
  doc.text(name.slice(0, 1).toUpperCase(), EDGE, 41, { width: 36, align: 'center', lineBreak: false })
  doc
    .font('Helvetica-Bold')
    .fontSize(17)
    .fillColor(colour.ink)
    .text(name, EDGE + 48, 42, { width: WIDE - 48, height: 20, ellipsis: true })

  let y = 96
  const put = (text: string, size: number, style: { bold?: boolean; soft?: boolean; gap?: number }) => {
    const said = readable(text)
    if (!said) return
    doc
      .font(style.bold ? 'Helvetica-Bold' : 'Helvetica')
      .fontSize(size)
      .fillColor(style.soft ? colour['ink-2'] : colour.ink)
    doc.text(said, EDGE, y, { width: WIDE, lineGap: 2 })
    y = doc.y + (style.gap ?? 4)
  }
  const rule = () => {
    doc
      .moveTo(EDGE, y)
      .lineTo(PAGE.width - EDGE, y)
      .lineWidth(0.75)
      .strokeColor(colour.line)
      .stroke()
    y += 14
  }
  put('Comprobante de pago', 22, { bold: true, gap: 2 })
  put(`Folio ${facts.folio} · ${facts.day}`, 10.5, { soft: true, gap: 18 })
  put(facts.customer.name, 11.5, { bold: true, gap: 1 })
  put(facts.customer.email, 10.5, { soft: true, gap: 16 })
  rule()
  put(facts.title, 13, { bold: true, gap: 3 })
  for (const detail of facts.details) put(detail, 10.5, { soft: true, gap: 2 })
  y += 12
  rule()
  for (const { label, amount } of facts.lines) {
    doc.font('Helvetica').fontSize(11).fillColor(colour['ink-2'])
    doc.text(readable(label), EDGE, y, { width: WIDE / 2, lineBreak: false })
    doc.fillColor(colour.ink).text(readable(amount), EDGE + WIDE / 2, y, { width: WIDE / 2, align: 'right', lineBreak: false })
    y += 20
  }
  doc.roundedRect(EDGE, y + 4, WIDE, 52, corner).fill(colour['brand-soft'])
  doc
    .font('Helvetica-Bold')
    .fontSize(12)
    .fillColor(colour.ink)
    .text('Total', EDGE + 16, y + 24, { lineBreak: false })
  doc.fontSize(19).text(readable(facts.total), EDGE + 90, y + 20, { width: WIDE - 106, align: 'right', lineBreak: false })
  y += 72
  for (const note of facts.notes) put(note, 10.5, { soft: true, gap: 3 })

  doc.font('Helvetica').fontSize(9).fillColor(colour['ink-2'])
  doc.text('Este comprobante no es un CFDI.', EDGE, PAGE.height - 62, { width: WIDE, lineBreak: false })
  doc.text(readable([name, ...facts.contact].join(' · ')), EDGE, PAGE.height - 48, { width: WIDE, height: 24, ellipsis: true })
  doc.end()
  await whole
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}
