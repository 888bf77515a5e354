/** `test` for all browser tests: pages use the clock of the run, as server and tests do (scripts/shift-clock.mjs). */
import { test as base } from '@playwright/test'
import { shiftClock } from '../scripts/shift-clock.mjs'
import { inDatabase, leaveDatabase } from './studio-database.ts'

export { expect } from '@playwright/test'

const shift = Number(process.env.CLOCK_SHIFT_MS ?? 0)

export const test = base.extend<{ freshLimit: undefined }, { shiftedClock: undefined; database: undefined }>({
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
  database: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
    async ({}, use) => {
      await use(undefined)
      await leaveDatabase()
    },
    { scope: 'worker', auto: true },
  ],
  // One address may open a hundred accounts in an hour. The tests share one address and open more.
  freshLimit: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
    async ({}, use) => {
      await inDatabase((client) => client.query(`delete from throttle where key like 'identity.signUp:%'`))
      await use(undefined)
    },
    { auto: true },
  ],
})
