import { useQuery } from '@tanstack/react-query'
import { BROADCAST_TEXT_MAX, BROADCAST_WHATSAPP_MAX, type BroadcastButton } from '#contract/broadcasts.ts'
import { BROADCAST_CHANNELS } from '#contract/channels.ts'
import { messageChannelLabels } from '#contract/copy/message-log.ts'
import { addDays, formatWall, localDate } from '#contract/time.ts'
import { queries } from '#web/lib/api.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useNow } from '#web/lib/use-now.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import { Select, TextField } from '#web/ui/field.tsx'
import { BROADCAST_BUTTON_NAMES, BROADCAST_VARIABLES, peopleCount } from './broadcast-text.ts'
import type { BroadcastForm } from './use-broadcast-draft.ts'
import { VariableField } from './variable-field.tsx'

/** The fields of a broadcast: audience, channels, text and time. */
export function BroadcastFields({ form }: { form: BroadcastForm }) {
  const { draft, set, problemOf } = form
  return (
    <div className="record-fields">
      <AudienceFields form={form} />
      <fieldset className="record-group">
        <legend className="field-label">Por dónde</legend>
        {BROADCAST_CHANNELS.map((channel) => (
          <Checkbox
            key={channel}
            checked={draft.channels.includes(channel)}
            onChange={({ currentTarget: { checked: on } }) =>
              set({
                channels: BROADCAST_CHANNELS.filter((broadcastChannel) =>
                  broadcastChannel === channel ? on : draft.channels.includes(broadcastChannel),
                ),
              })
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
        value={draft.subject}
        onChange={(event) => set({ subject: event.currentTarget.value })}
      />
      <VariableField
        label="Mensaje"
        max={draft.channels.includes('whatsapp') ? BROADCAST_WHATSAPP_MAX : BROADCAST_TEXT_MAX}
        error={problemOf('text')}
        variables={BROADCAST_VARIABLES}
        value={draft.text}
        onChange={(text) => set({ text })}
      />
      <Select label="Botón" value={draft.button} onChange={(event) => set({ button: event.currentTarget.value as BroadcastButton })}>
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
        value={draft.at}
        onChange={(event) => set({ at: event.currentTarget.value })}
      />
    </div>
  )
}

function AudienceFields({ form: { draft, set, selected, problemOf } }: { form: BroadcastForm }) {
  return (
    <>
      <Segmented
        label="A quiénes"
        options={[
          ...(selected ? [{ value: 'seleccion' as const, label: 'Tu selección' }] : []),
          { value: 'segmento', label: 'Un segmento' },
          { value: 'clase', label: 'Quienes vienen a una clase' },
        ]}
        value={draft.source}
        onChange={(source) => set({ source })}
      />
      {draft.source === 'seleccion' ? (
        <p className="small">{peopleCount(selected?.count ?? 0)}, como estaban en la lista.</p>
      ) : draft.source === 'segmento' ? (
        <SegmentField error={problemOf('audience')} value={draft.segment} onChange={(segment) => set({ segment })} />
      ) : (
        <ClassField error={problemOf('audience')} value={draft.cls} onChange={(cls) => set({ cls })} />
      )}
    </>
  )
}

interface ChoiceProps {
  error: string | undefined
  /** the id as text, '' = none */
  value: string
  onChange: (value: string) => void
}

function SegmentField({ error, value, onChange }: ChoiceProps) {
  const segments = useQuery(queries.segments.all.queryOptions({ meta: { handled: true } })).data?.segments ?? []
  return (
    <Select
      label="Segmento"
      error={error}
      hint={segments.length === 0 ? 'Guarda uno en Clientes, Segmentos.' : undefined}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value="">Elige un segmento</option>
      {segments.map(({ segment_id, name, count }) => (
        <option key={segment_id} value={segment_id}>
          {name} ({count.toLocaleString('es-MX')})
        </option>
      ))}
    </Select>
  )
}

function ClassField({ error, value, onChange }: ChoiceProps) {
  const { zone } = useSite()
  const start = localDate(new Date(useNow()), zone)
  const week = useQuery(
    queries.schedule.week.queryOptions({ input: { start_date: start, end_date: addDays(start, 6) }, meta: { handled: true } }),
  )
  const classes = (week.data?.days ?? []).flatMap(({ classes: ofDay }) => ofDay).filter((cls) => cls.state !== 'cancelled')
  return (
    <Select
      label="Clase de los próximos siete días"
      error={error}
      hint="Llega a todos los que tienen lugar: no es una promoción."
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value="">Elige una clase</option>
      {classes.map((cls) => (
        <option key={cls.single_class_id} value={cls.single_class_id}>
          {cls.class_type.name}, {formatWall(cls.class_date, 'class')}
        </option>
      ))}
    </Select>
  )
}
