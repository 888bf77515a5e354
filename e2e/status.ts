import type { Page } from '@playwright/test'
import { expect } from './test.ts'

/** What the page announces after an action, with this text. */
export const expectStatus = (page: Page, text: string) => expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()
