import '#web/features/admin/payroll/payroll.css'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatPesos } from '#contract/money.ts'
import type { CoachPay } from '#contract/payroll.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { PayItems } from '#web/features/admin/payroll/pay-items.tsx'
import { answerText, classesText, peopleText } from '#web/features/admin/payroll/pay-text.ts'
import { PeriodNav, usePeriodParam } from '#web/features/admin/payroll/period-nav.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextArea } from '#web/ui/field.tsx'

export const handle: AdminHandle = { title: 'Mi pago' }

/** Mi pago: what the coach is paid in a period and why, with an answer to the studio. */
export default function MyPay() {
  const { input, choose } = usePeriodParam()
  const query = useQuery({ ...queries.payrolls.mine.queryOptions({ input, meta: { handled: true } }), placeholderData: keepPreviousData })
  const shown = query.data
  if (query.isError && toFailure(query.error).code === 'NOT_FOUND') {
    return (
      <>
        <ScreenHead title="Mi pago" />
        <EmptyState>Tu acceso no tiene un perfil de coach. Quien lleva Equipo puede elegirlo.</EmptyState>
      </>
    )
  }
  return (
    <>
      <ScreenHead title="Mi pago" about="Tus clases del periodo y lo que se te paga por cada una." />
      {shown && <PeriodNav shown={shown} choose={choose} />}
      <Loaded query={query} skeleton={<ListSkeleton rows={4} />} failed="No pudimos cargar tu pago." nothing={false}>
        {shown && (
          <>
            <section className="panel-card pay-own" aria-label="Total">
              <p className="figure-small">{formatPesos(shown.pay.amount)}</p>
              <p className="small muted">
                {classesText(shown.pay.classes)} · {peopleText(shown.pay.attended)}
                {shown.period?.state === 'running' && ' · hasta hoy'}
              </p>
            </section>
            <section className="panel-card pay-own" aria-label="Por clase">
              <PayItems lines={shown.pay.lines} />
            </section>
            {shown.period && shown.period.state !== 'running' && <Answer key={shown.from} from={shown.from} pay={shown.pay} />}
          </>
        )}
      </Loaded>
    </>
  )
}

function Answer({ from, pay }: { from: string; pay: CoachPay }) {
  const client = useQueryClient()
  const [text, setText] = useState(pay.answer?.text ?? '')
  const answer = useMutation({
    meta: { handled: true },
    mutationFn: (agrees: boolean) => api.payrolls.answer({ period: from, agrees, text: agrees ? '' : text.trim() }),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: queries.payrolls.key() })
      showAlert('success', 'Guardado. El estudio ve tu respuesta.')
    },
  })
  return (
    <section className="panel-card pay-own stack gap-12" aria-label="Tu respuesta">
      <h2 className="t4">¿Está bien?</h2>
      {pay.answer && (
        <p className="small muted">
          Respondiste: {answerText(pay.answer)}
          {pay.answer.text && `. ${pay.answer.text}`}
        </p>
      )}
      {answer.isError && (
        <Banner tone="danger" live>
          {toFailure(answer.error).message}
        </Banner>
      )}
      <TextArea
        label="Qué falta o sobra"
        optional
        rows={2}
        maxLength={1000}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div className="row gap-8 wraps">
        <Button loading={answer.isPending} onClick={() => answer.mutate(true)}>
          Está bien
        </Button>
        <Button
          variant="outline"
          loading={answer.isPending}
          reason={text.trim() === '' ? 'Escribe qué falta o sobra.' : null}
          onClick={() => text.trim() !== '' && answer.mutate(false)}
        >
          Pedir que lo revisen
        </Button>
      </div>
    </section>
  )
}
