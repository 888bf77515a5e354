/**
 * A whole studio whose database was made before secrets were encrypted: they are encrypted at the next start, and what they signed
 * stays good.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { CHALLENGE_SECRETS, FACTOR_SECRETS, SIGNING_KEYS } from './adapters/identity/sealed.ts'
import { SEAL_KEYS } from './adapters/pac/port.ts'
import { readMasterKeys } from './platform/master-keys.ts'
import { type SealedColumn, secretBox } from './platform/secret-box.ts'
import { LINK_KEYS } from './platform/signing.ts'
import { SEALED_COLUMNS } from './studio.ts'
import { testSecretBox } from './testing/master-keys.ts'
import { freshDatabase } from './testing/postgres.ts'
import { studio } from './testing/studio.ts'

const folder = mkdtempSync(join(tmpdir(), 'estudio-secretos-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('plain keys of an older version are encrypted at start; tokens and links from before stay valid', async () => {
  const database = await freshDatabase()
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = await exportJWK(privateKey)
  const kid = await calculateJwkThumbprint(jwk)
  const since = '2026-10-01T00:00:00Z'
  await client.query('insert into identity_key (kid, private_jwk, "createdAt", "signsFrom") values ($1, $2, $3, $3)', [
    kid,
    JSON.stringify(jwk),
    since,
  ])
  const link = 'aGVsbG8taGVsbG8taGVsbG8taGVsbG8taGVsbG8taGU'
  await client.query("insert into signing_key (name, secret) values ('links', $1)", [link])

  const s = await studio({ database })
  const ana = await s.make.customer()
  expect((await s.as(ana).credits.list()).summary.available).toBe(0)
  const [key] = (await client.query('select private_jwk from identity_key')).rows
  const [links] = (await client.query("select secret from signing_key where name = 'links'")).rows
  expect(JSON.parse(testSecretBox().open(key.private_jwk, SIGNING_KEYS, kid))).toEqual(jwk)
  expect(testSecretBox().open(links.secret, LINK_KEYS, 'links')).toBe(link)

  // Nowhere in the database, whatever the table.
  const tables = await client.query<{ name: string }>(
    "select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')",
  )
  for (const { name } of tables.rows) {
    const found = await client.query(`select 1 from ${name} t where position($1 in t::text) > 0 or position($2 in t::text) > 0`, [
      jwk.d,
      link,
    ])
    expect(found.rows, name).toEqual([])
  }
  // Every column named as sealed is known to the rotation.
  const sealed = await client.query<{ at: string }>(
    "select table_name || '.' || column_name as at from information_schema.columns where column_name like 'sealed%'",
  )
  const known = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`)
  for (const { at } of sealed.rows) expect(known).toContain(at)
  await client.end()
  await s.close()
})

test('a studio creates its key file in DATA_DIR; with another one it does not open', async () => {
  const database = await freshDatabase()
  const env = { DATA_DIR: join(folder, 'datos'), MASTER_KEYS_FILE: '' }
  const first = await studio({ database, env })
  const signed = first.studio.signer.sign('oferta', '12-1')
  await first.close()
  await expect(studio({ database, env: { DATA_DIR: join(folder, 'otros'), MASTER_KEYS_FILE: '' } })).rejects.toThrow(
    /^Falta el archivo de llaves .*otros\/master-keys\.txt/,
  )
  await expect(studio({ database })).rejects.toThrow(/^La llave k1 del archivo de llaves no es la que cifró/)
  const again = await studio({ database, env: { ...env, MASTER_KEYS_FILE: join(folder, 'datos', 'master-keys.txt') } })
  expect(again.studio.signer.read('oferta', signed)).toBe('12-1')
  await again.close()
})

test('another master key: the next start encrypts every secret of the studio with it, and then needs the old key no more', async () => {
  const database = await freshDatabase()
  const file = join(folder, 'rotacion.txt')
  const [key, two] = [randomBytes(32), randomBytes(32)].map((bytes) => bytes.toString('base64'))
  const write = (text: string) => writeFileSync(file, text, { mode: 0o600 })
  const env = { MASTER_KEYS_FILE: file }
  write(`k1 ${key}\n`)

  const first = await studio({ database, env })
  const owner = await first.make.staff('owner')
  const signed = first.studio.signer.sign('oferta', '12-1')
  await first.as(owner).processorStates.saveKeys({ processor: 'conekta', keys: { CONEKTA_PRIVATE_KEY: 'key_privada_1' } })
  await first.as(owner).webhooks.create({ url: 'https://ejemplo.mx/aviso', event_types: ['customer.created'] })
  const seal = (where: SealedColumn, id: string) => secretBox(readMasterKeys(file) ?? []).seal('secreto', where, id)
  const [factor, challenge] = ['5b0b8a52-7a2c-4a3e-9a53-0c6a6b6d6f01', 'reto']
  await first.sql(
    `insert into identity_second_factor (factor_id, uid, sealed_secret, "enrolledAt", last_step) values ($1, $2, $3, now(), 0)`,
    [factor, owner.uid, seal(FACTOR_SECRETS, factor)],
  )
  await first.sql(
    `insert into identity_challenge (challenge_hash, kind, uid, sealed_secret, "createdAt", "expiresAt") values ($1, 'enrolment', $2, $3, now(), now() + interval '10 years')`,
    [challenge, owner.uid, seal(CHALLENGE_SECRETS, challenge)],
  )
  const number = '30001000000500003416'
  await first.sql(
    `insert into fiscal_certificate (number, rfc, name, certificate, sealed_key, "validFrom", "validUntil", "createdAt")
      values ($1, 'EKU9003173C9', 'ESCUELA', '', $2, now(), now(), now())`,
    [number, seal(SEAL_KEYS, number)],
  )
  await first.close()

  const client = new pg.Client({ connectionString: database })
  await client.connect()
  const secrets = async () => {
    const found: Record<string, Record<string, string>> = {}
    for (const { table, column, id } of SEALED_COLUMNS) {
      const { rows } = await client.query(`select ${id} as id, ${column} as value from ${table} where ${column} is not null order by 1`)
      found[`${table}.${column}`] = Object.fromEntries(rows.map((row) => [row.id, row.value]))
    }
    return found
  }
  const plain = async (text: string) => {
    write(text)
    const box = secretBox(readMasterKeys(file) ?? [])
    const at = await secrets()
    return SEALED_COLUMNS.map((where) =>
      Object.entries(at[`${where.table}.${where.column}`] ?? {}).map(([id, value]) => [id, box.open(value, where, id)]),
    )
  }
  const before = await plain(`k1 ${key}\n`)
  // One of each kind at least: a column without a row would prove nothing.
  expect(before.map((rows) => rows.length > 0)).toEqual(SEALED_COLUMNS.map(() => true))

  write(`k2 ${two}\nk1 ${key}\n`)
  await (await studio({ database, env })).close()
  for (const [column, rows] of Object.entries(await secrets()))
    for (const value of Object.values(rows)) expect([column, value.slice(0, 6)]).toEqual([column, 'v1.k2.'])
  expect(await plain(`k2 ${two}\n`)).toEqual(before)

  const again = await studio({ database, env })
  expect(again.studio.signer.read('oferta', signed)).toBe('12-1')
  expect(await again.as(owner).processorStates.list()).toMatchObject({ processors: expect.any(Array) })
  await again.close()
  await client.end()
})
