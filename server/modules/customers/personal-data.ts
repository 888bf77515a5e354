/** The export of everything that the studio holds about one person (docs/domain.md X7). */
import type { PersonalDataFormat } from '#contract/customer-file.ts'
import { formatMoney, pesos } from '#contract/money.ts'
import { formatInstant, localDate } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { customerById } from '#server/modules/people/people.ts'
import { escapeHtml } from '#server/platform/escape.ts'
import { readSections, type ValueKind } from './personal-data-store.ts'

type Sections = Awaited<ReturnType<typeof readSections>>

/** A value for programs: moments in ISO 8601 (UTC), money as a string of pesos, yes or no as a boolean, codes in words. */
function dataValue(value: unknown, kind: ValueKind): unknown {
  if (value === null) return null
  if (kind === 'moment') return new Date(String(value)).toISOString()
  if (kind === 'money') return pesos(Number(value))
  return typeof kind === 'object' ? (kind[String(value)] ?? value) : value
}

/** A value for people; moments on the clock of `zone`. */
function readableValue(value: unknown, kind: ValueKind, zone: string): string {
  if (value === null) return '—'
  if (kind === 'moment') return formatInstant(new Date(String(value)), zone, 'class')
  if (kind === 'money') return formatMoney(Number(value))
  if (kind === 'yes') return value ? 'Sí' : 'No'
  return typeof kind === 'object' ? (kind[String(value)] ?? String(value)) : String(value)
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;color:#1f2328;max-width:72rem;margin:2rem auto;padding:0 1rem}
h2{margin-top:2.5rem}div{overflow-x:auto}table{border-collapse:collapse;font-size:.875rem}
th,td{border:1px solid #d0d4da;padding:.375rem .5rem;text-align:left;vertical-align:top;white-space:pre-line}th{background:#f3f4f6}`

interface Heading {
  studio: string
  person: string
  madeAt: string
}

/** A page that opens in any browser without a connection: no scripts, no addresses. */
function readableDocument({ studio, person, madeAt }: Heading, read: Sections, zone: string): string {
  const parts = read.map(({ title, columns, rows }) => {
    const head = columns.map(({ label }) => `<th scope="col">${escapeHtml(label)}</th>`).join('')
    const body = rows.map(
      (row) => `<tr>${columns.map(({ kind }, n) => `<td>${escapeHtml(readableValue(row[n] ?? null, kind, zone))}</td>`).join('')}</tr>`,
    )
    return `<h2>${escapeHtml(title)}</h2>\n<div><table><thead><tr>${head}</tr></thead><tbody>\n${body.join('\n')}\n</tbody></table></div>`
  })
  return `<!doctype html>
<html lang="es-MX"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Datos de ${escapeHtml(person)}</title>
<style>${STYLE}</style></head><body>
<h1>Datos de ${escapeHtml(person)}</h1>
<p>Lo que ${escapeHtml(studio)} guarda de esta persona, al ${escapeHtml(madeAt)}.</p>
${parts.join('\n')}
</body></html>
`
}

/** GET /admin/customers/{customer_id}/export: the file, and its entry in the audit trail. NOT_FOUND. */
export async function exportPersonalData(ctx: Ctx, input: { customer_id: number; format: PersonalDataFormat }): Promise<File> {
  const { customer_id, format } = input
  const { name, last_name } = await customerById(ctx.db, customer_id)
  const read = await ctx.tx(async (tx) => {
    const rows = await readSections(tx, customer_id)
    const after = { format: format === 'json' ? 'JSON' : 'HTML' }
    await ctx.audit(tx, { action: 'customer.export', entity: 'customer', entity_id: customer_id, after })
    return rows
  })
  const person = `${name} ${last_name}`.trim()
  const studio = ctx.settings.business_name
  const content =
    format === 'html'
      ? readableDocument({ studio, person, madeAt: formatInstant(ctx.now, ctx.zone, 'class') }, read, ctx.zone)
      : JSON.stringify(
          {
            estudio: studio,
            persona: person,
            generado: ctx.now.toISOString(),
            secciones: read.map(({ title, columns, rows }) => ({
              titulo: title,
              registros: rows.map((row) =>
                Object.fromEntries(columns.map(({ label, kind }, n) => [label, dataValue(row[n] ?? null, kind)])),
              ),
            })),
          },
          null,
          2,
        )
  const type = format === 'html' ? 'text/html;charset=utf-8' : 'application/json;charset=utf-8'
  return new File([content], `datos-${customer_id}-${localDate(ctx.now, ctx.zone)}.${format}`, { type })
}
