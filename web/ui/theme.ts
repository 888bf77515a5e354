/**
 * Mantine dressed as the studio (design section 4), for the few parts that are worth its weight: dates, long selects.
 * Only the signed-in areas load it; public pages have our own parts.
 */
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple, type MantineThemeOverride } from '@mantine/core'
import 'dayjs/locale/es-mx'
import { mix, type Theme, type Tokens, tokens } from '#contract/color.ts'

/** Ten steps from paper to ink through the brand colour, which is the seventh (Mantine's own `primaryShade`). */
function brandScale({ paper, ink, brand }: Tokens): MantineColorsTuple {
  const light = (share: number): string => mix(paper, brand, share)
  const deep = (share: number): string => mix(brand, ink, share)
  return [light(0.08), light(0.16), light(0.3), light(0.46), light(0.64), light(0.82), brand, deep(0.16), deep(0.32), deep(0.5)]
}

/** What Mantine paints by day: grounds first, the border of a control in the fifth place, ink last. */
const grays = (t: Tokens): MantineColorsTuple => [
  t.sunk,
  t.sunk,
  t.line,
  t.line,
  t['line-3'],
  t['ink-2'],
  t['ink-2'],
  t['ink-2'],
  t.ink,
  t.ink,
]
/** And by night: ink first, the border in the fifth place, grounds from the seventh. */
const darks = (t: Tokens): MantineColorsTuple => [
  t.ink,
  t.ink,
  t['ink-2'],
  t['ink-2'],
  t['line-3'],
  t['line-2'],
  t.paper,
  t.canvas,
  t.sunk,
  t.sunk,
]

const calendar = { locale: 'es-mx', firstDayOfWeek: 1, weekendDays: [] } as const

/** The theme of `MantineProvider`; give it `forceColorScheme` from `theme_mode` too. */
export function mantineTheme(theme: Theme): MantineThemeOverride {
  const t = tokens(theme)
  return createTheme({
    fontFamily: 'var(--font-text)',
    headings: { fontFamily: 'var(--font-display)', fontWeight: t['voice-weight'] },
    white: theme.theme_mode === 'noche' ? '#ffffff' : t.paper,
    black: theme.theme_mode === 'noche' ? '#000000' : t.ink,
    colors: { brand: brandScale(t), gray: grays(t), dark: darks(t) },
    primaryColor: 'brand',
    primaryShade: 6,
    autoContrast: true,
    luminanceThreshold: 0.179,
    defaultRadius: 'var(--radius-input)',
    cursorType: 'pointer',
    respectReducedMotion: true,
    components: {
      Input: { styles: { input: { minHeight: 48, fontSize: 16, borderWidth: 1.5 } } },
      InputWrapper: { styles: { label: { fontWeight: 600, fontSize: 14, marginBottom: 6 } } },
      Popover: { defaultProps: { radius: 'var(--radius-card)', shadow: 'md' } },
      DatePicker: { defaultProps: calendar },
      DatePickerInput: { defaultProps: { ...calendar, valueFormat: 'D MMM YYYY' } },
      DateInput: { defaultProps: { ...calendar, valueFormat: 'D MMM YYYY' } },
    },
  })
}

/** Mantine's own variables from ours, so that its parts stand on the same grounds and in the same ink. */
export const cssVariablesResolver: CSSVariablesResolver = () => {
  const variables = {
    '--mantine-color-body': 'var(--canvas)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--ink-2)',
    '--mantine-color-placeholder': 'var(--ink-2)',
    '--mantine-color-default': 'var(--paper)',
    '--mantine-color-default-hover': 'var(--sunk)',
    '--mantine-color-default-color': 'var(--ink)',
    '--mantine-color-default-border': 'var(--line-3)',
    '--mantine-color-error': 'var(--danger)',
    '--mantine-color-anchor': 'var(--brand-ink)',
    '--mantine-color-disabled': 'var(--sunk)',
    '--mantine-color-disabled-color': 'var(--ink-2)',
    '--mantine-shadow-md': 'var(--shadow)',
  }
  return { variables: {}, light: variables, dark: variables }
}
