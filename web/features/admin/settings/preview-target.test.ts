import { describe, expect, test } from 'vitest'
import { type SeenElement, settingAt } from './preview-target.ts'

const settings = [
  { key: 'business_name', type: 'text' },
  { key: 'hero_title', type: 'text' },
  { key: 'about_title', type: 'text' },
  { key: 'about_text', type: 'html' },
  { key: 'about_image', type: 'image' },
  { key: 'hero_link_text', type: 'text' },
  { key: 'instagram', type: 'link' },
  { key: 'whatsapp', type: 'phone' },
  { key: 'email', type: 'text' },
  { key: 'primary', type: 'colour' },
  { key: 'coaches_enabled', type: 'boolean' },
] as const
const values = {
  business_name: 'Vaivén',
  hero_title: 'Muévete con el mar',
  about_title: '',
  hero_link_text: 'Reserva tu clase',
  about_text: '<p>Somos un estudio de <b>Ciclo</b>.</p><p>Desde 2014 en la Roma.</p>',
  about_image: '/api/files/ab12/sala.jpg',
  instagram: 'https://instagram.com/vaiven',
  whatsapp: '+525512345678',
  email: 'hola@vaiven.mx',
  primary: '#0a0',
  coaches_enabled: true,
}
const seen = (some: Partial<SeenElement>): SeenElement => ({ tag: 'DIV', id: '', classes: [], text: '', picture: '', href: '', ...some })
const at = (...path: Partial<SeenElement>[]) => settingAt(path.map(seen), settings as never, values)

describe('the setting behind a part of the preview (G10)', () => {
  test('its text, whatever its accents and line breaks', () => {
    expect(at({ text: ' Muévete\n con el mar ' })).toBe('hero_title')
    expect(at({ tag: 'A', classes: ['btn', 'btn-filled'], text: 'Reserva tu clase', href: '/calendario' })).toBe('hero_link_text')
  })

  test('a click on a paragraph of a longer text leads to its setting', () => {
    expect(at({ tag: 'P', text: 'Desde 2014 en la Roma.' })).toBe('about_text')
    expect(at({ tag: 'B', text: 'Ciclo' }, { tag: 'P', text: 'Somos un estudio de Ciclo.' })).toBe('about_text')
  })

  test('a picture by its file, a link by what it contains', () => {
    expect(at({ tag: 'IMG', picture: '/api/files/ab12/sala.jpg?w=800' })).toBe('about_image')
    expect(at({ tag: 'A', href: 'https://instagram.com/vaiven' })).toBe('instagram')
    expect(at({ tag: 'A', text: 'Escríbenos', href: 'mailto:hola@vaiven.mx' })).toBe('email')
    expect(at({ tag: 'A', href: 'https://wa.me/525512345678?text=Hola' })).toBe('whatsapp')
  })

  test('a click elsewhere leads to the section or the button around it', () => {
    expect(at({ tag: 'P', text: 'Lucía' }, { tag: 'SECTION', id: 'coaches', text: 'Lucía' })).toBe('coaches_enabled')
    expect(at({ tag: 'SPAN', text: 'Entrar' }, { tag: 'A', classes: ['btn-filled'], text: 'Entrar' })).toBe('primary')
    expect(at({ tag: 'H2', text: 'Nosotros' }, { tag: 'SECTION', id: 'nosotros', text: 'Nosotros' })).toBe('about_title')
  })

  test('nothing where no setting shows; an empty text matches nothing', () => {
    expect(at({ tag: 'P', text: 'Términos' }, { tag: 'MAIN', text: 'Términos' })).toBeNull()
    expect(at({ tag: 'P', text: '' })).toBeNull()
  })
})
