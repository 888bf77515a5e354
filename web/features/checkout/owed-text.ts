import { formatPesos } from '#contract/money.ts'

/** What the studio owes of a purchase or a charge, because a refund did not arrive (docs/domain.md V37); null when it owes nothing. */
export const owedText = ({ refund_owed }: { refund_owed: string }): string | null =>
  refund_owed === '0.00'
    ? null
    : `Te debemos ${formatPesos(refund_owed)}: no se pudo devolver por donde pagaste y te lo damos por otro medio.`
