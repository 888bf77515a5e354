/** Drafts of packages: kinds, requests, problems, and the sentence that describes a package. */
import { describe, expect, test } from 'vitest'
import type { StudioPackage } from '#contract/studio-packages.ts'
import { asKind, changedFields, changeNames, draftProblems, NEW_DRAFT, type PackageDraft, toDraft, toFields } from './package-draft.ts'
import { packageFacts } from './package-facts.ts'
import { changedParts, packageSentence } from './package-sentence.ts'

const TEN: StudioPackage = {
  class_package_id: 3,
  title: 'Diez',
  description: '',
  short_description: 'El ritmo de casi todo el estudio.',
  price: '2450.00',
  sale_price: '2290.00',
  image: null,
  receipt_file: null,
  downloadable: null,
  tax_exempt: false,
  class_amount: 10,
  expiration_days: 60,
  clock_starts: 'first_class',
  is_special_event: false,
  is_trial: false,
  is_online: false,
  is_home: true,
  is_featured: false,
  is_subscription: false,
  subscription_period: null,
  subscription_interval: null,
  free_trial_length: null,
  free_trial_period: null,
  limit_per_customer: null,
  left: null,
  sold_until: null,
  class_package_types: [],
  capacity: null,
  sold: 40,
  allowed_times: [],
  location_ids: null,
  guests_use_credit: true,
  available: true,
  limits: [],
  sort: 0,
  tax_rate: null,
  sat_key: null,
  archived: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-11-01T12:00:00.000Z',
}
const NAMES = {
  locations: new Map([
    [1, 'Roma Norte'],
    [2, 'San Ángel'],
  ]),
  types: new Map([[7, 'Ciclo']]),
}
const sentence = (draft: PackageDraft) =>
  packageSentence(draft, NAMES)
    .map(({ text }) => text)
    .join(' ')

describe('what is sent', () => {
  test('only what differs from what is stored, by its names', () => {
    const draft = toDraft(TEN)
    expect(changedFields(draft, TEN)).toEqual({})
    const changes = changedFields({ ...draft, sale_price: '2,190', expiration_days: '75', location_ids: [1] }, TEN)
    expect(changes).toEqual({ sale_price: '2190', expiration_days: 75, location_ids: [1] })
    expect(changeNames(changes)).toEqual(['precio de oferta', 'vigencia', 'estudios'])
  })

  test('a kind decides the flags, and leaves out what it does not have', () => {
    const filled = { ...toDraft(TEN), allowed_times: [{ days: [1], from: '07:00', to: '12:00' }], location_ids: [1] }
    expect(toFields(asKind(filled, 'signup'))).toMatchObject({
      class_amount: 0,
      expiration_days: 0,
      is_subscription: false,
      allowed_times: [],
      location_ids: null,
      clock_starts: 'purchase',
    })
    expect(toFields(asKind(filled, 'membership'))).toMatchObject({
      class_amount: 10,
      is_subscription: true,
      subscription_interval: 1,
      subscription_period: 'month',
    })
    expect(toFields(asKind(filled, 'online'))).toMatchObject({
      class_amount: -1,
      is_online: true,
      is_subscription: true,
      allowed_times: [],
    })
    expect(toFields(asKind(filled, 'trial'))).toMatchObject({ class_amount: 1, is_trial: true, limit_per_customer: 1, expiration_days: 7 })
    expect(toFields(asKind(asKind(filled, 'membership'), 'package'))).toMatchObject({ is_subscription: false, subscription_period: null })
    expect(toFields(asKind(filled, 'unlimited')).class_amount).toBe(-1)
  })

  test('every stored kind is read back as it is', () => {
    for (const change of [
      { is_trial: true },
      { is_special_event: true },
      { is_online: true, class_amount: -1, is_subscription: true, subscription_period: 'month', subscription_interval: 3 },
      { class_amount: 0, expiration_days: 0 },
      { class_amount: -1 },
      { is_subscription: true, subscription_period: 'year', subscription_interval: 1, free_trial_length: 7, free_trial_period: 'day' },
    ] as Partial<StudioPackage>[]) {
      const row = { ...TEN, clock_starts: 'purchase' as const, ...change }
      expect(changedFields(toDraft(row), row)).toEqual({})
    }
  })
})

test('a description of paragraphs is edited as text; one with more markup as it is', () => {
  const row = { ...TEN, description: '<p>Diez clases &amp; más.</p><p>Para todos<br />los días.</p>' }
  const draft = toDraft(row)
  expect([draft.description, draft.has_markup]).toEqual(['Diez clases & más.\n\nPara todos\nlos días.', false])
  expect(changedFields(draft, row)).toEqual({})
  expect(changedFields({ ...draft, description: 'Solo <hoy>\n\n\nSí' }, row)).toEqual({ description: '<p>Solo &lt;hoy&gt;</p><p>Sí</p>' })
  const rich = { ...TEN, description: '<h2>Diez</h2><p>Clases</p>' }
  expect(toDraft(rich)).toMatchObject({ description: rich.description, has_markup: true })
})

test('missing or wrong values are reported by field', () => {
  expect(draftProblems(toDraft(TEN))).toEqual({})
  expect(draftProblems(NEW_DRAFT)).toEqual({
    title: 'Debes llenar este campo.',
    price: 'Debes llenar este campo.',
    class_amount: 'Debes llenar este campo.',
  })
  expect(draftProblems({ ...toDraft(TEN), price: '100', expiration_days: '0', limit_per_customer: 'dos', location_ids: [] })).toEqual({
    sale_price: 'El precio de oferta no puede ser mayor que el precio.',
    expiration_days: 'Escribe un número entero.',
    limit_per_customer: 'Escribe un número entero.',
    location_ids: 'Elige al menos un estudio.',
  })
  const times = [{ days: [1], from: '12:00', to: '07:00' }]
  expect(draftProblems({ ...toDraft(TEN), allowed_times: times }).allowed_times).toBe('Un horario termina antes de empezar.')
})

describe('the sentence', () => {
  test('says what is sold, for how long, for how much, where and how often', () => {
    const draft = toDraft(TEN)
    expect(sentence(draft)).toBe(
      '10 clases para usar en 60 días desde la primera. Se paga una vez, $2,290.00. Sirve en todos los estudios y cada persona puede comprarlo las veces que quiera.',
    )
    expect(
      sentence({ ...draft, sale_price: '', class_amount: '1', clock_starts: 'purchase', location_ids: [2], limit_per_customer: '1' }),
    ).toBe(
      '1 clase para usar en 60 días desde la compra. Se paga una vez, $2,450.00. Sirve en San Ángel y cada persona puede comprarlo una vez.',
    )
    expect(sentence({ ...asKind(draft, 'membership'), free_trial_length: '7', capacity: '50' })).toBe(
      '10 clases cada mes, que vencen en 60 días. Los primeros 7 días son gratis. Se cobra $2,290.00 cada mes hasta que se cancela. ' +
        'Sirve en todos los estudios y cada persona puede comprarlo las veces que quiera. Se venden 50 en total.',
    )
    expect(sentence(asKind(draft, 'signup'))).toBe(
      'Una inscripción: no da clases. Se paga una vez, $2,290.00. Cada persona puede comprarlo una vez.',
    )
    const types = [{ class_type_id: 7, class_amount: '4', expiration_days: '30' }]
    const times = [{ days: [3, 1], from: '07:00', to: '12:00' }]
    expect(sentence({ ...draft, types, allowed_times: times })).toMatch(/^4 clases de Ciclo .* Solo lunes y miércoles de 07:00 a 12:00\.$/)
  })

  test('marks the parts that changed', () => {
    const before = packageSentence(toDraft(TEN), NAMES)
    const now = packageSentence({ ...toDraft(TEN), expiration_days: '75', sale_price: '2190' }, NAMES)
    expect([...changedParts(now, before)]).toEqual(['days', 'price'])
  })
})

test('the summary of a package has only the facts that apply', () => {
  expect(packageFacts(TEN)).toBe('10 clases, 60 días · $2,290.00 en oferta, antes $2,450.00 · En la portada · 40 vendidos')
  expect(packageFacts({ ...TEN, class_amount: 0, sale_price: null, is_home: false, sold: 1, is_subscription: true })).toBe(
    'Sin clases · $2,450.00 · Suscripción · 1 vendido',
  )
})
