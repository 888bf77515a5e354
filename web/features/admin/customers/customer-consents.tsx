import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { MessagePreferences } from '#contract/notifications.ts'
import { formatInstant } from '#contract/time.ts'
import { ReasonDialog } from '#web/features/admin/people/reason-dialog.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { ProfilePart } from './profile-part.tsx'

type ConsentChannel = 'whatsapp' | 'mail' | 'marketing'
const CHANNELS: readonly { channel: ConsentChannel; label: string; byDefault: boolean }[] = [
  { channel: 'whatsapp', label: 'WhatsApp', byDefault: false },
  { channel: 'mail', label: 'Recordatorios por correo', byDefault: true },
  { channel: 'marketing', label: 'Promociones', byDefault: false },
]

/** "Aceptó el 3 mar 2025" */
function consentText(consent: MessagePreferences[ConsentChannel], byDefault: boolean, zone: string): string {
  if (!consent) return byDefault ? 'Los recibe mientras no diga otra cosa' : 'No ha dicho si se le puede escribir'
  return `${consent.allowed ? 'Aceptó' : 'No quiere, desde'} el ${formatInstant(new Date(consent.changedAt), zone, 'date')}`
}

/** The channels by which the studio may write; staff record the customer's choice, and where it was made. */
export function CustomerConsents({ customer_id, canEdit }: { customer_id: number; canEdit: boolean }) {
  const { zone } = useSite()
  const client = useQueryClient()
  const [changing, setChanging] = useState<{ channel: ConsentChannel; label: string; allowed: boolean } | null>(null)
  const options = queries.customerRecords.messagePreferences.queryOptions({ input: { customer_id }, meta: { handled: true } })
  const query = useQuery(options)
  const now = query.data?.preferences
  return (
    <ProfilePart id="mensajes-permitidos" title="Por dónde se le escribe">
      <Loaded query={query} skeleton={<ListSkeleton rows={2} />} failed="No pudimos cargar sus permisos." nothing={false}>
        <ul>
          {CHANNELS.map(({ channel, label, byDefault }) => {
            const allowed = now?.[channel]?.allowed ?? byDefault
            return (
              <li key={channel} className="booked-row">
                <span className="booked-what grow">
                  <span className="strong">
                    {label}: {allowed ? 'sí' : 'no'}
                  </span>
                  <span className="small muted">{consentText(now?.[channel] ?? null, byDefault, zone)}</span>
                </span>
                {canEdit && (
                  <Button
                    variant="outline"
                    size="small"
                    aria-label={`${allowed ? 'Quitar' : 'Permitir'} ${label}`}
                    onClick={() => setChanging({ channel, label, allowed: !allowed })}
                  >
                    {allowed ? 'Quitar' : 'Permitir'}
                  </Button>
                )}
              </li>
            )
          })}
        </ul>
      </Loaded>
      {changing && (
        <ReasonDialog
          title={`${changing.allowed ? 'Permitir' : 'Quitar'} ${changing.label}`}
          yes="Guardar"
          no="Dejarlo igual"
          label="Cómo lo dijo"
          hint="Por ejemplo: en recepción, por teléfono o en un papel firmado. Se queda en la bitácora con la fecha."
          missing="Escribe cómo lo dijo."
          send={(source) => api.customerRecords.setMessagePreferences({ customer_id, source, [changing.channel]: changing.allowed })}
          onDone={() => {
            setChanging(null)
            showAlert('success', 'Guardado.')
            void client.invalidateQueries({ queryKey: queries.customerRecords.key() })
          }}
          onClose={() => setChanging(null)}
        />
      )}
    </ProfilePart>
  )
}
