/** The studio's initial on its brand colour, for studios that gave no icon (design section 9). */
import { tokens } from '#contract/color.ts'
import type { Settings } from '#contract/settings.ts'

/** `round`: corners of its own. Without, the whole square is filled and the letter stays where a device that cuts icons to a shape leaves it. */
export function brandIcon(settings: Settings, { round }: { round: boolean }): string {
  const { brand, 'on-brand': ink } = tokens(settings)
  const [initial = 'E'] = [...settings.business_name.trim().toUpperCase()]
  const letter = initial.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  const [size, foot] = round ? [19, 22.6] : [15, 21.3]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32"${round ? ' rx="9"' : ''} fill="${brand}"/><text x="16" y="${foot}" font-family="Archivo,Arial,sans-serif" font-size="${size}" font-weight="700" text-anchor="middle" fill="${ink}">${letter}</text></svg>`
}
