import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { type EmbeddedOptions, eraseEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { copyBinaries, findDatabaseLocation } from './embedded-postgres-location.ts'

const isRoot = process.getuid?.() === 0
const binDir = process.env.TEST_PG_BIN || undefined
const leave: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const step of leave.splice(0).reverse()) await step()
})

/** A project of its own; readable by all users unless the mode differs. */
function folder(mode = 0o755): string {
  const dir = mkdtempSync(join(tmpdir(), 'estudio-embedded-'))
  chmodSync(dir, mode)
  leave.push(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

async function start(options: EmbeddedOptions) {
  const server = await startEmbeddedPostgres({ fsync: false, binDir, ...options })
  leave.push(() => server.stop())
  return server
}

async function query<T extends pg.QueryResultRow>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

const postmaster = (home: string) => Number(readFileSync(join(home, 'data/postmaster.pid'), 'utf8').split('\n')[0])
const isUp = (home: string) => existsSync(join(home, 'data/postmaster.pid'))

/** Another process of ours that starts (or joins) the server, prints what it got, and stops when its input ends. */
async function another(dataDir: string, before = '', options: object = {}) {
  const code = `
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL('./embedded-postgres.ts', import.meta.url).href)}
    ${before}
    const server = await startEmbeddedPostgres(${JSON.stringify({ dataDir, fsync: false, binDir, ...options })})
    console.log(JSON.stringify({ url: server.url, folder: server.folder, joined: server.joined, uid: process.getuid?.() }))
    for await (const _ of process.stdin);
    console.log(JSON.stringify({ stopped: await server.stop() }))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['pipe', 'pipe', 'inherit'] })
  leave.push(() => child.kill('SIGKILL'))
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const lines = child.stdout.setEncoding('utf8')[Symbol.asyncIterator]()
  const line = async () => JSON.parse(String((await lines.next()).value))
  const started = (await line()) as { url: string; folder: string; joined: boolean; uid: number }
  return {
    ...started,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async stop() {
      child.stdin.end()
      const { stopped } = (await line()) as { stopped: boolean }
      await ended
      return stopped
    },
  }
}

test('a second start finds the data of the first, and no server runs in between', async () => {
  const dataDir = folder()
  const first = await start({ dataDir })
  expect(first.joined).toBe(false)
  await query(first.url, 'create table kept as select 42 as n')
  expect(await first.stop()).toBe(true)
  expect(isUp(first.folder)).toBe(false)

  const second = await start({ dataDir })
  expect(second.joined).toBe(false)
  expect(second.url).toBe(first.url)
  expect(await query(second.url, 'select n from kept')).toEqual([{ n: 42 }])
  await second.stop()
  expect(readdirSync(first.folder).filter((name) => name.startsWith('data'))).toEqual(['data'])
})

test('text is UTF-8 and sorted the same on every system', async () => {
  const server = await start({ dataDir: folder() })
  const [row] = await query<{ up: string; encoding: string; collation: boolean }>(
    server.url,
    `select upper('ñandú') as up, current_setting('server_encoding') as encoding, 'Z' < 'a' as collation`,
  )
  expect(row).toEqual({ up: 'ÑANDÚ', encoding: 'UTF8', collation: true })
})

test('listens on no network, and its socket is closed to other users', async () => {
  const server = await start({ dataDir: folder() })
  expect(await query(server.url, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
  expect(statSync(server.folder).mode & 0o777).toBe(0o700)
  expect(statSync(join(server.folder, 'socket/.s.PGSQL.5432')).mode & 0o777).toBe(0o700)
})

test('after SIGKILL of the program the next start joins the running server and stops it at the end', async () => {
  const dataDir = folder()
  const killed = await another(dataDir)
  await query(killed.url, 'create table kept as select 1 as n')
  const pid = postmaster(killed.folder)
  await killed.kill()
  expect(isUp(killed.folder)).toBe(true)

  const next = await start({ dataDir })
  expect(next.joined).toBe(true)
  expect(postmaster(next.folder)).toBe(pid)
  expect(await query(next.url, 'select n from kept')).toEqual([{ n: 1 }])
  expect(await next.stop()).toBe(true)
  expect(isUp(next.folder)).toBe(false)
})

test('after SIGKILL of the server under a running program it is restarted at the same address with the committed data', async () => {
  const server = await start({ dataDir: folder(), fsync: true })
  await query(server.url, 'create table kept as select 7 as n')
  const pid = postmaster(server.folder)
  process.kill(pid, 'SIGKILL')
  let rows: unknown
  for (const began = performance.now(); !rows && performance.now() - began < 20_000; await sleep(50))
    rows = await query(server.url, 'select n from kept').catch(() => undefined)
  expect(rows).toEqual([{ n: 7 }])
  expect(postmaster(server.folder)).not.toBe(pid)
  expect(await server.stop()).toBe(true)
})

test('after SIGKILL of both the next start waits for leftovers and recovers', async () => {
  const dataDir = folder()
  const killed = await another(dataDir, '', { fsync: true })
  await query(killed.url, 'create table kept as select 9 as n')
  // A session that is still busy keeps the old shared memory in use for a moment.
  const busy = query(killed.url, 'select pg_sleep(0.5)').catch(() => {})
  await sleep(50)
  const pid = postmaster(killed.folder)
  await killed.kill()
  process.kill(pid, 'SIGKILL')
  const next = await start({ dataDir, fsync: true })
  expect(next.joined).toBe(false)
  expect(await query(next.url, 'select n from kept')).toEqual([{ n: 9 }])
  await busy
})

test('a process id reused by another program does not prevent the start', async () => {
  const dataDir = folder()
  const server = await start({ dataDir })
  const file = join(server.folder, 'data/postmaster.pid')
  const text = readFileSync(file, 'utf8')
  const { uid, gid } = statSync(server.folder)
  await server.stop()
  const stranger = spawn('sleep', ['60'], isRoot ? { uid, gid } : {})
  leave.push(() => stranger.kill())
  writeFileSync(file, text.replace(/^\d+/, String(stranger.pid)))
  if (isRoot) chownSync(file, uid, gid)
  const next = await start({ dataDir })
  expect(next.joined).toBe(false)
  expect(await query(next.url, 'select 1 as n')).toEqual([{ n: 1 }])
  expect(stranger.exitCode).toBe(null)
})

test('two processes on an empty folder: one starts the server, the other joins, the last one stops it', async () => {
  const dataDir = folder()
  const [first, two] = await Promise.all([another(dataDir), another(dataDir)])
  expect([first.joined, two.joined].sort()).toEqual([false, true])
  expect(first.url).toBe(two.url)
  const [starter, joiner] = first.joined ? [two, first] : [first, two]
  expect(await starter.stop()).toBe(false)
  expect(await query(joiner.url, 'select 1 as n')).toEqual([{ n: 1 }])
  expect(await joiner.stop()).toBe(true)
  expect(isUp(joiner.folder)).toBe(false)
  expect(readdirSync(joiner.folder).filter((name) => name.startsWith('data'))).toEqual(['data'])
})

test('of two that leave concurrently exactly one stops the server', async () => {
  const dataDir = folder()
  for (let round = 0; round < 5; round++) {
    const [first, two] = await Promise.all([start({ dataDir }), start({ dataDir })])
    const stopped = await Promise.all([first.stop(), two.stop()])
    expect(stopped.sort()).toEqual([false, true])
    expect(isUp(first.folder)).toBe(false)
  }
})

test('joining while the last one leaves gets a working server', async () => {
  const dataDir = folder()
  let server = await start({ dataDir })
  for (let round = 0; round < 10; round++) {
    const [, next] = await Promise.all([server.stop(), sleep(round * 2).then(() => start({ dataDir }))])
    expect(await query(next.url, 'select 1 as n')).toEqual([{ n: 1 }])
    server = next
  }
})

test('another client, such as a backup, keeps the server running', async () => {
  const dataDir = folder()
  const server = await start({ dataDir })
  const backup = new pg.Client({ connectionString: server.url })
  await backup.connect()
  expect(await server.stop()).toBe(false)
  expect((await backup.query('select 1 as n')).rows).toEqual([{ n: 1 }])
  await backup.end()
  const next = await start({ dataDir })
  expect(next.joined).toBe(true)
  expect(await next.stop()).toBe(true)
})

test('a statement whose client is gone ends by itself and keeps no server running', async () => {
  const server = await start({ dataDir: folder() })
  const client = new pg.Client({ connectionString: server.url })
  client.on('error', () => {})
  await client.connect()
  client.query('select pg_sleep(600)').catch(() => {})
  const running = `select 1 from pg_stat_activity where query = 'select pg_sleep(600)' and state = 'active'`
  await expect.poll(() => query(server.url, running)).toHaveLength(1)
  client.connection.stream.destroy()
  expect(await server.stop()).toBe(true)
  expect(isUp(server.folder)).toBe(false)
})

test('a path too long for a socket still works and leaves no temporary files', async () => {
  const dataDir = join(folder(), 'una carpeta con "comillas", comas y un nombre bastante largo'.repeat(2))
  const server = await start({ dataDir })
  const socket = new URL(server.url.replace('@/', '@x/')).searchParams.get('host') ?? ''
  expect(Buffer.byteLength(socket)).toBeLessThan(90)
  expect(await query(server.url, 'select 1 as n')).toEqual([{ n: 1 }])
  await server.stop()
  expect(existsSync(socket)).toBe(false)
})

test('over TCP only loopback connections with the password are accepted', async () => {
  const dataDir = folder()
  const server = await start({ dataDir, transport: 'tcp' })
  expect(await query(server.url, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }])
  await expect(query(server.url.replace(/:[0-9a-f]{48}@/, ':otra@'), 'select 1')).rejects.toThrow(/password authentication failed/)
  await server.stop()
  const again = await start({ dataDir, transport: 'tcp' })
  expect(await query(again.url, 'select 1 as n')).toEqual([{ n: 1 }])
})

test('leftovers of an interrupted initdb are deleted, not used', async () => {
  const dataDir = folder()
  const location = findDatabaseLocation(dataDir, binDir)
  const dead = spawn(process.execPath, ['-e', ''])
  await new Promise((done) => dead.once('exit', done))
  const half = join(location.home, `data.${dead.pid}.abc123`)
  mkdirSync(half)
  const server = await start({ dataDir })
  expect(existsSync(half)).toBe(false)
  expect(await query(server.url, 'select 1 as n')).toEqual([{ n: 1 }])
})

test('erasing refuses while the database is in use, and then deletes it', async () => {
  const dataDir = folder()
  const options = { dataDir, fsync: false, binDir }
  const server = await start({ dataDir })
  await expect(eraseEmbeddedPostgres(options)).rejects.toThrow('en uso')
  expect(await query(server.url, 'select 1 as n')).toEqual([{ n: 1 }])
  await server.stop()
  await eraseEmbeddedPostgres(options)
  expect(existsSync(server.folder)).toBe(false)
})

test('broken binaries, or data of another version, give a message that says what to do', async () => {
  const dataDir = folder()
  await expect(start({ dataDir, binDir: join(dataDir, 'nothing') })).rejects.toThrow(/no puede ejecutar .*DATABASE_URL/s)
  const server = await start({ dataDir })
  await server.stop()
  writeFileSync(join(server.folder, 'data/PG_VERSION'), '12\n')
  await expect(start({ dataDir })).rejects.toThrow(/otra versión de PostgreSQL/)
})

test('copied binaries run without the links of npm’s install script, and with any umask', () => {
  const dir = folder()
  const shipped = dirname(findDatabaseLocation(dir, undefined).bin)
  const bare = join(dir, 'bare')
  cpSync(shipped, bare, { recursive: true, filter: (file) => !lstatSync(file).isSymbolicLink() })
  chmodSync(join(bare, 'lib'), 0o700)
  chmodSync(join(bare, 'bin/postgres'), 0o700)
  expect(spawnSync(join(bare, 'bin/postgres'), ['--version']).status).not.toBe(0)
  const copy = join(dir, 'copy')
  copyBinaries(bare, copy)
  expect(
    spawnSync(join(copy, 'bin/postgres'), ['--version'], { encoding: 'utf8', ...(isRoot ? { uid: 65_534, gid: 65_534 } : {}) }).stdout,
  ).toContain('PostgreSQL')
  expect(readdirSync(dir)).not.toContain(`copy.${process.pid}`)
})

test.runIf(isRoot)('as root the server runs as an unprivileged user, beside the other data when that user can access it', async () => {
  const dataDir = folder()
  const server = await start({ dataDir })
  expect(server.folder).toBe(join(dataDir, 'postgres'))
  expect(statSync(`/proc/${postmaster(server.folder)}`).uid).not.toBe(0)
})

test.runIf(isRoot)('as root under an inaccessible folder, data and binaries are placed where the server can access them', async () => {
  const dataDir = join(folder(0o700), 'data')
  const server = await start({ dataDir })
  leave.push(async () => {
    await server.stop()
    rmSync(server.folder, { recursive: true, force: true })
  })
  expect(server.folder).toMatch(/^\/var\/lib\/estudio\/[0-9a-f]{12}$/)
  expect(readFileSync(join(dataDir, 'postgres.txt'), 'utf8')).toContain(server.folder)
  expect(await query(server.url, 'select 1 as n')).toEqual([{ n: 1 }])
})

test.runIf(isRoot)('root runs the data of an ordinary user as that user', async () => {
  const dataDir = folder(0o777)
  // A project that others cannot enter would also hide its binaries from the ordinary user.
  const bin = findDatabaseLocation(folder(), binDir).bin
  const ordinary = `process.setgroups([]); process.setgid(65534); process.setuid(65534)`
  const theirs = await another(dataDir, ordinary, { binDir: bin })
  expect(theirs.uid).toBe(65_534)
  expect(theirs.folder).toBe(join(dataDir, 'postgres'))
  await query(theirs.url, 'create table kept as select 3 as n')
  expect(await theirs.stop()).toBe(true)

  const server = await start({ dataDir })
  expect(server.folder).toBe(theirs.folder)
  expect(await query(server.url, 'select n from kept')).toEqual([{ n: 3 }])
  await server.stop()

  const again = await another(dataDir, ordinary, { binDir: bin })
  expect(await query(again.url, 'select n from kept')).toEqual([{ n: 3 }])
  await again.kill()
  const joined = await start({ dataDir })
  expect(joined.joined).toBe(true)
})

test.runIf(isRoot)('a copy of the data folder made by root starts, also when an archive made it world-readable', async () => {
  const [dataDir, target] = [folder(), folder()]
  const server = await start({ dataDir })
  await query(server.url, 'create table kept as select 3 as n')
  await server.stop()
  const copy = join(target, 'copia')
  // Without -a the copying user owns all files.
  expect(spawnSync('cp', ['-r', dataDir, copy]).status).toBe(0)
  expect(statSync(join(copy, 'postgres/data/PG_VERSION')).uid).toBe(0)
  for (const path of ['postgres', 'postgres/data']) chmodSync(join(copy, path), 0o755)
  const again = await start({ dataDir: copy })
  expect(again.folder).toBe(join(copy, 'postgres'))
  expect(await query(again.url, 'select n from kept')).toEqual([{ n: 3 }])
  await again.stop()

  // Only the cluster was copied, into a home that was there.
  rmSync(join(copy, 'postgres/data'), { recursive: true })
  expect(spawnSync('cp', ['-r', join(dataDir, 'postgres/data'), join(copy, 'postgres')]).status).toBe(0)
  const third = await start({ dataDir: copy })
  expect(await query(third.url, 'select n from kept')).toEqual([{ n: 3 }])
})

test.runIf(isRoot)('an ordinary user gets a message with the owner of the data', async () => {
  const dataDir = folder(0o777)
  const server = await start({ dataDir })
  await server.stop()
  const other = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { startEmbeddedPostgres } from ${JSON.stringify(new URL('./embedded-postgres.ts', import.meta.url).href)}
       process.setgid(1234); process.setuid(1234)
       await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)} }).catch((error) => console.log(error.message))`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let output = ''
  for await (const text of other.stdout) output += text
  expect(output).toMatch(/pertenece a otro usuario.*chown/)
})

test('a server that lost the start race does not start after all processes have left', async () => {
  const dataDir = folder()
  const embedded = await start({ dataDir })
  await embedded.stop()
  const realBin = findDatabaseLocation(dataDir, binDir).bin
  // The second one waits a second before it reads its data.
  const slow = mkdtempSync(join(tmpdir(), 'estudio-slow-'))
  leave.push(() => rmSync(slow, { recursive: true, force: true }))
  chmodSync(slow, 0o777)
  for (const name of readdirSync(realBin)) if (name !== 'postgres') symlinkSync(join(realBin, name), join(slow, name))
  writeFileSync(
    join(slow, 'postgres'),
    `#!/bin/sh\ncase "$1" in -D) mkdir "$0.first" 2>/dev/null || sleep 1 ;; esac\nexec '${join(realBin, 'postgres')}' "$@"\n`,
    { mode: 0o755 },
  )
  const [first, two] = await Promise.all([start({ dataDir, binDir: slow }), start({ dataDir, binDir: slow })])
  expect([first.joined, two.joined].sort()).toEqual([false, true])
  await Promise.all([first.stop(), two.stop()])
  await sleep(1_500)
  expect(isUp(first.folder)).toBe(false)
})
