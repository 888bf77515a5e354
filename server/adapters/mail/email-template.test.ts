/** Mails in the studio's brand: readable, safe, the same in both forms. */
import { expect, test } from 'vitest'
import { contrast, demoBrands } from '#contract/color.ts'
import { defaultSettings, type Settings } from '#contract/settings.ts'
import { type EmailTemplate, renderEmail } from './email-template.ts'

const brand = (some: Partial<Settings>): Settings => ({ ...defaultSettings, ...some })
const template: EmailTemplate = {
  subject: 'Elige tu contraseña de Vaivén',
  preview: 'Un enlace para ti',
  title: 'Elige tu contraseña',
  paragraphs: ['Pediste una contraseña nueva para ana@ejemplo.mx.'],
  action: { label: 'Elegir contraseña', url: 'https://vaiven.mx/cuenta/accion?mode=resetPassword&oobCode=abc&lang=es' },
  notes: ['El enlace sirve una sola vez.'],
}

test('the text and HTML forms have the same content and link', () => {
  const { html, text, subject } = renderEmail(brand({ business_name: 'Vaivén', email: 'hola@vaiven.mx' }), 'https://vaiven.mx', template)
  expect(subject).toBe('Elige tu contraseña de Vaivén')
  for (const part of [template.title, ...template.paragraphs, 'Elegir contraseña', ...template.notes, 'Vaivén', 'hola@vaiven.mx']) {
    expect(text).toContain(part)
    expect(html).toContain(part)
  }
  expect(text).toContain(`\n${template.action?.url}\n`)
  expect(html.match(/href="([^"]+)"/)?.[1]?.replaceAll('&amp;', '&')).toBe(template.action?.url)
  expect(html).toMatch(/^<!doctype html>\n<html lang="es-MX">/)
})

test('user input never becomes markup or a header', () => {
  const evil = '"><script>alert(1)</script>'
  const { html, subject } = renderEmail(
    brand({ business_name: `${evil}\r\nBcc: a@b.mx`, email: evil, location: evil, navbar_logo: 'https://a.mx/"onerror=alert(1) x="' }),
    'https://vaiven.mx',
    {
      ...template,
      subject: `Hola ${evil}\r\nBcc: a@b.mx`,
      title: evil,
      preview: evil,
      paragraphs: [evil],
      notes: [evil],
      action: { label: evil, url: `https://vaiven.mx/?a=${evil}` },
    },
  )
  expect(html).not.toMatch(/<script|"onerror/i)
  expect(subject).not.toMatch(/[\r\n]/)
})

test('shows a logo in a format that mail clients support', () => {
  const image = (some: Partial<Settings>) => renderEmail(brand(some), 'https://vaiven.mx', template).html.match(/<img src="([^"]+)"/)?.[1]
  expect(image({})).toBeUndefined()
  expect(image({ navbar_logo: '/archivos/logo.png' })).toBe('https://vaiven.mx/archivos/logo.png')
  expect(image({ navbar_logo: '/archivos/logo.png', filesBaseSrc: 'https://cdn.mx/' })).toBe('https://cdn.mx/archivos/logo.png')
  expect(image({ navbar_logo: 'https://cdn.mx/logo.webp' })).toBe('https://cdn.mx/logo.webp')
  expect(image({ navbar_logo: '/archivos/logo.svg' })).toBeUndefined()
})

test('text and button are readable with any brand, also dark ones', () => {
  const brands = [
    ...Object.values(demoBrands),
    { primary: '#FFFF00', accent: '#00FF00', dark: '#777777', gray: '#999999', light: '#888888', 'primary-light': '#123456' },
  ]
  for (const theme of brands) {
    const { html } = renderEmail(brand(theme as Partial<Settings>), 'https://vaiven.mx', template)
    const [, ground = '', ink = ''] = /bgcolor="(#\w{6})"[\s\S]*?font-weight:700;color:(#\w{6});text-decoration:none/.exec(html) ?? []
    expect(contrast(ink, ground)).toBeGreaterThanOrEqual(4.5)
    const [, paper = ''] = /<tr><td style="background:(#\w{6});border/.exec(html) ?? []
    for (const [, colour = ''] of html.matchAll(/<(?:p|h1) style="[^"]*;color:(#\w{6})/g))
      expect(contrast(colour, paper)).toBeGreaterThanOrEqual(4.5)
  }
})

test('a second link is below the action, in both forms and escaped', () => {
  const url = 'https://vaiven.mx/mystudio/pagos?factura=7&a="b'
  const { html, text } = renderEmail(brand({}), 'https://vaiven.mx', { ...template, link: { label: 'Facturar <esta> compra', url } })
  expect(html).toContain('<a href="https://vaiven.mx/mystudio/pagos?factura=7&amp;a=&quot;b"')
  expect(html).toContain('>Facturar &lt;esta&gt; compra</a>')
  expect(text).toContain(`Facturar <esta> compra:\n${url}\n`)
})
