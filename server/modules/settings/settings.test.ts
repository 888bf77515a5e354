import { afterAll, beforeAll, expect, test } from 'vitest'
import { studio, type TestStudio } from '#server/testing/studio.ts'
import { changeSettings } from './settings.ts'

let s: TestStudio
beforeAll(async () => {
  s = await studio()
})
afterAll(() => s.close())

test('a text that looks like JSON stays the text that was written', async () => {
  const written = { whatsapp: '5548217390', tagline: 'true', hero_title: 'null', banner_text: '[1]', location: '"así"' }
  await s.change(written)
  expect(s.studio.settings()).toMatchObject(written)
  const answer = await s.as(null).content.appconfig()
  expect(Object.fromEntries(answer.map(({ key, value }) => [key, value]))).toMatchObject(written)
})

test('HTML of the owner loses what could harm a visitor when it is written', async () => {
  const about_text = '<p onclick="steal()">Hola <script>steal()</script><a href="javascript:steal()">aquí</a></p>'
  await s.change({ mission_text: '<p>Calor.</p>' })
  await changeSettings(s.system(), { about_text })
  await expect.poll(() => s.studio.settings().about_text).toBe('<p>Hola <a>aquí</a></p>')
  expect(s.studio.settings().mission_text).toBe('<p>Calor.</p>')
})
