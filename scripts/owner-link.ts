/**
 * `npm run owner-link [persona@estudio.mx]`: prints a link with which an owner sets a password, valid for 24 hours; for a studio without an
 * owner the link that claims it. Works while the program runs; needs the same environment (DATA_DIR, DATABASE_URL,
 * PUBLIC_URL).
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { readConfig } from '#server/config.ts'
import { Ctx } from '#server/modules/ctx.ts'
import { makeOwnerLink } from '#server/modules/people/people.ts'
import { claimLink } from '#server/modules/team/first-owner.ts'
import { pgError } from '#server/platform/db.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { openLog } from '#server/platform/log.ts'
import { startFailure } from '#server/platform/start-failure.ts'
import { openStudio } from '#server/studio.ts'

const NOT_YET = 'Este estudio todavía no se ha abierto. Inícialo una vez con npm start.'

/** Open resources, in the order in which they have to be closed. */
const open: { close(): Promise<unknown> }[] = []
async function print(): Promise<void> {
  const config = readConfig(process.env, resolve(import.meta.dirname, '..'))
  const log = openLog('error')
  try {
    if (!config.DATABASE_URL && !existsSync(config.dataDir)) throw new Error(NOT_YET)
    const database = config.DATABASE_URL ? null : await startEmbeddedPostgres({ dataDir: config.dataDir, log })
    if (database) open.unshift({ close: () => database.stop() })
    const studio = await openStudio({ connection: config.DATABASE_URL ?? database?.url ?? '', config, log, poolSize: 3 }).catch(
      (error: unknown) => {
        // 42P01: the tables do not exist.
        throw pgError(error)?.code === '42P01' ? new Error(NOT_YET) : error
      },
    )
    open.unshift(studio)
    const ctx = new Ctx(studio, { actor: { kind: 'system', job: 'owner-link' } })
    const claim = process.argv[2] ? null : await claimLink(ctx)
    if (claim) {
      console.log(`Este estudio es nuevo. Quien abra este enlace queda a cargo de él, durante 24 horas:\n${claim}`)
      return
    }
    const link = await makeOwnerLink(ctx, process.argv[2])
    console.log(`Para ${link.name} (${link.email}). Con este enlace se elige la contraseña, durante 24 horas:\n${link.url}`)
  } catch (error) {
    console.error(startFailure(error, config) ?? error)
    process.exitCode = 1
  }
}

await print().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
for (const part of open) await part.close()
