/** The table of the files of an import, read on the worker thread. */
import { refuse } from '#contract/errors.ts'
import { IMPORT_MAX_ROWS, type ImportKind } from '#contract/imports.ts'
import { onWorkerThread } from '#server/platform/worker-thread.ts'
import { joinFiles, type NamedTable } from './join-files.ts'
import { MOST_COLUMNS, type ParsedFile, type parseFile, tooWide } from './parse-file.ts'
import { TOO_LARGE } from './rules.ts'

const parse = onWorkerThread<typeof parseFile>(new URL('./parse-file.ts', import.meta.url), 'parseFile', 'files')

export interface ImportFile {
  bytes: Uint8Array
  name: string
}

/** IMPORT_FILE with the reason, and the name of the file where there are several. */
export async function readTables(files: readonly ImportFile[], kind: ImportKind): Promise<ParsedFile> {
  const tables: NamedTable[] = []
  for (const { bytes, name } of files) {
    const read = await parse({ bytes, maxRows: IMPORT_MAX_ROWS, kind }).catch((error: { code?: string }) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return { why: TOO_LARGE }
      throw error
    })
    if ('why' in read) throw refuse('IMPORT_FILE', { why: files.length > 1 ? `${name}: ${read.why}` : read.why })
    tables.push({ ...read.file, name })
  }
  const joined = joinFiles(tables)
  if (joined.rows.length > IMPORT_MAX_ROWS)
    throw refuse('IMPORT_FILE', {
      why: `Juntos traen ${joined.rows.length} renglones; caben ${IMPORT_MAX_ROWS}. Súbelos en varias importaciones.`,
    })
  if (joined.header.length > MOST_COLUMNS) throw refuse('IMPORT_FILE', { why: tooWide(joined.header.length) })
  return joined
}
