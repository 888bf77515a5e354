/** A page of the studio as PDF: its brand above, embedded fonts; deterministic for the same contents. Pure. */
import PDFDocument from 'pdfkit'
import { type Theme, tokens } from '#contract/color.ts'
import type { Language } from '#contract/language.ts'
import { registerReceiptFonts } from '#server/platform/pdf-fonts.ts'

/** A PNG image, with its size in pixels. */
interface Logo {
  png: Uint8Array
  width: number
  height: number
}

/** Whose page it is, and what. */
export interface Letterhead {
  studio: Theme & { business_name: string }
  /** The studio's logo as PNG; null = the first letter of its name. */
  logo: Logo | null
  /** The title of the document, which viewers show. */
  title: string
  /** The date of the file. */
  at: Date
  /** The language of its words, which readers read aloud; Spanish unless given. */
  language?: Language
  /** In points; a receipt fits into the smallest. */
  height?: number
}

export const PAGE_HEIGHT = 595
const WIDTH = 420
const EDGE = 36
const WIDE = WIDTH - 2 * EDGE
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

/** The colours of the last theme, by its values: a studio has one, of which each page gets a copy. */
let computed: { theme: string; colours: ReturnType<typeof tokens> } | null = null

function coloursOf(studio: Theme): ReturnType<typeof tokens> {
  const { primary, accent, dark, gray, light, theme_shape, theme_voice } = studio
  const theme = JSON.stringify([primary, accent, dark, gray, light, studio['primary-light'], theme_shape, theme_voice])
  if (computed?.theme !== theme) computed = { theme, colours: tokens({ ...studio, theme_mode: 'dia' }) }
  return computed.colours
}

function drawInitial(doc: PDFKit.PDFDocument, name: string, colour: ReturnType<typeof tokens>, corner: number): number {
  doc.roundedRect(EDGE, 32, 36, 36, corner).fill(colour.brand)
  doc.font('bold').fontSize(19).fillColor(colour['on-brand'])
  doc.text(name.slice(0, 1).toUpperCase(), EDGE, 39, { width: 36, align: 'center', lineBreak: false })
  return 36
}

/** Begins a page with the studio's name and logo. Each method draws below the one before. */
export function openPage({ studio, logo, title, at, height = PAGE_HEIGHT, language = 'es-MX' }: Letterhead) {
  const colour = coloursOf(studio)
  const name = readable(studio.business_name) || 'Estudio'
  const doc = new PDFDocument({
    size: [WIDTH, height],
    margin: 0,
    // None: the library's own would be parsed for every page.
    font: '',
    lang: language,
    displayTitle: true,
    info: { Title: title, Author: name, CreationDate: at, ModDate: at },
  })
  // Embedded: the fonts of a PDF viewer have other widths, so amounts would overflow.
  registerReceiptFonts(doc)
  const chunks: Uint8Array[] = []
  doc.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  const whole = new Promise<void>((resolve, reject) => doc.on('end', resolve).on('error', reject))

  const corner = { recta: 2, suave: 8, redonda: 18 }[studio.theme_shape]
  doc.rect(0, 0, WIDTH, 8).fill(colour.brand)
  const beside = logo ? drawLogo(doc, logo, studio) : drawInitial(doc, name, colour, Math.min(corner, 12))
  doc
    .font('bold')
    .fontSize(17)
    .fillColor(colour.ink)
    .text(name, EDGE + beside + 12, 40, { width: WIDE - beside - 12, height: 22, ellipsis: true })

  let y = 96
  return {
    name,
    put(text: string, size: number, style: { bold?: boolean; soft?: boolean; gap?: number }): void {
      const readableText = readable(text)
      if (!readableText) return
      doc
        .font(style.bold ? 'bold' : 'regular')
        .fontSize(size)
        .fillColor(style.soft ? colour['ink-2'] : colour.ink)
      doc.text(readableText, EDGE, y, { width: WIDE, lineGap: 2 })
      y = doc.y + (style.gap ?? 4)
    },
    rule(): void {
      doc
        .moveTo(EDGE, y)
        .lineTo(WIDTH - EDGE, y)
        .lineWidth(0.75)
        .strokeColor(colour.line)
        .stroke()
      y += 14
    },
    skip(points: number): void {
      y += points
    },
    /** A label with its amount at the right. */
    row(label: string, amount: string, { bold = false } = {}): void {
      doc
        .font(bold ? 'bold' : 'regular')
        .fontSize(11)
        .fillColor(bold ? colour.ink : colour['ink-2'])
      doc.text(readable(label), EDGE, y, { width: WIDE / 2, lineBreak: false })
      doc.fillColor(colour.ink).text(readable(amount), EDGE + WIDE / 2, y, { width: WIDE / 2, align: 'right', lineBreak: false })
      y += 20
    },
    /** The sum of the page. */
    total(label: string, amount: string): void {
      doc.roundedRect(EDGE, y + 4, WIDE, 52, corner).fill(colour['brand-soft'])
      doc
        .font('bold')
        .fontSize(12)
        .fillColor(colour.ink)
        .text(label, EDGE + 16, y + 24, { lineBreak: false })
      doc.fontSize(19).text(readable(amount), EDGE + 90, y + 20, { width: WIDE - 106, align: 'right', lineBreak: false })
      y += 72
    },
    /** A line at the foot, so many points above the edge. */
    foot(text: string, up: number): void {
      doc.font('regular').fontSize(9).fillColor(colour['ink-2'])
      doc.text(readable(text), EDGE, height - up, { width: WIDE, height: 12, ellipsis: true })
    },
    async finish(): Promise<Uint8Array<ArrayBuffer>> {
      doc.end()
      await whole
      const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
      let at = 0
      for (const chunk of chunks) {
        all.set(chunk, at)
        at += chunk.length
      }
      return all
    },
  }
}
