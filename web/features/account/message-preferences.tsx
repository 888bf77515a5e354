import { IconBrandWhatsapp, IconMail, IconSpeakerphone } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import type { MessagePreferences } from '#contract/notifications.ts'
import { paths } from '#contract/paths.ts'
import { formatInstant } from '#contract/time.ts'
import { api, queries } from '#web/lib/api.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Switch } from '#web/ui/choice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import './message-preferences.css'

const PushPreference = lazyPart(() => import('./push-preference.tsx'))

type Change = Parameters<typeof api.messages.setPreferences>[0]

/** The channels that the studio may use: consent given or withdrawn, with its date (docs/domain.md M2). */
export function MessagePreferencesCard() {
  const site = useSite()
  const client = useQueryClient()
  const preferencesQuery = useQuery(queries.messages.preferences.queryOptions({ meta: { handled: true } }))
  const save = useMutation({
    mutationFn: (change: Change) => api.messages.setPreferences(change),
    onSuccess: (answer) => client.setQueryData(queries.messages.preferences.queryKey(), answer),
  })
  const now = preferencesQuery.data?.preferences
  const set = (key: keyof Change, before: boolean) =>
    save.isPending && save.variables?.[key] !== undefined ? save.variables[key] === true : before
  return (
    <section className="card padded preferences" aria-labelledby="preferencias">
      <h2 id="preferencias" className="t3">
        Por dónde te avisamos
      </h2>
      {preferencesQuery.isError ? (
        <p className="small" role="alert">
          No pudimos cargar tus preferencias.{' '}
          <button type="button" className="link" onClick={() => void preferencesQuery.refetch()}>
            Intentar de nuevo
          </button>
        </p>
      ) : !now ? (
        <Skeleton height="180px" />
      ) : (
        // All at once: what came later would move what is below it.
        <Suspense fallback={<Skeleton height="180px" />}>
          <div className="preference">
            <IconBrandWhatsapp className="icon" aria-hidden="true" />
            <div className="grow stack gap-4">
              <Switch
                checked={set('whatsapp', now.whatsapp?.allowed ?? false)}
                disabled={save.isPending || (!now.phone && !now.whatsapp?.allowed)}
                onChange={(event) => save.mutate({ whatsapp: event.currentTarget.checked })}
                hint="Confirmaciones, recordatorios y cambios de tus clases."
              >
                WhatsApp
              </Switch>
              <p className="small muted">{consentText(now.whatsapp, site.zone, 'Todavía no nos has dicho si podemos escribirte.')}</p>
              <p className="small muted">
                {now.phone ? `Al ${phoneText(now.phone)}. ` : 'No tenemos tu teléfono. '}
                <AppLink className="link" to={paths.mystudio.profile}>
                  {now.phone ? 'Cambiar número' : 'Agregarlo en Mi Información'}
                </AppLink>
              </p>
            </div>
          </div>
          <PushPreference />
          <div className="preference">
            <IconMail className="icon" aria-hidden="true" />
            <div className="grow stack gap-4">
              <Switch
                checked={set('mail', now.mail?.allowed ?? true)}
                disabled={save.isPending}
                onChange={(event) => save.mutate({ mail: event.currentTarget.checked })}
                hint="Antes de tu clase y antes de que venzan tus créditos."
              >
                Recordatorios por correo
              </Switch>
              <p className="small muted">{consentText(now.mail, site.zone, 'Los recibes mientras no digas otra cosa.')}</p>
            </div>
          </div>
          <div className="preference">
            <IconSpeakerphone className="icon" aria-hidden="true" />
            <div className="grow stack gap-4">
              <Switch
                checked={set('marketing', now.marketing?.allowed ?? false)}
                disabled={save.isPending}
                onChange={(event) => save.mutate({ marketing: event.currentTarget.checked })}
                hint="Clases nuevas, paquetes y eventos."
              >
                Promociones y novedades
              </Switch>
              <p className="small muted">{consentText(now.marketing, site.zone, 'No las recibes mientras no las aceptes.')}</p>
            </div>
          </div>
          <p className="small muted">
            Las confirmaciones, las cancelaciones y los cambios de tus clases siempre llegan a tu correo y a esta página. De noche no te
            escribimos por WhatsApp ni a este dispositivo, salvo que tu clase esté por empezar.
          </p>
        </Suspense>
      )}
    </section>
  )
}

/** "Aceptaste el 20 nov 2026." */
function consentText(consent: MessagePreferences['whatsapp'], zone: string, never: string): string {
  if (!consent) return never
  const day = formatInstant(new Date(consent.changedAt), zone, 'date')
  return consent.allowed ? `Aceptaste el ${day}.` : `Lo quitaste el ${day}.`
}

/** "+52 55 1234 5678" */
const phoneText = (phone: string): string => phone.replace(/^\+?(?:52)?(\d{2})(\d{4})(\d{4})$/, '+52 $1 $2 $3')
