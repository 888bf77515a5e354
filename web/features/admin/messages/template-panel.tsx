import '#web/ui/chip.css'
import '#web/features/admin/frame/record-editor.css'
import { IconLock } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Channel } from '#contract/channels.ts'
import { messageChannelLabels, messageChannelPhrases, messageEventLabels } from '#contract/copy/message-log.ts'
import { type EventTemplates, type MessageTemplate, TEMPLATE_SUBJECT_MAX, TEMPLATE_TEXT_MAX } from '#contract/message-templates.ts'
import { formatInstant } from '#contract/time.ts'
import { ConflictDialog, differingFields, VersionsTable } from '#web/features/admin/frame/conflict-dialog.tsx'
import { fieldErrors } from '#web/features/admin/frame/issues.ts'
import { useVersionedEdit } from '#web/features/admin/frame/use-versioned-edit.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Segmented, Switch } from '#web/ui/choice.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { Drawer } from '#web/ui/drawer.tsx'
import { Select, TextField } from '#web/ui/field.tsx'
import { APPROVAL_NAMES, filledSample } from './template-draft.ts'
import { VariableField } from './variable-field.tsx'
import './messages.css'

interface TemplatePanelProps {
  templates: EventTemplates
  isWhatsAppConnected: boolean
  onClose: () => void
}

/** One automatic message: whether each channel sends it and with which text, with the values of a real one. */
export function TemplatePanel({ templates: { event, channels }, isWhatsAppConnected, onClose }: TemplatePanelProps) {
  const [channel, setChannel] = useState<Channel>(channels.find(({ enabled }) => enabled)?.channel ?? 'mail')
  const [isChanged, setIsChanged] = useState(false)
  const [going, setGoing] = useState<Channel | 'close' | null>(null)
  const go = (to: Channel | 'close') => {
    setIsChanged(false)
    setGoing(null)
    if (to === 'close') onClose()
    else setChannel(to)
  }
  const leave = (to: Channel | 'close') => (isChanged ? setGoing(to) : go(to))
  const template = channels.find((option) => option.channel === channel)
  return (
    <Drawer
      open
      side="right"
      label={messageEventLabels[event]}
      closeLabel="Cerrar"
      onClose={() => leave('close')}
      head={<h2 className="t3">{messageEventLabels[event]}</h2>}
    >
      <div className="record-panel">
        <Segmented
          label="Por dónde"
          options={channels.map((channel) => ({ value: channel.channel, label: messageChannelLabels[channel.channel] }))}
          value={channel}
          onChange={leave}
        />
        {template && (
          <TextEditor key={channel} event={event} template={template} isWhatsAppConnected={isWhatsAppConnected} onDirty={setIsChanged} />
        )}
      </div>
      <ConfirmDialog
        open={going !== null}
        yes="Salir sin guardar"
        no="Seguir aquí"
        onClose={() => setGoing(null)}
        onConfirm={async () => going && go(going)}
      >
        Hay cambios sin guardar. ¿Quieres salir y perderlos?
      </ConfirmDialog>
    </Drawer>
  )
}

type TextDraft = Pick<MessageTemplate, 'subject' | 'text'>

const toDraft = ({ subject, text }: MessageTemplate): TextDraft => ({ subject, text })
const subjectLabel = (channel: Channel) => (channel === 'mail' ? 'Asunto' : 'Título')

interface TextEditorProps {
  event: EventTemplates['event']
  template: MessageTemplate
  isWhatsAppConnected: boolean
  onDirty: (isChanged: boolean) => void
}

/** The edit of a message's text for one channel: what is typed, its requests, and the values that it is shown with. */
function useTextEdit({ event, template, onDirty }: Omit<TextEditorProps, 'isWhatsAppConnected'>) {
  const client = useQueryClient()
  const { channel } = template
  const isWhatsApp = channel === 'whatsapp'
  const reload = () => client.invalidateQueries({ queryKey: queries.messageTemplates.key() })
  const edit = useVersionedEdit({
    stored: template,
    toDraft,
    start: toDraft(template),
    reload,
    follows: true,
    send: (typed: TextDraft, from: MessageTemplate | null) =>
      api.messageTemplates.change({
        event,
        channel,
        if_updatedAt: from?.updatedAt,
        ...(typed.subject === from?.subject ? {} : { subject: typed.subject }),
        ...(typed.text === from?.text ? {} : { text: typed.text }),
      }),
    async onSaved(saved) {
      edit.follow(saved.template)
      await reload()
      showAlert('success', 'Guardado.')
    },
  })
  const { draft, isChanged } = edit
  const { subject, text } = draft
  useEffect(() => onDirty(isChanged), [onDirty, isChanged])
  const samples = useQuery(queries.messageTemplates.samples.queryOptions({ input: { event }, meta: { handled: true } })).data
  const set = (next: Partial<TextDraft>) => edit.setDraft((current) => ({ ...current, ...next }))
  const enable = useMutation({
    meta: { handled: true },
    mutationFn: (enabled: boolean) => api.messageTemplates.change({ event, channel, enabled }),
    async onSuccess(saved) {
      edit.rebase(saved.template)
      await reload()
      showAlert('success', 'Guardado.')
    },
  })
  const test = useMutation({
    meta: { handled: true },
    mutationFn: () => api.messageTemplates.test({ event, channel, ...(isWhatsApp ? {} : { subject }), text }),
    onSuccess: ({ to }) => showAlert('success', `Prueba enviada a ${to}.`),
    onError: (error) => showAlert('alert', toFailure(error).message),
  })
  const refused = edit.refusal ?? (enable.error ? toFailure(enable.error) : null)
  return {
    isWhatsApp,
    subject,
    text,
    set,
    edit,
    enable,
    test,
    refused,
    issues: fieldErrors(refused),
    samples: samples?.samples ?? [],
    // By WhatsApp the whole usual text is no variable: it is the template.
    variables: samples ? samples.variables.filter(({ key }) => key !== 'asunto' && !(isWhatsApp && key === 'detalles')) : null,
  }
}

function TextEditor({ event, template, isWhatsAppConnected, onDirty }: TextEditorProps) {
  const { zone } = useSite()
  const { channel } = template
  const shown = useTextEdit({ event, template, onDirty })
  const { isWhatsApp, subject, text, set, enable, test, refused, issues } = shown
  const { isChanged, isSaving, conflict } = shown.edit
  const isReadOnly = isWhatsApp && !isWhatsAppConnected
  return (
    <>
      <TemplateState template={template} isSaving={enable.isPending} onEnable={enable.mutate} />
      {refused && !issues.text && !issues.subject && (
        <Banner tone="danger" live>
          {refused.message}
        </Banner>
      )}
      {isReadOnly && (
        <Banner>
          La cuenta de WhatsApp no recibe textos desde aquí; salen los que tiene aprobados. Quien la configuró puede agregar el id de la
          cuenta de negocio.
        </Banner>
      )}
      {!isWhatsApp && (
        <TextField
          label={subjectLabel(channel)}
          maxLength={TEMPLATE_SUBJECT_MAX}
          autoComplete="off"
          error={issues.subject}
          value={subject}
          onChange={(typed) => set({ subject: typed.currentTarget.value })}
        />
      )}
      <VariableField
        label="Texto"
        max={TEMPLATE_TEXT_MAX}
        readOnly={isReadOnly}
        error={issues.text}
        hint={isWhatsApp ? 'Un texto nuevo lo revisa WhatsApp antes de salir.' : 'Los enlaces, botones y la letra chica se quedan.'}
        variables={shown.variables}
        value={text}
        onChange={(typed) => set({ text: typed })}
      />
      <FilledSample
        samples={shown.samples}
        subject={isWhatsApp ? null : subject || template.default_subject}
        text={text || template.default_text}
      />
      {template.updatedAt && (
        <p className="small muted">
          {[template.updated_by, formatInstant(new Date(template.updatedAt), zone, 'class')].filter(Boolean).join(' · ')}
        </p>
      )}
      <div className="panel-foot">
        {template.is_own && (
          <Button variant="quiet" onClick={() => shown.edit.saveAs({ subject: '', text: '' })}>
            Volver al de costumbre
          </Button>
        )}
        <Button variant="outline" loading={test.isPending} onClick={() => test.mutate()}>
          Mandarme una prueba
        </Button>
        <Button loading={isSaving} reason={isChanged ? null : 'Sin cambios.'} onClick={() => isChanged && !isReadOnly && shown.edit.save()}>
          Guardar
        </Button>
      </div>
      {conflict && (
        <ConflictDialog title="Alguien más cambió este mensaje" {...conflict}>
          <VersionsTable
            fields={differingFields(conflict.theirs, conflict.mine, (draft) => ({
              ...(isWhatsApp ? {} : { [subjectLabel(channel)]: draft.subject || template.default_subject }),
              Texto: draft.text || template.default_text,
            }))}
            mergesRest
          />
        </ConflictDialog>
      )}
    </>
  )
}

/** Whether the message goes out by this channel, with the switch where it may be turned off, and whether WhatsApp approved its text. */
function TemplateState({
  template,
  isSaving,
  onEnable,
}: {
  template: MessageTemplate
  isSaving: boolean
  onEnable: (enabled: boolean) => void
}) {
  const { approval } = template
  return (
    <>
      {template.locked ? (
        <p>
          <Badge icon={<IconLock className="icon" aria-hidden="true" />}>Siempre</Badge>{' '}
          <span className="small muted">Trata del lugar, el dinero o la tarjeta de la persona: no se puede apagar.</span>
        </p>
      ) : (
        <Switch
          checked={template.enabled}
          disabled={isSaving}
          hint={`De costumbre ${template.default_enabled ? 'sale' : 'no sale'} por este medio.`}
          onChange={(changedTo) => onEnable(changedTo.currentTarget.checked)}
        >
          Sale {messageChannelPhrases[template.channel]}
        </Switch>
      )}
      {approval && (
        <div>
          <Badge tone={APPROVAL_NAMES[approval.status].tone}>{APPROVAL_NAMES[approval.status].label}</Badge>
          {approval.reason && <p className="small muted">{approval.reason}</p>}
          {!approval.is_live && <p className="small muted">Mientras tanto sale el último texto aprobado, o el de costumbre.</p>}
        </div>
      )}
    </>
  )
}

interface FilledSampleProps {
  samples: Awaited<ReturnType<typeof api.messageTemplates.samples>>['samples']
  /** null: the channel has no subject */
  subject: string | null
  text: string
}

/** The message as one of the latest recipients would read it. */
function FilledSample({ samples, subject, text }: FilledSampleProps) {
  const [sampleIndex, setSampleIndex] = useState(0)
  const sample = samples[sampleIndex] ?? samples[0]
  if (!sample) return null
  return (
    <section className="message-text-card" aria-label="Así se lee">
      {samples.length > 1 ? (
        <Select
          label="Con los datos de"
          value={String(sampleIndex)}
          onChange={(chosen) => setSampleIndex(Number(chosen.currentTarget.value))}
        >
          {samples.map(({ name }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: several people may have the same name
            <option key={at} value={at}>
              {name}
            </option>
          ))}
        </Select>
      ) : (
        <p className="small muted">Con los datos de {sample.name}</p>
      )}
      {subject !== null && <p className="strong">{filledSample(subject, sample)}</p>}
      <p className="sent-text">{filledSample(text, sample)}</p>
    </section>
  )
}
