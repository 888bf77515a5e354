/** A second process of a test's studio: same app, same database, a Node of its own, so that nothing in memory can be what saves us. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Client, clientsAt, type Person, type TestStudio } from './studio.ts'

const PROGRAM = fileURLToPath(new URL('./second-process-main.ts', import.meta.url))

export interface SecondProcess {
  url: string
  pid: number
  /** The typed client of a person, at this process. */
  as(person: Person | null, key?: string): Client
  close(): Promise<void>
  /** Ends it as a power cut would: nothing of it runs any more when this resolves. */
  kill(): Promise<void>
}

/** Starts it on the studio's database; its clock stands where the studio's stands now. `work`: it does jobs; `env`: whom it talks to. */
export async function secondProcess(of: TestStudio, how: { work?: boolean; env?: Record<string, string> } = {}): Promise<SecondProcess> {
  const child = fork(PROGRAM, [of.database, of.clock.now().toISOString(), JSON.stringify(how)], {
    execArgv: ['--import', './scripts/fast-resolve.mjs'],
    stdio: 'inherit',
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (said) => resolve(String(said)))
    child.once('exit', (code) => reject(new Error(`The second process ended with ${code}.`)))
  })
  return {
    url,
    pid: child.pid ?? 0,
    as: clientsAt(url),
    async close() {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
    async kill() {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}
