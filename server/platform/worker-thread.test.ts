/** Long computations leave the main thread free (finding the event loop's turns), end in time, and lose no answer. */
import { describe, expect, it } from 'vitest'
import { longestBlock, MAX_BLOCKED_MS } from '#server/testing/main-thread.ts'
import { sanitizeHtml } from './html.ts'
import type { sanitizeText } from './html-task.ts'
import { onWorkerThread, openWorkerThread } from './worker-thread.ts'

const module = new URL('./html-task.ts', import.meta.url).href
const sanitizing = (input: string) => ({ module, name: 'sanitizeText', input })
/**
 * Takes the sanitizer a second: it closes every list that is open at every piece. The first words are those of this file: sanitized texts
 * are cached, and other test files of the same process sanitize long lists, too.
 */
const NEST = `Hilo de cómputo: ${'<ul><li>'.repeat(24_000)}`
const limits = () => ({ timeoutMs: 120_000, maxWaiting: 10, idleMs: 60_000 })

/** How often the event loop comes around until `work` is done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let [turns, done] = [0, false]
  const working = work().finally(() => {
    done = true
  })
  while (!done) {
    turns++
    await new Promise((resume) => setTimeout(resume, 1))
  }
  await working
  return turns
}

describe('other requests', () => {
  it('other requests are not blocked by sanitising', async () => {
    await sanitizeHtml('<b>a</b>')
    const longest = await longestBlock(() => sanitizeHtml(`${NEST}<b>otro</b>`))
    expect(longest).toBeLessThan(MAX_BLOCKED_MS)
    const { sanitizeText: here } = await import('./html-task.ts')
    expect(await longestBlock(async () => here(NEST))).toBeGreaterThan(MAX_BLOCKED_MS)
  })
})

describe('the worker thread', () => {
  it('sanitises while the event loop keeps running', async () => {
    // What is loaded at first use is loaded.
    await sanitizeHtml('<b>a</b>')
    expect(await turnsDuring(() => sanitizeHtml(NEST))).toBeGreaterThan(20)
  })

  it('sanitises the same text once, also when it gets its own output', async () => {
    const first = sanitizeHtml('<p onclick=x>uno</p>')
    expect(sanitizeHtml('<p onclick=x>uno</p>')).toBe(first)
    expect(await first).toBe('<p>uno</p>')
    expect(sanitizeHtml('<p>uno</p>')).toBe(first)
  })

  it('returns each result to its own request, in order', async () => {
    const thread = openWorkerThread(limits())
    const texts = Array.from({ length: 8 }, (_, n) => `<b>${n}</b>`)
    expect(await Promise.all(texts.map((text) => thread.run(sanitizing(text))))).toEqual(
      texts.map((text) => text.replaceAll('b>', 'strong>')),
    )
  })

  it('the worker thread does not wait for a file that is being read or written', async () => {
    const inFiles = onWorkerThread<typeof sanitizeText>(new URL('./html-task.ts', import.meta.url), 'sanitizeText', 'files')
    const finished: string[] = []
    const long = inFiles(NEST).then(() => finished.push('file'))
    await sanitizeHtml('<b>corto</b>').then(() => finished.push('text'))
    await long
    expect(finished).toEqual(['text', 'file'])
  })

  it('refuses with BUSY a task that takes too long or waits behind too many, and continues', async () => {
    const strict = { ...limits(), timeoutMs: 1, maxWaiting: 1 }
    const thread = openWorkerThread(strict)
    const long = thread.run(sanitizing(NEST))
    strict.timeoutMs = 120_000
    const waiting = thread.run(sanitizing('<b>a</b>'))
    await expect(thread.run(sanitizing('<b>b</b>'))).rejects.toMatchObject({ code: 'BUSY' })
    await expect(long).rejects.toMatchObject({ code: 'BUSY' })
    expect(await waiting).toBe('<strong>a</strong>')
  })

  it('passes on a task’s error, and fails tasks of a thread that died', async () => {
    const thread = openWorkerThread(limits())
    await expect(thread.run({ module, name: 'nothing', input: 1 })).rejects.toThrow(TypeError)
    const dead = thread.run({ module: 'node:process', name: 'exit', input: 3 })
    const next = thread.run(sanitizing('<b>a</b>'))
    await expect(dead).rejects.toThrow('ended with code 3')
    expect(await next).toBe('<strong>a</strong>')
  })

  it('stops when idle, and restarts', async () => {
    const thread = openWorkerThread({ ...limits(), idleMs: 1 })
    expect(await thread.run(sanitizing('<b>a</b>'))).toBe('<strong>a</strong>')
    await new Promise((resume) => setTimeout(resume, 20))
    expect(await thread.run(sanitizing('<b>b</b>'))).toBe('<strong>b</strong>')
  })
})
