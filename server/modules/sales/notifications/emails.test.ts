/** Mails about gifts, orders and gift cards have English for all of their sentences (contract/english/mails.ts). */
import { expect, test } from 'vitest'
import { defaultSettings } from '#contract/settings.ts'
import { giftCardEmail, giftCardOrderedEmail, giftEmail, paymentLinkEmail } from './emails.ts'

const settings = { ...defaultSettings, business_name: 'Fragua', email: '', location: '' }
const site = 'https://fragua.example'
const language = 'en' as const
const pay = { name: 'Ana', url: `${site}/x`, until: new Date('2026-11-20T16:00:00Z'), zone: 'America/Mexico_City', language }
const item = { title: 'Reformer', quantity: 1, total_centavos: 45_000 }
const card = { amount: 50_000, code: 'ABCD-1234', name: 'Eva', message: 'Happy birthday!' }
const order = { amount: 50_000, giver: 'Ana', name: 'Eva', email: 'eva@example.com' }

const emails = {
  gift: giftEmail(settings, site, { title: 'Reformer', class_amount: 8 }, { name: 'Eva', giver: 'Ana', language }),
  'gift of one class': giftEmail(settings, site, { title: 'Reformer', class_amount: 1 }, { name: 'Eva', giver: 'Ana', language }),
  'unlimited gift': giftEmail(settings, site, { title: 'Reformer', class_amount: -1 }, { name: 'Eva', giver: 'Ana', language }),
  order: paymentLinkEmail(settings, site, [item], { ...pay, charge: 45_000 }),
  'order with a gift card': paymentLinkEmail(settings, site, [{ ...item, quantity: 2 }], { ...pay, charge: 10_000 }),
  'order of several': paymentLinkEmail(settings, site, [item, { ...item, title: 'Barre' }], { ...pay, charge: 90_000 }),
  'gift card of a friend': giftCardEmail(settings, site, { ...card, giver: 'Ana Ruiz' }, language),
  'own gift card': giftCardEmail(settings, site, { ...card, giver: null, message: null }, language),
  'gift card for later': giftCardOrderedEmail(settings, site, { ...order, on: '2026-12-24' }, language),
  'gift card for now': giftCardOrderedEmail(settings, site, { ...order, on: null }, language),
}

const SPANISH =
  /[¿¡ñ]|\b(?:[Tt]us?|[Ee]l|la|los?|las|con|de|del|para|hasta|clases?|una?|se|ya|y|en|nov|dic|enlace|regal\w*|compra|m[aá]s)\b/

test.each(Object.entries(emails))('%s', (_name, { subject, html, text }) => {
  for (const sentence of [subject, text]) expect(SPANISH.exec(sentence)?.[0] ?? sentence).toBe(sentence)
  expect(html).toContain('<html lang="en">')
  expect(html).not.toContain('Si el botón')
})

test('what the studio and its customers wrote stays as it is', () => {
  const { text } = giftEmail(settings, site, { title: '8 clases de Yoga', class_amount: 8 }, { name: 'Eva', giver: 'Ana', language })
  expect(text).toContain('Ana gave you 8 clases de Yoga, 8 classes.')
  expect(giftCardEmail(settings, site, { ...card, giver: 'Ana', message: 'Tu regalo está listo' }, language).text).toContain(
    '«Tu regalo está listo»',
  )
})
