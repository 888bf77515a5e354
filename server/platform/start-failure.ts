/** Why the program did not start, in a Spanish sentence for the operator (docs/operations.md). */
import { pgError } from './db.ts'

interface StartOptions {
  PORT: number
  HOST: string
  dataDir: string
  DATABASE_URL?: string | undefined
}

/** Fields that Node adds to operating-system errors. */
interface SystemError extends Error {
  code: string
  syscall?: string
  path?: string
  port?: number
}

const isSystemError = (error: unknown): error is SystemError => error instanceof Error && 'code' in error && typeof error.code === 'string'

/** Name and host of a database, without the user and password that its address may contain. */
function whichDatabase(url: string): string {
  const [, host = '', name = ''] = /^\w+:\/\/(?:.*@)?([^/?@]*)\/?([^?]*)/.exec(url) ?? []
  const socket = /[?&]host=([^&]+)/.exec(url)?.[1]
  return `${name || 'postgres'} en ${host || (socket ? decodeURIComponent(socket) : 'esta máquina')}`
}

const BY_SQLSTATE: Record<string, string> = {
  '28P01': 'el usuario o la contraseña no son correctos',
  '28000': 'el servidor no deja entrar a ese usuario',
  '3D000': 'esa base de datos no existe; créala con createdb',
  '42501': 'al usuario le faltan permisos; hazlo dueño de la base',
  '53300': 'el servidor no acepta más conexiones',
  '57P03': 'el servidor todavía está arrancando',
}
const BY_CODE: Record<string, string> = {
  ECONNREFUSED: 'nadie contesta en esa dirección',
  ENOTFOUND: 'ese servidor no existe',
  EAI_AGAIN: 'no se pudo averiguar dónde está ese servidor',
  ETIMEDOUT: 'el servidor no contesta',
  EHOSTUNREACH: 'no hay camino hasta ese servidor',
  ENETUNREACH: 'no hay camino hasta ese servidor',
  ENOENT: 'no existe ese socket',
  ERR_INVALID_URL: 'la dirección está mal escrita',
}
const BY_FILE: Record<string, string> = {
  EACCES: 'este usuario no tiene permiso',
  EPERM: 'este usuario no tiene permiso',
  EROFS: 'el disco es de solo lectura',
  ENOSPC: 'no queda espacio en el disco',
  EDQUOT: 'se acabó la cuota de disco',
  EEXIST: 'ahí hay un archivo y hace falta una carpeta',
  ENOTDIR: 'ahí hay un archivo y hace falta una carpeta',
}

function listening(error: SystemError, { HOST, PORT }: StartOptions): string | null {
  const port = error.port ?? PORT
  if (error.code === 'EADDRINUSE')
    return `El puerto ${port} ya está en uso, quizá por otro Estudio. Cierra ese programa o elige otro puerto: PORT=${port + 10} npm start`
  if (error.code === 'EACCES') return `Este usuario no puede abrir el puerto ${port}. Elige uno mayor que 1023: PORT=3000 npm start`
  return `No se puede escuchar en HOST=${HOST}: no es una dirección de esta máquina. Con HOST=127.0.0.1 solo se llega desde aquí; con HOST=0.0.0.0, desde la red.`
}

/** PostgreSQL's disk is full, at its first write or a later one. */
const DISK_FULL = '53100'

/** The sentence, or null for an unexpected error. An error without a code is taken for one of our own sentences. */
export function startFailure(error: unknown, options: StartOptions): string | null {
  if (pgError(error)?.code === DISK_FULL)
    return options.DATABASE_URL
      ? `No queda espacio en el disco de la base de datos de DATABASE_URL (${whichDatabase(options.DATABASE_URL)}). Haz lugar y vuelve a iniciar.`
      : `No queda espacio en el disco de DATA_DIR=${options.dataDir}. Haz lugar y vuelve a iniciar.`
  if (!isSystemError(error)) return pgError(error) === null && error instanceof Error && error.constructor === Error ? error.message : null
  if (error.syscall === 'listen' || (error.syscall === 'getaddrinfo' && !options.DATABASE_URL)) return listening(error, options)
  // mkdir fails with ENOENT when a folder cannot be created on a read-only disk.
  const file = error.code === 'ENOENT' && error.syscall === 'mkdir' ? 'esa carpeta no se puede crear' : BY_FILE[error.code]
  // An error of a write through an open file, the usual one when a disk is full, has no path.
  const path = error.path ?? (error.syscall === 'write' ? options.dataDir : undefined)
  if (path && file && error.syscall !== 'connect')
    return `No se puede escribir en ${path}: ${file}. Los datos van en DATA_DIR=${options.dataDir}`
  const why = BY_SQLSTATE[error.code] ?? BY_CODE[error.code]
  if (options.DATABASE_URL && why)
    return `No se pudo abrir la base de datos de DATABASE_URL (${whichDatabase(options.DATABASE_URL)}): ${why}.`
  return null
}
