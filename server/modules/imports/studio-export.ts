/** The whole studio as a ZIP of CSV files (docs/domain.md IM7 and IM8). */
import { publicKeys } from '#contract/settings.ts'
import { formatInstant, localDate } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { writeSheet } from '#server/platform/spreadsheet.ts'
import { onWorkerThread } from '#server/platform/worker-thread.ts'
import { writeZip, type ZipEntry } from '#server/platform/zip.ts'
import { columnsOf, EXPORTED, listCustomersToMove, MOVABLE, rowsOf } from './studio-export-store.ts'

const drawSheet = onWorkerThread<typeof writeSheet>(new URL('../../platform/spreadsheet.ts', import.meta.url), 'writeSheet')

type Rows = (string | number | null)[][]

async function csv(name: string, headers: readonly string[], rows: Rows): Promise<ZipEntry> {
  const content = await drawSheet({ format: 'csv', title: name, columns: headers.map((header) => ({ header })), rows })
  return { name: `${name}.csv`, text: [new TextDecoder('utf-8', { ignoreBOM: true }).decode(content)] }
}

/** The headers of `clientes.csv`, which an import recognises. */
const CUSTOMER_HEADERS = [
  'ID cliente',
  'Nombre',
  'Apellidos',
  'Correo',
  'Teléfono',
  'Fecha de nacimiento',
  'Paquete',
  'Clases por usar',
  'Vencimiento',
]

/** GET /admin/exports/studio, with its entry of the audit trail. */
export async function exportStudio(ctx: Ctx): Promise<File> {
  const people = await listCustomersToMove(ctx.db, ctx.now, ctx.zone)
  const entries: ZipEntry[] = [
    await csv(
      'clientes',
      CUSTOMER_HEADERS,
      people.map((one) => [
        ...[one.customer_id, one.name, one.last_name, one.email, one.phone, one.birthdate, one.package],
        ...[one.credits === -1 ? 'Ilimitado' : one.credits, one.expires_on],
      ]),
    ),
  ]
  const readme = [
    `${ctx.settings.business_name}: exportación del ${formatInstant(ctx.now, ctx.zone, 'class')}`,
    '',
    'Archivos CSV en UTF-8, separados por comas. Las horas terminan en Z y son UTC. Las columnas que terminan en _centavos son centavos.',
    'No van tarjetas, contraseñas, llaves ni el contenido de los archivos.',
    '',
    'clientes.csv: clientes con sus clases por usar, un renglón por paquete y vencimiento. Se importa en otro Estudio en Ajustes › Importar.',
    `  ${CUSTOMER_HEADERS.join(', ')}`,
  ]
  let rows = people.length
  for (const { file, about, headers, rows: read } of MOVABLE) {
    const content = await read(ctx.db, ctx.now, ctx.zone)
    rows += content.length
    entries.push(await csv(file, headers, content))
    readme.push('', `${file}.csv: ${about}. Se importa en otro Estudio después de clientes.csv.`, `  ${headers.join(', ')}`)
  }
  for (const table of EXPORTED) {
    const columns = await columnsOf(ctx.db, table)
    const content = await rowsOf(ctx.db, table, columns)
    rows += content.length
    entries.push(
      await csv(
        table.file,
        columns.map(({ name }) => name),
        content,
      ),
    )
    readme.push('', `${table.file}.csv: ${table.about}.`, ...columns.map(({ name, type }) => `  ${name} (${type})`))
  }
  const settings = publicKeys.map((key) => [key, JSON.stringify(ctx.settings[key])])
  entries.push(await csv('ajustes', ['clave', 'valor'], settings))
  readme.push('', 'ajustes.csv: los ajustes que ve el público.', '  clave, valor (JSON)', '')
  const content = await writeZip([{ name: 'LEEME.txt', text: [readme.join('\r\n')] }, ...entries])
  const after = { title: 'Todo el estudio', format: 'ZIP', rows }
  await ctx.tx((tx) => ctx.audit(tx, { action: 'list.export', entity: 'export', entity_id: 'estudio', after }))
  return new File([new Uint8Array(content)], `estudio-${localDate(ctx.now, ctx.zone)}.zip`, { type: 'application/zip' })
}
