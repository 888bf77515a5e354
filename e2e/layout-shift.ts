/** How much a page moves while it loads (Cumulative Layout Shift), as the browser reports it. */
import type { Page } from '@playwright/test'

/** Counts from the next page load on; movements after a touch do not count. */
export const watchShift = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const seen = Object.assign(window, { shifted: 0 })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
        if (!hadRecentInput) seen.shifted += value
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })

/** The shifts of the open page, added up. */
export const shiftOf = (page: Page): Promise<number> => page.evaluate(() => (window as unknown as { shifted: number }).shifted)
