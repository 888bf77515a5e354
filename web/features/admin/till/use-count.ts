import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { CashSession } from '#contract/cash-sessions.ts'
import { formatMoney, parsePesos } from '#contract/money.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { AMOUNT, AMOUNT_HINT, cashSent, cashTotal, type TypedCash } from './cash-text.ts'

export const CASH_PROBLEM = 'Revisa cuántos billetes y monedas contaste.'

export type Comparison = Awaited<ReturnType<typeof api.cashSessions.compare>>

/** What is typed in a count, the server's comparison with the expected amounts, and closing the session with it. */
export interface Count {
  cash: TypedCash
  setCash: (cash: TypedCash) => void
  /** What was counted in the payment methods other than cash, by their id. */
  otherCounts: Readonly<Record<number, string>>
  setOtherCounts: (counts: Record<number, string>) => void
  otherMethods: CashSession['ways']
  leftInDrawer: string
  setLeftInDrawer: (amount: string) => void
  note: string
  setNote: (note: string) => void
  /** Counted cash in centavos; null while something typed is no number. */
  total: number | null
  /** What is taken out of the drawer, in centavos; null while it is unknown. */
  removed: number | null
  compared: Comparison | null
  isReadOnly: boolean
  isComparing: boolean
  isClosing: boolean
  failure: string | null
  /** Why it cannot be compared yet. */
  countProblem: string | null
  /** Why it cannot be closed yet. */
  closeProblem: string | null
  compare: () => void
  /** Forgets the comparison and leads to the first bill. */
  countAgain: () => void
  close: () => void
  firstRef: React.RefObject<HTMLInputElement | null>
}

export function useCount(session: CashSession, onClosed: (session: CashSession) => void): Count {
  const [cash, setCash] = useState<TypedCash>({})
  const [otherCounts, setOtherCounts] = useState<Record<number, string>>({})
  const [leftInDrawer, setLeftInDrawer] = useState(session.opening)
  const [note, setNote] = useState('')
  const [compared, setCompared] = useState<Comparison | null>(null)
  const firstRef = useRef<HTMLInputElement>(null)
  const total = cashTotal(cash)
  const stays = parsePesos(leftInDrawer)
  const otherMethods = session.ways.filter(({ kind }) => kind !== 'cash')
  const areAmounts = otherMethods.every(
    ({ payment_method_id }) => !otherCounts[payment_method_id] || AMOUNT.test(otherCounts[payment_method_id] ?? ''),
  )
  const countProblem = total === null ? CASH_PROBLEM : areAmounts ? null : AMOUNT_HINT
  const closeProblem =
    countProblem ??
    (!AMOUNT.test(leftInDrawer) || stays === null
      ? 'Escribe cuánto se queda en la caja.'
      : total !== null && stays > total
        ? `Contaste ${formatMoney(total)}: no puede quedarse más.`
        : compared?.needs_note && note.trim() === ''
          ? 'Escribe qué pasó.'
          : null)
  const close = useIdempotentMutation(api.cashSessions.close, {
    onSuccess({ cash_session }) {
      showAlert('success', 'Corte guardado.')
      onClosed(cash_session)
    },
    onError: () => undefined,
  })
  const compare = useMutation({
    mutationFn: (input: Parameters<typeof api.cashSessions.compare>[0]) => api.cashSessions.compare(input),
    onSuccess: setCompared,
    onError: () => undefined,
    meta: { handled: true },
  })
  const error = compare.error ?? close.error
  const { cash_session_id } = session
  // Typed by the call, so that a misnamed field does not compile.
  const counted: Parameters<typeof api.cashSessions.compare>[0] = {
    cash_session_id,
    cash: cashSent(cash),
    ways: otherMethods.flatMap(({ payment_method_id }) => {
      const amount = otherCounts[payment_method_id]
      return amount ? [{ payment_method_id, counted: amount }] : []
    }),
  }
  return {
    cash,
    setCash,
    otherCounts,
    setOtherCounts,
    otherMethods,
    leftInDrawer,
    setLeftInDrawer,
    note,
    setNote,
    total,
    compared,
    countProblem,
    closeProblem,
    firstRef,
    removed: total !== null && stays !== null && stays <= total ? total - stays : null,
    isReadOnly: compared !== null || compare.isPending,
    isComparing: compare.isPending,
    isClosing: close.isPending,
    failure: error ? toFailure(error).message : null,
    compare() {
      if (!countProblem) compare.mutate(counted)
    },
    countAgain() {
      setCompared(null)
      firstRef.current?.focus()
    },
    close() {
      if (!closeProblem) close.mutate({ ...counted, left_in_drawer: leftInDrawer, note: note.trim() || null })
    },
  }
}
