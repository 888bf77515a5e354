import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { draftOf, draftProblem } from './new-package.ts'

interface NewPackageDialogProps {
  /** What the file calls it. */
  name: string
  /** Whether it renews every month. */
  isSubscription: boolean
  onMade: (class_package_id: number) => void
  onClose: () => void
}

/** Creates a package for a name of the file, without leaving the import. */
export default function NewPackageDialog({ name, isSubscription, onMade, onClose }: NewPackageDialogProps) {
  const client = useQueryClient()
  const [draft, setDraft] = useState(() => draftOf(name))
  const [isSold, setSold] = useState(false)
  const set = (values: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...values }))
  const problem = draftProblem(draft)
  const create = useMutation({
    meta: { handled: true },
    mutationFn: () =>
      api.studioPackages.create({
        title: draft.title.trim(),
        price: draft.price,
        available: isSold,
        is_home: isSold,
        class_amount: draft.isUnlimited ? -1 : Number(draft.classes),
        expiration_days: Number(draft.days),
        ...(isSubscription ? { is_subscription: true, subscription_period: 'month' as const, subscription_interval: 1 } : {}),
      }),
    async onSuccess({ class_package }) {
      await client.invalidateQueries({ queryKey: queries.studioPackages.key() })
      onMade(class_package.class_package_id)
    },
  })
  return (
    <Dialog
      open
      onClose={create.isPending ? null : onClose}
      title={isSubscription ? 'Crear suscripción' : 'Crear paquete'}
      actions={
        <>
          <Button variant="outline" disabled={create.isPending} onClick={onClose}>
            Cancelar
          </Button>
          <Button loading={create.isPending} reason={problem} onClick={() => !problem && create.mutate()}>
            Crear
          </Button>
        </>
      }
    >
      {create.isError && (
        <Banner tone="danger" live>
          {toFailure(create.error).message}
        </Banner>
      )}
      <TextField label="Nombre" maxLength={120} value={draft.title} onChange={(event) => set({ title: event.currentTarget.value })} />
      <TextField
        label={isSubscription ? 'Precio al mes' : 'Precio'}
        inputMode="decimal"
        maxLength={9}
        hint="Con IVA, en pesos."
        value={draft.price}
        onChange={(event) => set({ price: event.currentTarget.value.replace(/[$,\s]/g, '') })}
      />
      <Switch checked={draft.isUnlimited} onChange={(event) => set({ isUnlimited: event.currentTarget.checked })}>
        Clases ilimitadas
      </Switch>
      {!draft.isUnlimited && (
        <TextField
          label="Clases que da"
          inputMode="numeric"
          maxLength={4}
          value={draft.classes}
          onChange={(event) => set({ classes: event.currentTarget.value })}
        />
      )}
      <TextField
        label="Días en que vence"
        inputMode="numeric"
        maxLength={4}
        hint="De lo que se venda desde ahora: quien llega en el archivo conserva su vencimiento."
        value={draft.days}
        onChange={(event) => set({ days: event.currentTarget.value })}
      />
      <Switch
        checked={isSold}
        onChange={(event) => setSold(event.currentTarget.checked)}
        hint="Si no, solo lo tienen quienes llegan en el archivo."
      >
        Ponerlo a la venta
      </Switch>
    </Dialog>
  )
}
