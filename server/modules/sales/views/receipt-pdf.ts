/** The receipt as a PDF: one page in the studio's brand, with embedded fonts; deterministic for the same facts. Pure. */
import PDFDocument from 'pdfkit'
import { type Theme, tokens } from '#contract/color.ts'
import { receiptFont } from './receipt-fonts.ts'

/** A PNG image, with its size in pixels. */
interface Logo {
  png: Uint8Array
  width: number
  height: number
}

export interface ReceiptFacts {
  studio: Theme & { business_name: string }
  /** The studio's logo as PNG; null = the first letter of its name. */
  logo: Logo | null
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
  /** When the money was taken; also the date of the file. */
  at: Date
}

const PAGE = { width: 420, height: 595 }
const EDGE = 36
const WIDE = PAGE.width - 2 * EDGE
const LOGO = { width: 132, height: 36 }
/** The fonts cover western European letters: other characters would show as empty boxes, so they are removed. */
const readable = (text: string) => text.replace(/[^\u0020-\u007e\u00a0-\u00ff–—‘’“”•…€]/g, '').trim()

/** Draws the studio's logo and returns its width. A dark theme has a light logo, so it is drawn on a dark background. */
function drawLogo(doc: PDFKit.PDFDocument, logo: Logo, theme: Theme): number {
  const scale = Math.min(LOGO.width / logo.width, LOGO.height / logo.height)
  const [width, height] = [logo.width * scale, logo.height * scale]
  const edge = theme.theme_mode === 'noche' ? 8 : 0
  if (edge) doc.roundedRect(EDGE, 26, width + 2 * edge, 48, 6).fill(tokens(theme).paper)
  doc.image(Buffer.from(logo.png), EDGE + edge, 32 + (LOGO.height - height) / 2, { width, height })
  return width + 2 * edge
}

function drawLetter(doc: PDFKit.PDFDocument, name: string, colour: ReturnType<typeof tokens>, corner: number): number {
  doc.roundedRect(EDGE, 32, 36, 36, corner).fill(colour.brand)
  doc.font('bold').fontSize(19).fillColor(colour['on-brand'])
  doc.text(name.slice(0, 1).toUpperCase(), EDGE, 39, { width: 36, align: 'center', lineBreak: false })
  return 36
}

/** Draws the receipt. Runs on the worker thread. */
export async function receiptPdf(facts: ReceiptFacts): Promise<Uint8Array<ArrayBuffer>> {
  const colour = tokens({ ...facts.studio, theme_mode: 'dia' })
  const name = readable(facts.studio.business_name) || 'Estudio'
  const doc = new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    // None: the library's own would be parsed for every receipt.
    font: '',
    lang: 'es-MX',
    displayTitle: true,
    info: { Title: `Comprobante ${facts.folio}`, Author: name, CreationDate: facts.at, ModDate: facts.at },
  })
  // Embedded: the fonts of a PDF viewer have other widths, so amounts would overflow.
  doc.registerFont('regular', receiptFont('regular')).registerFont('bold', receiptFont('bold'))
  const chunks: Uint8Array[] = []
  doc.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  const whole = new Promise<void>((resolve, reject) => doc.on('end', resolve).on('error', reject))

  const corner = { recta: 2, suave: 8, redonda: 18 }[facts.studio.theme_shape]
  doc.rect(0, 0, PAGE.width, 8).fill(colour.brand)
  const beside = facts.logo ? drawLogo(doc, facts.logo, facts.studio) : drawLetter(doc, name, colour, Math.min(corner, 12))
  doc
    .font('bold')
    .fontSize(17)
    .fillColor(colour.ink)
    .text(name, EDGE + beside + 12, 40, { width: WIDE - beside - 12, height: 22, ellipsis: true })

  let y = 96
  const put = (text: string, size: number, style: { bold?: boolean; soft?: boolean; gap?: number }) => {
    const said = readable(text)
    if (!said) return
    doc
      .font(style.bold ? 'bold' : 'regular')
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
  put(facts.customer.email ?? '', 10.5, { soft: true, gap: 16 })
  rule()
  put(facts.title, 13, { bold: true, gap: 3 })
  for (const detail of facts.details) put(detail, 10.5, { soft: true, gap: 2 })
  y += 12
  rule()
  for (const { label, amount } of facts.lines) {
    doc.font('regular').fontSize(11).fillColor(colour['ink-2'])
    doc.text(readable(label), EDGE, y, { width: WIDE / 2, lineBreak: false })
    doc.fillColor(colour.ink).text(readable(amount), EDGE + WIDE / 2, y, { width: WIDE / 2, align: 'right', lineBreak: false })
    y += 20
  }
  doc.roundedRect(EDGE, y + 4, WIDE, 52, corner).fill(colour['brand-soft'])
  doc
    .font('bold')
    .fontSize(12)
    .fillColor(colour.ink)
    .text('Total', EDGE + 16, y + 24, { lineBreak: false })
  doc.fontSize(19).text(readable(facts.total), EDGE + 90, y + 20, { width: WIDE - 106, align: 'right', lineBreak: false })
  y += 72
  for (const note of facts.notes) put(note, 10.5, { soft: true, gap: 3 })

  doc.font('regular').fontSize(9).fillColor(colour['ink-2'])
  const foot = (text: string, up: number) => doc.text(readable(text), EDGE, PAGE.height - up, { width: WIDE, height: 12, ellipsis: true })
  if (facts.taxpayer.length > 0) foot(facts.taxpayer.join(' · '), 76)
  foot('Este comprobante no es un CFDI.', 62)
  foot([name, ...facts.contact].join(' · '), 48)
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
