import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { attacks, contexts, dangersIn } from '#server/testing/attacks.ts'
import { sanitizeHtml, sanitizeNullable } from './html.ts'

describe('HTML from administrators (T6)', () => {
  it('the grammar detects every attack before cleaning', () => {
    expect(attacks.length).toBeGreaterThanOrEqual(60)
    for (const attack of attacks) expect(dangersIn(attack), attack).not.toEqual([])
  })

  it('no attack survives in any context', async () => {
    for (const attack of attacks)
      for (const context of contexts) {
        const dirty = context(attack)
        const clean = await sanitizeHtml(dirty)
        expect(dangersIn(clean), `${dirty}\n=> ${clean}`).toEqual([])
      }
  })

  it('no combination of attacks survives, nor a second cleaning', async () => {
    const piece = fc.oneof(
      fc.constantFrom(...attacks),
      fc.constantFrom('<', '>', '"', "'", '&', '<p>', '</p>', '<a href="', '<!--', '-->', '\u0000', '&#'),
      fc.string(),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
        const clean = await sanitizeHtml(pieces.join(''))
        expect(dangersIn(clean)).toEqual([])
        expect(dangersIn(await sanitizeHtml(clean))).toEqual([])
      }),
      { numRuns: 1_500 },
    )
  })

  it('the editor’s HTML is unchanged by any number of cleanings', async () => {
    for (const fine of [
      '<h2>Reservaciones</h2>\n<p>Con <strong>crédito</strong> y <em>ganas</em>.</p>',
      '<ul><li>Uno</li><li>Dos</li></ul>',
      '<p><a href="/paquetes">Paquetes</a> <a href="mailto:hola@vaiven.mx">correo</a> <a href="tel:5548217390">teléfono</a></p>',
      '<table><thead><tr><th scope="col">Hora</th></tr></thead><tbody><tr><td colspan="2">18:00</td></tr></tbody></table>',
      'Calcetines & agua',
    ])
      expect(await sanitizeHtml(fine)).toBe(fine.replace(' & ', ' &amp; '))
  })

  it('external links open safely, images load lazily, and a page keeps its only h1', async () => {
    expect(await sanitizeHtml('<a href="https://ok.example" rel="opener">x</a>')).toBe(
      '<a href="https://ok.example" target="_blank" rel="noopener noreferrer">x</a>',
    )
    expect(await sanitizeHtml('<img src="https://ok.example/a.png">')).toBe('<img alt="" src="https://ok.example/a.png" loading="lazy" />')
    expect(await sanitizeHtml('<h1>Hola</h1>')).toBe('<h2>Hola</h2>')
  })

  it('a text without content becomes empty', async () => {
    expect(await sanitizeNullable(null)).toBeNull()
    expect(await sanitizeNullable('<script>x</script>')).toBeNull()
    expect(await sanitizeNullable('<p>x</p>')).toBe('<p>x</p>')
  })
})
