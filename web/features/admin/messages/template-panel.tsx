import '#web/ui/chip.css'
import '#web/features/admin/frame/record-editor.css'
import { IconLock } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Channel } from '#contract/channels.ts'
import { messageChannelLabels, messageChannelPhrases, messageEventLabels } from '#contract/copy/message-log.ts'
import { type EventTemplates, type MessageTemplate, TEMPLATE_SUBJECT_MAX, TEMPLATE_TEXT_MAX } from '#contract/message-templates.ts'
import { formatInstant } from '#contract/time.ts'
import { fieldErrors } from '#web/features/admin/frame/issues.ts'
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
import { Select, TextArea, TextField } from '#web/ui/field.tsx'
import { APPROVAL_NAMES, filledSample, withVariable } from './template-draft.ts'
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
  const template = channels.find((one) => one.channel === channel)
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
          options={channels.map((one) => ({ value: one.channel, label: messageChannelLabels[one.channel] }))}
          value={channel}
          onChange={leave}
        />
        {template && (
          <TextEditor
            key={`${channel} ${template.updatedAt}`}
            event={event}
            template={template}
            isWhatsAppConnected={isWhatsAppConnected}
            onDirty={setIsChanged}
          />
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

interface TextEditorProps {
  event: EventTemplates['event']
  template: MessageTemplate
  isWhatsAppConnected: boolean
  onDirty: (isChanged: boolean) => void
}

function TextEditor({ event, template, isWhatsAppConnected, onDirty }: TextEditorProps) {
  const { zone } = useSite()
  const client = useQueryClient()
  const { channel, approval } = template
  const [subject, setSubject] = useState(template.subject)
  const [text, setText] = useState(template.text)
  const [sampleIndex, setSampleIndex] = useState(0)
  const area = useRef<HTMLTextAreaElement>(null)
  const samples = useQuery(queries.messageTemplates.samples.queryOptions({ input: { event }, meta: { handled: true } })).data
  const sample = samples?.samples[sampleIndex] ?? samples?.samples[0]
  const isWhatsApp = channel === 'whatsapp'
  const set = (next: { subject?: string; text?: string }) => {
    const now = { subject, text, ...next }
    setSubject(now.subject)
    setText(now.text)
    onDirty(now.subject !== template.subject || now.text !== template.text)
  }
  const changed = {
    ...(subject === template.subject ? {} : { subject }),
    ...(text === template.text ? {} : { text }),
  }
  const isChanged = Object.keys(changed).length > 0
  const save = useMutation({
    meta: { handled: true },
    mutationFn: (change: { subject?: string; text?: string; enabled?: boolean }) =>
      api.messageTemplates.change({ event, channel, ...change, ...('enabled' in change ? {} : { if_updatedAt: template.updatedAt }) }),
    async onSuccess(_, change) {
      if (!('enabled' in change)) onDirty(false)
      await client.invalidateQueries({ queryKey: queries.messageTemplates.key() })
      showAlert('success', 'Guardado.')
    },
  })
  const test = useMutation({
    meta: { handled: true },
    mutationFn: () => api.messageTemplates.test({ event, channel, ...(isWhatsApp ? {} : { subject }), text }),
    onSuccess: ({ to }) => showAlert('success', `Prueba enviada a ${to}.`),
    onError: (error) => showAlert('alert', toFailure(error).message),
  })
  const refused = save.error ? toFailure(save.error) : null
  const issues = fieldErrors(refused)
  const insert = (key: string) => {
    const field = area.current
    const at = { start: field?.selectionStart ?? text.length, end: field?.selectionEnd ?? text.length }
    const next = withVariable(text, at, key)
    set({ text: next.text })
    requestAnimationFrame(() => {
      field?.focus()
      field?.setSelectionRange(next.cursor, next.cursor)
    })
  }
  // By WhatsApp the whole usual text is no variable: it is the template.
  const variables = (samples?.variables ?? []).filter(({ key }) => key !== 'asunto' && !(isWhatsApp && key === 'detalles'))
  const isReadOnly = isWhatsApp && !isWhatsAppConnected
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
          disabled={save.isPending}
          hint={`De costumbre ${template.default_enabled ? 'sale' : 'no sale'} por este medio.`}
          onChange={(changedTo) => save.mutate({ enabled: changedTo.currentTarget.checked })}
        >
          Sale {messageChannelPhrases[channel]}
        </Switch>
      )}
      {approval && (
        <div>
          <Badge tone={APPROVAL_NAMES[approval.status].tone}>{APPROVAL_NAMES[approval.status].label}</Badge>
          {approval.reason && <p className="small muted">{approval.reason}</p>}
          {!approval.is_live && <p className="small muted">Mientras tanto sale el último texto aprobado, o el de costumbre.</p>}
        </div>
      )}
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
          label={channel === 'mail' ? 'Asunto' : 'Título'}
          maxLength={TEMPLATE_SUBJECT_MAX}
          autoComplete="off"
          error={issues.subject}
          value={subject}
          onChange={(typed) => set({ subject: typed.currentTarget.value })}
        />
      )}
      <TextArea
        label="Texto"
        rows={7}
        maxLength={TEMPLATE_TEXT_MAX}
        readOnly={isReadOnly}
        error={issues.text}
        hint={isWhatsApp ? 'Un texto nuevo lo revisa WhatsApp antes de salir.' : 'Los enlaces, botones y la letra chica se quedan.'}
        ref={area}
        value={text}
        onChange={(typed) => set({ text: typed.currentTarget.value })}
      />
      {!isReadOnly && (
        <fieldset className="record-group">
          <legend className="field-label">Poner un dato</legend>
          <div className="template-variables">
            {variables.map(({ key, label }) => (
              <button key={key} type="button" className="chip" onClick={() => insert(key)}>
                {label}
              </button>
            ))}
          </div>
        </fieldset>
      )}
      {sample && (
        <section className="message-text-card" aria-label="Así se lee">
          {samples && samples.samples.length > 1 ? (
            <Select
              label="Con los datos de"
              value={String(sampleIndex)}
              onChange={(chosen) => setSampleIndex(Number(chosen.currentTarget.value))}
            >
              {samples.samples.map(({ name }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: several people may have the same name
                <option key={at} value={at}>
                  {name}
                </option>
              ))}
            </Select>
          ) : (
            <p className="small muted">Con los datos de {sample.name}</p>
          )}
          {!isWhatsApp && <p className="strong">{filledSample(subject || template.default_subject, sample)}</p>}
          <p className="sent-text">{filledSample(text || template.default_text, sample)}</p>
        </section>
      )}
      {template.updatedAt && (
        <p className="small muted">
          {[template.updated_by, formatInstant(new Date(template.updatedAt), zone, 'class')].filter(Boolean).join(' · ')}
        </p>
      )}
      <div className="panel-foot">
        {template.is_own && (
          <Button variant="quiet" onClick={() => save.mutate({ subject: '', text: '' })}>
            Volver al de costumbre
          </Button>
        )}
        <Button variant="outline" loading={test.isPending} onClick={() => test.mutate()}>
          Mandarme una prueba
        </Button>
        <Button
          loading={save.isPending}
          reason={isChanged ? null : 'No has cambiado nada.'}
          onClick={() => isChanged && !isReadOnly && save.mutate(changed)}
        >
          Guardar
        </Button>
      </div>
    </>
  )
}
