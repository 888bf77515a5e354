/** The accessibility check of a page, as every browser test makes it. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/**
 * Violations wait this long (milliseconds) to disappear: a list that is loading or a dialog that is opening is checked once it is there.
 */
const STABLE_WITHIN = 8000

/** axe's own code, of the version that its builder brings along. */
const AXE = readFileSync(
  createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
)

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
  const result = frames ? await new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).analyze() : await withoutFrames(page)
  return result.violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.target.join(' ')).join(', ')}`)
}

/**
 * Checks a page without its frames. axe's code runs once in a document: the builder would run it twice for each check, and once in each
 * frame, which takes as long as the check itself. Without the legacy mode axe opens a second page for each check, to join the results
 * of frames.
 */
async function withoutFrames(page: Page) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  return await new AxeBuilder({ page, axeSource: ';' })
    .options({ resultTypes: ['violations'] })
    .exclude('iframe')
    .setLegacyMode()
    .analyze()
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
