/** Several files of one import as one table: columns with the same name are one column, and rows go on where the file before ends. Pure. */
import type { ParsedFile } from './parse-file.ts'
import { normalizeWords } from './rules.ts'

export interface NamedTable extends ParsedFile {
  name: string
}

/** What a column is called in several files. A name that a file has twice is two columns. */
function columnKeys(header: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return header.map((name) => {
    const key = normalizeWords(name)
    const nth = (seen.get(key) ?? 0) + 1
    seen.set(key, nth)
    return `${key} ${nth}`
  })
}

/** The table of all files, in their order. */
export function joinFiles(files: readonly NamedTable[]): ParsedFile {
  const [first] = files
  if (first && files.length === 1) return first
  const header: string[] = []
  const columns = new Map<string, number>()
  const rows: ParsedFile['rows'] = []
  const notes: string[] = []
  for (const file of files) {
    const before = rows.at(-1)?.n ?? 0
    const targets = columnKeys(file.header).map((key, at) => {
      const known = columns.get(key)
      if (known !== undefined) return known
      columns.set(key, header.length)
      return header.push(file.header[at] ?? '') - 1
    })
    for (const { n, cells, isTotal } of file.rows) {
      const joined: string[] = []
      for (const [at, target] of targets.entries()) joined[target] = cells[at] ?? ''
      rows.push({ n: before + n, cells: joined, isTotal })
    }
    notes.push(`${file.name}: ${file.note}${before > 0 ? ` Sus renglones siguen desde el ${before + 1}.` : ''}`)
  }
  // Columns of later files are empty in the rows of earlier ones.
  return { header, rows: rows.map((row) => ({ ...row, cells: header.map((_, at) => row.cells[at] ?? '') })), note: notes.join(' ') }
}
