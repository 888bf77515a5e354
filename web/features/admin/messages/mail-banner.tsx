import { useQuery } from '@tanstack/react-query'
import { adminPaths } from '#contract/admin-paths.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Banner } from '#web/ui/banner.tsx'
import './messages.css'

/**
 * Whether this studio stores its mails instead of sending them, because no mail server is configured. False without the right to know (M9).
 */
export function useStoresMails(): boolean {
  const isAllowed = may(useStaff(), 'settings.code')
  const query = useQuery({
    ...queries.messages.outbox.queryOptions({ input: { page: 1 }, meta: { handled: true } }),
    enabled: isAllowed,
  })
  return isAllowed && query.data?.kept === true
}

/** Says that no mail leaves the studio, what is missing, and where the mails are. */
export function MailBanner() {
  if (!useStoresMails()) return null
  return (
    <div className="mail-banner">
      <Banner tone="warn" title="Los correos de tu estudio todavía no salen.">
        Falta el servidor de correo: lo pone quien instaló el programa, con SMTP_URL. Mientras, se guardan 60 días.{' '}
        <AppLink className="link" to={adminPaths.storedMails}>
          Ver los correos guardados
        </AppLink>
      </Banner>
    </div>
  )
}
