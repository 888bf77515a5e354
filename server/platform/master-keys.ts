/**
 * The file with the master keys, which encrypt the secrets in the database (secret-box.ts). One key per line, "k2 base64" with 32 bytes:
 * the first key encrypts, every key decrypts. Blank lines and lines that begin with # are ignored.
 */
import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from './folders.ts'

export interface MasterKey {
  /** Up to 32 letters, digits, "-" and "_"; prefix of everything encrypted with the key. */
  id: string
  key: Buffer
}

const KEY_BYTES = 32
const LINE = /^([A-Za-z0-9_-]{1,32})[ \t]+([A-Za-z0-9+/]{43}=)$/

/**
 * The keys of the file, the encrypting one first; null when the file does not exist. Throws an Error with a Spanish sentence when it is
 * invalid.
 */
export function readMasterKeys(file: string): MasterKey[] | null {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ENOENT') return null
    const why = code === 'EACCES' || code === 'EPERM' ? 'este usuario no tiene permiso' : code === 'EISDIR' ? 'es una carpeta' : code
    throw new Error(`No se puede leer el archivo de llaves ${file}: ${why}.`, { cause: error })
  }
  const keys: MasterKey[] = []
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    const [, id, base64] = LINE.exec(line) ?? []
    const where = `${file}, renglón ${index + 1}`
    if (!id || !base64) throw new Error(`${where}: cada renglón lleva un nombre y ${KEY_BYTES} bytes en base64, por ejemplo "k1 3q2+7w…=".`)
    if (keys.some((key) => key.id === id)) throw new Error(`${where}: la llave ${id} ya está más arriba.`)
    keys.push({ id, key: Buffer.from(base64, 'base64') })
  }
  if (keys.length === 0) throw new Error(`El archivo de llaves ${file} está vacío.`)
  return keys
}

/** Creates the file with one new key, mode 600. When several processes do so at once, all use the file of the first. */
export function makeMasterKeys(file: string): void {
  makeFolder(dirname(file))
  const mine = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  const text = `# Llaves de Estudio (docs/operations.md). Sin este archivo no se abre lo que la base de datos guarda cifrado.\nk1 ${randomBytes(KEY_BYTES).toString('base64')}\n`
  try {
    writeFileSync(mine, text, { mode: 0o600, flag: 'wx', flush: true })
    linkSync(mine, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(mine, { force: true })
  }
}

/** Whether other users of the machine can read or change the file. */
export const isOpenToOthers = (file: string): boolean => process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0
