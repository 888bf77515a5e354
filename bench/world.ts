/**
 * What the parts of npm run bench share: a measured program on its own database, a studio on the same database, customers with credits
 * and tokens.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '#server/config.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { openLog } from '#server/platform/log.ts'
import { type OpenStudio, openStudio } from '#server/studio.ts'
import { freePort, type Running, root, start, stop, stopAll } from './programs.ts'
import type { Sql } from './queue.ts'

/** The measured program on the database of a folder, with the demo studio. */
export async function startProduct(folder: string, env: Record<string, string> = {}): Promise<Running> {
  const port = await freePort()
  return start(
    'server/main.ts',
    [],
    {
      DATA_DIR: join(folder, 'data'),
      DEMO: 'vaiven',
      DEMO_HISTORY: 'off',
      REQUESTS_PER_MINUTE: '0',
      PORT: String(port),
      INTERNAL_PORT: '0',
      PUBLIC_URL: `http://localhost:${port}`,
      ...env,
    },
    /está en http/,
  )
}

export interface World {
  folder: string
  product: Running
  /** The database, for programs that connect to it. */
  url: string
  studio: OpenStudio
  sql: Sql
  /** The database's main process. */
  postmaster: number
  close(): Promise<void>
}

/** Starts the program and opens its database. */
export async function openWorld(env: Record<string, string> = {}): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'estudio-bench-'))
  const leave: (() => Promise<unknown> | unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
  const close = async () => {
    for (const step of leave.reverse()) await Promise.resolve(step()).catch((error: unknown) => console.error(error))
  }
  try {
    leave.push(stopAll)
    const product = await startProduct(folder, env)
    const database = await startEmbeddedPostgres({ dataDir: join(folder, 'data') })
    leave.push(() => database.stop())
    const config = readConfig(
      {
        NODE_ENV: 'production',
        DEMO: 'vaiven',
        DEMO_HISTORY: 'off',
        DATABASE_URL: database.url,
        DATA_DIR: join(folder, 'data'),
        PORT: '0',
        PUBLIC_URL: `http://localhost:${product.port}`,
      },
      root,
    )
    const studio = await openStudio({ connection: database.url, config, log: openLog('error') })
    leave.push(() => studio.close())
    const sql: Sql = async <R extends object>(text: string, values: unknown[] = []) => (await studio.db.pool.query<R>(text, values)).rows
    const [cluster] = await sql<{ setting: string }>(`select setting from pg_settings where name = 'data_directory'`)
    const postmaster = Number(readFileSync(join(cluster?.setting ?? '', 'postmaster.pid'), 'utf8').split('\n')[0])
    return { folder, product, url: database.url, studio, sql, postmaster, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Adds customers who accepted the documents and have a thousand credits each; the first one's id. */
export async function addCustomers(sql: Sql, count: number): Promise<number> {
  const [people] = await sql<{ first: number }>(
    `with made as (insert into customer (uid, name, last_name, email, "createdAt")
       select 'bench-' || i, 'Carga', 'Prueba', 'bench-' || i || '@ejemplo.mx', now() from generate_series(1, $1) i returning customer_id)
     select min(customer_id) as first from made`,
    [count],
  )
  await sql(
    `with lots as (insert into available_class (customer_id, title, unlimited, granted, balance, expires_at, "createdAt")
       select customer_id, 'Carga', false, 1000, 0, now() + interval '6 years', now() from customer where uid like 'bench-%' returning available_class_id, customer_id)
     insert into credit_movement (available_class_id, customer_id, kind, amount, actor, "createdAt") select available_class_id, customer_id, 'grant', 1000, 'bench', now() from lots`,
  )
  await sql(
    `insert into accepted_page (customer_id, page_id, version) select customer_id, page_id, version from customer, page where uid like 'bench-%'`,
  )
  return people?.first ?? 0
}

/** Adds classes, one per hour from a number of days on, each with its instructor; the first one's id. Their ids are consecutive. */
export async function addClasses(
  sql: Sql,
  { count, capacity, days = 2 }: { count: number; capacity: number; days?: number },
): Promise<number> {
  const [row] = await sql<{ first: number }>(
    `with made as (insert into single_class (class_type_id, location_id, starts_at, ends_at, capacity, description)
       select (select min(class_type_id) from class_type), (select min(location_id) from location), at, at + interval '30 min', $2, 'carga'
       from generate_series(1, $1) i, lateral (select now() + make_interval(days => $3::integer)
         + ((select count(*) from single_class where description = 'carga') + i) * interval '1 hour' as at) t
       returning single_class_id),
     coached as (insert into class_instructor (single_class_id, instructor_id) select single_class_id, (select min(instructor_id) from instructor) from made)
     select min(single_class_id) as first from made`,
    [count, capacity, days],
  )
  return row?.first ?? 0
}

/** Signed tokens of the customers that `addCustomers` made. */
export function tokensOf({ sql, studio }: Pick<World, 'sql' | 'studio'>, count: number): Promise<string[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const uid = `bench-${at + 1}`
      await sql(
        `insert into identity_account (uid, email, email_verified, "validSince", "createdAt", "lastLoginAt", "lastRefreshAt") values ($1, $2, true, now() - interval '1 minute', now(), now(), now()) on conflict do nothing`,
        [uid, `${uid}@ejemplo.mx`],
      )
      return studio.ports.identity.tokenFor(uid)
    }),
  )
}

/** Stops the program and starts it again on the same database, under the same address: it is the issuer of the tokens. */
export async function restart(world: World, env: Record<string, string> = {}): Promise<Running> {
  await stop(world.product)
  world.product = await startProduct(world.folder, { PUBLIC_URL: world.studio.publicUrl, ...env })
  return world.product
}
