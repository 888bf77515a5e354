/**
 * A person who uses only the keyboard: moves by Tab, arrows and typing, and counts what it costs: keystrokes, pointer moves and words read.
 * The time of a person is estimated from these (Card, Moran and Newell: 0.28 s a key for an average typist, 1.2 s a pointer move; 250 words
 * a minute).
 */
import type { Locator, Page } from '@playwright/test'
import { expect } from './test.ts'

const SECONDS_PER_KEY = 0.28
const SECONDS_PER_POINT = 1.2
const WORDS_PER_MINUTE = 250
/** More stops than any page has: a control that is not reached by then cannot be reached. */
const MAX_TABS = 160
/** To the window with the text, all of it copied, back, and pasted: Alt Tab, Ctrl A, Ctrl C, Alt Tab, Ctrl V. */
const KEYS_TO_PASTE = 10

interface Cost {
  part: string
  keys: number
  pointerMoves: number
  wordCount: number
}

const secondsOf = ({ keys, pointerMoves, wordCount }: Cost): number =>
  keys * SECONDS_PER_KEY + pointerMoves * SECONDS_PER_POINT + (wordCount * 60) / WORDS_PER_MINUTE

const countWords = (text: string): number => text.split(/\s+/).filter(Boolean).length
/** Capitals and accents take a second key. */
const countKeys = (text: string): number =>
  [...text].reduce((sum, sign) => sum + sign.normalize('NFD').length + (/\p{Lu}/u.test(sign) ? 1 : 0), 0)

export class KeyboardPerson {
  private readonly page: Page
  private readonly costs: Cost[] = []

  constructor(page: Page) {
    this.page = page
  }

  /** What is done from here on is counted under a name. */
  begin(part: string): void {
    this.costs.push({ part, keys: 0, pointerMoves: 0, wordCount: 0 })
  }

  private get cost(): Cost {
    if (this.costs.length === 0) this.begin('')
    return this.costs.at(-1) as Cost
  }

  get seconds(): number {
    return this.costs.reduce((sum, cost) => sum + secondsOf(cost), 0)
  }

  /** One line for each part. */
  get account(): string[] {
    return this.costs.map((cost) => `${cost.part}: ${cost.keys} keys, ${cost.wordCount} words, ${Math.round(secondsOf(cost))} s`)
  }

  async press(key: string, times = 1): Promise<void> {
    for (let left = times; left > 0; left--) await this.page.keyboard.press(key)
    this.cost.keys += times * key.split('+').length
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text)
    this.cost.keys += countKeys(text)
  }

  /** Pastes a text that is read and copied in another window first. */
  async paste(text: string): Promise<void> {
    await this.page.keyboard.insertText(text)
    this.cost.keys += KEYS_TO_PASTE
    this.cost.wordCount += countWords(text)
  }

  /** Everything that is shown in a part of the page is read once. */
  async read(region: Locator = this.page.locator('main').last()): Promise<void> {
    this.cost.wordCount += countWords(await region.innerText())
  }

  /** Goes to a control by Tab. */
  async goTo(control: Locator): Promise<void> {
    await expect(control).toBeVisible()
    const path: string[] = []
    for (let tabs = 0; tabs < MAX_TABS; tabs++) {
      if (await hasFocus(control)) return
      await this.press('Tab')
      path.push(
        await this.page.evaluate(() => {
          const { tagName, textContent, id } = document.activeElement ?? document.body
          return `${tagName}#${id} ${textContent?.trim().slice(0, 30)}`
        }),
      )
    }
    throw new Error(`Tab does not reach ${control}, but:\n${[...new Set(path)].join('\n')}`)
  }

  /** Writes into a field instead of what it contains. */
  async typeInto(control: Locator, text: string): Promise<void> {
    await this.goTo(control)
    if ((await control.inputValue()) !== '') await this.press('ControlOrMeta+a')
    await this.type(text)
  }

  async activate(control: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
    await this.goTo(control)
    await this.press(key)
  }

  /** Chooses one of a group of radios: Tab to the group, arrows to the choice. */
  async choose(group: Locator, name: string | RegExp): Promise<void> {
    const radios = group.getByRole('radio')
    // Tab stops at the chosen radio of a group, or at its first.
    const chosen = group.locator('input:checked')
    await this.goTo((await chosen.count()) > 0 ? chosen.first() : radios.first())
    const wanted = group.getByRole('radio', { name, exact: true })
    for (let left = await radios.count(); left > 0 && !(await wanted.isChecked()); left--) await this.press('ArrowRight')
    await expect(wanted).toBeChecked()
  }
}

export const hasFocus = (control: Locator): Promise<boolean> =>
  control.evaluate((element) => element === element.ownerDocument.activeElement).catch(() => false)
