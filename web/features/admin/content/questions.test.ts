import { describe, expect, it } from 'vitest'
import { readQuestions, writeQuestions } from './questions.ts'

describe('questions and answers of a page', () => {
  it('questions and answers of a page are the headings with the text below each', () => {
    const html =
      '<h2>¿Qué llevo?</h2>\n<p>Calcetas &amp; agua.</p><ul><li>Toalla</li></ul>\n<h2>¿Y si llego tarde?</h2>\n<p>Cinco minutos.<br>Después no.</p>'
    const found = readQuestions(html)
    expect(found).toEqual([
      { question: '¿Qué llevo?', answer: '<p>Calcetas &amp; agua.</p><ul><li>Toalla</li></ul>' },
      { question: '¿Y si llego tarde?', answer: '<p>Cinco minutos.<br>Después no.</p>' },
    ])
    expect(writeQuestions(found ?? [])).toBe(html)
  })

  it('questions and answers of a page keep their text, also with signs of HTML', () => {
    const question = '¿1 < 2 & "sí"?'
    expect(readQuestions(writeQuestions([{ question, answer: '<p>Sí</p>' }]))).toEqual([{ question, answer: '<p>Sí</p>' }])
    expect(writeQuestions([{ question: '<script>alert(1)</script>', answer: '' }])).toBe('<h2>&lt;script&gt;alert(1)&lt;/script&gt;</h2>\n')
  })

  it('of an empty text are none', () => expect(readQuestions(' ')).toEqual([]))

  it.each([
    ['a text before the first', '<p>Hola</p><h2>Uno</h2><p>Dos</p>'],
    ['no heading', '<p>Hola</p>'],
    ['a heading inside something else', '<div><h2>Uno</h2><p>Dos</p></div>'],
    ['a heading with a link', '<h2><a href="/x">Uno</a></h2><p>Dos</p>'],
    ['an empty heading', '<h2> </h2><p>Dos</p>'],
    ['a heading with attributes', '<h2>Uno</h2><p>Dos</p><h2 class="x">Tres</h2>'],
    ['an element that does not end', '<h2>Uno</h2><ul><li>Dos'],
    ['a comment', '<h2>Uno</h2><!-- x --><p>Dos</p>'],
  ])('questions and answers are not read from %s', (_, html) => expect(readQuestions(html)).toBeNull())
})
