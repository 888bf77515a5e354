/** The printed representation of an invoice: letter size, with embedded fonts and the QR code of the SAT's check. Pure. */
import PDFDocument from 'pdfkit'
import QRCode from 'qrcode'
import { type Theme, tokens } from '#contract/color.ts'
import { registerReceiptFonts } from '#server/platform/pdf-fonts.ts'

export interface InvoicePage {
  studio: Theme & { business_name: string }
  title: string
  isCancelled: boolean
  isTest: boolean
  at: Date
  facts: { label: string; text: string }[]
  issuer: string[]
  receiver: string[]
  lines: { title: string; detail: string; amount: string }[]
  /** Lines that are in the XML only. */
  more: number
  totals: { label: string; amount: string }[]
  total: string
  amountInWords: string
  seals: { label: string; text: string }[]
  url: string
}

const PAGE = { width: 612, height: 792 }
const EDGE = 40
const WIDE = PAGE.width - 2 * EDGE
const BOTTOM = PAGE.height - 52
/** 2.75 cm at 72 points an inch are 78; a little more. */
const QR = 84
const readable = (text: string) => text.replace(/[^\u0020-\u007e\u00a0-\u00ff–—‘’“”•…€]/g, '').trim()

/** Draws the document. Runs on the worker thread. */
export async function invoicePdf(page: InvoicePage): Promise<Uint8Array<ArrayBuffer>> {
  const colour = tokens({ ...page.studio, theme_mode: 'dia' })
  const doc = new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    font: '',
    lang: 'es-MX',
    displayTitle: true,
    bufferPages: true,
    info: { Title: page.title, Author: readable(page.studio.business_name), CreationDate: page.at, ModDate: page.at },
  })
  registerReceiptFonts(doc)
  const chunks: Uint8Array[] = []
  doc.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  const whole = new Promise<void>((resolve, reject) => doc.on('end', resolve).on('error', reject))
  let y = 44
  const room = (height: number) => {
    if (y + height <= BOTTOM) return
    doc.addPage()
    y = 44
  }
  const put = (text: string, size: number, { x = EDGE, width = WIDE, bold = false, soft = false, gap = 3 } = {}) => {
    doc
      .font(bold ? 'bold' : 'regular')
      .fontSize(size)
      .fillColor(soft ? colour['ink-2'] : colour.ink)
    const content = readable(text)
    if (!content) return
    room(doc.heightOfString(content, { width, lineGap: 1 }))
    doc.text(content, x, y, { width, lineGap: 1 })
    y = doc.y + gap
  }
  const rule = () => {
    doc
      .moveTo(EDGE, y)
      .lineTo(PAGE.width - EDGE, y)
      .lineWidth(0.75)
      .strokeColor(colour.line)
      .stroke()
    y += 9
  }
  const pair = (label: string, amount: string, bold: boolean) => {
    room(18)
    doc
      .font(bold ? 'bold' : 'regular')
      .fontSize(bold ? 13 : 10.5)
      .fillColor(colour.ink)
    doc.text(readable(label), EDGE + WIDE / 2, y, { width: 110, lineBreak: false })
    doc.text(readable(amount), EDGE + WIDE / 2 + 110, y, { width: WIDE / 2 - 110, align: 'right', lineBreak: false })
    y += bold ? 20 : 15
  }

  doc.rect(0, 0, PAGE.width, 8).fill(colour.brand)
  put(page.studio.business_name, 11, { bold: true, soft: true, gap: 2 })
  put(page.title, 20, { bold: true, gap: 6 })
  if (page.isTest) put('Sin validez fiscal: se timbró en pruebas.', 10.5, { bold: true, gap: 6 })
  if (page.isCancelled) put('CANCELADA', 16, { bold: true, gap: 6 })
  rule()
  const top = y
  put('Emisor', 9, { soft: true, width: WIDE / 2 - 10, gap: 1 })
  for (const [at, text] of page.issuer.entries()) put(text, 9.5, { bold: at === 0, width: WIDE / 2 - 10, gap: 1 })
  const left = y
  y = top
  const right = { x: EDGE + WIDE / 2 + 10, width: WIDE / 2 - 10 }
  put('Receptor', 9, { ...right, soft: true, gap: 1 })
  for (const [at, text] of page.receiver.entries()) put(text, 9.5, { ...right, bold: at === 0, gap: 1 })
  y = Math.max(left, y) + 8
  rule()
  for (const { label, text } of page.facts) put(`${label}: ${text}`, 8.5, { soft: true, gap: 1 })
  y += 6
  rule()
  for (const line of page.lines) {
    room(30)
    doc.font('bold').fontSize(10).fillColor(colour.ink)
    doc.text(readable(line.amount), EDGE + WIDE - 110, y, { width: 110, align: 'right', lineBreak: false })
    put(line.title, 10, { bold: true, width: WIDE - 120, gap: 1 })
    put(line.detail, 8.5, { soft: true, width: WIDE - 120, gap: 5 })
  }
  if (page.more > 0) put(`Y ${page.more} conceptos más, que están en el XML.`, 9, { soft: true, gap: 5 })
  rule()
  for (const { label, amount } of page.totals) pair(label, amount, false)
  pair('Total', page.total, true)
  put(page.amountInWords, 8.5, { soft: true, gap: 10 })
  room(QR + 10)
  const qr = await QRCode.toBuffer(page.url, { errorCorrectionLevel: 'M', margin: 1, width: 420 })
  const beside = { x: EDGE + QR + 12, width: WIDE - QR - 12 }
  doc.image(qr, EDGE, y, { width: QR, height: QR })
  const qrEnd = y + QR
  for (const { label, text } of page.seals) {
    put(label, 7, { ...beside, bold: true, gap: 0 })
    put(text, 6, { ...beside, soft: true, gap: 3 })
  }
  y = Math.max(y, qrEnd) + 6
  put('Este documento es una representación impresa de un CFDI.', 8.5, { bold: true })
  if (page.isCancelled) markCancelled(doc)
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

/** Across every page. */
function markCancelled(doc: PDFKit.PDFDocument) {
  const { start, count } = doc.bufferedPageRange()
  for (let n = start; n < start + count; n++) {
    doc.switchToPage(n)
    doc.save().rotate(-40, { origin: [PAGE.width / 2, PAGE.height / 2] })
    doc.font('bold').fontSize(84).fillColor('#b00020').fillOpacity(0.16)
    doc.text('CANCELADA', 0, PAGE.height / 2 - 50, { width: PAGE.width, align: 'center', lineBreak: false })
    doc.restore().fillOpacity(1)
  }
}
