import { IconKey } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ApiKey } from '#contract/api-keys.ts'
import { formatInstant } from '#contract/time.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { KeyPanel } from './key-panel.tsx'
import { NewKeyDialog } from './new-key-dialog.tsx'

const STATES = {
  active: null,
  expired: ['warn', 'Vencida'],
  revoked: ['neutral', 'Revocada'],
  orphaned: ['warn', 'Quien la creó ya no tiene acceso'],
} as const satisfies Record<ApiKey['state'], readonly [string, string] | null>

interface KeyListProps {
  /** The open key; 0: a new one; null: none. */
  open: number | null
  onShow: (api_key_id: number) => void
  onClose: () => void
}

/** Keys of the API: their creators, rights, and last use. */
export function KeyList({ open, onShow, onClose }: KeyListProps) {
  const site = useSite()
  const client = useQueryClient()
  const query = useQuery(queries.apiKeys.list.queryOptions({ meta: { handled: true } }))
  const keys = query.data?.api_keys ?? []
  const opened = keys.find(({ api_key_id }) => api_key_id === open)
  const changed = () => client.invalidateQueries({ queryKey: queries.apiKeys.key() })
  const add = <Button onClick={() => onShow(0)}>Llave nueva</Button>
  const lastUseText = ({ last_used_at }: ApiKey) =>
    last_used_at ? `Último uso: ${formatInstant(new Date(last_used_at), site.zone, 'class')}` : 'Sin usar'
  return (
    <section className="integration-part" aria-labelledby="llaves">
      <div className="integration-head">
        <h2 id="llaves" className="t3">
          Llaves de API
        </h2>
        {keys.length > 0 && add}
      </div>
      <Loaded
        query={query}
        skeleton={<ListSkeleton rows={3} />}
        failed="No pudimos cargar las llaves."
        nothing={
          keys.length === 0 && (
            <EmptyState action={add}>
              Con una llave, un programa tuyo (contabilidad, tu página, una hoja de cálculo) lee y escribe aquí con los permisos que le des.
            </EmptyState>
          )
        }
      >
        <ul className="panel-card team-list" aria-label="Llaves de API">
          {keys.map((key) => {
            const badge = STATES[key.state]
            return (
              <li key={key.api_key_id}>
                <button type="button" className="team-row" data-row onClick={() => onShow(key.api_key_id)}>
                  <IconKey className="icon muted" aria-hidden="true" />
                  <span className="team-who">
                    <span className="team-name">
                      <span className="strong">{key.name}</span>
                      {badge && <Badge tone={badge[0]}>{badge[1]}</Badge>}
                    </span>
                    <span className="small muted ellipsis">
                      {key.prefix}… · {key.rights.length === 1 ? '1 permiso' : `${key.rights.length} permisos`}
                    </span>
                  </span>
                  <span className="small muted">{lastUseText(key)}</span>
                </button>
              </li>
            )
          })}
        </ul>
      </Loaded>
      {open === 0 && <NewKeyDialog onDone={changed} onClose={onClose} />}
      {opened && <KeyPanel key={opened.api_key_id} apiKey={opened} onChanged={changed} onClose={onClose} />}
    </section>
  )
}
