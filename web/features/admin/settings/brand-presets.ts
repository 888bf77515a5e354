/** Looks to begin with: six colours, background, letter and shape at once. Every contrast of them is checked by the test. */
import type { Theme } from '#contract/color.ts'

export interface BrandPreset {
  name: string
  theme: Theme
}

const preset = (
  name: string,
  colours: readonly [string, string, string, string, string, string],
  rest: Partial<Theme> = {},
): BrandPreset => {
  const [primary, accent, dark, gray, light, soft] = colours
  return {
    name,
    theme: {
      primary,
      accent,
      dark,
      gray,
      light,
      'primary-light': soft,
      theme_mode: 'dia',
      theme_shape: 'suave',
      theme_voice: 'normal',
      ...rest,
    },
  }
}

export const BRAND_PRESETS: readonly BrandPreset[] = [
  preset('Índigo y ámbar', ['#2B36D9', '#FFB000', '#0F1236', '#6B6E86', '#F6F4EE', '#DFE3FF'], {
    theme_shape: 'redonda',
    theme_voice: 'ancha',
  }),
  preset('Brasa de noche', ['#FF5A26', '#9BE3EA', '#15120F', '#8F867D', '#F3EEE6', '#FFD9C9'], {
    theme_mode: 'noche',
    theme_shape: 'recta',
    theme_voice: 'condensada',
  }),
  preset('Marea', ['#0E6E78', '#F2C14E', '#0C2429', '#5F7377', '#F3F7F6', '#CFE9E8'], { theme_shape: 'redonda' }),
  preset('Barro', ['#A8452B', '#E8B98A', '#2A1A14', '#7C6A61', '#FAF4EE', '#F3DACE']),
  preset('Bosque', ['#2E6B3F', '#D9E76C', '#14231A', '#66736A', '#F5F6EF', '#D8EAD7'], { theme_voice: 'ancha' }),
  preset('Ciruela', ['#7A2E7A', '#FF9E8A', '#22102B', '#776A7D', '#FBF6FA', '#EFD9F0'], { theme_shape: 'redonda' }),
]
