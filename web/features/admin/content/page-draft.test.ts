import { describe, expect, it } from 'vitest'
import { acceptanceText, changedPageFields, NEW_PAGE, type PageDraft, pageProblems, slugOf } from './page-draft.ts'

const stored: PageDraft = { ...NEW_PAGE, title: 'Aviso', slug: 'aviso', content: '<p>Uno</p>', required: true }
const counts = { accepted: 2_914, customers: 3_000 }

describe('an address from a title', () => {
  it.each([
    ['Política de cancelación', 'politica-de-cancelacion'],
    ['  ¿Qué llevo? ', 'que-llevo'],
    ['***', ''],
  ])('%s', (title, slug) => expect(slugOf(title)).toBe(slug))
})

describe('what is sent', () => {
  it('only what changed of a page is sent, and an emptied text as null (T8)', () => {
    expect(changedPageFields(stored, stored)).toEqual({})
    expect(changedPageFields({ ...stored, title: 'Otro', content: ' ' }, stored)).toEqual({ title: 'Otro', content: null })
  })
})

describe('problems', () => {
  it('name an address that is not one, or that another screen has', () => {
    expect(pageProblems(stored)).toEqual({})
    expect(pageProblems({ ...stored, title: ' ', slug: 'Mi página' })).toMatchObject({
      title: expect.any(String),
      slug: expect.any(String),
    })
    expect(pageProblems({ ...stored, slug: 'calendario' }).slug).toBe('Esa dirección ya es de otra pantalla.')
  })
})

describe('customers who have to accept again (T4)', () => {
  it('customers who have to accept again are those who accepted the current version, when the text changes', () => {
    expect(acceptanceText({ ...stored, content: '<p>Dos</p>' }, stored, counts)).toBe('Las 2,914 personas tendrán que aceptarla otra vez.')
    expect(acceptanceText({ ...stored, content: '<p>Dos</p>' }, stored, { accepted: 1, customers: 1 })).toBe(
      '1 persona tendrá que aceptarla otra vez.',
    )
    expect(acceptanceText({ ...stored, title: 'Otro' }, stored, counts)).toBeNull()
  })

  it('customers who have to accept again are all with an account who have not accepted it, when it becomes a document', () => {
    const plain = { ...stored, required: false }
    expect(acceptanceText({ ...plain, content: '<p>Dos</p>' }, plain, counts)).toBeNull()
    expect(acceptanceText(stored, plain, counts)).toBe('Las 86 personas con cuenta tendrán que aceptarla.')
    expect(acceptanceText(stored, { ...stored, published: false }, { accepted: 0, customers: 5 })).toBe(
      'Las 5 personas con cuenta tendrán que aceptarla.',
    )
  })

  it('customers who have to accept again are none, when it is taken off the site', () => {
    expect(acceptanceText({ ...stored, published: false }, stored, counts)).toBe('Ya no se le pedirá a nadie.')
  })
})
