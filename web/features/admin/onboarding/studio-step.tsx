import '#web/features/admin/settings/settings.css'
import { useState } from 'react'
import type { Theme } from '#contract/color.ts'
import { GIROS, type Giro } from '#contract/onboarding.ts'
import { PictureField } from '#web/features/admin/catalogue/picture-field.tsx'
import { BRAND_PRESETS } from '#web/features/admin/settings/brand-presets.ts'
import PreviewPane from '#web/features/admin/settings/preview-pane.tsx'
import { api } from '#web/lib/api.ts'
import { fileUrl, useSite } from '#web/lib/settings.tsx'
import { TextField } from '#web/ui/field.tsx'
import { coloursOfLogo, type LogoColours } from './logo-colours.ts'
import { StepForm, useStepDraft } from './step-form.tsx'
import { StepSkeleton } from './step-parts.tsx'
import type { StudioDraft } from './studio-draft.ts'
import { type SettingValues, saveSettings, useSettingValues } from './use-settings.ts'

const THEME_KEYS = ['primary', 'accent', 'dark', 'gray', 'light', 'primary-light', 'theme_mode', 'theme_shape', 'theme_voice'] as const
const VOICES = [
  { value: 'ancha', label: 'Ancha', about: 'Serena y amplia' },
  { value: 'normal', label: 'Normal', about: 'Directa' },
  { value: 'condensada', label: 'Condensada', about: 'Fuerte' },
] as const
/** The name that a studio has before it has one. */
const NO_NAME = 'Estudio'
/** Side, in pixels, to which a logo is reduced before its colours are counted. */
const SAMPLE = 64

/** The pixels of a picture; null for one that the browser does not show or that is on another host. */
async function pixelsOf(src: string): Promise<Uint8ClampedArray | null> {
  const image = new Image()
  image.src = src
  try {
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = SAMPLE
    canvas.height = SAMPLE
    const context = canvas.getContext('2d')
    context?.drawImage(image, 0, 0, SAMPLE, SAMPLE)
    return context?.getImageData(0, 0, SAMPLE, SAMPLE).data ?? null
  } catch {
    return null
  }
}

/** Tu estudio: name, city, class types, logo and theme. */
export default function StudioStep() {
  const values = useSettingValues()
  return values ? <StudioForm values={values} /> : <StepSkeleton />
}

function StudioForm({ values }: { values: SettingValues }) {
  const site = useSite()
  const draft = useStepDraft<StudioDraft>('studio')
  const stored = Object.fromEntries(THEME_KEYS.map((key) => [key, values[key]])) as unknown as Theme
  const [name, setName] = useState(draft?.business_name ?? (values.business_name === NO_NAME ? '' : String(values.business_name)))
  const [city, setCity] = useState(draft?.city ?? '')
  const [giro, setGiro] = useState<Giro>(draft?.giro ?? 'pilates')
  const [logo, setLogo] = useState(draft?.logo ?? String(values.navbar_logo ?? ''))
  const [theme, setTheme] = useState<Theme>(draft?.theme ?? stored)
  const [fromLogo, setFromLogo] = useState<LogoColours | null>(null)
  const presets = [
    ...(fromLogo ? [{ name: 'De tu logo', theme: { ...theme, ...fromLogo, theme_mode: 'dia' as const } }] : []),
    ...BRAND_PRESETS.map((preset) => ({ ...preset, theme: { ...preset.theme, theme_voice: theme.theme_voice } })),
  ]
  const isChosen = (preset: Theme) => THEME_KEYS.every((key) => key === 'theme_voice' || preset[key] === theme[key])

  async function chooseLogo(src: string) {
    setLogo(src)
    const pixels = src ? await pixelsOf(fileUrl(site, src)) : null
    const colours = pixels && coloursOfLogo(pixels)
    setFromLogo(colours)
    if (colours) setTheme({ ...theme, ...colours, theme_mode: 'dia' })
  }
  const chosen: StudioDraft = { business_name: name, city, giro, logo, theme, proposed: draft?.proposed ?? {} }
  const changes = [...Object.entries(theme), ['business_name', name.trim() || NO_NAME], ['navbar_logo', logo]].map(([key, value]) => ({
    key: String(key),
    value: value as string,
    if_value: null,
  }))
  return (
    <StepForm
      title="¿Cómo se llama tu estudio?"
      about="Con esto te proponemos horario, paquetes y textos. Todo se puede cambiar después."
      draft={chosen}
      problem={name.trim() === '' ? 'Escribe el nombre de tu estudio.' : city.trim() === '' ? 'Escribe en qué ciudad está.' : null}
      onSubmit={async () => {
        const proposal = await api.onboarding.proposal({ giro, city: city.trim(), business_name: name.trim() })
        const proposed = Object.fromEntries(proposal.settings.map(({ key, value }) => [key, value]))
        // An edited text is never replaced.
        const fresh = Object.fromEntries(
          Object.entries(proposed).filter(([key]) => key === 'timezone' || values[key] === '' || values[key] === chosen.proposed[key]),
        )
        await saveSettings(values, { ...fresh, ...theme, business_name: name.trim(), navbar_logo: logo })
        return { draft: { ...chosen, proposed }, reload: true }
      }}
      preview={<PreviewPane changes={changes} packagesPath={site.class_packages_path} />}
    >
      <div className="steps-pair">
        <TextField label="Nombre del estudio" maxLength={80} value={name} onChange={(event) => setName(event.currentTarget.value)} />
        <TextField
          label="Ciudad"
          maxLength={80}
          autoComplete="address-level2"
          hint="De ella toma la hora tu horario."
          value={city}
          onChange={(event) => setCity(event.currentTarget.value)}
        />
      </div>
      <fieldset className="steps-chips">
        <legend className="field-label">Qué enseñas</legend>
        {(Object.entries(GIROS) as [Giro, string][]).map(([value, label]) => (
          <label key={value}>
            <input type="radio" name="giro" value={value} checked={giro === value} onChange={() => setGiro(value)} />
            {label}
          </label>
        ))}
      </fieldset>
      <PictureField
        label="Logo"
        name="navbar_logo"
        hint="De él tomamos tus colores. Sin logo dibujamos uno con tu nombre."
        error={undefined}
        optional
        value={logo}
        onChange={(src) => void chooseLogo(src)}
      />
      <fieldset className="steps-looks">
        <legend className="field-label">Colores</legend>
        {presets.map((preset) => (
          <label key={preset.name} className="steps-look">
            <input
              type="radio"
              className="sr-only"
              name="colores"
              checked={isChosen(preset.theme)}
              onChange={() => setTheme({ ...preset.theme, theme_voice: theme.theme_voice })}
            />
            <span className="steps-look-colours" aria-hidden="true">
              {(['primary', 'accent', 'dark', 'light'] as const).map((key) => (
                <span key={key} style={{ background: preset.theme[key] }} />
              ))}
            </span>
            {preset.name}
          </label>
        ))}
      </fieldset>
      <fieldset className="steps-looks">
        <legend className="field-label">Letra de los títulos</legend>
        {VOICES.map(({ value, label, about }) => (
          <label key={value} className="steps-look">
            <input
              type="radio"
              className="sr-only"
              name="letra"
              checked={theme.theme_voice === value}
              onChange={() => setTheme({ ...theme, theme_voice: value })}
            />
            <span className={`steps-voice steps-voice-${value}`}>{label}</span>
            <span className="small muted">{about}</span>
          </label>
        ))}
      </fieldset>
    </StepForm>
  )
}
