import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { BroadcastAudience } from '#contract/broadcasts.ts'
import type { BroadcastChannel } from '#contract/channels.ts'
import { messageChannelLabels } from '#contract/copy/message-log.ts'
import { type api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useDelayed } from '#web/lib/use-delayed.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { LeftOutList } from './broadcast-panel.tsx'
import { peopleCount } from './broadcast-text.ts'
import type { BroadcastForm } from './use-broadcast-draft.ts'

/** Pause after a change, in ms, before the people are counted. */
const PAUSE_MS = 500

type Preview = NonNullable<Awaited<ReturnType<typeof api.broadcasts.create>>['preview']>

export interface BroadcastReach {
  /** something can be counted: an audience and a channel are chosen */
  isCounted: boolean
  failure: string | null
  preview: Preview | null
}

/** How many people a broadcast reaches by each channel. Counting does not depend on the words. */
export function useBroadcastReach(audience: BroadcastAudience | null, channels: readonly BroadcastChannel[]): BroadcastReach {
  const counted = useDelayed(JSON.stringify(audience && channels.length ? { audience, channels } : null), PAUSE_MS)
  const input = JSON.parse(counted) as { audience: BroadcastAudience; channels: BroadcastChannel[] } | null
  const reach = useQuery({
    ...queries.broadcasts.create.queryOptions({
      input: { ...(input ?? { audience: {}, channels: [] }), subject: 'x', text: 'x', dry_run: true },
      meta: { handled: true },
    }),
    enabled: input !== null,
    placeholderData: keepPreviousData,
  })
  return {
    isCounted: input !== null,
    failure: reach.isError ? toFailure(reach.error).message : null,
    preview: (input && reach.data?.preview) ?? null,
  }
}

/** The number of recipients, and who is left out and why. */
export function ReachCard({ reach: { isCounted, failure, preview } }: { reach: BroadcastReach }) {
  return (
    <section className="panel-card broadcast-reach" aria-label="A quiénes llega">
      <h2 className="t4">A quiénes llega</h2>
      {!isCounted ? (
        <p className="small muted">Elige a quiénes y por dónde.</p>
      ) : failure ? (
        <p className="small">{failure}</p>
      ) : preview ? (
        <>
          <p>
            <b>{peopleCount(preview.reached)}</b> de {preview.total.toLocaleString('es-MX')}
          </p>
          <ul>
            {preview.by_channel.map(({ channel, reached, without_consent, without_address }) => (
              <li key={channel} className="small">
                {messageChannelLabels[channel]}: {reached.toLocaleString('es-MX')}
                <span className="muted">
                  {without_consent > 0 && ` · ${without_consent.toLocaleString('es-MX')} sin permiso`}
                  {without_address > 0 &&
                    ` · ${without_address.toLocaleString('es-MX')} sin ${channel === 'app' ? 'cuenta' : channel === 'mail' ? 'correo' : 'teléfono'}`}
                </span>
              </li>
            ))}
          </ul>
          <LeftOutList people={preview.left_out} counts={preview.left_out_by} />
        </>
      ) : (
        <Skeleton height="80px" />
      )}
    </section>
  )
}

/** What a person reads, with an example name. */
export function BroadcastPreview({ form: { draft, texts } }: { form: BroadcastForm }) {
  const { business_name } = useSite()
  const filled = (written: string) => written.replace(/\{\{\s*nombre\s*\}\}/g, 'Ana Sofía').replace(/\{\{\s*negocio\s*\}\}/g, business_name)
  return (
    <section className="message-text-card" aria-label="Así se lee">
      <p className="small muted">Así se lee</p>
      <p className="strong">{filled(texts.subject) || 'Asunto'}</p>
      <p className="sent-text">{filled(texts.text) || 'Tu mensaje.'}</p>
      {texts.button !== 'none' && <p className="broadcast-button">{texts.button === 'calendar' ? 'Reservar' : 'Ver paquetes'}</p>}
      {draft.source !== 'clase' && <p className="small muted">Cada correo lleva un enlace para dejar las promociones.</p>}
    </section>
  )
}
