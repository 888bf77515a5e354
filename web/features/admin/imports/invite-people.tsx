import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import { BulkDialog } from '#web/features/admin/bulk/bulk-dialog.tsx'
import { BulkJobDialog } from '#web/features/admin/bulk/bulk-job.tsx'
import { PartNotLoaded } from '#web/features/site/not-loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Button } from '#web/ui/button.tsx'
import { Select } from '#web/ui/field.tsx'
import { inviteText } from './import-text.ts'

/** Sizes of a wave: a few first, to see what people answer. */
const WAVES = [50, 100, 200, 500] as const

/** Invites the people of an import to create their account, one wave after the other; only on demand. */
export default function InvitePeople({ import_id }: { import_id: number }) {
  const client = useQueryClient()
  const [wave, setWave] = useState(500)
  const [target, setTarget] = useState<number[] | null>(null)
  const [jobId, setJobId] = useState<number | null>(null)
  const query = useQuery(queries.imports.invitations.queryOptions({ input: { import_id, wave }, meta: { handled: true } }))
  const close = () => {
    setTarget(null)
    setJobId(null)
    void client.invalidateQueries({ queryKey: queries.imports.invitations.key() })
  }
  if (query.isError) return <PartNotLoaded query={query}>No pudimos contar a quiénes puedes invitar.</PartNotLoaded>
  if (!query.data) return null
  const { total, invited, customer_ids } = query.data
  if (total === 0 && invited === 0) return null
  return (
    <section className="stack gap-8" aria-labelledby="import-invite">
      <h3 id="import-invite" className="strong">
        Sus cuentas
      </h3>
      <p className="muted" role="status">
        {[
          invited > 0 && `Ya se invitó a ${invited.toLocaleString('es-MX')}.`,
          total > 0
            ? 'Quien tiene correo puede crear su contraseña y ver lo que ya tiene. Nadie recibe nada hasta que lo envíes.'
            : 'No queda nadie por invitar.',
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
      {total > 0 && (
        <>
          {total > WAVES[0] && (
            <Select label="Por tanda" value={wave} onChange={(event) => setWave(Number(event.currentTarget.value))}>
              {WAVES.map((size) => (
                <option key={size} value={size}>
                  {size.toLocaleString('es-MX')} personas
                </option>
              ))}
            </Select>
          )}
          <div className="import-verbs">
            <Button onClick={() => setTarget(customer_ids)}>{inviteText(total)}</Button>
            <AppLink className="link" to={adminPaths.messageTemplates}>
              Ver el correo
            </AppLink>
          </div>
        </>
      )}
      {jobId !== null ? (
        <BulkJobDialog job_id={jobId} onClose={close} />
      ) : (
        target && (
          <BulkDialog
            action="customers.invite"
            target={{ ids: target }}
            count={target.length}
            onStarted={setJobId}
            onClose={() => setTarget(null)}
          />
        )
      )}
    </section>
  )
}
