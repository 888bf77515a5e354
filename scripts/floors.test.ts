import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'

const script = fileURLToPath(new URL('./floors.mjs', import.meta.url))
const trees: string[] = []
afterEach(() => {
  for (const tree of trees.splice(0)) rmSync(tree, { recursive: true, force: true })
})

/** A house that keeps every rule; each test spoils one file of it. */
const SOUND = {
  'contract/money.ts': `import * as z from 'zod'\nexport const centavos = z.number()\n// new Date() in a comment asks nobody`,
  'server/config.ts': `import { centavos } from '#contract/money.ts'\nexport const config = { centavos }`,
  'server/platform/db.ts': `import { readFileSync } from 'node:fs'\nimport '#contract/errors.ts'\nexport const db = readFileSync`,
  'server/adapters/mail/smtp.ts': `import { db } from '#server/platform/db.ts'\nexport const smtp = async () => [db, await import('nodemailer')]`,
  'server/modules/ctx.ts': `import type { db } from '#server/platform/db.ts'\nexport type Ctx = typeof db`,
  'server/modules/people/people.ts': `import { findPerson } from './store.ts'\nexport { findPerson }`,
  'server/modules/people/store.ts': `import { person } from './tables.ts'\nexport const findPerson = () => person`,
  'server/modules/people/tables.ts': `import '#server/platform/db.ts'\nexport const person = 'person'`,
  'server/modules/people/people.test.ts': `import { studio } from '#server/testing/studio.ts'\nexport const at = [studio, new Date()]`,
  'server/modules/bookings/bookings.ts': `import { findPerson } from '#server/modules/people/people.ts'\nexport const reserve = findPerson`,
  'server/modules/bookings/store/store.ts': `import { person } from '#server/modules/people/tables.ts'\nexport const list = person`,
  'server/modules/bookings/jobs.ts': `export const late = (at: Date) => at < new Date()`,
  'server/app.ts': `import { reserve } from '#server/modules/bookings/bookings.ts'\nexport const app = reserve`,
  'server/studio.ts': `import { reserve } from '#server/modules/bookings/bookings.ts'\nexport const studio = () => [reserve, new Date()]`,
  'server/demo/demo.ts': `import { app } from '#server/app.ts'\nexport const demo = app`,
  'server/main.ts': `import { demo } from './demo/demo.ts'\ndemo()`,
  'server/testing/studio.ts': `import { app } from '#server/app.ts'\nexport const studio = app`,
  'web/ui/price.tsx': `import { centavos } from '#contract/money.ts'\nexport const Price = () => <b>{String(centavos)}</b>`,
  'web/lib/api.ts': `import { centavos } from '#contract/money.ts'\nexport const price = centavos\nexport const today = () => new Date()`,
  'web/features/card.tsx': `import { Price } from '#web/ui/price.tsx'\nimport './card.css'\nexport const Card = Price`,
  'web/areas/site/landing.tsx': `import type { Route } from './+types/landing'\nimport { Card } from '#web/features/card.tsx'\nexport type R = Route\nexport default Card`,
  'web/root.tsx': `import { today } from './lib/api.ts'\nexport const root = today`,
  'docs/architecture.md': 'The files `server/app.ts`, `server/modules/<module>/store.ts` and [the start](../server/main.ts).',
}

function check(spoiled: Record<string, string> = {}): { code: number | null; output: string } {
  const tree = mkdtempSync(join(tmpdir(), 'estudio-floors-'))
  trees.push(tree)
  for (const [file, text] of Object.entries({ ...SOUND, ...spoiled })) {
    mkdirSync(join(tree, dirname(file)), { recursive: true })
    writeFileSync(join(tree, file), text)
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, tree], { encoding: 'utf8' })
  return { code: status, output: stdout + stderr }
}

test('a sound house passes', () => {
  expect(check()).toEqual({ code: 0, output: expect.stringContaining('keep to their floors') })
})

test.each([
  ['contract/money.ts', `import '#server/config.ts'`, 'the contract is the ground'],
  ['contract/money.ts', `import { readFileSync } from 'node:fs'`, 'plain TypeScript and Zod'],
  ['server/platform/db.ts', `import '#server/adapters/mail/smtp.ts'`, 'server/platform < server/adapters'],
  ['server/platform/db.ts', `import '#contract/money.ts'`, 'knows nothing about studios'],
  ['server/adapters/mail/smtp.ts', `import '#server/modules/ctx.ts'`, 'server/adapters < server/modules'],
  ['server/adapters/mail/smtp.ts', `const later = () => import('#server/modules/ctx.ts')`, 'server/adapters < server/modules'],
  ['server/modules/ctx.ts', `import '#server/modules/people/people.ts'`, 'under all modules'],
  ['server/modules/people/people.ts', `import '#server/modules/bookings/bookings.ts'`, 'people < bookings'],
  ['server/modules/people/tables.ts', `import '#server/modules/bookings/tables.ts'`, 'people < bookings'],
  [
    'server/modules/bookings/store/roster-store.ts',
    `import '#server/modules/bookings/bookings.ts'`,
    'stands above server/modules/bookings/store',
  ],
  ['server/modules/bookings/attic/old.ts', `import '#contract/money.ts'`, 'bookings/attic has no place in the order store <'],
  ['server/modules/people/people.ts', `export { app } from '#server/app.ts'`, 'server/modules < server/app.ts'],
  ['server/modules/bookings/bookings.ts', `import '#server/modules/people/store.ts'`, 'front door is modules/people/people.ts'],
  ['server/modules/bookings/bookings.ts', `import '#server/modules/people/rules.ts'`, 'front door is modules/people/people.ts'],
  ['server/modules/bookings/rules.ts', `import '#server/modules/people/tables.ts'`, 'only a store'],
  ['server/modules/bookings/store/store.ts', `import '#server/modules/people/store.ts'`, 'front door is modules/people/people.ts'],
  ['server/modules/laundry/laundry.ts', `import '#server/modules/people/people.ts'`, 'laundry has no place in the order'],
  ['server/modules/bookings/bookings.ts', `import '#server/testing/studio.ts'`, 'for tests only'],
  ['server/app.ts', `import '#server/modules/people/store.ts'`, 'private to modules/people'],
  ['server/router.ts', `import '#server/modules/people/rules.ts'`, 'private to modules/people'],
  ['server/app.ts', `import '#server/main.ts'`, 'server/app.ts < server/main.ts'],
  ['server/app.ts', `import '#web/root.tsx'`, 'meet only in contract/'],
  ['server/other.ts', `import './config.ts'`, 'stands on no floor'],
  ['web/lib/api.ts', `import type { app } from '#server/app.ts'\nexport type Client = typeof app`, 'meet only in contract/'],
  ['web/lib/api.ts', `import type { db } from '#server/platform/db.ts'`, 'meet only in contract/'],
  ['web/ui/price.tsx', `import '#web/lib/api.ts'`, 'web/ui < web/lib'],
  ['web/ui/price.tsx', `import { Link } from 'react-router'`, 'know no router'],
  ['web/lib/api.ts', `import { readFileSync } from 'node:fs'`, 'the browser has no Node'],
  ['web/features/card.tsx', `import '#web/areas/site/landing.tsx'`, 'web/features < web/areas'],
  ['web/areas/admin/today.tsx', `import '#web/areas/site/landing.tsx'`, 'another area'],
  ['server/modules/people/people.ts', `export const at = new Date()`, 'asks the clock itself'],
  ['server/platform/db.ts', `export const at = () => Date.now()`, 'asks the clock itself'],
  ['web/features/card.tsx', `export const at = dayjs().format()`, 'asks the clock itself'],
  ['server/modules/people/people.ts', `import { findPerson } from './store'`, 'without its ending'],
  ['server/modules/people/people.ts', `import '../ctx.ts'`, 'write #server/modules/ctx.ts'],
  ['server/modules/people/store.ts', `import './people.ts'`, 'in a circle'],
  ['server/platform/utils.ts', `export const a = 1`, 'name a file after what it holds'],
  ['web/ui/index.ts', `export { Price } from './price.tsx'`, 'a barrel by its name'],
  ['web/ui/price.tsx', `export const Price = () => <form\n  className="a" action={pay}\n/>`, 'uses an action of a form'],
  ['web/ui/price.tsx', `export const Price = () => <button formAction={pay} />`, 'uses formAction'],
  ['web/ui/price.tsx', `export const Price = () => <Fragment key="a" ref={box} />`, 'uses a reference to a fragment'],
  ['web/ui/price.tsx', `export const Price = () => <style precedence="low" />`, 'uses precedence'],
  ['web/ui/price.tsx', `export const Price = () => <input onBeforeInput={type} />`, 'uses onBeforeInput'],
  ['web/lib/link.tsx', `export const AppLink = () => <Link to="/" prefetch="intent" />`, 'uses prefetch'],
  ['web/lib/link.tsx', `export const send = () => go('/', { formMethod: 'post' })`, 'uses formMethod'],
  ['web/lib/api.ts', `export const query = { throwOnError: true }`, 'uses throwOnError'],
  ['web/lib/api.ts', `export const query = { suspense: true }`, 'uses suspense: true'],
  ['web/lib/api.ts', `export const query = queries.sales.infiniteOptions({})`, 'uses infiniteOptions'],
  ['web/lib/api.ts', `export const query = client.fetchInfiniteQuery({})`, 'uses infinite queries'],
  ['web/root.tsx', `import { createRoot } from 'react-dom/client'\ncreateRoot(box)`, 'see scripts/unused-parts.ts'],
  ['server/modules/people/people.ts', `export const link = '/admin/clientes/1'`, 'spells an address of the administration'],
  ['docs/domain.md', 'Look at `server/gone.ts`.', 'names server/gone.ts, which does not exist'],
  ['README.md', 'Read [this](docs/gone.md).', 'names docs/gone.md, which does not exist'],
])('%s with %j is refused with its reason', (file, text, why) => {
  const { code, output } = check({ [file]: text })
  expect(output).toContain(why)
  expect(output).toContain(file)
  expect(code).toBe(1)
})

test('several imports in one file, and over several lines, are all seen', () => {
  const { output } = check({
    'server/platform/db.ts': `import {\n  a,\n  type B,\n} from '#server/modules/ctx.ts'\nimport c from 'pg'; import '#server/app.ts'\nexport const d: B = [a, c]`,
  })
  expect(output).toContain('imports server/modules/ctx.ts')
  expect(output).toContain('imports server/app.ts')
})

test('--fix rewrites imports that climb, and nothing else', () => {
  const tree = mkdtempSync(join(tmpdir(), 'estudio-floors-'))
  trees.push(tree)
  const file = join(tree, 'web/lib/deep/session.ts')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(join(tree, 'web/lib/paths.ts'), 'export const paths = 1')
  writeFileSync(file, `import { paths } from '../paths.ts'\nexport const home = [paths, '../elsewhere']\n`)
  expect(spawnSync(process.execPath, [script, '--fix', tree]).status).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe(`import { paths } from '#web/lib/paths.ts'\nexport const home = [paths, '../elsewhere']\n`)
})
