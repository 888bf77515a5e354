import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiKey } from '#contract/api-keys.ts'
import type { Right } from '#contract/rights.ts'
import { formatInstant } from '#contract/time.ts'
import { ConflictDialog, differingFields, VersionsTable } from '#web/features/admin/frame/conflict-dialog.tsx'
import { ProvenPanel } from '#web/features/admin/frame/proven-dialog.tsx'
import { useProven } from '#web/features/admin/frame/use-proven.tsx'
import { useVersionedEdit } from '#web/features/admin/frame/use-versioned-edit.ts'
import { rightLabel } from '#web/features/admin/team/team-text.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { Select, TextField } from '#web/ui/field.tsx'
import { RightsField } from './rights-field.tsx'
import { ShownSecret } from './shown-secret.tsx'

interface KeyPanelProps {
  apiKey: ApiKey
  onChanged: () => Promise<unknown>
  onClose: () => void
}

interface KeyDraft {
  name: string
  /** in alphabetical order */
  rights: Right[]
}

const toDraft = ({ name, rights }: ApiKey): KeyDraft => ({ name, rights: [...rights].sort() })

const valueTexts = (draft: KeyDraft) => ({ 'Para qué es': draft.name, Permisos: draft.rights.map(rightLabel).join(', ') })

/** One key: its name and rights, another secret, and its end. */
export function KeyPanel({ apiKey, onChanged, onClose }: KeyPanelProps) {
  const site = useSite()
  const { api_key_id, state } = apiKey
  const [overlap, setOverlap] = useState('24')
  const [revoking, setRevoking] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const { run, proof } = useProven()
  const act = useMutation({ meta: { handled: true }, mutationFn: (call: () => Promise<unknown>) => run(call) })
  const edit = useVersionedEdit({
    stored: apiKey,
    start: toDraft(apiKey),
    toDraft,
    follows: true,
    send: (draft: KeyDraft, from: ApiKey | null): Promise<void> =>
      run(async () => {
        const changes = { name: draft.name.trim(), rights: draft.rights }
        const saved = await api.apiKeys.update({ api_key_id, ...changes, ...(from && { if_updatedAt: from.updatedAt }) })
        await onChanged()
        edit.follow(saved.api_key)
        showAlert('success', 'Guardado.')
      }),
    reload: onChanged,
    onSaved: () => undefined,
  })
  const { draft, conflict } = edit
  const { name, rights } = draft
  const set = (change: Partial<KeyDraft>) => edit.setDraft((before) => ({ ...before, ...change }))
  const failure = edit.refusal ?? (act.isError ? toFailure(act.error) : null)
  const problem = !edit.isChanged
    ? 'Sin cambios.'
    : !name.trim()
      ? 'Escribe para qué es.'
      : rights.length
        ? null
        : 'Elige al menos un permiso.'
  const at = (instant: string) => formatInstant(new Date(instant), site.zone, 'class')
  const rotate = () =>
    act.mutate(async () => {
      setSecret((await api.apiKeys.rotate({ api_key_id, overlap_hours: Number(overlap) })).secret)
      await onChanged()
    })
  return (
    <ProvenPanel
      title={apiKey.name}
      proof={proof}
      loading={act.isPending || edit.isSaving}
      problem={problem}
      onSave={state === 'revoked' ? null : edit.save}
      onClose={onClose}
    >
      <div className="record-panel">
        <p className="muted">
          <code>{apiKey.prefix}…</code>
          <br />
          La creó {apiKey.created_by}. {apiKey.last_used_at ? `Último uso: ${at(apiKey.last_used_at)}.` : 'No se ha usado.'}
          {apiKey.expires_at && ` Vence: ${at(apiKey.expires_at)}.`}
        </p>
        {apiKey.old_until && (
          <p className="small muted">
            El secreto anterior, <code>{apiKey.old_prefix}…</code>, sirve hasta {at(apiKey.old_until)}.
          </p>
        )}
        {failure && (
          <Banner tone="danger" live>
            {failure.message}
          </Banner>
        )}
        {secret && <ShownSecret secret={secret} what="la llave" />}
        {proof}
        {state !== 'revoked' && !proof && (
          <div className="team-form">
            <TextField
              label="Para qué es"
              maxLength={80}
              autoComplete="off"
              value={name}
              onChange={(event) => set({ name: event.currentTarget.value })}
            />
            <RightsField value={rights} onChange={(value) => set({ rights: value.sort() })} />
            <div className="team-end">
              <Select label="El secreto de ahora todavía sirve" value={overlap} onChange={(event) => setOverlap(event.currentTarget.value)}>
                <option value="0">No, deja de servir ya</option>
                <option value="1">1 hora</option>
                <option value="24">24 horas</option>
                <option value="168">7 días</option>
              </Select>
              <Button variant="outline" size="small" loading={act.isPending} onClick={rotate}>
                Cambiar secreto
              </Button>
              <Button variant="danger-quiet" onClick={() => setRevoking(true)}>
                Revocar
              </Button>
            </div>
          </div>
        )}
      </div>
      {conflict && (
        <ConflictDialog title="Alguien más cambió esta llave" {...conflict}>
          <VersionsTable mergesRest fields={differingFields(conflict.theirs, conflict.mine, valueTexts)} />
        </ConflictDialog>
      )}
      <ConfirmDialog
        open={revoking}
        title="Revocar llave"
        yes="Sí, revocar"
        no="No, volver"
        onClose={() => setRevoking(false)}
        onConfirm={async () => {
          await act
            .mutateAsync(async () => {
              await api.apiKeys.revoke({ api_key_id })
              await onChanged()
              showAlert('success', 'La llave ya no sirve.')
            })
            .catch(() => undefined)
          setRevoking(false)
        }}
      >
        ¿{apiKey.name} deja de entrar? No se puede deshacer.
      </ConfirmDialog>
    </ProvenPanel>
  )
}
