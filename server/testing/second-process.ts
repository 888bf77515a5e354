/**
 * A second process of a test's studio: same app and database, separate Node process, so that nothing works only because of shared memory.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Client, clientsAt, type Person, type TestStudio } from './studio.ts'

const PROGRAM = fileURLToPath(new URL('./second-process-main.ts', import.meta.url))

export interface SecondProcess {
  url: string
  pid: number
  /** The typed client of a person, connected to this process. */
  as(person: Person | null, key?: string): Client
  close(): Promise<void>
  /** Kills it with SIGKILL; resolves when it has exited. */
  kill(): Promise<void>
}

/** Starts it on the studio's database with the studio's current time. `work`: runs jobs; `env`: environment variables. */
export async function secondProcess(of: TestStudio, how: { work?: boolean; env?: Record<string, string> } = {}): Promise<SecondProcess> {
  const child = fork(PROGRAM, [of.database, of.clock.now().toISOString(), JSON.stringify(how)], {
    execArgv: ['--import', './scripts/fast-resolve.mjs'],
    stdio: 'inherit',
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (message) => resolve(String(message)))
    child.once('exit', (code) => reject(new Error(`The second process ended with ${code}.`)))
  })
  return {
    url,
    pid: child.pid ?? 0,
    as: clientsAt(url),
    async close() {
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      await exit
    },
    async kill() {
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
    },
  }
}
