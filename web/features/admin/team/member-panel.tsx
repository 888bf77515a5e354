import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { StaffMember } from '#contract/team.ts'
import { ProvenPanel } from '#web/features/admin/frame/proven-dialog.tsx'
import { useProven } from '#web/features/admin/frame/use-proven.tsx'
import { useVersionedEdit } from '#web/features/admin/frame/use-versioned-edit.ts'
import { ReasonDialog } from '#web/features/admin/people/reason-dialog.tsx'
import { CopyButton } from '#web/features/site/copy-button.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import type { MemberVersion } from './member-conflict.tsx'
import { MembershipFields } from './membership-fields.tsx'
import { memberState } from './team-text.ts'

const MemberConflict = lazy(() => import('./member-conflict.tsx'))

interface MemberPanelProps {
  member: StaffMember
  onChanged: () => Promise<unknown>
  onClose: () => void
}

const toDraft = ({ name, role, rights_added, rights_removed, location_ids, instructor_id }: StaffMember): MemberVersion => ({
  name,
  role,
  rights_added,
  rights_removed,
  location_ids,
  instructor_id,
})

/** The fields that are sent: only what is different. */
const changesFrom = (from: StaffMember, { name, role, rights_added, rights_removed, location_ids, instructor_id }: MemberVersion) => ({
  ...(name.trim() === from.name ? {} : { name: name.trim() }),
  ...(role === from.role ? {} : { role }),
  ...(same(rights_added, from.rights_added) ? {} : { rights_added: [...rights_added] }),
  ...(same(rights_removed, from.rights_removed) ? {} : { rights_removed: [...rights_removed] }),
  ...(same(location_ids, from.location_ids) ? {} : { location_ids: location_ids && [...location_ids] }),
  ...(instructor_id === from.instructor_id ? {} : { instructor_id }),
})

/** One member of the team: rights, locations, invitation, and removal of access. */
export function MemberPanel({ member, onChanged, onClose }: MemberPanelProps) {
  const site = useSite()
  const { staff_id } = member
  const [asking, setAsking] = useState<'disable' | 'factor' | null>(null)
  const { run: runProven, proof } = useProven()
  const act = useMutation({
    meta: { handled: true },
    mutationFn: ({ call, done }: { call: () => Promise<unknown>; done: string }) =>
      runProven(async () => {
        await call()
        await onChanged()
        showAlert('success', done)
      }),
    onError: () => undefined,
  })
  const edit = useVersionedEdit({
    stored: member,
    start: toDraft(member),
    toDraft,
    follows: true,
    send: (draft: MemberVersion, from: StaffMember | null): Promise<void> =>
      runProven(async () => {
        const { staff_member } = await api.team.update({
          staff_id,
          ...changesFrom(from ?? member, draft),
          ...(from && { if_updatedAt: from.updatedAt }),
        })
        await onChanged()
        edit.follow(staff_member)
        showAlert('success', 'Guardado.')
      }),
    reload: onChanged,
    onSaved: () => undefined,
  })
  const { draft, conflict } = edit
  const link = useQuery({
    ...queries.team.inviteLink.queryOptions({ input: { staff_id }, meta: { handled: true }, staleTime: 0, retry: false }),
    enabled: member.invite?.state === 'pending',
  })
  const problem =
    Object.keys(changesFrom(edit.base ?? member, draft)).length === 0
      ? 'Sin cambios.'
      : !draft.name.trim()
        ? 'Escribe su nombre.'
        : draft.location_ids?.length === 0
          ? 'Elige al menos un estudio, o todos.'
          : null
  const run = (call: () => Promise<unknown>, done: string) => act.mutate({ call, done })
  const failed = edit.refusal ?? (act.isError ? toFailure(act.error) : null)
  return (
    <ProvenPanel
      title={member.name}
      proof={proof}
      loading={act.isPending || edit.isSaving}
      problem={problem}
      onSave={member.is_disabled ? null : edit.save}
      onClose={onClose}
    >
      {proof && <div className="record-panel">{proof}</div>}
      <div className="record-panel" hidden={proof !== null}>
        <p className="muted">
          {member.email}
          <br />
          {memberState(member, site.zone)}
          {member.customer_id !== null && ' · También es cliente'}
        </p>
        {failed && (
          <Banner tone="danger" live>
            {failed.message}
          </Banner>
        )}
        {member.invite && (
          <div className="team-invite">
            {link.data && <CopyButton text={link.data.invite_url} what="la liga" />}
            <Button
              variant="outline"
              size="small"
              loading={act.isPending}
              onClick={() => run(() => api.team.inviteAgain({ staff_id }), 'Invitación enviada.')}
            >
              Enviar otra vez
            </Button>
          </div>
        )}
        {member.is_disabled ? (
          <Button loading={act.isPending} onClick={() => run(() => api.team.restore({ staff_id }), 'Ya tiene acceso otra vez.')}>
            Devolver acceso
          </Button>
        ) : (
          <div className="team-form">
            <TextField
              label="Nombre"
              maxLength={120}
              autoComplete="off"
              value={draft.name}
              onChange={({ currentTarget: { value } }) => edit.setDraft((before) => ({ ...before, name: value }))}
            />
            <MembershipFields value={draft} onChange={(form) => edit.setDraft((before) => ({ ...before, ...form }))} />
            <div className="team-end">
              {member.second_factor && (
                <Button variant="outline" size="small" onClick={() => setAsking('factor')}>
                  Restablecer verificación en dos pasos
                </Button>
              )}
              <Button variant="danger-quiet" onClick={() => setAsking('disable')}>
                {member.has_joined ? 'Quitar acceso' : 'Retirar invitación'}
              </Button>
              <p className="small muted">Se cierra su sesión al momento. Sus ventas y su historial se quedan.</p>
            </div>
          </div>
        )}
      </div>
      <ConfirmDialog
        open={asking === 'disable'}
        title={member.has_joined ? 'Quitar acceso' : 'Retirar invitación'}
        yes={member.has_joined ? 'Sí, quitar acceso' : 'Sí, retirar'}
        no="No, volver"
        onClose={() => setAsking(null)}
        onConfirm={async () => {
          await act.mutateAsync({ call: () => api.team.disable({ staff_id }), done: 'Ya no tiene acceso.' }).catch(() => undefined)
          setAsking(null)
        }}
      >
        ¿{member.has_joined ? `${member.name} deja de entrar a la administración` : `La liga de ${member.name} deja de servir`}?
      </ConfirmDialog>
      {conflict && (
        <Suspense>
          <MemberConflict {...conflict} />
        </Suspense>
      )}
      {asking === 'factor' && (
        <ReasonDialog
          title="Restablecer verificación en dos pasos"
          yes="Restablecer"
          no="No, volver"
          consequence="Se cierran sus sesiones y entra solo con su contraseña hasta que la active otra vez. Asegúrate antes de que es quien dice ser."
          send={(reason) =>
            runProven(async () => {
              await api.team.resetSecondFactor({ staff_id, reason })
              await onChanged()
              showAlert('success', 'Guardado.')
            })
          }
          onDone={() => setAsking(null)}
          onClose={() => setAsking(null)}
        />
      )}
    </ProvenPanel>
  )
}

const same = (a: readonly unknown[] | null, b: readonly unknown[] | null): boolean =>
  JSON.stringify(a && [...a].sort()) === JSON.stringify(b && [...b].sort())
