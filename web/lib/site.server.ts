/** Selects the public settings on the server, so that the settings' schemas stay out of the browser's bundle. */
import { adminCss, adminTheme, themeCss } from '#contract/color.ts'
import type { Area } from '#contract/rendering.ts'
import { filesBase, type Settings, studioZone } from '#contract/settings.ts'
import { themeHash } from '#contract/theme-hash.ts'
import { fontCss, fontFiles } from './fonts.server.ts'
import type { Site } from './settings.tsx'
import { EVERYWHERE, type SharedSettings } from './shared-settings.ts'

/** The studio's settings as every page gets them. `certification`: the document was requested on `certification_host` (S1-2.54). */
export function siteFrom(
  settings: Settings,
  { publicUrl, vendor, certification, area = 'site' }: Pick<Site, 'publicUrl' | 'vendor'> & { certification: boolean; area?: Area },
): Site {
  const shared = Object.fromEntries(EVERYWHERE.map((key) => [key, settings[key]])) as SharedSettings
  return {
    ...shared,
    // Without a text the landing page leaves the section out.
    about_enabled: settings.about_enabled && Boolean(settings.about_title || settings.about_text),
    // The name that every studio starts with is ours, and has an English one.
    class_packages_name: settings.class_packages_name === 'Paquetes' ? 'Paquetes' : settings.class_packages_name,
    certification_link: certification ? settings.certification_link : '',
    zone: studioZone(settings),
    files: filesBase(settings),
    publicUrl,
    vendor,
    fonts: fontFiles(area === 'admin' ? { theme_fonts: 'archivo' } : settings),
    themeVersion: themeHash(area === 'admin' ? adminTheme(settings) : settings),
  }
}

/**
 * The CSS in the head of every document: the brand's colours and letters before first paint, then the owner's own rules. The owner's rules
 * are left out on pages with a card form, where they could cover it and fetch from any address (settled 29), and in the administration,
 * which takes only the six colours from the brand (design section 4).
 */
export function headCss(settings: Settings, area: Area): string {
  if (area === 'admin') return adminCss(settings)
  const brand = themeCss(settings) + fontCss(settings)
  return area === 'card' ? brand : `${brand}\n${settings.app_css}`
}
