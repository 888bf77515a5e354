import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isClabe } from '#contract/clabe.ts'
import { formatPesos } from '#contract/money.ts'
import type { PayAccount, Payroll } from '#contract/payroll.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Drawer } from '#web/ui/drawer.tsx'
import { TextField } from '#web/ui/field.tsx'
import { PayItems } from './pay-items.tsx'
import { answerText, classesText, peopleText, stretchText } from './pay-text.ts'

interface CoachPanelProps {
  coach: Payroll['coaches'][number]
  shown: Payroll
  onAdjust: () => void
  onClose: () => void
}

/** What one coach is paid in a period, line by line, what they answered, and where they are paid. */
export function CoachPanel({ coach, shown, onAdjust, onClose }: CoachPanelProps) {
  const accounts = useQuery(queries.payrolls.accounts.queryOptions({ meta: { handled: true } }))
  const account = accounts.data?.accounts.find(({ instructor_id }) => instructor_id === coach.instructor_id)
  const mayAdjust = shown.period !== null && shown.period.state !== 'approved'
  return (
    <Drawer
      open
      side="right"
      label={`Pago de ${coach.name}`}
      closeLabel="Cerrar"
      onClose={onClose}
      head={<h2 className="t3">{coach.name}</h2>}
      foot={
        mayAdjust ? (
          <div className="panel-foot">
            <Button variant="outline" onClick={onAdjust}>
              Ajustar
            </Button>
          </div>
        ) : null
      }
    >
      <div className="record-panel">
        <div>
          <p className="small muted">{stretchText(shown)}</p>
          <p className="figure-small">{formatPesos(coach.amount)}</p>
          <p className="small muted">
            {classesText(coach.classes)} · {peopleText(coach.attended)}
          </p>
        </div>
        {coach.answer && (
          <Banner tone={coach.answer.agrees ? 'ok' : 'warn'}>
            {answerText(coach.answer)}
            {coach.answer.text && `: ${coach.answer.text}`}
          </Banner>
        )}
        <section className="pay-part" aria-label="De qué se compone">
          <PayItems lines={coach.lines} />
        </section>
        <section className="pay-part" aria-label="Cuenta para pagarle">
          <h3 className="t4">Cuenta para pagarle</h3>
          {account && <AccountForm key={account.instructor_id} account={account} />}
        </section>
      </div>
    </Drawer>
  )
}

function AccountForm({ account }: { account: PayAccount }) {
  const client = useQueryClient()
  const [values, setValues] = useState({ holder: account.holder, clabe: account.clabe, rfc: account.rfc })
  const digits = values.clabe.replace(/\s/g, '')
  const problem = digits === '' || isClabe(digits) ? null : 'Revisa la CLABE: son 18 dígitos y el último no coincide.'
  const changed = values.holder !== account.holder || digits !== account.clabe || values.rfc !== account.rfc
  const save = useMutation({
    meta: { handled: true },
    mutationFn: () => api.payrolls.saveAccount({ instructor_id: account.instructor_id, ...values, clabe: digits }),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: queries.payrolls.key() })
      showAlert('success', 'Guardado.')
    },
  })
  const set = (key: keyof typeof values) => (event: { currentTarget: { value: string } }) =>
    setValues({ ...values, [key]: event.currentTarget.value })
  return (
    <div className="stack gap-12">
      {save.isError && (
        <Banner tone="danger" live>
          {toFailure(save.error).message}
        </Banner>
      )}
      <TextField label="A nombre de" optional maxLength={120} value={values.holder} onChange={set('holder')} />
      <TextField
        label="CLABE"
        optional
        inputMode="numeric"
        maxLength={24}
        autoComplete="off"
        error={digits.length >= 18 ? (problem ?? undefined) : undefined}
        hint="18 dígitos."
        value={values.clabe}
        onChange={set('clabe')}
      />
      <TextField label="RFC" optional maxLength={13} hint="Para quien lleva la contabilidad." value={values.rfc} onChange={set('rfc')} />
      <div>
        <Button
          variant="outline"
          size="small"
          loading={save.isPending}
          reason={problem ?? (changed ? null : 'Sin cambios.')}
          onClick={() => !problem && changed && save.mutate()}
        >
          Guardar cuenta
        </Button>
      </div>
    </div>
  )
}
