import { tokens } from '#contract/color.ts'
import { rendering } from '#web/lib/rendering.ts'
import type { Route } from './+types/favicon.ts'

/** The studio's initial on its brand colour, for studios that gave no icon (design section 9). */
export function loader({ context }: Route.LoaderArgs) {
  const { settings } = context.get(rendering)
  const { brand, 'on-brand': ink } = tokens(settings)
  const [initial = 'E'] = [...settings.business_name.trim().toUpperCase()]
  const letter = initial.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="${brand}"/><text x="16" y="22.6" font-family="Archivo,Arial,sans-serif" font-size="19" font-weight="700" text-anchor="middle" fill="${ink}">${letter}</text></svg>`
  return new Response(svg, { headers: { 'content-type': 'image/svg+xml' } })
}
