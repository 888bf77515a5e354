/**
 * `npm run keys:reset`: deletes, after confirmation, everything that was encrypted with a lost master key; the program creates new signing
 * keys at its next start (docs/operations.md, "Llaves").
 */
import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { readConfig } from '#server/config.ts'
import { openDb } from '#server/platform/db.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { makeMasterKeys, readMasterKeys } from '#server/platform/master-keys.ts'
import { migrate } from '#server/platform/migrate.ts'
import { deleteUnreadable, secretBox } from '#server/platform/secret-box.ts'
import { SEALED_COLUMNS } from '#server/studio.ts'

const config = readConfig(process.env, resolve(import.meta.dirname, '..'))
const file = config.masterKeysFile
if (!process.argv.includes('--yes')) {
  if (!process.stdin.isTTY) {
    console.error('Sin terminal hay que decirlo antes: npm run keys:reset -- --yes')
    process.exit(1)
  }
  const prompt = createInterface({ input: process.stdin, output: process.stdout })
  console.log(`Se borrará de la base de datos lo que no se pueda abrir con las llaves de ${file}:
las llaves con que se firman sesiones y enlaces, los segundos factores del equipo, las llaves de procesadores que se escribieron en
Ajustes y los secretos de los webhooks. Detén antes el programa.`)
  const answer = await prompt.question('Escribe "borrar" para seguir: ')
  prompt.close()
  if (answer.trim() !== 'borrar') process.exit(1)
}

const database = config.DATABASE_URL ? null : await startEmbeddedPostgres({ dataDir: config.dataDir })
const connection = config.DATABASE_URL ?? database?.url ?? ''
const db = openDb({ connection })
try {
  await migrate(connection)
  if (!readMasterKeys(file)) makeMasterKeys(file)
  const box = secretBox(readMasterKeys(file) ?? [])
  for (const [column, count] of Object.entries(await db.tx((tx) => deleteUnreadable(tx, box, SEALED_COLUMNS))))
    console.log(`${column}: ${count === 0 ? 'nada que borrar' : `${count} ${count === 1 ? 'borrado' : 'borrados'}`}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await db.close()
  await database?.stop()
}
