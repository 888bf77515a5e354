/** The answers to a form as a file (docs/domain.md, "Lists as files"): one column per field that the caller may see. */
import type { GivenAnswers } from '#contract/form-endpoints.ts'
import { answerText } from '#contract/forms.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { type ExportColumn, exportList, momentColumns, rowsByPage } from '#server/modules/list-export.ts'
import { oneForm, pageOfAnswers } from './forms.ts'

type Input = Parameters<typeof pageOfAnswers>[1]

/** NOT_FOUND, FORBIDDEN, EXPORT_TOO_LARGE. */
export async function exportAnswers(ctx: Ctx, { format, ...input }: Input & { format: 'csv' | 'xlsx' }): Promise<File> {
  const [{ form }, { fields }] = await Promise.all([oneForm(ctx, input), pageOfAnswers(ctx, input, { number: 1, size: 1 })])
  const columns: ExportColumn<GivenAnswers>[] = [
    { header: 'Cliente', cell: (row) => `${row.name} ${row.last_name}`.trim() },
    ...fields.map((field) => ({
      header: field.label,
      cell: (row: GivenAnswers) => answerText(field, row.answers[field.key]) || null,
    })),
    ...momentColumns<GivenAnswers>('Respondido', (row) => new Date(row.updatedAt), ctx.zone),
  ]
  const title =
    form.name
      .replace(/[[\]:*?/\\]/g, ' ')
      .slice(0, 31)
      .toWellFormed()
      .trim() || 'Respuestas'
  return exportList(ctx, {
    name: 'respuestas',
    title,
    columns,
    input: { ...input, format },
    rows: rowsByPage<GivenAnswers>(
      (row) => row.customer_id,
      async (page) => {
        const { answers, total } = await pageOfAnswers(ctx, input, page)
        return { rows: answers, total }
      },
    ),
  })
}
