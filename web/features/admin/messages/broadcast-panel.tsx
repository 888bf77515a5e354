import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import { messageChannelLabels } from '#contract/copy/message-log.ts'
import { formatInstant } from '#contract/time.ts'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { Drawer } from '#web/ui/drawer.tsx'
import { BROADCAST_STATE_NAMES, broadcastFigures, isUnderway, LEFT_OUT_TEXTS, peopleCount } from './broadcast-text.ts'
import './messages.css'

/** How often a broadcast that is being sent is read again, in ms. */
const WATCH_MS = 3_000

/** One broadcast: its text, the deliveries of each channel, who was left out and why; it is paused, resumed and cancelled here. */
export function BroadcastPanel({ broadcast_id, onClose }: { broadcast_id: number; onClose: () => void }) {
  const { zone } = useSite()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const query = useQuery({
    ...queries.broadcasts.one.queryOptions({ input: { broadcast_id }, meta: { handled: true } }),
    refetchInterval: ({ state: { data } }) => (data && isUnderway(data.broadcast) ? WATCH_MS : false),
  })
  const move = useMutation({
    meta: { handled: true },
    mutationFn: (verb: 'pause' | 'resume' | 'cancel') => api.broadcasts[verb]({ broadcast_id }),
    onSuccess: (_, verb) => showAlert('success', { pause: 'En pausa.', resume: 'Sigue enviándose.', cancel: 'Cancelado.' }[verb]),
    onSettled: () => {
      setAsking(false)
      return client.invalidateQueries({ queryKey: queries.broadcasts.key() })
    },
  })
  const { broadcast, results } = query.data ?? {}
  const isOpen = broadcast && broadcast.finishedAt === null
  return (
    <Drawer
      open
      side="right"
      label="Difusión"
      closeLabel="Cerrar"
      onClose={onClose}
      head={<h2 className="t3">Difusión</h2>}
      foot={
        broadcast &&
        (isOpen || (broadcast.state === 'sent' && broadcast.waiting > 0)) && (
          <div className="panel-foot">
            <Button variant="danger-quiet" onClick={() => setAsking(true)}>
              Cancelar envío
            </Button>
            {isOpen && (
              <Button
                variant="outline"
                loading={move.isPending && !asking}
                onClick={() => move.mutate(broadcast.state === 'paused' ? 'resume' : 'pause')}
              >
                {broadcast.state === 'paused' ? 'Seguir enviando' : 'Detener'}
              </Button>
            )}
          </div>
        )
      }
    >
      <Loaded query={query} skeleton={<ListSkeleton rows={4} />} failed="No pudimos cargar la difusión." nothing={null}>
        {broadcast && results && (
          <div className="record-panel">
            {move.error && (
              <Banner tone="danger" live>
                {toFailure(move.error).message}
              </Banner>
            )}
            {broadcast.paused_because && <Banner tone="warn">{broadcast.paused_because}</Banner>}
            <div>
              <p className="strong">{broadcast.audience}</p>
              <p className="small muted">
                {broadcast.by} · {formatInstant(new Date(broadcast.at), zone, 'class')}
              </p>
              <p>
                <Badge tone={BROADCAST_STATE_NAMES[broadcast.state].tone}>{BROADCAST_STATE_NAMES[broadcast.state].label}</Badge>
              </p>
              <p className="small" role="status">
                {broadcastFigures(broadcast)}
              </p>
            </div>
            <section className="message-text-card" aria-label="Lo que dice">
              <p className="strong">{broadcast.subject}</p>
              <p className="sent-text">{broadcast.text}</p>
            </section>
            <table className="broadcast-results">
              <caption className="sr-only">Resultados por medio</caption>
              <thead>
                <tr>
                  <th scope="col">Por</th>
                  <th scope="col">Enviados</th>
                  <th scope="col">Leídos</th>
                  <th scope="col">Fallaron</th>
                  <th scope="col">Por salir</th>
                </tr>
              </thead>
              <tbody>
                {results.by_channel.map(({ channel, sent, read, failed, waiting }) => (
                  <tr key={channel}>
                    <th scope="row">{messageChannelLabels[channel]}</th>
                    <td>{sent.toLocaleString('es-MX')}</td>
                    <td>{channel === 'mail' ? '—' : read.toLocaleString('es-MX')}</td>
                    <td>{failed.toLocaleString('es-MX')}</td>
                    <td>{waiting.toLocaleString('es-MX')}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            <LeftOutList people={results.left_out} counts={results.left_out_by} />
          </div>
        )}
      </Loaded>
      <ConfirmDialog
        open={asking}
        yes="Sí, cancelar el envío"
        no="No, seguir"
        onClose={() => setAsking(false)}
        onConfirm={() => move.mutateAsync('cancel').catch(() => undefined)}
      >
        Lo que ya salió no se puede recoger. Lo demás ya no sale. ¿Quieres cancelar el envío?
      </ConfirmDialog>
    </Drawer>
  )
}

interface LeftOutListProps {
  people: readonly { customer_id: number; name: string; reason: keyof typeof LEFT_OUT_TEXTS }[]
  counts: readonly { reason: keyof typeof LEFT_OUT_TEXTS; count: number }[]
}

/** Customers left out of a broadcast, by reason, with the first names. */
export function LeftOutList({ people, counts }: LeftOutListProps) {
  if (counts.length === 0) return null
  return (
    <section aria-label="A quienes no les llega" className="broadcast-left-out">
      {counts.map(({ reason, count }) => (
        <details key={reason}>
          <summary>
            {LEFT_OUT_TEXTS[reason]}: {peopleCount(count)}
          </summary>
          <ul>
            {people
              .filter((person) => person.reason === reason)
              .map(({ customer_id, name }) => (
                <li key={customer_id}>
                  <AppLink to={adminPaths.customer(customer_id)} className="link">
                    {name || 'Sin nombre'}
                  </AppLink>
                </li>
              ))}
          </ul>
        </details>
      ))}
    </section>
  )
}
