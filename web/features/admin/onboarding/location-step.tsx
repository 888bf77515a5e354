import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, queries } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { TextArea, TextField } from '#web/ui/field.tsx'
import { StepForm, useStepDraft } from './step-form.tsx'
import { StepSkeleton } from './step-parts.tsx'
import type { StudioDraft } from './studio-draft.ts'
import { type SettingValues, saveSettings, useSettingValues } from './use-settings.ts'

interface LocationFields {
  location_id: number | null
  name: string
  address: string
  phone: string
  hours: string
}

const USUAL_HOURS = 'Lunes a viernes de 6:30 a 21:30.\nSábado y domingo de 8:30 a 14:00.'
const digits = (text: string): string => text.replace(/\D/g, '')

/** The text of the footer of pages: the address of the only location; the city of several. */
const footText = (locations: readonly LocationFields[], studio: StudioDraft | null): string =>
  (locations.length === 1 ? locations[0]?.address.trim().replace(/\s*\n\s*/g, ', ') : studio?.city) ?? ''

/** Dónde: the locations of the studio with address and hours. */
export default function LocationStep() {
  const stored = useQuery(queries.catalogue.admin.locations.all.queryOptions()).data?.locations
  const values = useSettingValues()
  if (!stored || !values) return <StepSkeleton />
  const locations = stored
    .filter(({ archived }) => !archived)
    .map(({ location_id, name, address, phone, hours }) => ({ location_id, name, address, phone: phone ?? '', hours: hours ?? '' }))
  return <LocationForm stored={locations} values={values} />
}

function LocationForm({ stored, values }: { stored: LocationFields[]; values: SettingValues }) {
  const studio = useStepDraft<StudioDraft>('studio')
  const draft = useStepDraft<{ locations: LocationFields[] }>('location')
  const empty = (name: string): LocationFields => ({ location_id: null, name, address: '', phone: '', hours: USUAL_HOURS })
  const [locations, setLocations] = useState<LocationFields[]>(
    draft?.locations ?? (stored.length > 0 ? stored : [empty(studio?.city ? `${studio.business_name} ${studio.city}` : 'Centro')]),
  )
  const change = (at: number, values: Partial<LocationFields>) =>
    setLocations((all) => all.map((locationFields, index) => (index === at ? { ...locationFields, ...values } : locationFields)))
  const bad = locations.find(({ name, address }) => !name.trim() || !address.trim())
  const problem = bad
    ? 'Escribe el nombre y la dirección de cada lugar.'
    : locations.some(({ phone }) => phone && digits(phone).length !== 10)
      ? 'El teléfono lleva diez dígitos.'
      : null
  return (
    <StepForm
      title="¿Dónde das clases?"
      about="Así te encuentran, y cada clase dice dónde es."
      draft={{ locations }}
      problem={problem}
      onSubmit={async () => {
        for (const { location_id, name, address, phone, hours } of locations) {
          const fields = { name: name.trim(), address: address.trim(), phone: digits(phone) || null, hours: hours.trim() || null }
          if (location_id === null) await api.catalogue.admin.locations.create({ location_id: 'nueva', ...fields })
          else await api.catalogue.admin.locations.update({ location_id, ...fields })
        }
        // Shown in the footer of every page, unless it has another text.
        const shown = values.location
        if (shown === '' || shown === footText(stored, studio)) await saveSettings(values, { location: footText(locations, studio) })
        return {}
      }}
    >
      {locations.map((location, at) => (
        <fieldset key={location.location_id ?? `nuevo-${at}`} className="steps-group">
          <legend className={locations.length > 1 ? 't4' : 'sr-only'}>{location.name || 'Otro lugar'}</legend>
          <TextField
            label="Cómo se llama este lugar"
            maxLength={120}
            value={location.name}
            onChange={(event) => change(at, { name: event.currentTarget.value })}
          />
          <TextField
            label="Dirección"
            maxLength={400}
            autoComplete="street-address"
            value={location.address}
            onChange={(event) => change(at, { address: event.currentTarget.value })}
          />
          <TextField
            label="Teléfono"
            optional
            type="tel"
            inputMode="tel"
            autoComplete="tel-national"
            value={location.phone}
            onChange={(event) => change(at, { phone: event.currentTarget.value })}
          />
          <TextArea
            label="Horario de apertura"
            optional
            rows={2}
            maxLength={600}
            value={location.hours}
            onChange={(event) => change(at, { hours: event.currentTarget.value })}
          />
          {location.location_id === null && locations.length > 1 && (
            <button type="button" className="link link-alone" onClick={() => setLocations(locations.filter((_, index) => index !== at))}>
              Quitar este lugar
            </button>
          )}
        </fieldset>
      ))}
      <Button variant="outline" size="small" className="steps-add" onClick={() => setLocations([...locations, empty('')])}>
        Agregar otro lugar
      </Button>
    </StepForm>
  )
}
