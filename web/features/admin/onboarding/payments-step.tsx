import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import type { PaymentMethodKind } from '#contract/catalogue.ts'
import { isClabe } from '#contract/clabe.ts'
import { api, queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Switch } from '#web/ui/choice.tsx'
import { TextField } from '#web/ui/field.tsx'
import { StepForm, useStepDraft } from './step-form.tsx'
import { StepSkeleton } from './step-parts.tsx'
import { type SettingValues, saveSettings, useSettingValues } from './use-settings.ts'

interface PaymentsDraft {
  online: boolean
  terminal: boolean
  transfer: boolean
  clabe: string
  bank: string
  holder: string
}

interface Method {
  payment_method_id: number
  name: string
  description: string
  kind: PaymentMethodKind
  archived: boolean
}

/** Cobros: how the studio is paid. Cash, terminal and transfer work at once; cards need a processor. */
export default function PaymentsStep() {
  const values = useSettingValues()
  const methods = useQuery(queries.catalogue.admin.paymentMethods.all.queryOptions()).data?.payment_methods
  const states = useQuery(queries.processorStates.list.queryOptions()).data
  if (!values || !methods || !states) return <StepSkeleton />
  return <PaymentsForm values={values} methods={methods} cards={!states.takes_cards ? 'none' : states.is_sandbox ? 'sandbox' : 'real'} />
}

interface PaymentsFormProps {
  values: SettingValues
  methods: readonly Method[]
  cards: 'none' | 'sandbox' | 'real'
}

function PaymentsForm({ values, methods, cards }: PaymentsFormProps) {
  const draft = useStepDraft<PaymentsDraft>('payments')
  const find = (kind: PaymentMethodKind) => methods.find((method) => method.kind === kind)
  const isOffered = (kind: PaymentMethodKind) => find(kind)?.archived === false
  const described = find('transfer')?.description ?? ''
  const [online, setOnline] = useState(draft?.online ?? true)
  const [terminal, setTerminal] = useState(draft?.terminal ?? isOffered('terminal'))
  const [transfer, setTransfer] = useState(draft?.transfer ?? isOffered('transfer'))
  const [clabe, setClabe] = useState(draft?.clabe ?? /\d{18}/.exec(described)?.[0] ?? '')
  const [bank, setBank] = useState(draft?.bank ?? '')
  const [holder, setHolder] = useState(draft?.holder ?? String(values.business_legal_name ?? ''))
  const digits = clabe.replace(/\D/g, '')
  const clabeProblem = transfer && !isClabe(digits) ? 'La CLABE lleva 18 dígitos; revisa que estén bien escritos.' : null

  async function offer(kind: PaymentMethodKind, name: string, isWanted: boolean, description?: string) {
    const existing = find(kind)
    const fields = description === undefined ? {} : { description }
    if (!existing) {
      if (isWanted) await api.catalogue.admin.paymentMethods.create({ payment_method_id: 'nueva', name, kind, ...fields })
    } else if (existing.archived === isWanted || (isWanted && description !== undefined && description !== existing.description))
      await api.catalogue.admin.paymentMethods.update({ payment_method_id: existing.payment_method_id, archived: !isWanted, ...fields })
  }
  return (
    <StepForm
      title="¿Cómo te pagan?"
      about="Efectivo, terminal y transferencia funcionan desde hoy, sin contratar nada."
      draft={{ online, terminal, transfer, clabe, bank, holder }}
      problem={clabeProblem}
      onSubmit={async () => {
        await offer('terminal', 'Terminal', terminal)
        const account = [`CLABE ${digits}`, bank.trim(), holder.trim() && `a nombre de ${holder.trim()}`].filter(Boolean).join(', ')
        await offer('transfer', 'Transferencia', transfer, transfer ? account : undefined)
        // Saved in any case: the step is done when this was decided.
        await api.content.changeSettings({ settings: [{ key: 'cash_checkout_enabled', value: online }] })
        await saveSettings(values, holder.trim() && values.business_legal_name === '' ? { business_legal_name: holder.trim() } : {})
        return {}
      }}
    >
      <div className="steps-group">
        <Switch checked disabled hint="En recepción, con caja y corte.">
          Efectivo
        </Switch>
        <Switch
          checked={online}
          hint="Quien compra aparta en tu sitio y paga al llegar."
          onChange={(event) => setOnline(event.currentTarget.checked)}
        >
          Apartar en línea y pagar en el estudio
        </Switch>
        <Switch checked={terminal} hint="La de tu banco, junto a la caja." onChange={(event) => setTerminal(event.currentTarget.checked)}>
          Terminal de tarjeta
        </Switch>
        <Switch checked={transfer} hint="Tú confirmas cuando llega." onChange={(event) => setTransfer(event.currentTarget.checked)}>
          Transferencia
        </Switch>
        {transfer && (
          <div className="steps-pair">
            <TextField
              label="CLABE"
              inputMode="numeric"
              maxLength={24}
              error={digits.length >= 18 ? clabeProblem : null}
              value={clabe}
              onChange={(event) => setClabe(event.currentTarget.value)}
            />
            <TextField label="Banco" optional maxLength={60} value={bank} onChange={(event) => setBank(event.currentTarget.value)} />
            <TextField
              label="A nombre de"
              optional
              maxLength={120}
              value={holder}
              onChange={(event) => setHolder(event.currentTarget.value)}
            />
          </div>
        )}
      </div>
      <Banner tone={cards === 'real' ? 'ok' : 'brand'} title="Tarjeta, OXXO y SPEI en tu sitio">
        {cards === 'real'
          ? 'Tu procesador está conectado: tu sitio cobra con tarjeta.'
          : cards === 'sandbox'
            ? 'Ahora está activo el procesador de prueba, que no mueve dinero. Para cobrar de verdad pon las llaves de Stripe o Conekta en '
            : 'Para cobrar en línea pon las llaves de Stripe o Conekta en '}
        {cards !== 'real' && (
          <>
            <AppLink to={adminPaths.settingsArea('pagos')} className="link">
              Ajustes › Pagos
            </AppLink>
            . Puede esperar.
          </>
        )}
      </Banner>
    </StepForm>
  )
}
