/** Six colours for a studio from the pixels of its logo. Pure: the page reads the pixels. */
import { type ColourKey, luminance, mixColours } from '#contract/color.ts'

type Hex = `#${string}`
export type LogoColours = Record<ColourKey, string>

interface Hue {
  /** 0 to 360 */
  hue: number
  /** 0 to 1 */
  saturation: number
  light: number
}

const hexOf = (rgb: readonly number[]): Hex =>
  `#${rgb
    .map((value) =>
      Math.round(Math.max(0, Math.min(255, value)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

function hueOf([r = 0, g = 0, b = 0]: readonly number[]): Hue {
  const [max, min] = [Math.max(r, g, b) / 255, Math.min(r, g, b) / 255]
  const spread = max - min
  const light = (max + min) / 2
  if (spread === 0) return { hue: 0, saturation: 0, light }
  const [x, y, z] = [r / 255, g / 255, b / 255]
  const sixth = max === x ? ((y - z) / spread + 6) % 6 : max === y ? (z - x) / spread + 2 : (x - y) / spread + 4
  return { hue: sixth * 60, saturation: spread / (1 - Math.abs(2 * light - 1)), light }
}

function rgbOf({ hue, saturation, light }: Hue): number[] {
  const chroma = (1 - Math.abs(2 * light - 1)) * saturation
  const at = (shift: number) => {
    const k = (shift + hue / 30) % 12
    return (light - (chroma / 2) * Math.max(-1, Math.min(k - 3, 9 - k, 1))) * 255
  }
  return [at(0), at(8), at(4)]
}

const apart = (a: number, b: number): number => Math.min(Math.abs(a - b), 360 - Math.abs(a - b))

/** A hue that reads as a second colour beside another one: across the wheel, bright. */
const beside = ({ hue, saturation }: Hue): Hex =>
  hexOf(rgbOf({ hue: (hue + 165) % 360, saturation: Math.min(0.9, saturation + 0.1), light: 0.62 }))

/** Below this saturation a pixel is gray. */
const GRAY = 0.18

/**
 * The colours that a logo suggests: its most frequent strong colour, a second one that differs from it, and grounds mixed from the first.
 * Null for a logo in black, white and gray. `pixels`: RGBA, four numbers each.
 */
export function coloursOfLogo(pixels: ArrayLike<number>): LogoColours | null {
  const buckets = new Map<number, { weight: number; sum: number[] }>()
  for (let at = 0; at + 3 < pixels.length; at += 4) {
    const rgb = [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0]
    const { saturation, light } = hueOf(rgb)
    if ((pixels[at + 3] ?? 0) < 128 || saturation < GRAY || light < 0.08 || light > 0.94) continue
    // 16 steps for each channel: shades of one colour that differ by less are the same one.
    const key = rgb.reduce((sum, value) => sum * 16 + (value >> 4), 0)
    const bucket = buckets.get(key) ?? { weight: 0, sum: [0, 0, 0] }
    bucket.weight += saturation
    bucket.sum = bucket.sum.map((value, channel) => value + (rgb[channel] ?? 0) * saturation)
    buckets.set(key, bucket)
  }
  const found = [...buckets.values()]
    .sort((a, b) => b.weight - a.weight)
    .map(({ weight, sum }) => ({ weight, rgb: sum.map((value) => value / weight) }))
  const [first] = found
  if (!first) return null
  const hue = hueOf(first.rgb)
  const primary = hexOf(first.rgb)
  const second = found.find(({ rgb, weight }) => weight > first.weight / 20 && apart(hueOf(rgb).hue, hue.hue) > 40)
  const dark = mixColours(hexOf(rgbOf({ ...hue, saturation: Math.min(hue.saturation, 0.6), light: 0.16 })), '#000000', 0.35)
  const light = mixColours(primary, '#ffffff', luminance(primary) > 0.5 ? 0.88 : 0.955)
  return {
    primary,
    accent: second ? hexOf(second.rgb) : beside(hue),
    dark,
    light,
    gray: mixColours(dark, light, 0.48),
    'primary-light': mixColours(primary, '#ffffff', 0.84),
  }
}
