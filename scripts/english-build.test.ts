/** The English build has no text of the Spanish one. */
import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { expect, test } from 'vitest'
import { english, ownTexts } from '#web/english/catalogue.ts'
import { notText } from '#web/english/not-text.ts'
import { inEnglish, isTranslated } from './english-build.ts'
import { interfaceTexts, readsLikeWords } from './interface-texts.ts'
import { withStudioLanguage } from './studio-texts.ts'

const root = join(import.meta.dirname, '..')
const files = globSync(['contract/**/*.ts', 'web/**/*.{ts,tsx}'], { cwd: root })
  .map((path) => path.split(sep).join('/'))
  .filter(isTranslated)

/** Names that are written with accents in English too. */
const NAMES = /Cancún|Mérida|Mazatlán|Juárez|constancia de situación fiscal|buzón tributario|Español/

test('every file of the interface is said in English', () => {
  expect(files.length).toBeGreaterThan(250)
  for (const file of files) {
    const source = readFileSync(join(root, file), 'utf8')
    // As the build does it: the texts of the studio are marked first.
    const built = inEnglish(file, file.endsWith('.tsx') ? withStudioLanguage(file, source) : source)
    const left = interfaceTexts(file, built).filter(({ text }) => !notText.has(text) && !NAMES.test(text))
    for (const { text } of left) expect(text, file).not.toMatch(/[áéíóúñ¿¡]/i)
  }
})

test('a text moves its expressions, its elements keep their own texts', () => {
  const source = `const a = (n) => <p className="Hola a todos">Ya tienes {n}. <b title="Ver videos">{n === 1 ? 'Clase' : 'Clases'}</b></p>`
  expect(inEnglish('web/ui/x.tsx', source)).toBe(
    `const a = (n) => <p className="Hola a todos">{"You now have "}{n}{". "}<b title={"See videos"}>{n === 1 ? "Class" : "Classes"}</b></p>`,
  )
  expect(inEnglish('web/ui/x.ts', `const b = (n) => \`Menos de \${n} min\``)).toBe(`const b = (n) => \`Under \${n} min\``)
  expect(inEnglish('web/ui/x.tsx', 'const c = <p>\n  Total: {sum}\n</p>')).toBe('const c = <p>{"Total: "}{sum}</p>')
})

test('code is left alone: paths, keys, classes, comparisons, imports', () => {
  const source = `import x from 'Clases'\nconst a = b === 'Clases' ? <i className="Clases" data-x="Clases" href="Clases" /> : f.querySelector('Clases')`
  expect(inEnglish('web/ui/x.tsx', source)).toBe(source)
})

test('distinguishes words from code', () => {
  for (const text of ['Hola', 'ver más', 'cuántos', '{0} clases', '¿Quién?']) expect([text, readsLikeWords(text)]).toEqual([text, true])
  for (const text of ['hola', 'GET', '/mystudio', 'data:x', 'x-y', 'aB', '{0}', '#web/x.tsx', 'https://x.mx'])
    expect([text, readsLikeWords(text)]).toEqual([text, false])
})

test('a word that is code elsewhere is translated in its own file only', () => {
  expect(english('web/features/calendar/next-class.ts', 'hoy')).toBe('today')
  expect(english('web/ui/x.ts', 'hoy')).toBeUndefined()
  expect(ownTexts('web/ui/x.ts')).toEqual({})
})

test('a text of the studio is marked as Spanish: its element, or a span beside other texts', () => {
  const marked = (source: string) => withStudioLanguage('web/ui/x.tsx', source)
  expect(marked('<h1 className="t1">{classPackage.title}</h1>')).toBe('<h1 lang="es-MX" className="t1">{classPackage.title}</h1>')
  expect(marked('<p>{cutAtWord(video.description, 90)}</p>')).toBe('<p lang="es-MX">{cutAtWord(video.description, 90)}</p>')
  expect(marked('<p>Hoy: {cls.class_type.name}, {hour}</p>')).toBe('<p>Hoy: <span lang="es-MX">{cls.class_type.name}</span>, {hour}</p>')
  expect(marked('<Button>{classPackage.title}</Button>')).toBe('<Button><span lang="es-MX">{classPackage.title}</span></Button>')
  expect(marked('<>{a}{room.name}{video.name}</>')).toBe(
    '<>{a}<span lang="es-MX">{room.name}</span><span lang="es-MX">{video.name}</span></>',
  )
  expect(marked("const columns = [{ header: 'Lugar', cell: (row) => row.location.name }]")).toContain(
    'cell: (row) => <span lang="es-MX">{row.location.name}</span> }',
  )
  expect(withStudioLanguage('web/features/site/banner.tsx', '<span>{site.banner_text}</span>')).toBe(
    '<span lang="es-MX">{site.banner_text}</span>',
  )
  expect(withStudioLanguage('web/areas/site/location.tsx', '<h2>{name}</h2>')).toBe('<h2 lang="es-MX">{name}</h2>')
  expect(marked('<div dangerouslySetInnerHTML={{ __html: html }} />')).toBe(
    '<div lang="es-MX" dangerouslySetInnerHTML={{ __html: html }} />',
  )
  expect(marked("<p>{[coachNames(cls), cls.location?.name ?? '–'].filter(Boolean).join(' · ')}</p>")).toMatch(/^<p lang="es-MX">/)
})

test('other texts keep the language of the page: words of the interface, people, titles of documents', () => {
  for (const source of [
    '<p>{customer.name}</p>',
    '<p>{offer.label}</p>',
    "<p>{[cls.location.name, isFull && 'Sin lugares'].join(' · ')}</p>",
    `<p>{\`Entrena con \${instructorName(coach)}\`}</p>`,
    '<title>{page.title}</title>',
    '<PageTitle>{video.name}</PageTitle>',
    '<p lang="en">{video.name}</p>',
    '<Person coach={coach.name} />',
  ])
    expect(withStudioLanguage('web/ui/x.tsx', source)).toBe(source)
})
