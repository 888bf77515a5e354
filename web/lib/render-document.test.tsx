/** Sections that throw while a document is rendered, with React's own server renderer. */
import { expect, test } from 'vitest'
import { SectionBoundary } from '#web/ui/section-boundary.tsx'
import { renderDocument } from './render-document.tsx'

const Fine = ({ title = 'Horarios' }) => (
  <section>
    <h2>{title}</h2>
  </section>
)
function Coaches(): never {
  throw new TypeError('a coach without a name')
}
const bundled = { Coaches$1: () => <Coaches /> }
const Bundled = bundled.Coaches$1
const Team = () => (
  <section>
    <ul>
      <Coaches />
    </ul>
  </section>
)

/** The rendered HTML, and the failures that were reported. */
async function render(sections: React.ReactNode) {
  const failures: [section: string, message: string][] = []
  const errors: unknown[] = []
  const page = (
    <html lang="es-MX">
      <body>
        <main>{sections}</main>
      </body>
    </html>
  )
  const rendered = renderDocument(page, {
    nonce: undefined,
    signal: AbortSignal.timeout(5_000),
    onSectionFailure: (section, error) => failures.push([section, (error as Error).message]),
    onError: (error) => errors.push(error),
  })
  const html = await rendered.then(
    (stream) => new Response(stream).text(),
    () => null,
  )
  return { html, failures, errors }
}

test('a section that throws is left out and named; the sections around it are rendered', async () => {
  const { html, failures, errors } = await render(
    <>
      <SectionBoundary>
        <Fine />
      </SectionBoundary>
      <SectionBoundary>
        <Team />
      </SectionBoundary>
      <SectionBoundary fallback={<h1>Vaivén</h1>}>
        <Bundled />
      </SectionBoundary>
      <SectionBoundary>
        <Fine title="Avisos" />
      </SectionBoundary>
    </>,
  )
  expect(html).toMatch(/<main>.*Horarios.*<h1>Vaivén<\/h1>.*Avisos.*<\/main>/s)
  expect(html).not.toContain('<ul>')
  expect(failures).toEqual([
    ['Team', 'a coach without a name'],
    ['Coaches', 'a coach without a name'],
  ])
  expect(errors).toEqual([])
})

test('a large section is rendered in its place, not moved there by a script', async () => {
  const { html } = await render(
    <SectionBoundary>
      <Fine title={'Clase '.repeat(20_000)} />
    </SectionBoundary>,
  )
  expect(html).toMatch(/<main>.*<h2>Clase .*<\/main>/)
  expect(html).not.toMatch(/<script|<template|hidden/)
})

test('an error outside of every section fails the document', async () => {
  const { html, failures, errors } = await render(<Coaches />)
  expect([html, failures]).toEqual([null, []])
  expect(errors).toEqual([new TypeError('a coach without a name')])
})
