// Runs the project's tools under the pinned Node version. Works under Node 20 without installed packages.
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
export const windows = process.platform === 'win32'
export const modules = join(root, 'node_modules')
/** Not `.bin/node`: it is missing when install scripts are disabled. */
export const pinned = join(modules, 'node', 'bin', windows ? 'node.exe' : 'node')
/** Packages are started by their real file: on Windows `.bin` contains shell wrappers. */
export const tool = {
  biome: join(modules, '@biomejs/biome/bin/biome'),
  drizzle: join(modules, 'drizzle-kit/bin.cjs'),
  knip: join(modules, 'knip/bin/knip.js'),
  playwright: join(modules, '@playwright/test/cli.js'),
  reactRouter: join(modules, '@react-router/dev/bin.cjs'),
  typescript: join(modules, 'typescript/bin/tsc'),
  vitest: join(modules, 'vitest/vitest.mjs'),
}
let interrupted = false
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    interrupted = true
  })
/** Whether the run was interrupted: later failures then do not count as failures of tests. */
export const isInterrupted = () => interrupted

/** The project's tools and Node come first in PATH: a program with `#!/usr/bin/env node` must not find an older version. */
function environment(more = {}) {
  const key = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  return { ...process.env, [key]: [join(modules, '.bin'), dirname(pinned), process.env[key]].join(delimiter), ...more }
}

/** Runs a Node program of the project and returns its exit code. */
export function node(args, env) {
  return run(pinned, args, { env: environment(env) })
}

/** Runs a program attached to the terminal and returns its exit code. */
export function run(program, args, options = {}) {
  const child = spawn(program, args, { cwd: root, stdio: 'inherit', ...options })
  // Ctrl-C reaches the terminal's whole process group. A second SIGINT would make the server skip its graceful shutdown.
  const onInt = () => process.stdin.isTTY || child.kill('SIGINT')
  const onTerm = () => child.kill('SIGTERM')
  process.on('SIGINT', onInt).on('SIGTERM', onTerm).on('SIGHUP', onTerm)
  // npm exits on SIGTERM without forwarding it: watch for the parent's exit.
  const parent = process.ppid
  const orphaned = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(orphaned)
    interrupted = true
    child.kill('SIGTERM')
  }, 500)
  return new Promise((done) => {
    child.once('error', (error) => {
      console.error(error.message)
      done(1)
    })
    child.once('exit', (code, signal) => done(code ?? (signal === 'SIGINT' ? 130 : 143)))
  }).finally(() => {
    clearInterval(orphaned)
    process.off('SIGINT', onInt).off('SIGTERM', onTerm).off('SIGHUP', onTerm)
  })
}

/** Runs a Node program of the project and returns its exit code and output. */
export function captured(args, env) {
  const child = spawn(pinned, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: environment(env) })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  return new Promise((done) => {
    child.once('error', (error) => done({ code: 1, output: error.message }))
    child.once('close', (code) => done({ code: code ?? 1, output }))
  })
}

export function freePort() {
  return new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => done(port))
    })
  })
}

/** Ends the run with a message. */
export function stop(text) {
  console.error(text)
  process.exit(1)
}
