/** Collects the garbage of a start: parsed sources, migrations, first reads. By itself the engine leaves it for as long as the server is idle. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Returns the memory that the start no longer needs to the system. Blocks for some tenths of a second: for before the first request. */
export function collectStartGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect: (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void = runInNewContext('gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  setFlagsFromString('--no-expose-gc')
}
