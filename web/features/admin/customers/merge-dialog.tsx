import { IconArrowsExchange } from '@tabler/icons-react'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { mergeMoveLabels } from '#contract/copy/customer-merge.ts'
import { MERGE_FIELDS, type MergeField, type MergeOutcome, type MergeRecord, type MergeSide } from '#contract/customer-merge.ts'
import { formatPhone } from '#contract/phone.ts'
import { formatInstant, formatWall } from '#contract/time.ts'
import { CustomerSearch } from '#web/features/admin/people/customer-search.tsx'
import { PartNotLoaded } from '#web/features/site/not-loaded.tsx'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { RadioCards } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import './merge-dialog.css'

const LABELS: Readonly<Record<MergeField, string>> = {
  name: 'Nombre',
  last_name: 'Apellidos',
  email: 'Correo electrónico',
  phone: 'Teléfono',
  birthdate: 'Nacimiento',
  instagram: 'Instagram',
}

interface MergeDialogProps {
  customer_id: number
  /** the other record, when it is already known */
  other_id?: number | null
  /** called with the remaining record */
  onDone: (keep_id: number) => void
  onClose: () => void
}

/** Two records of one person become one: which other, whose values stay, and what moves. */
export function MergeDialog({ customer_id, other_id = null, onDone, onClose }: MergeDialogProps) {
  const [other, setOther] = useState<number | null>(other_id)
  if (other !== null && other !== customer_id) return <Compare first={customer_id} second={other} onDone={onDone} onClose={onClose} />
  return (
    <Dialog
      open
      onClose={onClose}
      title="Combinar con otro registro"
      actions={
        <Button variant="outline" onClick={onClose}>
          No combinar
        </Button>
      }
    >
      <p>Busca el otro registro de la misma persona. Después eliges qué datos quedan.</p>
      {other === customer_id && (
        <Banner tone="warn" live>
          Ese es el mismo registro. Elige otro.
        </Banner>
      )}
      <CustomerSearch onChoose={(found) => setOther(found.customer_id)} />
    </Dialog>
  )
}

type Chosen = Partial<Record<MergeField, MergeSide>>

function Compare({
  first,
  second,
  onDone,
  onClose,
}: {
  first: number
  second: number
  onDone: (keep_id: number) => void
  onClose: () => void
}) {
  const client = useQueryClient()
  const [swapped, setSwapped] = useState(false)
  const [values, setValues] = useState<Chosen>({})
  const ids = swapped ? { keep_id: second, merge_id: first } : { keep_id: first, merge_id: second }
  const trial = useQuery({
    queryKey: ['customer-merge-trial', ids, values],
    queryFn: () => api.customerMerge.merge({ ...ids, values, dry_run: true }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    meta: { handled: true },
  })
  const merging = useIdempotentMutation(api.customerMerge.merge, {
    onSuccess() {
      for (const queryKey of [
        queries.people.key(),
        queries.customerFile.key(),
        queries.customerList.key(),
        queries.customerMerge.key(),
        queries.credits.key(),
        queries.penalties.key(),
        queries.studioSales.key(),
      ])
        void client.invalidateQueries({ queryKey })
      onDone(ids.keep_id)
    },
    onError: () => undefined,
  })
  const outcome = trial.data
  const isStale = trial.isPlaceholderData || trial.isPending
  const problem = trial.isError
    ? toFailure(trial.error).message
    : !outcome || isStale
      ? 'Un momento: se revisa qué pasa.'
      : outcome.obstacles.length > 0
        ? 'Todavía no se pueden combinar.'
        : null
  return (
    <Dialog
      open
      onClose={merging.isPending ? null : onClose}
      title="Combinar en un solo registro"
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            No combinar
          </Button>
          <Button
            loading={merging.isPending}
            reason={problem}
            onClick={() => !problem && merging.mutate({ ...ids, values, dry_run: false })}
          >
            Combinar
          </Button>
        </>
      }
    >
      {merging.isError && (
        <Banner tone="danger" live>
          {toFailure(merging.error).message}
        </Banner>
      )}
      {trial.isError && !outcome ? (
        <PartNotLoaded query={trial}>{toFailure(trial.error).message}</PartNotLoaded>
      ) : outcome ? (
        <Comparison
          outcome={outcome}
          values={values}
          onValue={(field, side) => setValues((before) => ({ ...before, [field]: side }))}
          onSwap={() => {
            setSwapped((before) => !before)
            setValues({})
          }}
        />
      ) : (
        <Skeleton height="280px" />
      )}
    </Dialog>
  )
}

function Comparison({
  outcome,
  values,
  onValue,
  onSwap,
}: {
  outcome: MergeOutcome
  values: Chosen
  onValue: (field: MergeField, side: MergeSide) => void
  onSwap: () => void
}) {
  const { keep, merge, moves, lost_cards, obstacles } = outcome
  const hasAccount = keep.has_account || merge.has_account
  const differing = MERGE_FIELDS.filter(
    (field) => keep[field] && merge[field] && keep[field] !== merge[field] && !(field === 'email' && hasAccount),
  )
  const list = new Intl.ListFormat('es-MX', { type: 'conjunction' })
  return (
    <div className="stack gap-16">
      <div className="merge-pair">
        <Record title="Se conserva" record={keep} />
        <Button variant="quiet" size="small" icon={<IconArrowsExchange className="icon" aria-hidden="true" />} onClick={onSwap}>
          Conservar el otro
        </Button>
        <Record title="Pasa a ser parte de él" record={merge} />
      </div>
      <div className="stack gap-16" aria-live="polite">
        {obstacles.length > 0 && (
          <Banner tone="warn" title="Todavía no se pueden combinar.">
            <ul className="merge-obstacles">
              {obstacles.map(({ message }) => (
                <li key={message}>{message}</li>
              ))}
            </ul>
          </Banner>
        )}
        {obstacles.length === 0 && (
          <p>
            {moves.length > 0
              ? `Pasan ${list.format(moves.map(({ kind, count }) => `${count.toLocaleString('es-MX')} ${mergeMoveLabels[kind][count === 1 ? 0 : 1]}`))}.`
              : 'No hay nada que pasar: solo queda un registro.'}
            {lost_cards > 0 &&
              ` ${lost_cards === 1 ? '1 tarjeta guardada no puede pasar' : `${lost_cards} tarjetas guardadas no pueden pasar`}: tendrá que agregarla otra vez.`}
          </p>
        )}
      </div>
      {differing.map((field) => (
        <div key={field} className="stack gap-8">
          <p className="strong" aria-hidden="true">
            {LABELS[field]}
          </p>
          <RadioCards
            variant="list"
            quietLegend
            legend={LABELS[field]}
            value={values[field] ?? 'keep'}
            onChange={(side) => onValue(field, side)}
            options={[
              { value: 'keep', title: shown(field, keep) },
              { value: 'merge', title: shown(field, merge) },
            ]}
          />
        </div>
      ))}
      <p className="small muted">
        {hasAccount && keep.has_account && merge.has_account && 'Con las dos cuentas se entra al registro que queda. '}
        {hasAccount && !keep.has_account && `La cuenta y el correo de ${merge.name} pasan al registro que queda. `}
        Se puede deshacer durante 24 horas, mientras no haya movimientos nuevos.
      </p>
    </div>
  )
}

function shown(field: MergeField, record: MergeRecord): string {
  if (field === 'birthdate') return formatWall(`${record.birthdate}T00:00:00.000Z`, 'date')
  return field === 'phone' ? formatPhone(record.phone ?? '') : (record[field] ?? '')
}

function Record({ title, record }: { title: string; record: MergeRecord }) {
  const { zone } = useSite()
  return (
    <div className="merge-record">
      <p className="small muted">{title}</p>
      <p className="strong">
        {record.name} {record.last_name}
      </p>
      <p className="small">
        {[record.phone && formatPhone(record.phone), record.email].filter(Boolean).join(' · ') || 'Sin teléfono ni correo'}
      </p>
      <p className="small muted">
        Desde el {formatInstant(new Date(record.createdAt), zone, 'date')}
        {record.has_account ? ' · con cuenta' : ''}
      </p>
    </div>
  )
}
