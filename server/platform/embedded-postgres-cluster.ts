/** Creates a cluster and runs PostgreSQL's programs as the operating-system user that owns its data. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DatabaseLocation, moveUnlessThere } from './embedded-postgres-location.ts'

/** PostgreSQL role that owns the cluster and that the program connects as. */
export const USER = 'estudio'

/**
 * Creates the cluster in a temporary folder and renames it into place, so that two simultaneous first starts, or an interrupted one, cannot
 * mix.
 */
export async function initialise(location: DatabaseLocation, { fsync, tcp }: { fsync: boolean; tcp: boolean }): Promise<void> {
  sweep(location)
  const fresh = join(location.home, `data.${process.pid}.${randomBytes(3).toString('hex')}`)
  const secret = `${fresh}.password`
  const args = ['-D', fresh, '-U', USER, '-E', 'UTF8', '--lc-messages=C', ...(await localeArgs(location))]
  if (!fsync) args.push('--no-sync')
  if (tcp) {
    writeFileSync(secret, randomBytes(24).toString('hex'), { mode: 0o600 })
    if (location.user) chownSync(secret, location.user.uid, location.user.gid)
    args.push('-A', 'scram-sha-256', `--pwfile=${secret}`)
  } else args.push('-A', 'trust')
  try {
    await runTool(location, 'initdb', args)
    // The password is stored inside the cluster, so that it moves with it.
    if (tcp) renameSync(secret, join(fresh, 'estudio.password'))
    moveUnlessThere(fresh, location.data)
  } finally {
    for (const left of [fresh, secret]) rmSync(left, { recursive: true, force: true })
  }
}

/** Arguments for a locale that behaves alike on every system: built in since PostgreSQL 17, before that the system's C.UTF-8. */
async function localeArgs(location: DatabaseLocation): Promise<string[]> {
  const version = Number((await runTool(location, 'postgres', ['--version'])).match(/\) (\d+)/)?.[1])
  return version >= 17 ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : ['--locale=C.UTF-8']
}

/** Removes unfinished clusters of `initdb` runs whose process no longer exists. */
function sweep(location: DatabaseLocation) {
  for (const name of readdirSync(location.home)) {
    const pid = Number(name.match(/^data\.(\d+)\./)?.[1])
    if (pid && !isAlive(pid)) rmSync(join(location.home, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Runs one of PostgreSQL's programs to its end and returns its output. Throws `notStarted` when it fails. */
export async function runTool(location: DatabaseLocation, name: string, args: string[]): Promise<string> {
  const child = spawn(join(location.bin, name), args, { ...asUser(location), stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const failed = await new Promise<Error | null>((done) => {
    child.once('error', done)
    child.once('close', (code) => done(code === 0 ? null : new Error(`${name} ended with ${code}`)))
  })
  if (failed) throw notStarted(location, output, failed)
  return output
}

/** Process options. PGPORT, PGDATA and the locale are removed from the environment: they would change what PostgreSQL's programs do. */
export function asUser(location: DatabaseLocation) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^(PG|LC_|LANG|NODE_)/.test(key)))
  return { cwd: location.home, env: { ...env, LC_ALL: 'C' }, ...(location.user ?? {}) }
}

/** An Error with a Spanish sentence for the operator. `output`: PostgreSQL's output. */
export function notStarted(location: DatabaseLocation, output: string, cause: unknown): Error {
  const last = output.trim().split('\n').slice(-5).join('\n  ')
  const missing = cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'EACCES')
  const why = missing
    ? `Este sistema no puede ejecutar ${join(location.bin, 'postgres')}.`
    : /incompatible with server/.test(output)
      ? `Los datos de ${location.data} son de otra versión de PostgreSQL: ábrelos con esa versión, guárdalos con pg_dump y restáuralos en una base nueva.`
      : /No space left/.test(output)
        ? `No queda espacio en el disco de ${location.home}.`
        : `Revisa ${location.log}.`
  return new Error(
    `La base de datos integrada no arrancó. ${why}${last ? `\n  ${last}` : ''}\nTambién puedes usar un PostgreSQL 15 o posterior con DATABASE_URL=postgres://usuario:clave@servidor/base`,
    { cause },
  )
}
