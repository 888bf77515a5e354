import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useId } from 'react'
import type { ClassType, Location } from '#contract/catalogue.ts'
import type { AllowedTime } from '#contract/credits.ts'
import type { PeriodUnit } from '#contract/time.ts'
import { PictureField } from '#web/features/admin/catalogue/picture-field.tsx'
import { RecordPart } from '#web/features/admin/frame/record-editor.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Switch } from '#web/ui/choice.tsx'
import { Select, TextArea, TextField } from '#web/ui/field.tsx'
import { FieldError } from '#web/ui/field-error.tsx'
import { DownloadField } from './download-field.tsx'
import {
  asKind,
  type DraftType,
  EXEMPT,
  hasClasses,
  isForRooms,
  mayBeUnlimited,
  mayRenew,
  PACKAGE_KINDS,
  type PackageDraft,
  type PackageKind,
} from './package-draft.ts'
import '#web/ui/chip.css'

interface PackageFormProps {
  draft: PackageDraft
  /** the package as it is stored; of a new one as it began */
  stored: PackageDraft | null
  /** by field, once they are to be shown */
  problems: Partial<Record<keyof PackageDraft, string>>
  locations: readonly Location[]
  types: readonly ClassType[]
  /** the name of the stored file for buyers; null: none */
  downloadName: string | null
  onChange: (draft: PackageDraft) => void
}

const UNIT_OPTIONS: readonly { value: PeriodUnit; label: string }[] = [
  { value: 'day', label: 'Días' },
  { value: 'month', label: 'Meses' },
  { value: 'year', label: 'Años' },
]

/** The fields of a package; those that do not apply to its kind are not there. */
export function PackageForm(props: PackageFormProps) {
  const { draft, stored, problems, onChange } = props
  const set = (change: Partial<PackageDraft>) => onChange({ ...draft, ...change })
  const part: PartProps = {
    ...props,
    set,
    before: (key, unit = '') =>
      stored && stored[key] !== draft[key] && typeof stored[key] === 'string' && stored[key] !== ''
        ? `Antes ${stored[key]}${unit}`
        : undefined,
    field: (key) => ({
      value: String(draft[key] ?? ''),
      error: problems[key],
      onChange: (event) => set({ [key]: event.currentTarget.value }),
    }),
  }
  return (
    <>
      <DescriptionPart {...part} />
      <PricePart {...part} />
      {hasClasses(draft) && <ExpiryPart {...part} />}
      {isForRooms(draft) && <UsePart {...part} />}
      <VisibilityPart {...part} />
    </>
  )
}

interface PartProps extends PackageFormProps {
  set: (change: Partial<PackageDraft>) => void
  /** "Antes 60": what a changed field had. */
  before: (key: keyof PackageDraft, unit?: string) => string | undefined
  /** the properties of a text field */
  field: (key: keyof PackageDraft) => {
    value: string
    error: string | undefined
    onChange: (event: { currentTarget: { value: string } }) => void
  }
}

/** Whether it renews now: a package that renews, of a kind that may. */
const isRenewing = (draft: PackageDraft): boolean => draft.renews && mayRenew(draft)

/** What it is: kind, name, texts, and how many classes it has. */
function DescriptionPart({ draft, set, before, field, onChange }: PartProps) {
  const unlimited = draft.kind === 'unlimited' || (draft.unlimited && mayBeUnlimited(draft))
  return (
    <RecordPart title="Qué es">
      <KindField value={draft.kind} onChange={(kind) => onChange(asKind(draft, kind))} />
      <TextField label="Nombre" maxLength={120} {...field('title')} />
      <TextField label="Frase" optional hint="Va debajo del número de clases." maxLength={300} {...field('short_description')} />
      <TextArea
        label="Descripción"
        optional
        hint={draft.has_markup ? 'Tiene formato: se escribe en HTML.' : undefined}
        rows={3}
        maxLength={20_000}
        {...field('description')}
      />
      {mayBeUnlimited(draft) && (
        <Switch checked={draft.unlimited} onChange={(event) => set({ unlimited: event.currentTarget.checked })}>
          Clases sin límite
        </Switch>
      )}
      <div className="record-pair">
        {hasClasses(draft) && !unlimited && (
          <TextField label="Clases" inputMode="numeric" {...field('class_amount')} hint={before('class_amount')} />
        )}
        <TextField
          label="Máximo por persona"
          optional
          inputMode="numeric"
          {...field('limit_per_customer')}
          hint={before('limit_per_customer') ?? 'Vacío: las veces que quiera.'}
        />
        <TextField label="Cuántos se venden en total" optional inputMode="numeric" {...field('capacity')} hint="Vacío: sin límite." />
      </div>
    </RecordPart>
  )
}

/** What it costs, its tax, and how it renews. */
function PricePart({ draft, set, before, field }: PartProps) {
  return (
    <RecordPart title="Precio">
      <div className="record-pair">
        <TextField
          label="Precio"
          inputMode="decimal"
          before={<span className="muted">$</span>}
          {...field('price')}
          hint={before('price')}
        />
        <TextField
          label="Precio de oferta"
          optional
          inputMode="decimal"
          before={<span className="muted">$</span>}
          {...field('sale_price')}
          hint={before('sale_price') ?? 'El precio se ve tachado, con Oferta.'}
        />
        <Select
          label="IVA"
          optional
          hint="Incluido en el precio."
          value={draft.tax_rate}
          onChange={(event) => set({ tax_rate: event.currentTarget.value })}
        >
          <option value="">El de la sucursal o de Ajustes</option>
          <option value={EXEMPT}>Exento</option>
          {[...new Set(['16', '8', '0', draft.tax_rate].filter((rate) => rate && rate !== EXEMPT))].map((rate) => (
            <option key={rate} value={rate}>
              {rate} %
            </option>
          ))}
        </Select>
        <TextField
          label="Clave del SAT"
          optional
          inputMode="numeric"
          maxLength={8}
          hint="Ocho dígitos; para facturar."
          {...field('sat_key')}
        />
      </div>
      {draft.kind !== 'membership' && mayRenew(draft) && (
        <Switch
          checked={draft.renews}
          hint="Se cobra otra vez en cada periodo hasta que se cancela."
          onChange={(event) => set({ renews: event.currentTarget.checked })}
        >
          Se renueva
        </Switch>
      )}
      {isRenewing(draft) && (
        <div className="record-pair">
          <TextField label="Se cobra cada" inputMode="numeric" {...field('subscription_interval')} />
          <Unit label="Periodo" value={draft.subscription_period} onChange={(subscription_period) => set({ subscription_period })} />
          <TextField label="Prueba gratis" optional inputMode="numeric" hint="Vacío: sin prueba." {...field('free_trial_length')} />
          <Unit label="Unidad de la prueba" value={draft.free_trial_period} onChange={(free_trial_period) => set({ free_trial_period })} />
        </div>
      )}
    </RecordPart>
  )
}

/** When its classes expire. */
function ExpiryPart({ draft, set, before, field }: PartProps) {
  return (
    <RecordPart title="Vigencia">
      <div className="record-pair">
        <TextField
          label="Vence en"
          inputMode="numeric"
          after={<span className="muted">días</span>}
          {...field('expiration_days')}
          hint={before('expiration_days', ' días')}
        />
        {!isRenewing(draft) && (
          <Select
            label="Desde"
            value={draft.clock_starts}
            hint={draft.clock_starts === 'first_class' ? 'Si no la usa, vence un año después de comprar.' : undefined}
            onChange={(event) => set({ clock_starts: event.currentTarget.value === 'first_class' ? 'first_class' : 'purchase' })}
          >
            <option value="purchase">La compra</option>
            <option value="first_class">La primera clase</option>
          </Select>
        )}
      </div>
    </RecordPart>
  )
}

/** Where, for which classes and when it can be used. */
function UsePart({ draft, problems, locations, types, set }: PartProps) {
  return (
    <RecordPart title="Para qué sirve">
      {locations.length > 1 && (
        <LocationsField
          value={draft.location_ids}
          locations={locations}
          error={problems.location_ids}
          onChange={(location_ids) => set({ location_ids })}
        />
      )}
      <TypesField value={draft.types} types={types} error={problems.types} onChange={(next) => set({ types: next })} />
      <TimesField value={draft.allowed_times} error={problems.allowed_times} onChange={(allowed_times) => set({ allowed_times })} />
      <Switch
        checked={draft.guests_use_credit}
        hint="Apagado: la persona invitada no gasta clases."
        onChange={(event) => set({ guests_use_credit: event.currentTarget.checked })}
      >
        Los invitados usan una clase
      </Switch>
    </RecordPart>
  )
}

/** Where it is offered. */
function VisibilityPart({ draft, stored, problems, downloadName, set }: PartProps) {
  return (
    <RecordPart title="Dónde se ve">
      <Switch
        checked={draft.available}
        hint="Visible para todas las personas."
        onChange={(event) => set({ available: event.currentTarget.checked })}
      >
        A la venta
      </Switch>
      <Switch checked={draft.is_home} onChange={(event) => set({ is_home: event.currentTarget.checked })}>
        En la portada
      </Switch>
      <Switch checked={draft.is_featured} onChange={(event) => set({ is_featured: event.currentTarget.checked })}>
        La más elegida
      </Switch>
      <PictureField label="Imagen" name="image" optional error={problems.image} value={draft.image} onChange={(image) => set({ image })} />
      <DownloadField
        error={problems.downloadable}
        value={draft.downloadable}
        name={stored?.downloadable === draft.downloadable ? downloadName : null}
        onChange={(downloadable) => set({ downloadable })}
      />
    </RecordPart>
  )
}

function KindField({ value, onChange }: { value: PackageKind; onChange: (kind: PackageKind) => void }) {
  const name = useId()
  return (
    <fieldset className="package-kinds">
      <legend className="sr-only">Qué se vende</legend>
      {Object.entries(PACKAGE_KINDS).map(([kind, label]) => (
        <label key={kind} className={`chip ${kind === value ? 'chip-on' : ''}`}>
          <input type="radio" className="sr-only" name={name} checked={kind === value} onChange={() => onChange(kind as PackageKind)} />
          {label}
        </label>
      ))}
    </fieldset>
  )
}

function Unit({ label, value, onChange }: { label: string; value: PeriodUnit; onChange: (value: PeriodUnit) => void }) {
  return (
    <Select label={label} value={value} onChange={(event) => onChange(event.currentTarget.value as PeriodUnit)}>
      {UNIT_OPTIONS.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </Select>
  )
}

interface ChoiceProps<V> {
  value: V
  error: string | undefined
  onChange: (value: V) => void
}

/** All studios, or some. */
function LocationsField({ value, locations, error, onChange }: ChoiceProps<readonly number[] | null> & { locations: readonly Location[] }) {
  const toggle = (location_id: number, on: boolean) =>
    onChange(on ? [...(value ?? []), location_id] : (value ?? []).filter((other) => other !== location_id))
  return (
    <fieldset className="record-group">
      <legend className="field-label">Estudios</legend>
      <Checkbox checked={value === null} onChange={(event) => onChange(event.currentTarget.checked ? null : [])}>
        Todos
      </Checkbox>
      {locations.map(({ location_id, name }) => (
        <Checkbox
          key={location_id}
          disabled={value === null}
          checked={value === null || value.includes(location_id)}
          onChange={(event) => toggle(location_id, event.currentTarget.checked)}
        >
          {name}
        </Checkbox>
      ))}
      {error && <FieldError>{error}</FieldError>}
    </fieldset>
  )
}

/** Every class type, or some, each with its own number of classes and days. */
function TypesField({ value, types, error, onChange }: ChoiceProps<readonly DraftType[]> & { types: readonly ClassType[] }) {
  const unused = types.filter(({ class_type_id }) => !value.some((draftType) => draftType.class_type_id === class_type_id))
  const change = (at: number, fields: Partial<DraftType>) =>
    onChange(value.map((draftType, index) => (index === at ? { ...draftType, ...fields } : draftType)))
  return (
    <fieldset className="record-group">
      <legend className="field-label">Clases</legend>
      {value.length === 0 && <p className="small muted">Sirve para todos los tipos de clase.</p>}
      {value.map((draftType, at) => {
        const name = types.find(({ class_type_id }) => class_type_id === draftType.class_type_id)?.name ?? 'este tipo'
        return (
          <div key={draftType.class_type_id} className="package-row">
            <Select
              label="Tipo"
              value={draftType.class_type_id}
              onChange={(event) => change(at, { class_type_id: Number(event.currentTarget.value) })}
            >
              {types
                .filter((type) => type.class_type_id === draftType.class_type_id || unused.includes(type))
                .map((type) => (
                  <option key={type.class_type_id} value={type.class_type_id}>
                    {type.name}
                  </option>
                ))}
            </Select>
            <TextField
              label={`Clases de ${name}`}
              inputMode="numeric"
              value={draftType.class_amount}
              onChange={(event) => change(at, { class_amount: event.currentTarget.value })}
            />
            <TextField
              label="Vencen en"
              inputMode="numeric"
              after={<span className="muted">días</span>}
              value={draftType.expiration_days}
              onChange={(event) => change(at, { expiration_days: event.currentTarget.value })}
            />
            <IconButton bare label={`Quitar ${name}`} onClick={() => onChange(value.filter((_, index) => index !== at))}>
              <IconTrash className="icon" aria-hidden="true" />
            </IconButton>
          </div>
        )
      })}
      {error && <FieldError>{error}</FieldError>}
      {unused[0] && (
        <Button
          variant="outline"
          size="small"
          icon={<IconPlus className="icon" aria-hidden="true" />}
          onClick={() => onChange([...value, { class_type_id: unused[0]?.class_type_id ?? 0, class_amount: '', expiration_days: '30' }])}
        >
          Solo para un tipo de clase
        </Button>
      )}
    </fieldset>
  )
}

const DAYS = [
  { day: 1, short: 'L', name: 'Lunes' },
  { day: 2, short: 'M', name: 'Martes' },
  { day: 3, short: 'X', name: 'Miércoles' },
  { day: 4, short: 'J', name: 'Jueves' },
  { day: 5, short: 'V', name: 'Viernes' },
  { day: 6, short: 'S', name: 'Sábado' },
  { day: 7, short: 'D', name: 'Domingo' },
]

/** Any hour, or some hours of some days. */
function TimesField({ value, error, onChange }: ChoiceProps<readonly AllowedTime[]>) {
  const change = (at: number, fields: Partial<AllowedTime>) =>
    onChange(value.map((slot, index) => (index === at ? { ...slot, ...fields } : slot)))
  return (
    <fieldset className="record-group">
      <legend className="field-label">Horarios</legend>
      {value.length === 0 && <p className="small muted">Sirve a cualquier hora.</p>}
      {value.map((slot, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity of their own, and are only added at the end
        <div key={at} className="package-row">
          <fieldset className="package-days">
            <legend className="field-label">Días</legend>
            {DAYS.map(({ day, short, name }) => (
              <label key={day} className={`chip ${slot.days.includes(day) ? 'chip-on' : ''}`}>
                <input
                  type="checkbox"
                  className="sr-only"
                  aria-label={name}
                  checked={slot.days.includes(day)}
                  onChange={(event) =>
                    change(at, {
                      days: event.currentTarget.checked ? [...slot.days, day].sort() : slot.days.filter((other) => other !== day),
                    })
                  }
                />
                <span aria-hidden="true">{short}</span>
              </label>
            ))}
          </fieldset>
          <TextField label="De" type="time" value={slot.from} onChange={(event) => change(at, { from: event.currentTarget.value })} />
          <TextField label="A" type="time" value={slot.to} onChange={(event) => change(at, { to: event.currentTarget.value })} />
          <IconButton bare label={`Quitar el horario ${at + 1}`} onClick={() => onChange(value.filter((_, index) => index !== at))}>
            <IconTrash className="icon" aria-hidden="true" />
          </IconButton>
        </div>
      ))}
      {error && <FieldError>{error}</FieldError>}
      <Button
        variant="outline"
        size="small"
        icon={<IconPlus className="icon" aria-hidden="true" />}
        onClick={() => onChange([...value, { days: [1, 2, 3, 4, 5], from: '07:00', to: '12:00' }])}
      >
        Solo en un horario
      </Button>
    </fieldset>
  )
}
