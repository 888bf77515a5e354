import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { parsePesos } from '#contract/money.ts'
import { queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { type BasketItem, itemsSent } from './basket.ts'

interface QuoteInput {
  lines: readonly BasketItem[]
  buyer: { customer_id: number } | null
  hasBuyer: boolean
  location_id: number | null
}

/**
 * What the server says the basket costs (`dry_run`), in centavos, or why it would refuse it. A discount over the person's limit needs a
 * reason: `overLimit` is what is typed, null while none is needed.
 */
export function useSaleQuote({ lines, buyer, hasBuyer, location_id }: QuoteInput) {
  const [reason, setOverLimit] = useState('')
  const [isOverLimit, setIsOverLimit] = useState(false)
  const sent = itemsSent(lines, isOverLimit && reason.trim().length >= 3 ? reason.trim() : null)
  const tried = useQuery({
    ...queries.counterSales.sell.queryOptions({
      input: { customer_id: buyer?.customer_id ?? null, location_id: location_id ?? 0, lines: sent, dry_run: true },
      staleTime: 0,
      meta: { handled: true },
    }),
    enabled: hasBuyer && location_id !== null && lines.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const isQuoted = hasBuyer && lines.length > 0 && tried.data !== undefined && !tried.isError
  const quote = isQuoted ? tried.data.sale : null
  const refusal = lines.length > 0 && tried.isError ? toFailure(tried.error) : null
  useEffect(() => {
    if (refusal?.code === 'OVER_LIMIT_REASON') setIsOverLimit(true)
  }, [refusal?.code])
  return {
    tried,
    sent,
    quote,
    refusal,
    setOverLimit,
    overLimit: isOverLimit ? reason : null,
    total: quote ? parsePesos(quote.total) : null,
  }
}
