import { useDelayed } from '#web/lib/use-delayed.ts'
import '#web/features/admin/frame/record-editor.css'
import '#web/features/admin/messages/messages.css'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { BROADCAST_TEXT_MAX, BROADCAST_WHATSAPP_MAX, type BroadcastAudience, type BroadcastButton } from '#contract/broadcasts.ts'
import { BROADCAST_CHANNELS, type BroadcastChannel } from '#contract/channels.ts'
import { messageChannelLabels } from '#contract/copy/message-log.ts'
import { addDays, formatWall, fromWallClock, localDate } from '#contract/time.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { LeaveGuard } from '#web/features/admin/frame/leave-guard.tsx'
import { LeftOutList } from '#web/features/admin/messages/broadcast-panel.tsx'
import { BROADCAST_BUTTON_NAMES, peopleCount, TEST_LABELS } from '#web/features/admin/messages/broadcast-text.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { failureOf } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useNow } from '#web/lib/use-now.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { Select, TextArea, TextField } from '#web/ui/field.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

export const handle: AdminHandle = { title: 'Mensaje nuevo', detail: true }

const PAUSE_MS = 500

type Group = 'segmento' | 'clase' | 'seleccion'

/** The people who were selected in the list of customers, as its menu hands them over. */
interface Selected {
  audience: BroadcastAudience
  count: number
}

/** A message to many: to whom, by what, what it says and when; beside it who gets it, who does not and why. */
export default function NewBroadcast() {
  const { zone, business_name } = useSite()
  const client = useQueryClient()
  const navigate = useNavigate()
  const now = new Date(useNow())
  const [address] = useSearchParams()
  const { state } = useLocation()
  const selected = state !== null && typeof state === 'object' && 'audience' in state ? (state as Selected) : null
  const [group, setGroup] = useState<Group>(selected ? 'seleccion' : address.get('clase') ? 'clase' : 'segmento')
  const [segment, setSegment] = useState(address.get('segmento') ?? '')
  const [cls, setCls] = useState(address.get('clase') ?? '')
  const [channels, setChannels] = useState<readonly BroadcastChannel[]>(['mail', 'app'])
  const [subject, setSubject] = useState('')
  const [text, setText] = useState('')
  const [button, setButton] = useState<BroadcastButton>('none')
  const [at, setAt] = useState('')
  const [checked, setChecked] = useState(false)
  const [confirming, setConfirming] = useState(false)
  const [left, setLeft] = useState(false)
  const segments = useQuery(queries.segments.all.queryOptions({ meta: { handled: true } })).data?.segments ?? []
  const start = localDate(now, zone)
  const week = useQuery({
    ...queries.schedule.week.queryOptions({ input: { start_date: start, end_date: addDays(start, 6) }, meta: { handled: true } }),
    enabled: group === 'clase',
  })
  const classes = (week.data?.days ?? []).flatMap(({ classes: ofDay }) => ofDay).filter((one) => one.state !== 'cancelled')
  const audiences: Readonly<Record<Group, BroadcastAudience | null>> = {
    seleccion: selected?.audience ?? null,
    segmento: segment ? { segment_id: Number(segment) } : null,
    clase: cls ? { single_class_id: Number(cls) } : null,
  }
  const audience = audiences[group]
  const words = { subject: subject.trim(), text: text.trim(), button }
  const longest = channels.includes('whatsapp') ? BROADCAST_WHATSAPP_MAX : BROADCAST_TEXT_MAX
  const problems: Partial<Record<'audience' | 'channels' | 'subject' | 'text' | 'at', string>> = {
    ...(audience ? {} : { audience: group === 'segmento' ? 'Elige un segmento.' : 'Elige una clase.' }),
    ...(channels.length ? {} : { channels: 'Elige por dónde.' }),
    ...(words.subject ? {} : { subject: 'Escribe el asunto.' }),
    ...(words.text
      ? words.text.length > longest
        ? { text: `Por WhatsApp caben ${longest} caracteres; llevas ${words.text.length}.` }
        : {}
      : { text: 'Escribe el mensaje.' }),
    ...(at && fromWallClock(new Date(`${at}:00.000Z`), zone) <= now ? { at: 'Esa hora ya pasó.' } : {}),
  }
  const problemOf = (key: keyof typeof problems) => (checked ? problems[key] : undefined)
  // Counting does not depend on the words.
  const counted = useDelayed(JSON.stringify(audience && channels.length ? { audience, channels } : null), PAUSE_MS)
  const reachInput = JSON.parse(counted) as { audience: BroadcastAudience; channels: BroadcastChannel[] } | null
  const reach = useQuery({
    ...queries.broadcasts.create.queryOptions({
      input: { ...(reachInput ?? { audience: {}, channels: [] }), subject: 'x', text: 'x', dry_run: true },
      meta: { handled: true },
    }),
    enabled: reachInput !== null,
    placeholderData: keepPreviousData,
  })
  const preview = reachInput ? reach.data?.preview : null
  const send = useIdempotentMutation(api.broadcasts.create, {
    async onSuccess() {
      setLeft(true)
      showAlert('success', at ? 'Mensaje programado.' : 'Mensaje enviándose.')
      await client.invalidateQueries({ queryKey: queries.broadcasts.key() })
      setTimeout(() => void navigate(adminPaths.broadcasts), 0)
    },
    onError: () => setConfirming(false),
  })
  const test = useMutation({
    meta: { handled: true },
    mutationFn: (channel: BroadcastChannel) => api.broadcasts.test({ channel, ...words }),
    onSuccess: ({ to }) => showAlert('success', `Prueba enviada a ${to}.`),
    onError: (error) => showAlert('alert', failureOf(error).message),
  })
  const submit = () => {
    setChecked(true)
    if (Object.keys(problems).length > 0) showAlert('alert', 'Revisa los campos marcados.')
    else setConfirming(true)
  }
  const hasWords = subject !== '' || text !== ''
  const shown = (written: string) => written.replace(/\{\{\s*nombre\s*\}\}/g, 'Ana Sofía').replace(/\{\{\s*negocio\s*\}\}/g, business_name)
  return (
    <div className="record-editor">
      <div>
        <ScreenHead title="Mensaje nuevo" about="A muchos clientes a la vez. Las promociones solo llegan a quien las aceptó." />
        {send.error && (
          <Banner tone="danger" live>
            {failureOf(send.error).message}
          </Banner>
        )}
        <div className="record-fields">
          <Segmented
            label="A quiénes"
            options={[
              ...(selected ? [{ value: 'seleccion' as const, label: 'Tu selección' }] : []),
              { value: 'segmento', label: 'Un segmento' },
              { value: 'clase', label: 'Quienes vienen a una clase' },
            ]}
            value={group}
            onChange={setGroup}
          />
          {group === 'seleccion' ? (
            <p className="small">{peopleCount(selected?.count ?? 0)}, como estaban en la lista.</p>
          ) : group === 'segmento' ? (
            <Select
              label="Segmento"
              error={problemOf('audience')}
              hint={segments.length === 0 ? 'Guarda uno en Clientes, Segmentos.' : undefined}
              value={segment}
              onChange={(event) => setSegment(event.currentTarget.value)}
            >
              <option value="">Elige un segmento</option>
              {segments.map(({ segment_id, name, count }) => (
                <option key={segment_id} value={segment_id}>
                  {name} ({count.toLocaleString('es-MX')})
                </option>
              ))}
            </Select>
          ) : (
            <Select
              label="Clase de los próximos siete días"
              error={problemOf('audience')}
              hint="Llega a todos los que tienen lugar: no es una promoción."
              value={cls}
              onChange={(event) => setCls(event.currentTarget.value)}
            >
              <option value="">Elige una clase</option>
              {classes.map((one) => (
                <option key={one.single_class_id} value={one.single_class_id}>
                  {one.class_type.name}, {formatWall(one.class_date, 'class')}
                </option>
              ))}
            </Select>
          )}
          <fieldset className="record-group">
            <legend className="field-label">Por dónde</legend>
            {BROADCAST_CHANNELS.map((channel) => (
              <Checkbox
                key={channel}
                checked={channels.includes(channel)}
                onChange={({ currentTarget: { checked: on } }) =>
                  setChannels(BROADCAST_CHANNELS.filter((one) => (one === channel ? on : channels.includes(one))))
                }
              >
                {messageChannelLabels[channel]}
              </Checkbox>
            ))}
            {problemOf('channels') && <p className="field-error">{problemOf('channels')}</p>}
          </fieldset>
          <TextField
            label="Asunto"
            maxLength={150}
            autoComplete="off"
            error={problemOf('subject')}
            value={subject}
            onChange={(event) => setSubject(event.currentTarget.value)}
          />
          <TextArea
            label="Mensaje"
            rows={8}
            maxLength={BROADCAST_TEXT_MAX}
            hint={
              channels.includes('whatsapp')
                ? `{{nombre}} es el nombre de cada quien. Por WhatsApp caben ${BROADCAST_WHATSAPP_MAX} caracteres; llevas ${words.text.length}.`
                : '{{nombre}} es el nombre de cada quien, {{negocio}} el de tu estudio.'
            }
            error={problemOf('text')}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Select label="Botón" value={button} onChange={(event) => setButton(event.currentTarget.value as BroadcastButton)}>
            {Object.entries(BROADCAST_BUTTON_NAMES).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
          <TextField
            label="Cuándo sale"
            type="datetime-local"
            optional
            hint="Vacío: ahora. WhatsApp espera a que terminen las horas de silencio."
            error={problemOf('at')}
            value={at}
            onChange={(event) => setAt(event.currentTarget.value)}
          />
        </div>
        <div className="save-bar">
          <p className="small" role="status">
            {preview ? `Llega a ${peopleCount(preview.reached)} de ${preview.total.toLocaleString('es-MX')}.` : ' '}
          </p>
          {(words.subject && words.text ? channels : []).map((channel) => (
            <Button
              key={channel}
              variant="quiet"
              loading={test.isPending && test.variables === channel}
              onClick={() => test.mutate(channel)}
            >
              {TEST_LABELS[channel]}
            </Button>
          ))}
          <Button loading={send.isPending} onClick={submit}>
            {at ? 'Programar' : 'Enviar'}
          </Button>
        </div>
      </div>
      <aside className="record-aside" aria-label="A quiénes llega y cómo se ve">
        <section className="panel-card broadcast-reach" aria-label="A quiénes llega">
          <h2 className="t4">A quiénes llega</h2>
          {!reachInput ? (
            <p className="small muted">Elige a quiénes y por dónde.</p>
          ) : reach.isError ? (
            <p className="small">{failureOf(reach.error).message}</p>
          ) : preview ? (
            <>
              <p>
                <b>{peopleCount(preview.reached)}</b> de {preview.total.toLocaleString('es-MX')}
              </p>
              <ul>
                {preview.by_channel.map(({ channel, reached, without_consent, without_address }) => (
                  <li key={channel} className="small">
                    {messageChannelLabels[channel]}: {reached.toLocaleString('es-MX')}
                    <span className="muted">
                      {without_consent > 0 && ` · ${without_consent.toLocaleString('es-MX')} sin permiso`}
                      {without_address > 0 &&
                        ` · ${without_address.toLocaleString('es-MX')} sin ${channel === 'app' ? 'cuenta' : channel === 'mail' ? 'correo' : 'teléfono'}`}
                    </span>
                  </li>
                ))}
              </ul>
              <LeftOutList people={preview.left_out} counts={preview.left_out_by} />
            </>
          ) : (
            <Skeleton height="80px" />
          )}
        </section>
        <section className="message-text-card" aria-label="Así se lee">
          <p className="small muted">Así se lee</p>
          <p className="strong">{shown(words.subject) || 'Asunto'}</p>
          <p className="sent-text">{shown(words.text) || 'Tu mensaje.'}</p>
          {button !== 'none' && <p className="broadcast-button">{button === 'calendar' ? 'Reservar' : 'Ver paquetes'}</p>}
          {group !== 'clase' && <p className="small muted">Cada correo lleva un enlace para dejar las promociones.</p>}
        </section>
      </aside>
      <LeaveGuard when={hasWords && !left && !send.isPending} />
      <ConfirmDialog
        open={confirming}
        title={at ? 'Programar mensaje' : 'Enviar mensaje'}
        yes={at ? 'Sí, programar' : 'Sí, enviar'}
        no="No, seguir escribiendo"
        destructive={false}
        onClose={() => setConfirming(false)}
        onConfirm={() =>
          audience
            ? send
                .mutateAsync({
                  ...words,
                  audience,
                  channels: [...channels],
                  at: at ? fromWallClock(new Date(`${at}:00.000Z`), zone).toISOString() : null,
                })
                .catch(() => undefined)
            : undefined
        }
      >
        {preview
          ? `Le llega a ${peopleCount(preview.reached)}${preview.left_out_total ? `; a ${peopleCount(preview.left_out_total)} no` : ''}.`
          : 'Todavía no se ha contado a cuántas personas llega.'}{' '}
        {at ? 'Lo puedes detener o cancelar antes de que salga.' : 'Lo que sale no se puede recoger.'}
      </ConfirmDialog>
    </div>
  )
}
