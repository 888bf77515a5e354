import '#web/features/admin/messages/messages.css'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { adminPaths } from '#contract/admin-paths.ts'
import type { StoredMail } from '#contract/notifications.ts'
import { pageCount } from '#contract/paging.ts'
import { formatInstant } from '#contract/time.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { mailParts } from '#web/features/admin/messages/mail-text.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { useLastPage, useListPage } from '#web/lib/list-page.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Pager } from '#web/ui/pager.tsx'

export const handle: AdminHandle = { title: 'Correos guardados' }

/** Mails per page, as the server pages them. */
const PER_PAGE = 50

/** Correos guardados: what a studio without a mail server wrote to its people, to be read and sent on by hand (M9). */
export default function StoredMails() {
  const [page, turnTo] = useListPage()
  const query = useQuery({
    ...queries.messages.outbox.queryOptions({ input: { page }, meta: { handled: true } }),
    placeholderData: keepPreviousData,
  })
  const { mails = [], total = 0, kept = true } = query.data ?? {}
  const pages = pageCount(total, PER_PAGE)
  useLastPage(page, query.data && !query.isPlaceholderData ? pages : undefined)
  return (
    <>
      <ScreenHead
        title="Correos guardados"
        about="Sin servidor de correo (SMTP_URL) los correos se quedan aquí 60 días. Puedes copiar su enlace y enviarlo tú."
      />
      <Loaded
        query={query}
        skeleton={<ListSkeleton rows={4} />}
        failed="No pudimos cargar los correos."
        nothing={
          mails.length === 0 && (
            <EmptyState next={{ to: adminPaths.messages, label: 'Ir a Mensajes' }}>
              {kept ? 'Todavía no hay correos guardados.' : 'Los correos salen por tu servidor de correo.'}
            </EmptyState>
          )
        }
      >
        <ul className="panel-card stored-mails" aria-label="Correos guardados">
          {mails.map((mail) => (
            <MailRow key={mail.mail_id} mail={mail} />
          ))}
        </ul>
        <Pager page={page} pages={pages} onPage={turnTo} />
      </Loaded>
    </>
  )
}

function MailRow({ mail }: { mail: StoredMail }) {
  const { zone } = useSite()
  return (
    <li>
      <details>
        <summary>
          <span className="strong">{mail.subject}</span>
          <span className="small muted">
            Para {mail.to}, {formatInstant(new Date(mail.createdAt), zone, 'class')}
          </span>
        </summary>
        <p className="sent-text message-text-card">
          {mailParts(mail.text).map(({ text, href }, index) =>
            href ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a mail never change.
              <a key={index} className="link" href={href} target="_blank" rel="noreferrer">
                {text}
              </a>
            ) : (
              text
            ),
          )}
        </p>
        {mail.files.length > 0 && <p className="small muted">Con {mail.files.join(', ')}</p>}
      </details>
    </li>
  )
}
