import { IconArrowBarToUp, IconBellRinging, IconHourglass, IconUserCheck, IconUserPlus, IconX } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { success } from '#contract/copy/messages.ts'
import { formatWall } from '#contract/time.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { offerUndo } from '#web/features/admin/frame/undo.tsx'
import { CustomerSearch, type FoundCustomer } from '#web/features/admin/people/customer-search.tsx'
import { NewCustomer } from '#web/features/admin/people/new-customer.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { alertFailure, toFailure } from '#web/lib/errors.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextArea } from '#web/ui/field.tsx'
import { useRosterChanged } from './use-roster.ts'
import { useWaitingList } from './use-waiting-list.ts'

type Waiting = ReturnType<typeof useWaitingList>['waiting'][number]

/** The waitlist of a class in its order. Reception moves an entry to its head with a reason, books it, or removes it. */
export default function WaitingList({ single_class_id, canChange }: { single_class_id: number; canChange: boolean }) {
  const staff = useStaff()
  const { list, waiting } = useWaitingList(single_class_id)
  const [moving, setMoving] = useState<Waiting | null>(null)
  const [isAdding, setAdding] = useState(false)
  const changed = useRosterChanged()
  const promote = useIdempotentMutation(api.frontDesk.promote, {
    onSuccess: () => showAlert('success', success.reservationRecorded),
    onError: (error) => alertFailure(error),
    onSettled: changed,
  })
  const join = useIdempotentMutation(api.frontDesk.joinWaitlist, {
    onSuccess: () => showAlert('success', 'Está otra vez en la lista de espera.'),
    onError: (error) => alertFailure(error),
    onSettled: changed,
  })
  const leave = useMutation({
    meta: { handled: true },
    mutationFn: (row: Waiting) => api.frontDesk.leaveWaitlist({ waitlist_id: String(row.waitlist_id) }),
    onSuccess(_, { customer_id, name }) {
      offerUndo(`${name} salió de la lista de espera.`, () => join.mutate({ customer_id, single_class_id }))
    },
    onError: (error) => alertFailure(error),
    onSettled: changed,
  })
  const first = Math.max(0, ...waiting.map(({ priority }) => priority))
  return (
    <>
      <Loaded
        query={list}
        skeleton={<ListSkeleton rows={2} />}
        failed="No pudimos cargar la lista de espera."
        nothing={waiting.length === 0 && <EmptyState>Nadie espera un lugar en esta clase.</EmptyState>}
      >
        <ol>
          {waiting.map((row, at) => (
            <li key={row.waitlist_id} className="entry-row">
              <span className="hour waiting-position">{row.position ?? at + 1}</span>
              <div className="entry-who">
                <span className="strong">
                  {row.name} {row.last_name}
                </span>
                {row.offer ? (
                  <Badge tone="brand" icon={<IconBellRinging className="icon" aria-hidden="true" />}>
                    Lugar apartado hasta {formatWall(row.offer.until_wall, 'hour')}
                  </Badge>
                ) : (
                  <Badge tone="accent" icon={<IconHourglass className="icon" aria-hidden="true" />}>
                    En espera
                  </Badge>
                )}
                {row.skipped && <span className="small muted">{row.skipped.message}</span>}
              </div>
              <div className="row gap-8">
                {may(staff, 'roster.all') && at > 0 && (
                  <IconButton label={`Pasar a ${row.name} ${row.last_name} al frente`} onClick={() => setMoving(row)}>
                    <IconArrowBarToUp className="icon" aria-hidden="true" />
                  </IconButton>
                )}
                {canChange && (
                  <>
                    <IconButton
                      label={`Dar un lugar a ${row.name} ${row.last_name}`}
                      aria-disabled={promote.isPending}
                      onClick={() => promote.mutate({ waitlist_id: String(row.waitlist_id) })}
                    >
                      <IconUserCheck className="icon" aria-hidden="true" />
                    </IconButton>
                    <IconButton
                      label={`Quitar de la espera a ${row.name} ${row.last_name}`}
                      aria-disabled={leave.isPending}
                      onClick={() => leave.mutate(row)}
                    >
                      <IconX className="icon" aria-hidden="true" />
                    </IconButton>
                  </>
                )}
              </div>
            </li>
          ))}
        </ol>
      </Loaded>
      {canChange && (
        <p className="roster-note">
          <Button
            size="small"
            variant="outline"
            icon={<IconUserPlus className="icon" aria-hidden="true" />}
            onClick={() => setAdding(true)}
          >
            Anotar a alguien
          </Button>
        </p>
      )}
      {isAdding && <AddWaiting single_class_id={single_class_id} onClose={() => setAdding(false)} />}
      {moving && <MoveAhead row={moving} priority={Math.min(100, first + 1)} onClose={() => setMoving(null)} />}
    </>
  )
}

function MoveAhead({ row, priority, onClose }: { row: Waiting; priority: number; onClose: () => void }) {
  const client = useQueryClient()
  const [reason, setReason] = useState('')
  const tooShort = reason.trim().length < 3
  const move = useMutation({
    meta: { handled: true },
    mutationFn: () => api.waitlist.prioritise({ waitlist_id: row.waitlist_id, priority, reason: reason.trim() }),
    onSuccess() {
      showAlert('success', 'Guardado.')
      onClose()
    },
    onSettled: () => client.invalidateQueries({ queryKey: queries.waitlist.ofClass.key() }),
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Pasar al frente de la lista"
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            No, dejarla igual
          </Button>
          <Button loading={move.isPending} reason={tooShort ? 'Escribe el motivo.' : null} onClick={() => !tooShort && move.mutate()}>
            Sí, pasar al frente
          </Button>
        </>
      }
    >
      <p>
        {row.name} {row.last_name} será la primera persona a la que se ofrezca un lugar.
      </p>
      {move.isError && (
        <Banner tone="danger" live>
          {toFailure(move.error).message}
        </Banner>
      )}
      <TextArea label="Motivo" rows={2} maxLength={300} value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
    </Dialog>
  )
}

/** Writes a customer, known or new, on the waitlist. */
function AddWaiting({ single_class_id, onClose }: { single_class_id: number; onClose: () => void }) {
  const changed = useRosterChanged()
  const [typed, setTyped] = useState<string | null>(null)
  const join = useIdempotentMutation(api.frontDesk.joinWaitlist, {
    onSuccess() {
      showAlert('success', 'Está en la lista de espera.')
      onClose()
    },
    onError: () => undefined,
    onSettled: changed,
  })
  const onChoose = ({ customer_id }: FoundCustomer) => join.mutate({ customer_id, single_class_id })
  return (
    <Dialog open onClose={join.isPending ? null : onClose} title={typed === null ? 'Anotar en la lista de espera' : 'Cliente nuevo'}>
      {join.isError && (
        <Banner tone="danger" live>
          {toFailure(join.error).message}
        </Banner>
      )}
      {typed === null ? (
        <CustomerSearch onChoose={onChoose} onCreate={setTyped} />
      ) : (
        <NewCustomer typed={typed} onMade={onChoose} onBack={() => setTyped(null)} />
      )}
    </Dialog>
  )
}
