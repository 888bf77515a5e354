/** Suplencias: a coach requests a substitute, the studio assigns one, a coach who is asked accepts in Mis clases (L9, L10). */
import type { APIRequestContext } from '@playwright/test'
import { accessible } from './axe.ts'
import { ahead, enter, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const COACH = { email: 'renata@vaiven.example', password: 'vaiven-coach' }
const MANAGER = { email: 'gerencia@vaiven.example', password: 'vaiven-gerencia' }

interface Named {
  name: string
}

/** A class of one coach; phone and desktop share the studio, so each has days of its own. */
async function classOf(request: APIRequestContext, name: string, at: { day: string; hour: string }) {
  const owner = await staff(request, 'owner')
  const [{ class_types }, { locations }, { instructors }] = await Promise.all([
    owner<{ class_types: (Named & { class_type_id: number })[] }>('GET', '/class_types'),
    owner<{ locations: (Named & { location_id: number })[] }>('GET', '/locations'),
    owner<{ instructors: (Named & { instructor_id: number })[] }>('GET', '/instructors'),
  ])
  const idOf = (coach: string) => instructors.find((instructor) => instructor.name === coach)?.instructor_id ?? 0
  const { single_class_ids } = await owner<{ single_class_ids: number[] }>('POST', '/single_class', {
    class_type_id: class_types.find((classType) => classType.name === 'Yin')?.class_type_id,
    location_id: locations.find((location) => location.name === 'Roma Norte')?.location_id,
    instructor_ids: [idOf(name)],
    class_date: `${at.day}T${at.hour}:00.000Z`,
    capacity: 8,
  })
  return { owner, idOf, single_class_id: single_class_ids[0] ?? 0 }
}

test('a coach requests a substitute in Mis clases, and the studio assigns one (L9)', async ({ page, request, isMobile }) => {
  const at = { day: ahead(isMobile ? 3 : 4), hour: '22:10' }
  const { owner, single_class_id } = await classOf(request, 'Renata', at)
  await enter(page, COACH, '/admin/mis-clases')
  await page.getByRole('button', { name: 'Pedir suplente' }).click()
  const asking = page.getByRole('dialog', { name: 'Pedir suplente' })
  await accessible(page)
  await asking.getByRole('checkbox', { name: new RegExp(`^Yin, \\S+ 0?${Number(at.day.slice(8))} \\S+, 22:10`) }).check({ force: true })
  await asking.getByLabel('Motivo').fill('Tengo cita médica')
  // Any coach can be asked by name, also one who does not teach this type.
  await asking.getByRole('radio', { name: 'A quienes elija' }).check({ force: true })
  await expect(asking.getByRole('checkbox', { name: 'Lucía' })).toBeAttached()
  await asking.getByRole('radio', { name: 'A quienes pueden' }).check({ force: true })
  await asking.getByRole('button', { name: 'Preguntar' }).click()
  await expect(page.getByText(/^Se les? preguntó a|^Se abrió la suplencia/)).toBeVisible()
  const card = page.getByRole('article', { name: new RegExp(`${Number(at.day.slice(8))} \\S+, 22:10`) })
  await expect(card).toContainText('Se busca suplente')
  await accessible(page)

  await page.context().clearCookies()
  await page.evaluate(() => localStorage.clear())
  await page.evaluate(async () => {
    for (const { name } of await indexedDB.databases()) if (name) indexedDB.deleteDatabase(name)
  })
  await enter(page, MANAGER, '/admin/horario/suplencias')
  await expect(card).toContainText('En lugar de Renata. Tengo cita médica')
  await accessible(page)
  await card.getByRole('button', { name: 'Asignar' }).click()
  const assigning = page.getByRole('dialog', { name: 'Asignar suplente' })
  await assigning.getByLabel('Quién la da').selectOption({ label: 'Lucía' })
  await accessible(page)
  await assigning.getByRole('button', { name: 'Asignar' }).click()
  await expect(page.getByText('Ahora da la clase Lucía.')).toBeVisible()
  const { single_class } = await owner<{ single_class: { substitutes_for?: string } }>('GET', `/single_class/single/${single_class_id}`)
  expect(single_class.substitutes_for).toBe('Renata')
  await page.getByRole('button', { name: 'Anteriores' }).click()
  await expect(card).toContainText('La da Lucía.')
})

test('a coach who is asked accepts in Mis clases and has the class (L10)', async ({ page, request, isMobile }) => {
  const at = { day: ahead(isMobile ? 5 : 6), hour: '22:20' }
  const { owner, idOf, single_class_id } = await classOf(request, 'Lucía', at)
  await owner('POST', '/admin/substitutions', { single_class_ids: [single_class_id], reason: 'Está de viaje', ask: [idOf('Renata')] })
  await enter(page, COACH, '/admin/mis-clases')
  const card = page.getByRole('article', { name: new RegExp(`${Number(at.day.slice(8))} \\S+, 22:20`) })
  await expect(card).toContainText('En lugar de Lucía. Está de viaje')
  await card.getByRole('button', { name: /^Acepto/ }).click()
  await expect(page.getByText('Ahora da la clase Renata.')).toBeVisible()
  await expect(card).toHaveCount(0)
  // Her next class is first, with its list; answered requests are under Horario.
  await expect(page.getByRole('link', { name: 'Pasar lista' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Lo que dicen de tus clases' })).toBeVisible()
  await accessible(page)
  await page.goto('/admin/horario')
  await page.getByRole('link', { name: 'Suplencias' }).first().click()
  await expect(page).toHaveURL('/admin/horario/suplencias')
  await page.getByRole('button', { name: 'Anteriores' }).click()
  await expect(card).toContainText('La da Renata.')
  const { single_class } = await owner<{ single_class: { substitutes_for?: string } }>('GET', `/single_class/single/${single_class_id}`)
  expect(single_class.substitutes_for).toBe('Lucía')
})
