/** `npm run db:reset`: deletes the embedded database, after asking. The next start makes a new one. */
import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { readConfig } from '#server/config.ts'
import { eraseEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'

const config = readConfig(process.env, resolve(import.meta.dirname, '..'))
if (config.DATABASE_URL) {
  console.error('DATABASE_URL apunta a un PostgreSQL que no es de este programa: bórralo con sus propias herramientas.')
  process.exit(1)
}
if (!process.argv.includes('--yes')) {
  if (!process.stdin.isTTY) {
    console.error('Sin terminal hay que decirlo antes: npm run db:reset -- --yes')
    process.exit(1)
  }
  const prompt = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await prompt.question(`Se borrarán todos los datos de ${config.dataDir}. Escribe "borrar" para seguir: `)
  prompt.close()
  if (answer.trim() !== 'borrar') process.exit(1)
}
try {
  await eraseEmbeddedPostgres({ dataDir: config.dataDir })
  console.log('La base de datos está vacía. El próximo inicio la vuelve a crear.')
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
