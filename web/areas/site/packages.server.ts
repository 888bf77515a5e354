/** Loads the public shop: the packages in two sections (S1-2.83 to S1-2.85). */
import { packageSections } from '#contract/package-sections.ts'
import type { Rendering } from '#contract/rendering.ts'
import { cardPackage } from '#web/features/checkout/card-package.ts'
import type { Client } from '#web/lib/client.ts'
import { freshWithPackages } from '#web/lib/packages-expiry.server.ts'

/** `ver`: 'online' shows the packages for videos, if the studio has videos. */
export async function loadPackages(rendering: Rendering<Client>, query: URLSearchParams) {
  const { client, settings, dependsOn } = rendering
  dependsOn('catalogue', 'settings')
  const online = settings.videos_enabled && query.get('ver') === 'online'
  const { class_packages } = await (online ? client.catalogue.onlineAll() : client.catalogue.presencialesAll())
  freshWithPackages(rendering, class_packages)
  const { trial, general } = packageSections(class_packages, 'page')
  return {
    online,
    giftCards: settings.gift_cards_on_site && !settings.checkout_disabled,
    trial: trial.map(cardPackage),
    general: general.map(cardPackage),
  }
}
export type PackagesData = Awaited<ReturnType<typeof loadPackages>>
