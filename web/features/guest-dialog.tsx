import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { success, validation } from '#contract/messages.ts'
import type { ClassDetail } from '#contract/schedule.ts'
import { spotRows } from '#contract/spots.ts'
import { formatWall } from '#contract/time.ts'
import { say } from '#web/lib/alerts.ts'
import { api, queries, useIntention } from '#web/lib/api.ts'
import { failureOf } from '#web/lib/errors.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { SpotMap } from '#web/ui/spot-map.tsx'

interface GuestDialogProps {
  /** a class where I have a place; null while the dialog is closed */
  classId: number | null
  onClose: () => void
}

/** +1 on a place that is mine: a name, a seat of its own, one more credit (S2-2.23, S2-5.06, decision 21). */
export function GuestDialog({ classId, onClose }: GuestDialogProps) {
  const { data } = useQuery({
    ...queries.schedule.one.queryOptions({ input: { single_class_id: classId ?? 1 }, staleTime: 0 }),
    enabled: classId !== null,
  })
  const cls = data?.single_class.single_class_id === classId ? data?.single_class : undefined
  if (classId === null) return null
  if (!cls?.mine)
    return (
      <Dialog open onClose={onClose} title="Llevo un invitado">
        {cls ? <p>Ya no tienes lugar en esta clase.</p> : <Skeleton height="180px" />}
      </Dialog>
    )
  return <GuestForm key={cls.single_class_id} cls={cls} mine={cls.mine} onClose={onClose} />
}

function GuestForm({ cls, mine, onClose }: { cls: ClassDetail; mine: NonNullable<ClassDetail['mine']>; onClose: () => void }) {
  const client = useQueryClient()
  const intention = useIntention()
  const [name, setName] = useState('')
  const [spot, setSpot] = useState<string | null>(null)
  const [wrong, setWrong] = useState<{ name?: string; form?: string }>({})
  const rows = spotRows(cls.spot_map)
  const add = useMutation({
    meta: { handled: true },
    mutationFn: () =>
      api.bookings.update(
        { class_reservation_id: mine.class_reservation_id, guest: name.trim(), ...(spot ? { guest_spot: spot } : {}) },
        { context: { intention: intention.key } },
      ),
    async onSuccess() {
      say('success', success.reservationSaved)
      onClose()
      await Promise.all(
        [queries.schedule, queries.bookings, queries.credits].map((part) => client.invalidateQueries({ queryKey: part.key() })),
      )
    },
    async onError(error) {
      intention.renew()
      setWrong({ form: failureOf(error).message })
      await client.invalidateQueries({ queryKey: queries.schedule.key() })
    },
  })
  const submit = () => {
    if (name.trim().length < 2) return setWrong({ name: validation.guestName })
    if (rows && !spot) return setWrong({ form: 'Elige el lugar de tu invitado.' })
    setWrong({})
    add.mutate()
  }
  return (
    <Dialog
      open
      onClose={add.isPending ? null : onClose}
      title="Llevo un invitado"
      width={rows ? 'middle' : 'normal'}
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            Ahora no
          </Button>
          <Button loading={add.isPending} onClick={submit}>
            Agregar invitado
          </Button>
        </>
      }
    >
      <p>
        {cls.class_type.name}, {formatWall(cls.class_date, 'class')}. Usa un crédito más.
      </p>
      <TextField
        label="Nombre de tu invitado"
        name="guest"
        value={name}
        maxLength={80}
        autoComplete="off"
        onChange={(event) => setName(event.currentTarget.value)}
        error={wrong.name}
      />
      {rows && (
        <SpotMap
          rows={rows}
          taken={new Set(cls.class_reservations.flatMap((one) => (one.spot && one.spot !== mine.spot ? [one.spot] : [])))}
          broken={new Set(cls.closed_spots)}
          value={mine.spot}
          guest={spot}
          choosing="guest"
          onChoose={setSpot}
        />
      )}
      {wrong.form && (
        <Notice tone="danger" live>
          {wrong.form}
        </Notice>
      )}
    </Dialog>
  )
}
