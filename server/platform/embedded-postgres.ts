/**
 * The embedded database: a real PostgreSQL that this program starts, shares between its processes and stops. PostgreSQL's own
 * `postmaster.pid` locks the data. Each process holds a shared advisory lock while it needs the server; the process that closes last, and
 * so can take the lock exclusively, stops the server, whichever process started it.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { asUser, initialise, notStarted, runTool, USER } from './embedded-postgres-cluster.ts'
import { type DatabaseLocation, findDatabaseLocation, socketFolder } from './embedded-postgres-location.ts'

export interface EmbeddedOptions {
  /** The program's data folder; the cluster is stored in `postgres/` there, or in a folder that its user can reach (see `folder`). */
  dataDir: string
  /** Default true. False only for tests: without fsync a power cut can destroy the whole cluster. */
  fsync?: boolean
  /** Further server settings (`postgres -c`). */
  settings?: Record<string, string>
  /** Folder of other PostgreSQL binaries, 15 or later; the ones from npm otherwise. */
  binDir?: string | undefined
  /** How clients connect. TCP on loopback with a password is for Windows, whose sockets have no file permissions. */
  transport?: 'socket' | 'tcp'
  log?: { error(details: object, text: string): void }
}

export interface EmbeddedPostgres {
  /** Connection string for pg, Drizzle, psql and pg_dump. */
  url: string
  /** Folder of the cluster: what a backup copies while no server runs. */
  folder: string
  /** Whether a server was already running: another process's, or one that a killed process left behind. */
  joined: boolean
  /**
   * Releases this process's use of the server and stops it if no other connection remains (of our processes or a `psql`).
   * Close the pools first: their connections count too. Returns whether the server was stopped.
   */
  stop(): Promise<boolean>
}

const DATABASE = 'estudio'
const SOCKET_PORT = 5432
/** Advisory lock in the database `postgres`: shared by every process that uses the server, exclusive for the process that stops it. */
const IN_USE = 718_281_828
const START_TIMEOUT_MS = 30_000
/** A process id that cannot exist: one more than Linux's maximum. */
const NO_PROCESS = 4_194_305

/** Sized for a small machine; the app sets its own timeouts per session. */
const SETTINGS = {
  shared_buffers: '32MB',
  max_wal_size: '256MB',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  max_logical_replication_workers: '0',
  unix_socket_permissions: '0700',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  // The app logs failed statements itself; this file is for events of the server.
  log_min_messages: 'log',
  log_checkpoints: 'off',
}

/** Start errors that pass by themselves: another process was first, or the children of a killed server are still exiting. */
const PASSING =
  /lock file .* (already exists|is empty)|pre-existing shared memory block|could not (bind|create) .*(socket|address)|lock file .* changed/i

/** `ref` and `unref` exist but are missing from the types of pg. */
type Held = pg.Client & { ref(): void; unref(): void }

interface Address {
  pid: number
  host: string
  port: number
}

/**
 * Starts the embedded PostgreSQL of `dataDir`, or joins the one that runs there. Throws an Error with a Spanish sentence for the operator.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const location = findDatabaseLocation(options.dataDir, options.binDir)
  const tcp = (options.transport ?? (process.platform === 'win32' ? 'tcp' : 'socket')) === 'tcp'
  if (!existsSync(join(location.data, 'PG_VERSION'))) await initialise(location, { fsync: options.fsync !== false, tcp })

  const listen: Listen = { tcp, port: tcp ? await freePort() : SOCKET_PORT, folder: tcp ? '' : socketFolder(location) }
  const first = await hold(location, listen, options)
  let client = first.client
  const at = addressOf(location)
  if (!at) throw new Error(`PostgreSQL contesta, pero falta su archivo ${join(location.data, 'postmaster.pid')}.`)
  if (!tcp && at.host !== listen.folder) removeOutside(location, listen.folder)
  // A restarted server must listen on the address that the pools already use.
  Object.assign(listen, tcp ? { port: at.port } : { folder: at.host })

  let stopping: Promise<boolean> | undefined
  let reviving: Promise<void> | undefined
  const watch = () => {
    client.unref()
    client.once('end', () => {
      if (!stopping) reviving = revive()
    })
  }
  async function revive() {
    while (!stopping) {
      try {
        client = (await hold(location, listen, options)).client
        watch()
        return
      } catch (error) {
        options.log?.error({ error }, 'the embedded database ended and could not be started again; trying on')
        await sleep(1_000)
      }
    }
  }
  watch()

  return {
    url: urlOf(location, at, tcp),
    folder: location.home,
    joined: !first.started,
    stop() {
      stopping ??= (async () => {
        await reviving
        client.ref()
        return await letGo(client, location, listen)
      })()
      return stopping
    },
  }
}

/** Deletes the embedded database of `dataDir`. Throws when another process is using it. */
export async function eraseEmbeddedPostgres(options: EmbeddedOptions): Promise<void> {
  const location = findDatabaseLocation(options.dataDir, options.binDir)
  if (existsSync(join(location.data, 'postmaster.pid'))) {
    const server = await startEmbeddedPostgres(options)
    if (!(await server.stop())) throw new Error('La base de datos está en uso: cierre antes el programa que la usa.')
  }
  rmSync(location.home, { recursive: true, force: true })
}

interface Listen {
  tcp: boolean
  port: number
  /** Folder of the Unix socket. */
  folder: string
}

/** Connects to the running server or starts one, for up to 30 s (300 s while it starts or recovers), and takes the shared advisory lock. */
async function hold(location: DatabaseLocation, listen: Listen, options: EmbeddedOptions): Promise<{ client: Held; started: boolean }> {
  const began = performance.now()
  let run: Run | undefined
  for (;;) {
    let refused: unknown
    try {
      const client = await share(location, listen.tcp)
      const pid = addressOf(location)?.pid
      // Another process's server won. Ours may still be starting and could open the data after every process has left: end it.
      if (run && !run.ended && pid !== undefined && pid !== run.child.pid) await dismiss(run)
      return { client, started: pid !== undefined && pid === run?.child.pid }
    } catch (error) {
      refused = error
    }
    // 57P03: a server is there and starting up, recovering or shutting down.
    const busy = pgCode(refused) === '57P03'
    if (run?.ended && !PASSING.test(run.readOutput())) throw notStarted(location, run.readOutput(), run.ended)
    if (performance.now() - began > (busy ? 10 * START_TIMEOUT_MS : START_TIMEOUT_MS)) {
      run?.child.kill('SIGINT')
      throw notStarted(location, run?.readOutput() ?? '', refused)
    }
    if (!busy && (!run || run.ended)) {
      if (run) {
        disownStrangers(location)
        await sleep(200)
      }
      run = spawnServer(location, listen, options)
    }
    await sleep(15)
  }
}

/**
 * After a hard stop of a container or machine, the process id in `postmaster.pid` may belong to an unrelated process (or a zombie), and
 * PostgreSQL would refuse to start for ever. Only the id is replaced, by one that no process can have: from the rest of the file the server
 * still detects sessions of its predecessor that have not exited.
 */
function disownStrangers(location: DatabaseLocation) {
  const file = join(location.data, 'postmaster.pid')
  const at = addressOf(location)
  if (process.platform !== 'linux' || !at) return
  try {
    // PostgreSQL's working directory is its data folder, so this process is the server.
    if (readlinkSync(`/proc/${at.pid}/cwd`) === location.data) return
  } catch {
    // No such process, a zombie, or a process of another user: not the server of this data.
  }
  const text = readFileSync(file, 'utf8')
  if (text.startsWith(`${at.pid}\n`)) writeFileSync(file, text.replace(/^\d+/, String(NO_PROCESS)))
}

interface Run {
  child: ChildProcess
  /** Why this server is not running, once it has ended. */
  ended: Error | undefined
  /** What this server has written to the log. */
  readOutput(): string
}

function spawnServer(location: DatabaseLocation, listen: Listen, options: EmbeddedOptions): Run {
  const settings: Record<string, string> = {
    ...SETTINGS,
    port: String(listen.port),
    listen_addresses: listen.tcp ? '127.0.0.1' : '',
    unix_socket_directories: listen.tcp ? '' : `"${listen.folder.replaceAll('"', '""')}"`,
    // PostgreSQL 18 would otherwise start three worker processes for reading ahead.
    ...(Number(readFileSync(join(location.data, 'PG_VERSION'), 'utf8')) >= 18 ? { io_method: 'sync' } : {}),
    // A statement of a program that was killed or gave up waiting ends too, and does not keep the server running. Not supported on Windows.
    ...(process.platform === 'win32' ? {} : { client_connection_check_interval: '500' }),
    ...(options.fsync === false ? { fsync: 'off', full_page_writes: 'off' } : {}),
    ...options.settings,
  }
  const args = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])
  // Appends, without following a link that the server's user may have created; truncated when larger than 5 MB.
  const begin = existsSync(location.log) && statSync(location.log).size > 5_000_000 ? constants.O_TRUNC : 0
  const log = openSync(
    location.log,
    constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0) | begin,
    0o600,
  )
  if (location.user) fchownSync(log, location.user.uid, location.user.gid)
  const from = fstatSync(log).size
  // Detached: otherwise Ctrl-C would reach the server first. Logs to a file: a pipe would break, and end it, when this process is killed.
  const child = spawn(join(location.bin, 'postgres'), ['-D', location.data, ...args], {
    ...asUser(location),
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  child.unref()
  const run: Run = { child, ended: undefined, readOutput: () => readFileSync(location.log).subarray(from).toString() }
  child.once('error', (error) => {
    run.ended = error
  })
  child.once('exit', (code, signal) => {
    run.ended = new Error(`postgres ended with ${signal ?? code}`)
  })
  return run
}

/** Kills a server that has not opened the data, and cannot while another has it open. */
async function dismiss({ child }: Run): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

/** Opens the connection that holds the shared lock. Throws unless the server that responds is the one of this data folder. */
async function share(location: DatabaseLocation, tcp: boolean): Promise<Held> {
  const at = addressOf(location)
  if (!at) throw new Error('no server has this data open')
  const client = new pg.Client({
    connectionString: urlOf(location, at, tcp, 'postgres'),
    connectionTimeoutMillis: 3_000,
    application_name: 'estudio',
  }) as Held
  // The `end` event reports the loss; without an `error` listener the process would end.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ data: string; known: boolean }>(
      `select current_setting('data_directory') as data, exists (select from pg_database where datname = '${DATABASE}') as known,
        pg_advisory_lock_shared(${IN_USE})`,
    )
    const [answer] = rows
    if (answer?.data !== location.data) throw new Error(`another server answers at ${at.host}:${at.port}`)
    if (!answer.known) await client.query(`create database ${DATABASE}`).catch(unlessExists)
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

/** Ignores "already exists": two processes may create the database at the same time. */
function unlessExists(error: unknown) {
  if (!['42P04', '23505'].includes(pgCode(error) ?? '')) throw error
}

async function letGo(held: Held, location: DatabaseLocation, listen: Listen): Promise<boolean> {
  for (let client = held, attempt = 1; ; attempt++) {
    try {
      // Release our shared lock first: of two processes closing at once, one must find the lock free.
      await client.query(`select pg_advisory_unlock_shared(${IN_USE})`)
      if (!(await isLast(client)) || !(await alone(client))) return false
      // A process that connects from here on waits for the lock, loses its connection when the server stops, and starts the server again.
      await shutDown(location)
      if (!listen.tcp) removeOutside(location, listen.folder)
      return true
    } catch (error) {
      if (attempt === 2) throw error
    } finally {
      await client.end().catch(() => {})
    }
    // The connection broke during the stop. If a new connection fails too, no server is left to stop.
    const again = await share(location, listen.tcp).catch(() => null)
    if (!again) return true
    client = again
  }
}

/**
 * Takes the exclusive lock, which only the last process gets. The shared lock of a process that was just killed takes a moment to be
 * released, so it retries; a refusal is final only when another closing process already has the exclusive lock (it waits for our
 * connection to end, see `alone`).
 */
async function isLast(client: pg.Client): Promise<boolean> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const { rows } = await client.query<{ last: boolean; taken: boolean }>(
      `select pg_try_advisory_lock(${IN_USE}) as last, exists (
         select from pg_locks where locktype = 'advisory' and objid = ${IN_USE} and mode = 'ExclusiveLock' and pid <> pg_backend_pid()
       ) as taken`,
    )
    const [seen] = rows
    if (seen?.last || seen?.taken) return seen.last
    await sleep(20)
  }
  return false
}

/**
 * Whether ours is the only connection. Retries: closed connections take a moment to leave the list, those that run a statement until
 * `client_connection_check_interval`.
 */
async function alone(client: pg.Client): Promise<boolean> {
  for (let attempt = 0; attempt < 150; attempt++) {
    const { rows } = await client.query<{ others: number }>(
      `select count(*)::int as others from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
    if (rows[0]?.others === 0) return true
    await sleep(20)
  }
  return false
}

/** Fast shutdown: the server ends its sessions, writes a checkpoint and removes its pid file. */
async function shutDown(location: DatabaseLocation): Promise<void> {
  const at = addressOf(location)
  if (!at) return
  if (process.platform === 'win32') await runTool(location, 'pg_ctl', ['stop', '-D', location.data, '-m', 'fast', '-W'])
  else process.kill(at.pid, 'SIGINT')
  for (const began = performance.now(); performance.now() - began < START_TIMEOUT_MS; await sleep(10))
    if (addressOf(location)?.pid !== at.pid) return
  throw new Error(`PostgreSQL (proceso ${at.pid}) no terminó en ${START_TIMEOUT_MS / 1000} segundos. Su registro: ${location.log}`)
}

/** Process and address of the server from `postmaster.pid`; null when the file is missing or incomplete. */
function addressOf(location: DatabaseLocation): Address | null {
  let lines: string[]
  try {
    lines = readFileSync(join(location.data, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return null
  }
  const [pid, , , port, folder, host] = lines
  const at = { pid: Number(pid), port: Number(port), host: folder || host || '' }
  return at.pid > 0 && at.port > 0 && at.host ? at : null
}

function urlOf(location: DatabaseLocation, at: Address, tcp: boolean, database = DATABASE): string {
  if (!tcp) return `postgres://${USER}@/${database}?host=${encodeURIComponent(at.host)}&port=${at.port}`
  return `postgres://${USER}:${readFileSync(location.password, 'utf8').trim()}@${at.host}:${at.port}/${database}`
}

function pgCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

/** Removes the socket folder if it is a temporary one; the one inside the home stays. */
function removeOutside(location: DatabaseLocation, folder: string) {
  if (dirname(folder) !== location.home) rmSync(folder, { recursive: true, force: true })
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done))
  const at = probe.address()
  await new Promise((done) => probe.close(done))
  if (at === null || typeof at === 'string') throw new Error('no free port')
  return at.port
}
