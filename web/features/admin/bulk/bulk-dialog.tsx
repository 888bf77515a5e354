import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BulkParams, BulkRefused } from '#contract/bulk.ts'
import { BULK_SUBJECTS, BULK_WITH_REASON, type BulkAction } from '#contract/bulk-actions.ts'
import { addDays, formatWall } from '#contract/time.ts'
import { useDays } from '#web/features/admin/day/use-days.ts'
import { BY_DEFAULT, type PaidWith, PaidWithFields } from '#web/features/admin/people/paid-with.tsx'
import { PartNotLoaded } from '#web/features/site/not-loaded.tsx'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { toFailure } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useNow } from '#web/lib/use-now.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { RadioCards } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Select, TextField } from '#web/ui/field.tsx'
import { countOf } from './bulk-text.ts'
import './bulk.css'
import type { BulkTarget } from './bulk-verbs.tsx'

const TITLES: Readonly<Record<BulkAction, string>> = {
  'tags.add': 'Agregar una etiqueta',
  'tags.remove': 'Quitar una etiqueta',
  'credits.give': 'Dar clases',
  'credits.extend': 'Extender vencimiento',
  'credits.freeze': 'Congelar sus clases',
  'credits.thaw': 'Descongelar sus clases',
  'customers.invite': 'Invitar a crear su cuenta',
  'customers.archive': 'Dar de baja',
  'reservations.cancel': 'Cancelar reservaciones',
  'reservations.move': 'Mover a otra clase',
  'purchases.mark_paid': 'Marcar como pagadas',
  'purchases.receipt': 'Enviar comprobante',
}

const ABOUT: Partial<Record<BulkAction, string>> = {
  'credits.give': 'Cada quien recibe una cortesía con estas clases.',
  'credits.extend': 'Todo lo que pueden usar y vence dura más días.',
  'credits.freeze':
    'Lo que hay no se puede usar hasta que se descongele; después dura esos días de más. Los lugares reservados se quedan. Las suscripciones se pausan: no se cobran hasta que se descongele.',
  'credits.thaw':
    'Se puede usar otra vez, con los días que estuvo congelado de más. Las suscripciones que se pausaron con esto se vuelven a cobrar.',
  'customers.invite': 'Cada quien recibe un correo para crear su cuenta. No se puede deshacer.',
  'customers.archive': 'Quedan como Baja hasta que vuelvan a venir o a comprar.',
  'reservations.cancel': 'Se les avisa. Deshacer vuelve a reservar lo que se pagó con créditos, y se les avisará otra vez.',
  'reservations.move': 'Sin gastar otra clase. Se les avisa.',
  'purchases.mark_paid': 'Se recibe el total de cada una. No se puede deshacer.',
  'purchases.receipt': 'Cada quien lo recibe por correo. No se puede deshacer.',
}

interface Values {
  tag: string
  amount: string
  day: string
  days: string
  reason: string
  credit: 'return' | 'keep'
  /** id of the class to which reservations move */
  cls: string
}

interface BulkDialogProps {
  action: BulkAction
  target: BulkTarget
  count: number
  onStarted: (job_id: number) => void
  onClose: () => void
}

/** Changes many records: with what, which change and which do not, and then a job. */
export function BulkDialog({ action, target, count, onStarted, onClose }: BulkDialogProps) {
  const [values, setValues] = useState<Values>({ tag: '', amount: '', day: '', days: '', reason: '', credit: 'return', cls: '' })
  const [paid, setPaid] = useState<PaidWith>(BY_DEFAULT)
  const set = (key: keyof typeof values) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget
    setValues((before) => ({ ...before, [key]: value }))
  }
  const subject = BULK_SUBJECTS[action]
  const params = action === 'purchases.mark_paid' ? paymentOf(paid) : paramsOf(action, values)
  const needsReason = BULK_WITH_REASON.has(action)
  const trial = useQuery({
    queryKey: ['bulk-trial', action, target, params],
    queryFn: () =>
      api.bulk.start({ action, ...target, params: params ?? {}, ...(needsReason ? { reason: 'Consulta' } : {}), dry_run: true }),
    enabled: params !== null,
    staleTime: 0,
    meta: { handled: true },
  })
  const starting = useIdempotentMutation(api.bulk.start, {
    onSuccess: ({ job_id }) => (job_id === null ? onClose() : onStarted(job_id)),
    onError: () => undefined,
  })
  const problem =
    params === null
      ? 'Falta con qué.'
      : trial.isPending
        ? 'Un momento: se calcula qué pasa.'
        : trial.isError
          ? toFailure(trial.error).message
          : trial.data.affected === 0
            ? 'Nadie cambiaría.'
            : needsReason && values.reason.trim().length < 3
              ? 'Escribe el motivo.'
              : null
  return (
    <Dialog
      open
      onClose={starting.isPending ? null : onClose}
      title={TITLES[action]}
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            No cambiar nada
          </Button>
          <Button
            loading={starting.isPending}
            reason={problem}
            onClick={() =>
              !problem &&
              params &&
              starting.mutate({ action, ...target, params, ...(needsReason ? { reason: values.reason.trim() } : {}), dry_run: false })
            }
          >
            {trial.data && params ? `Cambiar ${subject === 'customer' ? 'a ' : ''}${countOf(subject, trial.data.affected)}` : 'Cambiar'}
          </Button>
        </>
      }
    >
      <p>
        {subject === 'customer' ? 'A ' : ''}
        {countOf(subject, count)}. {ABOUT[action]}
      </p>
      {starting.isError && (
        <Banner tone="danger" live>
          {toFailure(starting.error).message}
        </Banner>
      )}
      {action.startsWith('tags.') && <TagField value={values.tag} onChange={set('tag')} />}
      {action === 'credits.give' && (
        <>
          <TextField label="Clases" inputMode="numeric" maxLength={3} value={values.amount} onChange={set('amount')} />
          <TextField label="Último día" type="date" value={values.day} onChange={set('day')} />
        </>
      )}
      {action === 'credits.extend' && (
        <TextField label="Días de más" inputMode="numeric" maxLength={3} value={values.days} onChange={set('days')} />
      )}
      {action === 'reservations.cancel' && (
        <RadioCards
          legend="La clase que se usó"
          options={[
            { value: 'return', title: 'Se regresa' },
            { value: 'keep', title: 'No se regresa' },
          ]}
          value={values.credit}
          onChange={(credit) => setValues((before) => ({ ...before, credit }))}
        />
      )}
      {action === 'reservations.move' && <ClassField value={values.cls} onChange={set('cls')} />}
      {action === 'purchases.mark_paid' && <PaidWithFields value={paid} onChange={setPaid} isSeveral />}
      {needsReason && (
        <TextField
          label="Motivo"
          maxLength={300}
          hint="Se queda en la bitácora de cada quien."
          value={values.reason}
          onChange={set('reason')}
        />
      )}
      <div aria-live="polite">
        {trial.isError && params && <Banner tone="danger">{toFailure(trial.error).message}</Banner>}
        {trial.data && params && (
          <Unchanged
            text={`Cambian ${trial.data.affected.toLocaleString('es-MX')} de ${trial.data.total.toLocaleString('es-MX')}.`}
            refused={trial.data.refused}
            total={trial.data.refused_total}
          />
        )}
      </div>
    </Dialog>
  )
}

/** Null while something is missing or is no number. */
function paramsOf(action: BulkAction, { tag, amount, day, days, credit, cls }: Values): BulkParams | null {
  const number = (text: string, max: number) => (/^[1-9]\d{0,2}$/.test(text.trim()) && Number(text) <= max ? Number(text) : null)
  if (action.startsWith('tags.')) return tag ? { tag_id: Number(tag) } : null
  if (action === 'credits.extend') {
    const n = number(days, 365)
    return n === null ? null : { days: n }
  }
  if (action === 'reservations.cancel') return { credit }
  if (action === 'reservations.move') return cls ? { single_class_id: Number(cls) } : null
  if (action !== 'credits.give') return {}
  const n = number(amount, 100)
  return n === null || !day ? null : { amount: n, expiration_date: day }
}

const paymentOf = ({ payment_method_id, location_id }: PaidWith): BulkParams => ({
  ...(payment_method_id === null ? {} : { payment_method_id }),
  ...(location_id === null ? {} : { location_id }),
})

/** How many days ahead other classes are offered. */
const DAYS_AHEAD = 14

/** The classes with a free place of the next days. */
function ClassField({ value, onChange }: { value: string; onChange: (event: { currentTarget: { value: string } }) => void }) {
  const site = useSite()
  const now = useNow()
  const today = todayIn(site.zone)
  const days = useDays(today, addDays(today, DAYS_AHEAD), null)
  const classes = (days.data?.days ?? [])
    .flatMap((day) => day.classes)
    .filter((cls) => cls.state !== 'cancelled' && cls.places_left > 0 && Date.parse(cls.ends_at) > now)
  if (days.isError && !days.data) return <PartNotLoaded query={days}>No pudimos cargar las clases.</PartNotLoaded>
  return (
    <Select label="Clase" value={value} onChange={onChange}>
      <option value="">{days.isPending ? 'Cargando' : 'Elige una clase'}</option>
      {classes.map((cls) => (
        <option key={cls.single_class_id} value={cls.single_class_id}>
          {formatWall(cls.class_date, 'class')} · {cls.class_type.name} · {cls.location.name}
        </option>
      ))}
    </Select>
  )
}

function TagField({ value, onChange }: { value: string; onChange: (event: { currentTarget: { value: string } }) => void }) {
  const tags = useQuery(queries.customerFile.tags.queryOptions({ staleTime: 60_000, meta: { handled: true } }))
  if (tags.isError) return <PartNotLoaded query={tags}>No pudimos cargar las etiquetas.</PartNotLoaded>
  return (
    <Select label="Etiqueta" value={value} onChange={onChange}>
      <option value="">{tags.isPending ? 'Cargando' : 'Elige una etiqueta'}</option>
      {(tags.data?.tags ?? []).map(({ tag_id, name }) => (
        <option key={tag_id} value={tag_id}>
          {name}
        </option>
      ))}
    </Select>
  )
}

/** How many change, and the records that do not, with the reason. */
export function Unchanged({ text, refused, total }: { text: string; refused: readonly BulkRefused[]; total: number }) {
  return (
    <>
      <p className="strong">{text}</p>
      {total > 0 && (
        <details>
          <summary>{total === 1 ? '1 no cambia' : `${total.toLocaleString('es-MX')} no cambian`}</summary>
          <ul className="bulk-unchanged">
            {refused.map(({ id, name, message }) => (
              <li key={id}>
                <span className="strong">{name || `Número ${id}`}</span> <span className="muted">{message}</span>
              </li>
            ))}
            {total > refused.length && <li className="muted">y {(total - refused.length).toLocaleString('es-MX')} más</li>}
          </ul>
        </details>
      )}
    </>
  )
}
