/** The whole program with its embedded database in a separate process, for tests that kill it. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Client, clientsAt, type Person } from './studio.ts'

const PROGRAM = fileURLToPath(new URL('./program-main.ts', import.meta.url))

export interface Program {
  url: string
  /** Connection string of its embedded database. */
  database: string
  as(person: Person | null, key?: string): Client
  /** Kills the program with SIGKILL; its database keeps running. */
  kill(): Promise<void>
  /** Kills the database with SIGKILL; the program has to restart it. */
  killDatabase(): void
  close(): Promise<void>
}

/** Starts it on a data folder, which may be new or left by a killed program. */
export async function program(dataDir: string): Promise<Program> {
  const child = fork(PROGRAM, [dataDir], { execArgv: ['--import', './scripts/fast-resolve.mjs'], stdio: 'inherit' })
  const started = await new Promise<{ url: string; database: string; folder: string }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { url: string; database: string; folder: string }))
    child.once('exit', (code, signal) => reject(new Error(`The program ended with ${signal ?? code}.`)))
  })
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    const exit = once(child, 'exit')
    child.kill(signal)
    await exit
  }
  return {
    url: started.url,
    database: started.database,
    as: clientsAt(started.url),
    kill: () => end('SIGKILL'),
    killDatabase: () =>
      void process.kill(Number(readFileSync(join(started.folder, 'data/postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL'),
    close: () => end('SIGTERM'),
  }
}
