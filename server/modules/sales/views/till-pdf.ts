/** The corte of a till as a PDF, with the rows of the printed slip; deterministic for the same facts. Pure. */
import { type Letterhead, openPage, PAGE_HEIGHT } from './pdf-page.ts'

interface Row {
  label: string
  amount: string
  bold?: boolean
}

export interface TillFacts extends Omit<Letterhead, 'title' | 'height'> {
  folio: string
  location: string
  /** "Abrió Lucía, 18 nov 2026, 7:00 a.m." and similar. */
  people: string[]
  /** Payment methods, and bills and coins, each with its rows. */
  parts: { title: string; rows: Row[] }[]
  collected: string
  notes: string[]
}

/** Points of the head, of a part's title and of a row, with the lines that they take. */
const HEAD = 330
const PART = 46
const ROW = 20

/** Draws the corte; the page is as long as its contents. Runs on the worker thread. */
export function tillPdf(facts: TillFacts): Promise<Uint8Array<ArrayBuffer>> {
  const { studio, logo, at, folio, location, people, parts, collected, notes } = facts
  // A note may take several lines, of about seventy signs each.
  const noteLines = notes.reduce((sum, note) => sum + Math.ceil(note.length / 60), 0)
  const height = HEAD + parts.reduce((sum, { rows }) => sum + PART + rows.length * ROW, 0) + (people.length + noteLines) * 18
  const page = openPage({ studio, logo, at, title: `Corte de caja ${folio}`, height: Math.max(PAGE_HEIGHT, height) })
  page.put('Corte de caja', 22, { bold: true, gap: 2 })
  page.put(`Folio ${folio} · ${location}`, 10.5, { soft: true, gap: 12 })
  for (const line of people) page.put(line, 10.5, { gap: 2 })
  page.skip(10)
  for (const { title, rows } of parts) {
    page.rule()
    page.put(title, 13, { bold: true, gap: 6 })
    for (const { label, amount, bold = false } of rows) page.row(label, amount, { bold })
    page.skip(6)
  }
  page.total('Cobrado', collected)
  for (const note of notes) page.put(note, 10.5, { soft: true, gap: 3 })
  page.foot(page.name, 48)
  return page.finish()
}
