/** Secrets in the database: the key file, what is sealed and for which row, plain rows of older versions, new keys, lost keys. */
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { freshDatabase } from '#server/testing/postgres.ts'
import { openDb } from './db.ts'
import { openLog } from './log.ts'
import { makeMasterKeys, readMasterKeys } from './master-keys.ts'
import { deleteUnreadable, openSecretBox, type SealedColumn, SecretUnreadable, secretBox } from './secret-box.ts'
import { startFailure } from './start-failure.ts'

const folder = mkdtempSync(join(tmpdir(), 'estudio-keys-'))
afterAll(() => rmSync(folder, { recursive: true }))

let count = 0
let file = ''
const base64 = () => randomBytes(32).toString('base64')
const write = (text: string) => writeFileSync(file, text, { mode: 0o600 })

const LINKS: SealedColumn = { table: 'signing_key', column: 'secret', id: 'name' }
const logged: string[] = []
let db: ReturnType<typeof openDb>
let database = ''
beforeEach(async () => {
  file = join(folder, `llaves-${++count}.txt`)
  logged.length = 0
  database = await freshDatabase()
  db = openDb({ connection: database })
})
afterEach(() => db.close())

const open = (options: { canMake?: boolean; on?: typeof db } = {}) =>
  openSecretBox({
    db: options.on ?? db,
    file,
    canMake: options.canMake ?? true,
    columns: [LINKS],
    log: openLog('info', (line) => void logged.push(line)),
  })
const add = (name: string, secret: string) => db.pool.query('insert into signing_key (name, secret) values ($1, $2)', [name, secret])
const stored = async () =>
  Object.fromEntries(
    (await db.pool.query<{ name: string; secret: string }>('select name, secret from signing_key')).rows.map((row) => [
      row.name,
      row.secret,
    ]),
  )
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => {
      throw new Error('Nothing failed.')
    },
    (error: unknown) => error,
  )
/** What the operator reads when the start fails with this. */
const sentenceOf = async (work: Promise<unknown>) => startFailure(await failureOf(work), { PORT: 3000, HOST: '127.0.0.1', dataDir: folder })

test('a sealed value opens only for its own row, with its own key, and unchanged', () => {
  const key = { id: 'k1', key: randomBytes(32) }
  const box = secretBox([key])
  const sealed = box.seal('secreto ñ', LINKS, 'a')
  expect(sealed).toMatch(/^v1\.k1\.[\w-]+$/)
  expect(sealed).not.toContain(Buffer.from('secreto').toString('base64url').slice(0, 8))
  expect(box.seal('secreto ñ', LINKS, 'a')).not.toBe(sealed)
  expect(box.open(sealed, LINKS, 'a')).toBe('secreto ñ')
  expect(box.open(box.seal('', LINKS, 'a'), LINKS, 'a')).toBe('')
  expect(() => box.open(sealed, LINKS, 'b')).toThrow(SecretUnreadable)
  expect(() => box.open(sealed, { ...LINKS, column: 'otra' }, 'a')).toThrow(SecretUnreadable)
  expect(() => box.open(sealed, { ...LINKS, table: 'otra' }, 'a')).toThrow(SecretUnreadable)
  expect(() => secretBox([{ id: 'k1', key: randomBytes(32) }]).open(sealed, LINKS, 'a')).toThrow('no es la que cifró')
  expect(() => secretBox([{ id: 'k2', key: key.key }]).open(sealed, LINKS, 'a')).toThrow('que no está en el archivo')
  const [, , text = ''] = sealed.split('.')
  for (let at = 0; at < text.length; at++) {
    const other = `v1.k1.${text.slice(0, at)}${text[at] === 'A' ? 'Q' : 'A'}${text.slice(at + 1)}`
    if (Buffer.from(other.slice(6), 'base64url').equals(Buffer.from(text, 'base64url'))) continue
    expect(() => box.open(other, LINKS, 'a'), String(at)).toThrow(SecretUnreadable)
  }
  for (const wrong of ['', 'v1', 'v1.k1.', 'v1.k1.AAAA', sealed.replace('v1', 'v2'), 'secreto'])
    expect(() => box.open(wrong, LINKS, 'a')).toThrow(SecretUnreadable)
})

test('the key file is created once, readable by its owner only, also by several concurrent processes', async () => {
  await Promise.all(Array.from({ length: 8 }, async () => makeMasterKeys(file)))
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const text = readFileSync(file, 'utf8')
  expect(readMasterKeys(file)).toEqual([{ id: 'k1', key: expect.any(Buffer) }])
  makeMasterKeys(file)
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('the first key encrypts and all decrypt; an error in the key file is reported with its line', async () => {
  const [first, two] = [base64(), base64()]
  write(`# dos\r\n\r\nk2 ${two}\r\n  k1\t${first}  \n`)
  expect(readMasterKeys(file)?.map(({ id }) => id)).toEqual(['k2', 'k1'])
  for (const [text, message] of [
    ['', `El archivo de llaves ${file} está vacío.`],
    ['# nada\n', `El archivo de llaves ${file} está vacío.`],
    [`k1 ${first}\nk1 ${two}`, `${file}, renglón 2: la llave k1 ya está más arriba.`],
    [`k1 ${first.slice(4)}`, `${file}, renglón 1: cada renglón lleva un nombre y 32 bytes en base64`],
    [first, `${file}, renglón 1: cada renglón lleva`],
    [`llave ñ ${first}`, `${file}, renglón 1: cada renglón lleva`],
    [`k1 ${randomBytes(33).toString('base64')}`, `${file}, renglón 1: cada renglón lleva`],
  ]) {
    write(text ?? '')
    expect(await sentenceOf(open())).toContain(message)
  }
  file = folder
  expect(await sentenceOf(open())).toBe(`No se puede leer el archivo de llaves ${folder}: es una carpeta.`)
})

test('a key file that others can read is reported in the log', async () => {
  write(`k1 ${base64()}\n`)
  await open()
  expect(logged.join()).not.toContain('readable_by_others')
  chmodSync(file, 0o644)
  await open()
  expect(logged.join()).toContain('master_keys.exposed')
})

test('plain rows of an older version are sealed at start, once, also by several processes', async () => {
  await add('uno', 'secreto-uno')
  await add('dos', 'secreto-dos')
  const others = Array.from({ length: 4 }, () => openDb({ connection: database }))
  const boxes = await Promise.all([open(), ...others.map((on) => open({ on }))])
  const rows = await stored()
  for (const box of boxes) {
    expect(box.open(rows.uno ?? '', LINKS, 'uno')).toBe('secreto-uno')
    expect(box.open(rows.dos ?? '', LINKS, 'dos')).toBe('secreto-dos')
  }
  expect(JSON.stringify(rows)).not.toContain('secreto')
  expect(logged.filter((line) => line.includes('secrets.sealed'))).toHaveLength(1)
  expect(logged.join()).not.toContain('secreto-')
  await open()
  expect(await stored()).toEqual(rows)
  for (const other of others) await other.close()
})

test('a new first key applies at the next start; then the old one can be removed', async () => {
  const [first, two] = [base64(), base64()]
  write(`k1 ${first}\n`)
  await add('uno', 'secreto')
  await open()
  // With several processes the new key is known everywhere before it encrypts.
  write(`k1 ${first}\nk2 ${two}\n`)
  await open()
  expect((await stored()).uno).toMatch(/^v1\.k1\./)
  write(`k2 ${two}\nk1 ${first}\n`)
  await open()
  expect((await stored()).uno).toMatch(/^v1\.k2\./)
  write(`k2 ${two}\n`)
  expect((await open()).open((await stored()).uno ?? '', LINKS, 'uno')).toBe('secreto')
})

test('without its key file, or with another one, a database does not open and nothing is written', async () => {
  const secret = base64()
  write(`k1 ${secret}\n`)
  await add('uno', 'secreto')
  await open()
  const rows = await stored()

  rmSync(file)
  for (const canMake of [true, false]) {
    expect(await sentenceOf(open({ canMake }))).toBe(
      `Falta el archivo de llaves ${file}: la base de datos tiene secretos cifrados con él. Ponlo ahí de nuevo o di con MASTER_KEYS_FILE dónde está; si se perdió, docs/operations.md ("Llaves") dice qué hacer.`,
    )
    expect(existsSync(file)).toBe(false)
  }
  await add('dos', 'plano')
  write(`k1 ${base64()}\n`)
  expect(await sentenceOf(open())).toBe(
    `La llave k1 del archivo de llaves no es la que cifró signing_key.secret en la base de datos. Pon el archivo con el que se cifró en ${file}; si se perdió, docs/operations.md ("Llaves") dice qué hacer.`,
  )
  write(`k2 ${secret}\n`)
  expect(await sentenceOf(open())).toBe(
    `La base de datos tiene secretos cifrados con la llave k1 (signing_key.secret), que no está en el archivo de llaves. Pon el archivo con el que se cifró en ${file}; si se perdió, docs/operations.md ("Llaves") dice qué hacer.`,
  )
  expect(await stored()).toEqual({ ...rows, dos: 'plano' })
})

test('a configured key file that does not exist is not created', async () => {
  expect(await sentenceOf(open({ canMake: false }))).toBe(`No existe el archivo de llaves de MASTER_KEYS_FILE=${file}.`)
  expect(existsSync(file)).toBe(false)
  await open()
  expect(existsSync(file)).toBe(true)
})

test('after a lost key exactly the values sealed with it are deleted', async () => {
  await add('uno', 'secreto')
  await open()
  rmSync(file)
  makeMasterKeys(file)
  const box = secretBox(readMasterKeys(file) ?? [])
  await add('dos', box.seal('otro', LINKS, 'dos'))
  await add('tres', 'plano')
  expect(await db.tx((tx) => deleteUnreadable(tx, box, [LINKS]))).toEqual({ 'signing_key.secret': 1 })
  expect(Object.keys(await stored()).sort()).toEqual(['dos', 'tres'])
  expect((await open()).open((await stored()).dos ?? '', LINKS, 'dos')).toBe('otro')
})
