/**
 * Mantine dressed as the studio (design section 4), for the few parts that are worth its weight: dates, long selects.
 * Only the signed-in areas load it; public pages have our own parts.
 */
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple, type MantineThemeOverride } from '@mantine/core'
import { mix, type Theme, tokens } from '#contract/color.ts'

/** Ten steps from paper to ink through the brand colour, which is the seventh (Mantine's own `primaryShade`). */
function scale(theme: Theme): MantineColorsTuple {
  const { paper, ink, brand } = tokens(theme)
  const light = (share: number): string => mix(paper, brand, share)
  const deep = (share: number): string => mix(brand, ink, share)
  return [light(0.08), light(0.16), light(0.3), light(0.46), light(0.64), light(0.82), brand, deep(0.16), deep(0.32), deep(0.5)]
}

/** The theme of `MantineProvider`; give it `forceColorScheme` from `theme_mode` too. */
export function mantineTheme(theme: Theme): MantineThemeOverride {
  const display = 'var(--font-display)'
  return createTheme({
    fontFamily: 'var(--font-text)',
    headings: { fontFamily: display, fontWeight: tokens(theme)['voice-weight'] },
    colors: { brand: scale(theme) },
    primaryColor: 'brand',
    primaryShade: 6,
    autoContrast: true,
    defaultRadius: 'var(--radius-input)',
    cursorType: 'pointer',
    respectReducedMotion: true,
    components: {
      Input: { defaultProps: { size: 'md' }, styles: { input: { minHeight: 48, fontSize: 16 } } },
      InputWrapper: { styles: { label: { fontWeight: 600, fontSize: 14, marginBottom: 6 } } },
      Popover: { defaultProps: { radius: 'var(--radius-card)', shadow: 'md' } },
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
