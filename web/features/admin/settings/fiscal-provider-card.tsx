import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FiscalProviderState } from '#contract/fiscal-provider.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { PartNotLoaded } from '#web/features/site/not-loaded.tsx'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { KeysDialog } from './keys-dialog.tsx'

const NAME = 'SW Sapien'
const STATES: Readonly<Record<FiscalProviderState['state'], { text: string; tone: BadgeTone }>> = {
  ready: { text: 'Conectado', tone: 'ok' },
  partial: { text: 'Faltan llaves', tone: 'warn' },
  missing: { text: 'Sin configurar', tone: 'outline' },
}
const ABOUT = `El usuario y la contraseña de tu cuenta de ${NAME}. El ambiente es “produccion”, o “pruebas” con una cuenta de pruebas, cuyas facturas no tienen validez.`

/** The provider that stamps the invoices: whether its keys are there, and whether it answers. */
export function FiscalProviderCard() {
  const query = useQuery(queries.fiscalProvider.read.queryOptions({ meta: { handled: true } }))
  if (query.isError)
    return (
      <li>
        <PartNotLoaded query={query}>No pudimos leer tu proveedor de timbrado.</PartNotLoaded>
      </li>
    )
  if (!query.data)
    return (
      <li>
        <Skeleton height="120px" />
      </li>
    )
  return <ProviderCard state={query.data.fiscal_provider} />
}

function ProviderCard({ state: { provider, state, is_test, keys } }: { state: FiscalProviderState }) {
  const client = useQueryClient()
  const [isTyping, setIsTyping] = useState(false)
  const mayType = may(useStaff(), 'settings.code') && keys.some(({ source }) => source !== 'environment')
  const check = useMutation({ meta: { handled: true }, mutationFn: () => api.fiscalProvider.check({}) })
  const result = check.data ?? (check.error ? { ok: false, message: toFailure(check.error).message } : null)
  const lacking = state === 'partial' ? keys.filter(({ source }) => source === null) : []
  return (
    <li className="processor">
      <div className="processor-head">
        <h3 className="strong">Proveedor de timbrado: {NAME}</h3>
        <Badge tone={STATES[state].tone}>{STATES[state].text}</Badge>
      </div>
      <p className="small">{aboutOf(provider, is_test)}</p>
      {lacking.length > 0 && <p className="small muted">Falta: {lacking.map(({ label }) => label).join(', ')}</p>}
      {provider === 'sw' && (
        <Button variant="outline" size="small" loading={check.isPending} onClick={() => check.mutate()}>
          Probar la conexión<span className="sr-only"> con {NAME}</span>
        </Button>
      )}
      {mayType && (
        <Button variant="outline" size="small" aria-haspopup="dialog" onClick={() => setIsTyping(true)}>
          {state === 'missing' ? 'Poner llaves' : 'Cambiar llaves'}
          <span className="sr-only"> de {NAME}</span>
        </Button>
      )}
      {isTyping && (
        <KeysDialog
          name={NAME}
          keys={keys}
          about={ABOUT}
          isShown={(key) => key !== 'SW_PASSWORD'}
          onClose={() => setIsTyping(false)}
          save={async (values) => {
            const { fiscal_provider } = await api.fiscalProvider.saveKeys({ keys: values })
            await Promise.all([
              client.invalidateQueries({ queryKey: queries.fiscalProvider.key() }),
              client.invalidateQueries({ queryKey: queries.fiscal.key() }),
            ])
            if (fiscal_provider.provider === 'sw') check.mutate()
          }}
        />
      )}
      <div role="status">{result && <Banner tone={result.ok ? 'ok' : 'danger'}>{result.message}</Banner>}</div>
    </li>
  )
}

function aboutOf(provider: FiscalProviderState['provider'], isTest: boolean): string {
  if (provider === null) return 'Sin proveedor no se puede facturar. Abre una cuenta en sw.com.mx y escribe aquí sus llaves.'
  if (provider === 'sandbox') return 'Ahora timbra el proveedor de prueba. Con las llaves de tu cuenta, las facturas nuevas son de verdad.'
  return isTest ? 'Timbra en su ambiente de pruebas: las facturas no tienen validez fiscal.' : 'Timbra las facturas nuevas.'
}
