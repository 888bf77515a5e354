/** A list whose page is in the address goes to its last page when the address names one beyond the end. */
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { expect, test } from 'vitest'

test('every screen with a page in its address handles one beyond the end', async () => {
  const paged: string[] = []
  for await (const file of glob('web/{areas,features}/**/*.tsx')) {
    const text = readFileSync(file, 'utf8')
    if (/\buse(?:List|Tab)Page\(/.test(text)) paged.push(`${file} ${text.includes('useLastPage(') ? 'goes to the last page' : 'stays'}`)
  }
  expect(paged.length).toBeGreaterThan(5)
  expect(paged.filter((text) => text.endsWith('stays'))).toEqual([])
})
