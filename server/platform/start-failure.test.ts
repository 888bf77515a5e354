/** A failed start prints its reason and remedy in Spanish: with real ports, folders and servers. */
import { mkdir, mkdtemp, open, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, onServer } from '#server/testing/postgres.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { makeFolder } from './folders.ts'
import { migrate } from './migrate.ts'
import { startFailure } from './start-failure.ts'

let folder = ''
let occupant: Server
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'estudio-start-'))
  occupant = createServer()
  await new Promise<void>((done) => occupant.listen(0, '127.0.0.1', done))
})
afterAll(async () => {
  occupant.close()
  await rm(folder, { recursive: true })
})

const options = { PORT: 3000, HOST: '127.0.0.1', dataDir: '/datos' }
const failureOf = async (work: Promise<unknown>) => {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('Nothing failed.')
}
const listen = (port: number, host: string) =>
  new Promise<void>((done, failed) => {
    const server = createServer()
    server.once('error', failed)
    server.listen(port, host, () => server.close(() => done()))
  })

test('a port in use, and an address that is not this machine’s', async () => {
  const { port } = occupant.address() as { port: number }
  const busy = startFailure(await failureOf(listen(port, '127.0.0.1')), { ...options, PORT: port })
  expect(busy).toBe(
    `El puerto ${port} ya está en uso, quizá por otro Estudio. Cierra ese programa o elige otro puerto: PORT=${port + 10} npm start`,
  )
  expect(startFailure(await failureOf(listen(0, '203.0.113.7')), { ...options, HOST: '203.0.113.7' })).toMatch(
    /^No se puede escuchar en HOST=203\.0\.113\.7: no es una dirección de esta máquina/,
  )
})

test('a data folder that is a file', async () => {
  const file = join(folder, 'archivo')
  await writeFile(file, '')
  for (const path of [file, join(file, 'dentro')]) {
    const sentence = startFailure(await failureOf(mkdir(path)), { ...options, dataDir: path })
    expect(sentence).toBe(`No se puede escribir en ${path}: ahí hay un archivo y hace falta una carpeta. Los datos van en DATA_DIR=${path}`)
  }
  const nowhere = join(folder, 'nada', 'dentro')
  expect(startFailure(await failureOf(mkdir(nowhere)), options)).toBe(
    `No se puede escribir en ${nowhere}: esa carpeta no se puede crear. Los datos van en DATA_DIR=/datos`,
  )
})

test.runIf(process.platform === 'linux')('a data folder where no folder can be made ends the start instead of hanging it', async () => {
  for (const path of ['/proc/estudio', '/proc/estudio/datos'])
    expect(startFailure(await failureOf(startEmbeddedPostgres({ dataDir: path })), { ...options, dataDir: path })).toBe(
      `No se puede escribir en /proc/estudio: esa carpeta no se puede crear. Los datos van en DATA_DIR=${path}`,
    )
})

test('missing folders are created, and existing ones left unchanged', async () => {
  const deep = join(folder, 'a', 'b', 'c')
  makeFolder(deep)
  makeFolder(deep)
  expect((await stat(deep)).isDirectory()).toBe(true)
  await writeFile(join(folder, 'lleno'), '')
  expect(() => makeFolder(join(folder, 'lleno'))).toThrow('EEXIST')
})

test('an unreachable database, wrong credentials or an unknown name; never shows the password', async () => {
  const free = await new Promise<number>((done) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const at = probe.address() as { port: number }
      probe.close(() => done(at.port))
    })
  })
  const sentenceFor = async (DATABASE_URL: string) => startFailure(await failureOf(migrate(DATABASE_URL)), { ...options, DATABASE_URL })
  expect(await sentenceFor(`postgres://ana:secreto@127.0.0.1:${free}/estudio`)).toBe(
    `No se pudo abrir la base de datos de DATABASE_URL (estudio en 127.0.0.1:${free}): nadie contesta en esa dirección.`,
  )
  expect(await sentenceFor('postgres://ana:secreto@servidor:puerto/estudio')).toBe(
    'No se pudo abrir la base de datos de DATABASE_URL (estudio en servidor:puerto): la dirección está mal escrita.',
  )
  expect(await sentenceFor(onServer(await freshDatabase(), 'no_existe'))).toMatch(
    /^No se pudo abrir la base de datos de DATABASE_URL \(no_existe en .+\): esa base de datos no existe; créala con createdb\.$/,
  )
})

test.runIf(process.platform === 'linux')('a disk without room, for our own files and for the database', async () => {
  const full = await open('/dev/full', 'w')
  expect(startFailure(await failureOf(full.write('x')), options)).toBe(
    'No se puede escribir en /datos: no queda espacio en el disco. Los datos van en DATA_DIR=/datos',
  )
  await full.close()
  const database = await freshDatabase()
  const { Client } = pg
  const client = new Client({ connectionString: database })
  await client.connect()
  const raised = await failureOf(client.query(`do $$ begin raise 'could not extend file' using errcode = '53100'; end $$`))
  await client.end()
  const wrapped = new Error('Failed query', { cause: raised })
  expect(startFailure(wrapped, options)).toBe('No queda espacio en el disco de DATA_DIR=/datos. Haz lugar y vuelve a iniciar.')
  expect(startFailure(wrapped, { ...options, DATABASE_URL: 'postgres://ana:secreto@servidor/estudio' })).toBe(
    'No queda espacio en el disco de la base de datos de DATABASE_URL (estudio en servidor). Haz lugar y vuelve a iniciar.',
  )
})

test('our own messages are printed as they are, and unexpected errors with their stack', () => {
  expect(startFailure(new Error('La base de datos integrada no arrancó.'), options)).toBe('La base de datos integrada no arrancó.')
  expect(startFailure(new TypeError('x is not a function'), options)).toBeNull()
})
