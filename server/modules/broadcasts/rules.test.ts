import { describe, expect, it } from 'vitest'
import { buildPreview, filledText, planFor, type RecipientFacts, type Terms, unknownVariable } from './rules.ts'

const ana: RecipientFacts = {
  customer_id: 1,
  name: 'Ana Ruiz',
  gone: false,
  has_email: true,
  has_phone: true,
  has_account: true,
  promotions: true,
  whatsapp: true,
  recent: 0,
}
const all: Terms = { channels: ['mail', 'whatsapp', 'app'], is_promotion: true, limit: 3 }

describe('who gets a broadcast (BR2 to BR4)', () => {
  it.each<[string, Partial<RecipientFacts>, Partial<Terms>, readonly string[] | string]>([
    ['by every chosen channel', {}, {}, ['mail', 'whatsapp', 'app']],
    ['by the chosen ones only', {}, { channels: ['app'] }, ['app']],
    ['without consent in the own account only', { promotions: false }, {}, ['app']],
    ['without consent and without the account not at all', { promotions: false }, { channels: ['mail', 'whatsapp'] }, 'no_consent'],
    ['about their class without consent to promotions', { promotions: false }, { is_promotion: false }, ['mail', 'whatsapp', 'app']],
    ['by WhatsApp only with its own consent', { whatsapp: false }, { channels: ['whatsapp'] }, 'no_consent'],
    [
      'about their class by WhatsApp only with its consent too',
      { whatsapp: false },
      { channels: ['whatsapp'], is_promotion: false },
      'no_consent',
    ],
    ['without an address', { has_email: false }, { channels: ['mail'] }, 'no_address'],
    ['without an account', { has_account: false }, { channels: ['app'] }, 'no_address'],
    ['up to the limit', { recent: 2 }, {}, ['mail', 'whatsapp', 'app']],
    ['not beyond the limit', { recent: 3 }, {}, 'limit'],
    ['about their class beyond the limit', { recent: 3 }, { is_promotion: false }, ['mail', 'whatsapp', 'app']],
    ['not any more', { gone: true }, { is_promotion: false }, 'gone'],
  ])('%s', (_, facts, terms, expected) => {
    const plan = planFor({ ...ana, ...facts }, { ...all, ...terms })
    expect(plan.reason ?? plan.channels).toEqual(expected)
  })

  it('who does not get a broadcast is counted by channel and by reason', () => {
    const people = [ana, { ...ana, customer_id: 2, promotions: false, has_account: false }, { ...ana, customer_id: 3, recent: 9 }]
    const preview = buildPreview(people, { ...all, channels: ['mail', 'app'] }, 1)
    expect(preview).toEqual({
      total: 3,
      reached: 1,
      left_out_total: 2,
      by_channel: [
        { channel: 'mail', reached: 1, without_consent: 1, without_address: 0 },
        { channel: 'app', reached: 1, without_consent: 0, without_address: 1 },
      ],
      left_out: [{ customer_id: 2, name: 'Ana Ruiz', reason: 'no_consent' }],
      left_out_by: [
        { reason: 'no_consent', count: 1 },
        { reason: 'limit', count: 1 },
      ],
    })
  })
})

describe('the text', () => {
  it('the text of a broadcast has the name and the studio, and a name that looks like a variable stays text', () => {
    expect(filledText('Hola {{ nombre }} de {{negocio}}', { nombre: '{{negocio}}', negocio: 'Vaivén' })).toBe('Hola {{negocio}} de Vaivén')
  })
  it.each([
    ['{{nombre}} y {{ negocio }}', null],
    ['{{apellido}}', '{{apellido}}'],
    ['{{nombre', '{{'],
    ['nada', null],
  ])('%s', (text, expected) => expect(unknownVariable(text)).toBe(expected))
})
