import { Suspense } from 'react'
import { prerender } from 'react-dom/static'
import { expect, test } from 'vitest'
import { lazyPart } from './lazy-part.tsx'

const shown = async (load: Parameters<typeof lazyPart>[0]) => {
  const Part = lazyPart(load)
  const { prelude } = await prerender(
    <main>
      <h1>Checkout</h1>
      <Suspense>
        <Part />
      </Suspense>
    </main>,
  )
  return new Response(prelude).text()
}

test('a part that cannot be loaded says so, and the page stays', async () => {
  expect(await shown(async () => ({ default: () => <p>Tarjeta</p> }))).toContain('<p>Tarjeta</p>')
  const failed = await shown(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module')))
  expect(failed).toContain('<h1>Checkout</h1>')
  expect(failed).toContain('<p role="alert">No pudimos abrirlo.')
})
