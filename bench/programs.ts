/** Starts the measured programs as separate processes, and ends them all. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { fastResolve, serverEnv, serverFlags } from '../scripts/node-flags.mjs'

export const root = resolve(import.meta.dirname, '..')

export interface Running {
  child: ChildProcess
  pid: number
  port: number
  readyMs: number
}

const alive = new Set<ChildProcess>()

export const freePort = () =>
  new Promise<number>((done) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => done(typeof address === 'object' && address ? address.port : 0))
    })
  })

/** Starts a program under Node with the flags of `npm start` and waits for its ready message. */
export async function start(file: string, args: string[], env: Record<string, string>, ready: RegExp): Promise<Running> {
  const began = performance.now()
  // BENCH_PROFILE=<folder>: the CPU profile of each program, written when it ends.
  const profile = process.env.BENCH_PROFILE ? ['--cpu-prof', `--cpu-prof-dir=${process.env.BENCH_PROFILE}`] : []
  const child = spawn(process.execPath, [...serverFlags, ...profile, file, ...args], {
    cwd: root,
    env: { ...process.env, ...serverEnv, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  alive.add(child)
  const text = await new Promise<string>((done, fail) => {
    let seen = ''
    child.stdout?.on('data', (part) => {
      seen += part
      if (ready.test(seen)) done(seen)
    })
    child.on('exit', (code) => fail(new Error(`${file} ended with ${code} before it was ready:\n${seen}`)))
  })
  return { child, pid: child.pid ?? 0, port: Number(/listo (\d+)/.exec(text)?.[1] ?? env.PORT), readyMs: performance.now() - began }
}

/** Runs a program to its end and reads the JSON that it prints; `input` is the JSON that it reads. */
export async function run<Answer>(file: string, input: object): Promise<Answer> {
  const child = spawn(process.execPath, [...fastResolve, file], { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] })
  alive.add(child)
  let printed = ''
  child.stdout.on('data', (part) => {
    printed += part
  })
  child.stdin.end(JSON.stringify(input))
  const code = await new Promise((done) => child.once('close', done))
  alive.delete(child)
  if (code !== 0) throw new Error(`${file} ended with ${code}.`)
  return JSON.parse(printed) as Answer
}

export const stop = ({ child }: Running) => end(child)

/** Ends all running programs. */
export const stopAll = () => Promise.all([...alive].map(end))

function end(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    alive.delete(child)
    if (child.exitCode !== null || child.signalCode !== null) return done()
    child.removeAllListeners('exit')
    child.once('exit', () => done())
    child.kill('SIGTERM')
  })
}
