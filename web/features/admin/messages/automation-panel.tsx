import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import type { Automation } from '#contract/automations.ts'
import { BROADCAST_TEXT_MAX, BROADCAST_WHATSAPP_MAX, type BroadcastButton } from '#contract/broadcasts.ts'
import { BROADCAST_CHANNELS } from '#contract/channels.ts'
import { CUSTOMER_STATES, type CustomerState, customerStateLabels } from '#contract/copy/customer-list.ts'
import { messageChannelLabels } from '#contract/copy/message-log.ts'
import { formatInstant } from '#contract/time.ts'
import { ConflictDialog, differingFields, VersionsTable } from '#web/features/admin/frame/conflict-dialog.tsx'
import { fieldErrors } from '#web/features/admin/frame/issues.ts'
import { useVersionedEdit } from '#web/features/admin/frame/use-versioned-edit.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Switch } from '#web/ui/choice.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { Drawer } from '#web/ui/drawer.tsx'
import { Select, TextField } from '#web/ui/field.tsx'
import { type AutomationDraft, automationChanges, automationProblems, HOURS, TEXTS_OF_STATE, toDraft } from './automation-draft.ts'
import { automationFigures, BROADCAST_BUTTON_NAMES, BROADCAST_VARIABLES } from './broadcast-text.ts'
import { TestButtons } from './test-buttons.tsx'
import { VariableField } from './variable-field.tsx'
import './messages.css'

type SetField = <K extends keyof AutomationDraft>(key: K, value: AutomationDraft[K]) => void

interface AutomationPanelProps {
  /** null: a new one */
  automation: Automation | null
  onChanged: () => Promise<unknown>
  onClose: () => void
}

/** A message for customers who change to a state: the state, channels, text, hour and frequency. */
export function AutomationPanel({ automation, onChanged, onClose }: AutomationPanelProps) {
  const { zone } = useSite()
  const [checked, setChecked] = useState(false)
  const [removing, setRemoving] = useState(false)
  const done = async (text: string) => {
    await onChanged()
    showAlert('success', text)
    onClose()
  }
  const edit = useVersionedEdit({
    stored: automation,
    start: toDraft(null),
    toDraft,
    send: (typed: AutomationDraft, from: Automation | null, how) =>
      from
        ? api.automations.update(automationChanges(from, typed) as Parameters<typeof api.automations.update>[0])
        : api.automations.create(automationChanges(null, typed) as Parameters<typeof api.automations.create>[0], how),
    reload: onChanged,
    onSaved: () => done('Guardado.'),
  })
  const { draft, setDraft, conflict } = edit
  const set: SetField = (key, value) => setDraft((before) => ({ ...before, [key]: value }))
  const remove = useMutation({
    meta: { handled: true },
    mutationFn: (automation_id: number) => api.automations.remove({ automation_id }),
    onSuccess: () => done('Mensaje eliminado. Ya no sale.'),
    onError: () => setRemoving(false),
  })
  const problems = automationProblems(draft)
  const refused = edit.refusal ?? (remove.error ? toFailure(remove.error) : null)
  const refusedFields = fieldErrors(refused)
  const problemOf = (key: keyof typeof problems) => (checked ? problems[key] : undefined) ?? refusedFields[key]
  const submit = () => {
    setChecked(true)
    if (Object.keys(problems).length === 0) edit.save()
  }
  /** Changes the state, and with it the proposed words unless they were edited. */
  const choose = (customer_state: CustomerState) =>
    setDraft((before) => {
      const proposed = TEXTS_OF_STATE[before.customer_state]
      const isOwn = before.subject !== proposed.subject || before.text !== proposed.text
      return { ...before, customer_state, ...(isOwn || automation ? {} : TEXTS_OF_STATE[customer_state]) }
    })
  const title = automation ? 'Mensaje al cambiar de estado' : 'Mensaje nuevo al cambiar de estado'
  return (
    <Drawer
      open
      side="right"
      label={title}
      closeLabel="Cerrar"
      onClose={onClose}
      head={<h2 className="t3">{title}</h2>}
      foot={
        <div className="panel-foot">
          {automation && (
            <Button variant="danger-quiet" onClick={() => setRemoving(true)}>
              Eliminar
            </Button>
          )}
          <Button loading={edit.isSaving} reason={automation && !edit.isChanged ? 'Sin cambios.' : null} onClick={submit}>
            Guardar
          </Button>
        </div>
      }
    >
      <div className="record-panel">
        {refused && (
          <Banner tone="danger" live>
            {refused.message}
          </Banner>
        )}
        {automation?.stopped_because && <Banner tone="warn">{automation.stopped_because}</Banner>}
        {automation && (
          <p className="small muted">
            {automationFigures(automation, automation.last_at && formatInstant(new Date(automation.last_at), zone, 'class'))}{' '}
            {automation.last_at && (
              <AppLink className="link" to={adminPaths.broadcasts}>
                Ver difusiones
              </AppLink>
            )}
          </p>
        )}
        <AutomationFields draft={draft} set={set} onState={choose} problemOf={problemOf} />
        <div className="panel-foot">
          <TestButtons channels={draft.channels} subject={draft.subject} text={draft.text} button={draft.button} />
        </div>
      </div>
      {conflict && (
        <ConflictDialog title="Alguien más cambió este mensaje" {...conflict}>
          <VersionsTable mergesRest fields={differingFields(conflict.theirs, conflict.mine, valueTexts)} />
        </ConflictDialog>
      )}
      <ConfirmDialog
        open={removing}
        yes="Sí, eliminar"
        no="No, conservar"
        onClose={() => setRemoving(false)}
        onConfirm={() => (automation ? remove.mutateAsync(automation.automation_id).catch(() => undefined) : undefined)}
      >
        ¿Quieres eliminar el mensaje “{automation?.subject}”? Lo que ya salió queda en las difusiones.
      </ConfirmDialog>
    </Drawer>
  )
}

const valueTexts = (draft: AutomationDraft) => ({
  Encendido: draft.enabled ? 'Sí' : 'No',
  'Si alguien pasa a': customerStateLabels[draft.customer_state],
  'Por dónde': draft.channels.map((channel) => messageChannelLabels[channel]).join(', '),
  Asunto: draft.subject,
  Mensaje: draft.text,
  Botón: BROADCAST_BUTTON_NAMES[draft.button],
  'Sale a las': `${draft.hour}:00`,
  'Días antes de mandárselo otra vez': draft.again,
})

interface AutomationFieldsProps {
  draft: AutomationDraft
  set: SetField
  onState: (state: CustomerState) => void
  problemOf: (key: keyof ReturnType<typeof automationProblems>) => string | undefined
}

/** The fields of an automation: state, channels, text, hour and frequency. */
function AutomationFields({ draft, set, onState, problemOf }: AutomationFieldsProps) {
  return (
    <>
      <Switch checked={draft.enabled} onChange={(event) => set('enabled', event.currentTarget.checked)}>
        Encendido
      </Switch>
      <Select
        label="Si alguien pasa a"
        hint="Solo cuenta quien cambie desde que lo enciendes, y sigue así cuando sale el mensaje."
        value={draft.customer_state}
        onChange={(event) => onState(event.currentTarget.value as CustomerState)}
      >
        {CUSTOMER_STATES.map((state) => (
          <option key={state} value={state}>
            {customerStateLabels[state]}
          </option>
        ))}
      </Select>
      <fieldset className="broadcast-group">
        <legend className="field-label">Por dónde</legend>
        {BROADCAST_CHANNELS.map((channel) => (
          <Checkbox
            key={channel}
            checked={draft.channels.includes(channel)}
            onChange={({ currentTarget: { checked: on } }) =>
              set(
                'channels',
                BROADCAST_CHANNELS.filter((broadcastChannel) =>
                  broadcastChannel === channel ? on : draft.channels.includes(broadcastChannel),
                ),
              )
            }
          >
            {messageChannelLabels[channel]}
          </Checkbox>
        ))}
        {problemOf('channels') && <p className="field-error">{problemOf('channels')}</p>}
        <p className="small muted">
          Es una promoción: por correo y WhatsApp solo llega a quien las aceptó, y cuenta para el límite de la semana.
        </p>
      </fieldset>
      <TextField
        label="Asunto"
        maxLength={150}
        autoComplete="off"
        error={problemOf('subject')}
        value={draft.subject}
        onChange={(event) => set('subject', event.currentTarget.value)}
      />
      <VariableField
        label="Mensaje"
        max={draft.channels.includes('whatsapp') ? BROADCAST_WHATSAPP_MAX : BROADCAST_TEXT_MAX}
        error={problemOf('text')}
        variables={BROADCAST_VARIABLES}
        value={draft.text}
        onChange={(text) => set('text', text)}
      />
      <Select label="Botón" value={draft.button} onChange={(event) => set('button', event.currentTarget.value as BroadcastButton)}>
        {Object.entries(BROADCAST_BUTTON_NAMES).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <Select label="Sale a las" value={String(draft.hour)} onChange={(event) => set('hour', Number(event.currentTarget.value))}>
        {HOURS.map((hour) => (
          <option key={hour} value={hour}>
            {hour}:00
          </option>
        ))}
      </Select>
      <TextField
        label="Días antes de mandárselo otra vez a la misma persona"
        inputMode="numeric"
        maxLength={3}
        autoComplete="off"
        error={problemOf('again')}
        value={draft.again}
        onChange={(event) => set('again', event.currentTarget.value)}
      />
    </>
  )
}
