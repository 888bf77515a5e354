import '#web/ui/chip.css'
import { IconCheck } from '@tabler/icons-react'
import { type ColourKey, type ColourUse, colourUses, type Theme, textColourOn } from '#contract/color.ts'
import type { EditedSetting } from '#contract/content.ts'
import { Banner } from '#web/ui/banner.tsx'
import { TextField } from '#web/ui/field.tsx'
import { FieldError } from '#web/ui/field-error.tsx'
import { BRAND_PRESETS } from './brand-presets.ts'
import type { Typed } from './setting-draft.ts'
import './font-samples.css'

type Values = Readonly<Record<string, unknown>>
const themeOf = (values: Values): Theme => values as unknown as Theme
const ratioText = (ratio: number): string => `${ratio.toLocaleString('es-MX', { minimumFractionDigits: 1 })} a 1`

interface FieldProps {
  setting: EditedSetting
  values: Values
  typed: Typed
  problem: string | undefined
  disabled: boolean
  onChange: (typed: Typed) => void
}

/** A colour: chosen from the system's picker or typed, with the contrast that it has on the pages. */
export function ColourField({ setting, values, typed, problem, disabled, onChange }: FieldProps) {
  const use = colourUses(themeOf(values)).find(({ key }) => key === setting.key)
  const chosen = String(values[setting.key])
  return (
    <div className="colour-field">
      <label className="colour-swatch" style={{ background: chosen, color: textColourOn(chosen, themeOf(values)) }}>
        <span aria-hidden="true">Aa</span>
        <input
          type="color"
          className="sr-only"
          aria-label={`Elegir ${setting.label.toLowerCase()}`}
          value={chosen.toLowerCase()}
          disabled={disabled}
          onChange={(event) => onChange(event.currentTarget.value.toUpperCase())}
        />
      </label>
      <TextField
        label={setting.label}
        hint={setting.help}
        error={problem}
        disabled={disabled}
        required={false}
        maxLength={7}
        autoCapitalize="characters"
        spellCheck={false}
        value={String(typed)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {use && (
        <p className="colour-ratio small">
          <IconCheck className="icon" aria-hidden="true" />
          Se lee, {ratioText(use.ratio)}
        </p>
      )}
    </div>
  )
}

/** Why the pages use another tone than the chosen one: "El acento no se lee como texto…". */
function ReplacedTone({ label, replaced }: { label: string; replaced: NonNullable<ColourUse['replaced']> }) {
  const { as, by, ratio } = replaced
  return (
    <p>
      {label} {as === 'text' ? 'no se lee como texto sobre tus fondos' : 'no deja leer el texto'} ({ratioText(ratio)}).{' '}
      {as === 'text' ? 'En textos' : 'Como fondo'} usamos <span className="colour-chip" style={{ background: by }} aria-hidden="true" />{' '}
      <span className="strong">{by.toUpperCase()}</span>, el tono más cercano que sí se lee.
    </p>
  )
}

interface BrandColoursProps {
  values: Values
  byKey: ReadonlyMap<string, EditedSetting>
  disabled: boolean
  onChange: (setting: EditedSetting, typed: Typed) => void
}

/** Above the colours: themes to begin with, and the tones that are replaced so that everything can be read. */
export default function BrandColours({ values, byKey, disabled, onChange }: BrandColoursProps) {
  const theme = themeOf(values)
  const replaced = colourUses(theme).flatMap((use) => (use.replaced ? [{ key: use.key, replaced: use.replaced }] : []))
  return (
    <div className="brand-colours">
      <fieldset className="brand-presets" disabled={disabled}>
        <legend className="small strong">Para empezar</legend>
        {BRAND_PRESETS.map((preset) => {
          const isChosen = Object.entries(preset.theme).every(([key, value]) => String(values[key]).toLowerCase() === value.toLowerCase())
          return (
            <button
              key={preset.name}
              type="button"
              className="brand-preset"
              aria-pressed={isChosen}
              onClick={() => {
                for (const [key, value] of Object.entries(preset.theme)) {
                  const setting = byKey.get(key)
                  if (setting) onChange(setting, value)
                }
              }}
            >
              <span className="brand-preset-colours" aria-hidden="true">
                {(['primary', 'accent', 'dark', 'light'] satisfies ColourKey[]).map((key) => (
                  <span key={key} style={{ background: preset.theme[key] }} />
                ))}
              </span>
              {preset.name}
            </button>
          )
        })}
      </fieldset>
      <div role="status">
        {replaced.length > 0 && (
          <Banner tone="brand">
            {replaced.map((color) => (
              <ReplacedTone key={color.key} label={byKey.get(color.key)?.label ?? color.key} replaced={color.replaced} />
            ))}
          </Banner>
        )}
      </div>
    </div>
  )
}

/** The settings that are chosen by samples. */
const SAMPLES: Readonly<Record<string, Readonly<Record<string, { className: string; about: string }>>>> = {
  theme_voice: {
    ancha: { className: 'sample-voice sample-ancha', about: 'Serena y amplia' },
    normal: { className: 'sample-voice', about: 'Directa' },
    condensada: { className: 'sample-voice sample-condensada', about: 'Fuerte' },
  },
  theme_fonts: {
    archivo: { className: 'sample-voice', about: 'La del producto' },
    bricolage: { className: 'sample-voice sample-bricolage', about: 'Con carácter' },
    sora: { className: 'sample-voice sample-sora', about: 'Geométrica' },
    space: { className: 'sample-voice sample-space', about: 'Técnica' },
    outfit: { className: 'sample-voice sample-outfit', about: 'Redonda y amable' },
    jost: { className: 'sample-voice sample-jost', about: 'Clásica' },
    syne: { className: 'sample-voice sample-syne', about: 'Expresiva' },
    lora: { className: 'sample-voice sample-lora', about: 'Con remates' },
  },
  theme_shape: {
    recta: { className: 'sample-shape sample-recta', about: '' },
    suave: { className: 'sample-shape sample-suave', about: '' },
    redonda: { className: 'sample-shape sample-redonda', about: '' },
  },
  theme_mode: {
    dia: { className: 'sample-mode sample-dia', about: 'Páginas claras' },
    noche: { className: 'sample-mode sample-noche', about: 'Páginas oscuras' },
  },
}

/** Whether a choice is shown as cards with a sample of each. */
export const hasSamples = (key: string): boolean => Object.hasOwn(SAMPLES, key)

/** A choice of the brand's character, each option with a sample. */
export function SampleField({ setting, values, typed, problem, disabled, onChange }: FieldProps) {
  const { light, dark } = themeOf(values)
  return (
    <fieldset className="sample-cards" disabled={disabled}>
      <legend className="field-label">{setting.label}</legend>
      {(setting.options ?? []).map(({ value, label }) => {
        const sample = SAMPLES[setting.key]?.[value]
        const ground = value === 'dia' ? light : value === 'noche' ? dark : undefined
        return (
          <label key={value} className="sample-card">
            <input
              type="radio"
              className="sr-only"
              name={setting.key}
              value={value}
              checked={typed === value}
              onChange={() => onChange(value)}
            />
            {sample?.className.startsWith('sample-voice') ? (
              <span className={sample.className}>{label}</span>
            ) : (
              <>
                <span className={sample?.className} style={ground ? { background: ground } : undefined} aria-hidden="true" />
                <span className="small strong">{label}</span>
              </>
            )}
            {sample?.about && <span className="small muted">{sample.about}</span>}
          </label>
        )
      })}
      {problem && <FieldError>{problem}</FieldError>}
    </fieldset>
  )
}
