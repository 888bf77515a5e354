/** The version of a theme in the addresses of its drawings. */
import type { Theme } from './color.ts'

/** Eight hexadecimal digits that change with any of the nine settings: the version in a drawing's URL. */
export function themeHash(theme: Theme): string {
  const { primary, accent, dark, gray, light, theme_mode, theme_shape, theme_voice } = theme
  const all = [primary, accent, dark, gray, light, theme['primary-light'], theme_mode, theme_shape, theme_voice]
  return hash(all.join(' ').toLowerCase()).toString(16).padStart(8, '0')
}

/** FNV-1a, 32 bits: deterministic. Not for secrets. */
export function hash(text: string): number {
  let sum = 0x811c9dc5
  for (const char of text) sum = Math.imul(sum ^ (char.codePointAt(0) ?? 0), 0x01000193)
  return sum >>> 0
}
