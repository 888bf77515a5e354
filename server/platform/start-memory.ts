/**
 * Collects the garbage of a start: parsed sources, migrations, first reads. By itself the engine leaves it for as long as the server
 * is idle.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/**
 * Returns the memory that the start no longer needs to the system. Blocks for some tenths of a second: for before the first request. Never
 * throws: without it the server only uses more memory, which is no reason to end a start.
 */
export function collectStartGarbage(): void {
  try {
    setFlagsFromString('--expose-gc')
    const collect: Collect | null = runInNewContext(`typeof gc === 'function' ? gc : null`)
    collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    setFlagsFromString('--no-expose-gc')
  } catch {
    // An engine that exposes no collector, or another one: it collects when it needs memory.
  }
}
