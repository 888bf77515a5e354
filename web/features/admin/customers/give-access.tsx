import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { success } from '#contract/copy/messages.ts'
import { formatPesos } from '#contract/money.ts'
import { showWithUndo } from '#web/features/admin/frame/act-undo.ts'
import { BY_DEFAULT, type PaidWith, PaidWithFields, receivedOf, usePaidProblem } from '#web/features/admin/people/paid-with.tsx'
import { PartNotLoaded } from '#web/features/site/not-loaded.tsx'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { RadioCards } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Select, TextArea, TextField } from '#web/ui/field.tsx'

type How = 'paid' | 'gift' | 'elsewhere'

interface GiveAccessProps {
  customer_id: number
  name: string
  onDone: () => void
  onClose: () => void
}

/** 'Dar acceso': gives a package to a customer: paid here, as a gift, or paid elsewhere. Exceeding its limit needs a reason. */
export function GiveAccess({ customer_id, name, onDone, onClose }: GiveAccessProps) {
  const packages = useQuery(queries.studioPackages.all.queryOptions({ input: {}, staleTime: 60_000, meta: { handled: true } }))
  const offered = (packages.data?.class_packages ?? []).filter((classPackage) => classPackage.available && !classPackage.is_subscription)
  const [chosen, setChosen] = useState('')
  const [how, setHow] = useState<How>('paid')
  const [days, setDays] = useState('')
  const [paid, setPaid] = useState<PaidWith>(BY_DEFAULT)
  const [reason, setReason] = useState('')
  const give = useIdempotentMutation(api.studioSales.giveAccess, {
    onSuccess({ undo }) {
      showWithUndo(success.accessGiven, undo, onDone)
      onDone()
    },
    onError: () => undefined,
  })
  const overLimit = give.isError && toFailure(give.error).code === 'OVER_LIMIT_REASON'
  const classPackage = offered.find(({ class_package_id }) => String(class_package_id) === chosen)
  const notPaid = usePaidProblem(paid)
  const problem = !classPackage
    ? 'Elige un paquete.'
    : days && !/^[1-9]\d{0,3}$/.test(days)
      ? 'Escribe los días con un número.'
      : overLimit && reason.trim().length < 3
        ? 'Escribe el motivo.'
        : how === 'paid'
          ? notPaid
          : null
  const price = classPackage ? (classPackage.sale_price ?? classPackage.price) : null
  return (
    <Dialog
      open
      onClose={give.isPending ? null : onClose}
      title="Dar acceso"
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            No dar acceso
          </Button>
          <Button
            loading={give.isPending}
            reason={problem}
            onClick={() =>
              classPackage &&
              !problem &&
              give.mutate({
                customer_id,
                class_package_id: classPackage.class_package_id,
                ...(days ? { package_days: Number(days) } : {}),
                ...(how === 'gift' ? { is_gift: true } : how === 'elsewhere' ? { bill: false } : receivedOf(paid)),
                ...(overLimit ? { over_limit: true, reason: reason.trim() } : {}),
              })
            }
          >
            {overLimit ? 'Dar acceso con motivo' : 'Dar acceso'}
          </Button>
        </>
      }
    >
      <p>A {name}.</p>
      {packages.isError && <PartNotLoaded query={packages}>No pudimos cargar los paquetes.</PartNotLoaded>}
      {give.isError && (
        <Banner tone={overLimit ? 'warn' : 'danger'} live>
          {toFailure(give.error).message}
        </Banner>
      )}
      <Select label="Paquete" value={chosen} onChange={(event) => setChosen(event.currentTarget.value)}>
        <option value="">{packages.isPending ? 'Cargando' : 'Elige un paquete'}</option>
        {offered.map((each) => (
          <option key={each.class_package_id} value={each.class_package_id}>
            {each.title}, {formatPesos(each.sale_price ?? each.price)}
          </option>
        ))}
      </Select>
      <RadioCards<How>
        legend="Cómo se paga"
        options={[
          {
            value: 'paid',
            title: price ? `Recibí ${formatPesos(price)}` : 'Pagó aquí',
            detail: 'Se registra el cobro de hoy.',
            panel: <PaidWithFields value={paid} onChange={setPaid} />,
          },
          { value: 'gift', title: 'Es un regalo', detail: 'Sin cobro.' },
          { value: 'elsewhere', title: 'Ya se registró en otra parte', detail: 'Da las clases sin registrar otro cobro.' },
        ]}
        value={how}
        onChange={setHow}
      />
      <TextField
        label="Días de vigencia"
        optional
        inputMode="numeric"
        hint={
          classPackage && classPackage.expiration_days > 0
            ? `Vacío: lo que dura el paquete (${classPackage.expiration_days === 1 ? '1 día' : `${classPackage.expiration_days} días`}).`
            : undefined
        }
        value={days}
        onChange={(event) => setDays(event.currentTarget.value)}
      />
      {overLimit && (
        <TextArea label="Motivo" rows={2} maxLength={300} value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
      )}
    </Dialog>
  )
}
