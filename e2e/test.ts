/** `test` for all browser tests: pages use the clock of the run, as server and tests do (scripts/shift-clock.mjs). */
import { test as base } from '@playwright/test'
import { shiftClock } from '../scripts/shift-clock.mjs'

export { expect } from '@playwright/test'

const shift = Number(process.env.CLOCK_SHIFT_MS ?? 0)

export const test = base.extend<object, { shiftedClock: undefined }>({
  shiftedClock: [
    async ({ browser }, use) => {
      const newContext = browser.newContext.bind(browser)
      browser.newContext = async (options) => {
        const context = await newContext(options)
        await context.addInitScript(shiftClock, shift)
        return context
      }
      await use(undefined)
    },
    { scope: 'worker', auto: true },
  ],
})
