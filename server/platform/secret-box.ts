/**
 * Encrypts what must not be readable in a copy of the database: signing keys, second-factor secrets, processors' keys. AES-256-GCM with a
 * master key of the key file (master-keys.ts); the additional data binds a text to its column and row, so that it cannot be decrypted
 * elsewhere.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Db, Reader, Tx } from './db.ts'
import type { Log } from './log.ts'
import { isOpenToOthers, type MasterKey, makeMasterKeys, readMasterKeys } from './master-keys.ts'

/** A text column of sealed (encrypted) texts. Each one is listed in server/studio.ts, so that rotating the master key re-encrypts it. */
export interface SealedColumn {
  table: string
  column: string
  /** The text column that identifies the row. */
  id: string
}

export interface SecretBox {
  /** "v1.k2.…": encrypted with the first master key for one row of one column. */
  seal(plain: string, where: SealedColumn, id: string): string
  /** Decrypts what was sealed for this row. Throws SecretUnreadable. */
  open(sealed: string, where: SealedColumn, id: string): string
  /** Prefix of everything sealed with the first master key. */
  readonly prefix: string
}

/** A sealed text cannot be decrypted; the message is a Spanish sentence for the operator and never contains the text. */
export class SecretUnreadable extends Error {
  /** The key that sealed it, and whether the key file has a key of that name. */
  readonly keyId: string
  readonly isKeyKnown: boolean
  constructor({ keyId, isKeyKnown, where }: { keyId: string; isKeyKnown: boolean; where: SealedColumn }, options?: ErrorOptions) {
    super(
      isKeyKnown
        ? `La llave ${keyId} del archivo de llaves no es la que cifró ${where.table}.${where.column} en la base de datos.`
        : `La base de datos tiene secretos cifrados con la llave ${keyId} (${where.table}.${where.column}), que no está en el archivo de llaves.`,
      options,
    )
    this.keyId = keyId
    this.isKeyKnown = isKeyKnown
  }
}

const VERSION = 'v1'
const SEALED = /^v1\.([A-Za-z0-9_-]{1,32})\.([A-Za-z0-9_-]{38,})$/
const NONCE_BYTES = 12
const TAG_BYTES = 16

const boundTo = (keyId: string, { table, column }: SealedColumn, id: string) => Buffer.from([VERSION, keyId, table, column, id].join('|'))

/** `keys`: the encrypting one first. */
export function secretBox(keys: readonly MasterKey[]): SecretBox {
  const [first] = keys
  if (!first) throw new Error('There is no master key.')
  const byId = new Map(keys.map(({ id, key }) => [id, key]))
  return {
    prefix: `${VERSION}.${first.id}.`,
    seal(plain, where, id) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', first.key, nonce).setAAD(boundTo(first.id, where, id))
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `${VERSION}.${first.id}.${Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')}`
    },
    open(sealed, where, id) {
      const [, keyId = '?', base64 = ''] = SEALED.exec(sealed) ?? []
      const key = byId.get(keyId)
      if (!key) throw new SecretUnreadable({ keyId, isKeyKnown: false, where })
      const bytes = Buffer.from(base64, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(boundTo(keyId, where, id))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
      } catch (cause) {
        throw new SecretUnreadable({ keyId, isKeyKnown: true, where }, { cause })
      }
    },
  }
}

export interface SecretBoxOptions {
  db: Db
  /** The key file. */
  file: string
  /** Whether the file may be created when it is missing and nothing in the database is sealed yet. */
  canMake: boolean
  columns: readonly SealedColumn[]
  log: Pick<Log, 'info' | 'warn'>
}

/**
 * Opens the box at start: reads or creates the key file, seals with the first key what is plain or sealed with an older one, and verifies
 * that everything can be decrypted. Safe while other processes start. Throws an Error with a Spanish sentence when the key file is missing
 * or is not the one that sealed the texts.
 */
export async function openSecretBox({ db, file, canMake, columns, log }: SecretBoxOptions): Promise<SecretBox> {
  let keys = readMasterKeys(file)
  if (!keys) {
    const sealed = await findSealed(db.read, columns)
    // Read again: another starting process may have created the file and sealed texts meanwhile.
    keys = readMasterKeys(file)
    if (!keys && sealed)
      throw new Error(
        `Falta el archivo de llaves ${file}: la base de datos tiene secretos cifrados con él. Ponlo ahí de nuevo o di con MASTER_KEYS_FILE dónde está; si se perdió, docs/operations.md ("Llaves") dice qué hacer.`,
      )
    if (!keys && !canMake) throw new Error(`No existe el archivo de llaves de MASTER_KEYS_FILE=${file}.`)
  }
  if (!keys) {
    makeMasterKeys(file)
    keys = readMasterKeys(file)
    if (!keys) throw new Error('The file of the master keys was made and is not there.')
    log.info({ file }, 'master_keys.created')
  }
  if (isOpenToOthers(file)) log.warn({ file }, 'master_keys.exposed')
  const box = secretBox(keys)
  try {
    const count = await db.tx((tx) => sealAll(tx, box, columns))
    if (count) log.info({ count, key: keys[0]?.id }, 'secrets.sealed')
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error
    throw new Error(
      `${error.message} Pon el archivo con el que se cifró en ${file}; si se perdió, docs/operations.md ("Llaves") dice qué hacer.`,
      { cause: error },
    )
  }
  return box
}

interface SealedRow extends Record<string, unknown> {
  id: string
  value: string
}

async function rowsOf(tx: Reader, { table, column, id }: SealedColumn): Promise<SealedRow[]> {
  const [from, value, name] = [sql.identifier(table), sql.identifier(column), sql.identifier(id)]
  return (
    await tx.execute<SealedRow>(sql`select ${name} as id, ${value} as value from ${from} where ${value} is not null order by ${name}`)
  ).rows
}

async function findSealed(from: Reader, columns: readonly SealedColumn[]): Promise<boolean> {
  const rows = await Promise.all(columns.map((where) => rowsOf(from, where)))
  return rows.flat().some(({ value }) => SEALED.test(value))
}

/** One process at a time seals; the others then find everything sealed. */
const lockSecrets = (tx: Tx) => tx.execute(sql`select pg_advisory_xact_lock(hashtext('secret_box'))`)

async function sealAll(tx: Tx, box: SecretBox, columns: readonly SealedColumn[]): Promise<number> {
  await lockSecrets(tx)
  let count = 0
  for (const where of columns)
    for (const { id, value } of await rowsOf(tx, where)) {
      const plain = SEALED.test(value) ? box.open(value, where, id) : value
      if (value.startsWith(box.prefix)) continue
      const [table, column, name] = [where.table, where.column, where.id].map((text) => sql.identifier(text))
      // Only if the value is unchanged: a row that changed meanwhile was written, and sealed, by another process.
      await tx.execute(sql`update ${table} set ${column} = ${box.seal(plain, where, id)} where ${name} = ${id} and ${column} = ${value}`)
      count++
    }
  return count
}

/**
 * Deletes the rows whose secret cannot be decrypted with this box, the last resort after a master key was lost. Returns the number of
 * deleted rows by "table.column"; 0 where everything can be decrypted.
 */
export async function deleteUnreadable(tx: Tx, box: SecretBox, columns: readonly SealedColumn[]): Promise<Record<string, number>> {
  await lockSecrets(tx)
  const deleted: Record<string, number> = {}
  for (const where of columns) {
    let count = 0
    for (const { id, value } of await rowsOf(tx, where)) {
      if (!SEALED.test(value) || opens(box, value, where, id)) continue
      await tx.execute(sql`delete from ${sql.identifier(where.table)} where ${sql.identifier(where.id)} = ${id}`)
      count++
    }
    deleted[`${where.table}.${where.column}`] = count
  }
  return deleted
}

function opens(box: SecretBox, value: string, where: SealedColumn, id: string): boolean {
  try {
    box.open(value, where, id)
    return true
  } catch (error) {
    if (error instanceof SecretUnreadable) return false
    throw error
  }
}
