import { useState } from 'react'
import { ruleSentence } from '#web/features/admin/settings/rule-sentences.ts'
import { api } from '#web/lib/api.ts'
import { Switch } from '#web/ui/choice.tsx'
import { Select } from '#web/ui/field.tsx'
import { StepForm, useStepDraft } from './step-form.tsx'
import { StepSkeleton } from './step-parts.tsx'
import { type SettingValues, useSettingValues } from './use-settings.ts'

interface RulesDraft {
  hours: string
  waitlist: boolean
  guests: boolean
}

const HOURS = [2, 4, 6, 8, 12, 24]
const NEVER = 'no'

/** Reglas: until when a reservation is cancelled, what happens when a class is full, and guests. */
export default function RulesStep() {
  const values = useSettingValues()
  return values ? <RulesForm values={values} /> : <StepSkeleton />
}

function RulesForm({ values }: { values: SettingValues }) {
  const draft = useStepDraft<RulesDraft>('rules')
  const stored =
    values.cancel_timeframe_unit === 'hours' && typeof values.cancel_timeframe_value === 'number' ? values.cancel_timeframe_value : 12
  const [hours, setHours] = useState(draft?.hours ?? (values.allow_cancel_reservations === false ? NEVER : String(stored)))
  const [waitlist, setWaitlist] = useState(draft?.waitlist ?? true)
  const [guests, setGuests] = useState(draft?.guests ?? values.allow_class_guests === true)
  const chosen = {
    allow_cancel_reservations: hours !== NEVER,
    cancel_timeframe_value: hours === NEVER ? null : Number(hours),
    cancel_timeframe_unit: 'hours',
    waitlist_enabled: waitlist,
    allow_class_guests: guests,
  }
  const options = [...new Set([...HOURS, stored])].sort((a, b) => a - b)
  return (
    <StepForm
      title="Tres reglas"
      about="Tus clientes las leen antes de reservar. Hay más en Ajustes cuando las necesites."
      draft={{ hours, waitlist, guests }}
      onSubmit={async () => {
        // Saved in any case, also where nothing differs: the step is done when this was decided.
        await api.content.changeSettings({ settings: Object.entries(chosen).map(([key, value]) => ({ key, value })) })
        return {}
      }}
    >
      <div className="steps-group">
        <Select
          label="¿Hasta cuándo se puede cancelar sin perder el crédito?"
          value={hours}
          onChange={(event) => setHours(event.currentTarget.value)}
        >
          {options.map((count) => (
            <option key={count} value={count}>
              Hasta {count} horas antes
            </option>
          ))}
          <option value={NEVER}>No se puede cancelar</option>
        </Select>
        <p className="steps-rule" role="status">
          {ruleSentence('reservas', 'Cancelar', { ...values, ...chosen })}
        </p>
      </div>
      <div className="steps-group">
        <Switch checked={waitlist} onChange={(event) => setWaitlist(event.currentTarget.checked)}>
          Lista de espera cuando una clase se llena
        </Switch>
        <p className="steps-rule" role="status">
          {ruleSentence('espera', 'Lista de espera', { ...values, ...chosen })}
        </p>
      </div>
      <div className="steps-group">
        <Switch checked={guests} onChange={(event) => setGuests(event.currentTarget.checked)}>
          Se puede llevar a un invitado
        </Switch>
        <p className="steps-rule" role="status">
          {guests
            ? 'Con esto: quien reserva puede apartar un lugar más, que usa un crédito más.'
            : 'Con esto: cada quien reserva su propio lugar.'}
        </p>
      </div>
    </StepForm>
  )
}
