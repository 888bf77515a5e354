/** What the browser may know of the settings, picked on the server: the settings' schemas stay out of the browser's bundle. */
import { adminTheme, themeCss } from '#contract/color.ts'
import type { Area } from '#contract/rendering.ts'
import { filesBase, type Settings, studioZone } from '#contract/settings.ts'
import type { Site } from './settings.tsx'
import { EVERYWHERE, type SharedSettings } from './shared-settings.ts'

/** The studio as every page sees it. `certification`: the document was requested on `certification_host` (S1-2.54). */
export function siteFrom(settings: Settings, publicUrl: string, certification: boolean): Site {
  const shared = Object.fromEntries(EVERYWHERE.map((key) => [key, settings[key]])) as SharedSettings
  return {
    ...shared,
    certification_link: certification ? settings.certification_link : '',
    zone: studioZone(settings),
    files: filesBase(settings),
    publicUrl,
  }
}

/**
 * What the head of every document carries: the brand before first paint, then the owner's own rules. Not on a page with a card form, where
 * rules could draw over it and fetch from anywhere (settled 29), and not in the administration, which looks alike in every studio but for the
 * six colours (design section 4).
 */
export function headCss(settings: Settings, area: Area): string {
  if (area === 'admin') return themeCss(adminTheme(settings))
  return area === 'card' ? themeCss(settings) : `${themeCss(settings)}\n${settings.app_css}`
}
