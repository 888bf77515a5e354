import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { PROCESSOR_NAMES, type ProcessorState } from '#contract/processor-states.ts'
import { isCardProcessor } from '#contract/processors.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { PartNotLoaded } from '#web/features/site/not-loaded.tsx'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { KeysDialog } from './keys-dialog.tsx'

const STATES: Readonly<Record<ProcessorState['state'], { text: string; tone: BadgeTone }>> = {
  connected: { text: 'Conectado', tone: 'ok' },
  partial: { text: 'Faltan llaves', tone: 'warn' },
  missing: { text: 'Sin configurar', tone: 'outline' },
}

interface ProcessorCardsProps {
  /** the label of a setting, by its key */
  labelOf: (key: string) => string | undefined
}

/** The processors of payments: what each has and lacks, and whether it answers. Their secret keys are set on the server. */
export default function ProcessorCards({ labelOf }: ProcessorCardsProps) {
  const query = useQuery(queries.processorStates.list.queryOptions({ meta: { handled: true } }))
  if (query.isError) return <PartNotLoaded query={query}>No pudimos leer el estado de los procesadores.</PartNotLoaded>
  if (!query.data) return <Skeleton height="180px" />
  const { processors, is_sandbox, takes_cards, is_chosen_by_server } = query.data
  const taker = processors.find(({ takes_payments, processor }) => takes_payments && isCardProcessor(processor))
  return (
    <div className="processors">
      {is_sandbox && <Banner tone="warn">El procesador de prueba está activo: los pagos del sitio no mueven dinero de verdad.</Banner>}
      {!takes_cards && (
        <Banner tone="brand">Tu estudio no cobra con tarjeta en el sitio: recibe efectivo, terminal y transferencias.</Banner>
      )}
      <ul>
        {processors.map((processor) => (
          <ProcessorCard key={processor.processor} state={processor} labelOf={labelOf} />
        ))}
      </ul>
      {is_chosen_by_server && (
        <p className="small">
          El servidor decide quién cobra las tarjetas nuevas:{' '}
          {taker ? PROCESSOR_NAMES[taker.processor] : takes_cards ? 'el de prueba' : 'nadie'}. Las llaves que escribas aquí no lo cambian.
        </p>
      )}
      <p className="small muted">
        Las llaves se guardan cifradas y no se vuelven a mostrar: de ellas solo se ven los últimos cuatro caracteres. Las que pone el
        servidor ganan.
      </p>
    </div>
  )
}

function ProcessorCard({ state, labelOf }: ProcessorCardsProps & { state: ProcessorState }) {
  const { processor, key_ending, live, missing, takes_payments, webhook_url } = state
  const name = PROCESSOR_NAMES[processor]
  const check = useMutation({ meta: { handled: true }, mutationFn: () => api.processorStates.check({ processor }) })
  const result = check.data ?? (check.error ? { ok: false, message: toFailure(check.error).message } : null)
  const [isTyping, setIsTyping] = useState(false)
  const client = useQueryClient()
  const mayType = may(useStaff(), 'settings.code') && state.keys.some(({ source }) => source !== 'environment')
  const facts = [
    key_ending !== null && (key_ending ? `Llave que termina en ${key_ending}` : 'Con llave'),
    live === true && 'dinero de verdad',
    live === false && 'de prueba',
    takes_payments && 'recibe los pagos nuevos',
  ].filter(Boolean)
  return (
    <li className="processor">
      <div className="processor-head">
        <h3 className="strong">{name}</h3>
        <Badge tone={STATES[state.state].tone}>{STATES[state.state].text}</Badge>
      </div>
      {facts.length > 0 && <p className="small">{facts.join(' · ')}</p>}
      {missing.length > 0 && (
        <p className="small muted">
          Falta: {missing.map((key) => labelOf(key) ?? state.keys.find(({ name }) => name === key)?.label ?? key).join(', ')}
        </p>
      )}
      {key_ending !== null && (
        <>
          <p className="small muted setting-value">Dirección de avisos: {webhook_url}</p>
          <Button variant="outline" size="small" loading={check.isPending} onClick={() => check.mutate()}>
            Probar la conexión<span className="sr-only"> con {name}</span>
          </Button>
        </>
      )}
      {mayType && (
        <Button variant="outline" size="small" aria-haspopup="dialog" onClick={() => setIsTyping(true)}>
          {key_ending === null ? 'Poner llaves' : 'Cambiar llaves'}
          <span className="sr-only"> de {name}</span>
        </Button>
      )}
      {isTyping && (
        <KeysDialog
          name={name}
          keys={state.keys}
          about={`Cópialas del panel de ${name}.`}
          onClose={() => setIsTyping(false)}
          save={async (keys) => {
            await api.processorStates.saveKeys({ processor, keys })
            await client.invalidateQueries({ queryKey: queries.processorStates.key() })
            check.mutate()
          }}
        />
      )}
      <div role="status">{result && <Banner tone={result.ok ? 'ok' : 'danger'}>{result.message}</Banner>}</div>
    </li>
  )
}
