import { formatPesos } from '#contract/money.ts'

/** What the studio owes for a purchase or charge because a refund failed (docs/domain.md V37); null if nothing. */
export const owedText = ({ refund_owed }: { refund_owed: string }): string | null =>
  refund_owed === '0.00'
    ? null
    : `Te debemos ${formatPesos(refund_owed)}: no se pudo devolver por donde pagaste y te lo damos por otro medio.`
