/** The accessibility check of a page, as every browser test makes it. */
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Violations wait this long (milliseconds) to disappear: a list that is loading or a dialog that is opening is checked once it is there. */
const STABLE_WITHIN = 8000

/**
 * What axe finds on a page, as "rule: elements". Transitions are ended first: axe would measure a colour halfway through one.
 * `frames: true` includes the frames of card forms.
 */
export async function violations(page: Page, { frames = false } = {}): Promise<string[]> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.evaluate(() => {
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish()
  })
  // Without the legacy mode axe opens a second page for each check, to join the results of frames; with details of violations only it takes a third.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] })
  const result = await (frames ? axe : axe.exclude('iframe').setLegacyMode()).analyze()
  return result.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(' ')).join(', ')}`)
}

/** Expects a page without violations; the error's first line names them. */
export async function accessible(page: Page, options?: { frames?: boolean }): Promise<void> {
  const until = performance.now() + STABLE_WITHIN
  let found = await violations(page, options)
  while (found.length > 0 && performance.now() < until) {
    await page.waitForTimeout(250)
    found = await violations(page, options)
  }
  expect(found, found.join('; ')).toEqual([])
}
