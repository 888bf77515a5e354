/** The provider that stamps invoices: the state of its keys, and the keys that the owner types (FA17). */
import { refuse } from '#contract/errors.ts'
import { FISCAL_KEYS, type FiscalKeyName, type FiscalProviderState } from '#contract/fiscal-provider.ts'
import { type SwEnvironment, swAccount } from '#server/adapters/pac/sw/sw.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { listStoredKeys, storeKeys } from '#server/modules/settings/settings.ts'
import { giveUpFrom } from './rules.ts'
import { listSent, UNKNOWN_ACCOUNT } from './store.ts'

const MESSAGES = {
  ok: 'Respondió y aceptó las llaves.',
  refused: 'Respondió, pero no aceptó el usuario o la contraseña.',
  silent: 'No respondió. Inténtalo en unos minutos.',
} as const

/** GET /admin/fiscal_provider. */
export async function fiscalProviderState(ctx: Ctx): Promise<{ fiscal_provider: FiscalProviderState }> {
  const stored = await listStoredKeys(ctx.db)
  const { pac, keysOfEnvironment } = ctx.ports
  const keys = Object.entries(FISCAL_KEYS).map(([name, { label }]) => {
    const typed = stored.get(name)
    const ofEnvironment = keysOfEnvironment.get(name)
    const source = ofEnvironment === undefined ? (typed ? ('stored' as const) : null) : ('environment' as const)
    return { name, label, source, ending: ofEnvironment ?? typed?.ending ?? null, changed_at: typed?.updatedAt.toISOString() ?? null }
  })
  const has = keys.filter(({ source }) => source !== null).length
  return {
    fiscal_provider: {
      provider: pac === null ? null : pac.id === 'sandbox' ? 'sandbox' : 'sw',
      state: has === 0 ? 'missing' : has < keys.length ? 'partial' : 'ready',
      is_test: pac?.isSandbox ?? false,
      keys,
    },
  }
}

/**
 * PUT /admin/fiscal_provider/keys. RECENT_SIGN_IN_REQUIRED, PROTECTED, INVOICES_WAITING, INVALID_INPUT by key; a message never contains
 * the value.
 */
export async function saveFiscalKeys(ctx: Ctx, { keys }: { keys: Record<string, string | null> }): Promise<void> {
  ctx.requireRecentSignIn()
  const issues = Object.entries(keys).flatMap(([name, value]) => {
    if (!Object.hasOwn(FISCAL_KEYS, name)) return [{ path: name.replace(/[^A-Z_]/g, ''), message: 'Esa llave no existe.' }]
    const { pattern, like } = FISCAL_KEYS[name as FiscalKeyName]
    return value === null || pattern.test(value) ? [] : [{ path: name, message: `Escribe ${like}.` }]
  })
  if (issues.length > 0) throw refuse('INVALID_INPUT', { issues })
  await assertNoPendingDocuments(ctx, keys)
  await storeKeys(ctx, keys, (name) => ({ processor: 'SW Sapien', key: FISCAL_KEYS[name as FiscalKeyName].label }))
}

const ENVIRONMENTS: Readonly<Record<string, SwEnvironment>> = { sw: 'produccion', 'sw-pruebas': 'pruebas' }
/** Folios that a sentence names. */
const NAMED = 3

/**
 * INVOICES_WAITING when documents that were sent with another account still have no answer: only that account can read their state.
 * Documents that can be given up do not count: a closed account would block new keys for ever.
 */
async function assertNoPendingDocuments(ctx: Ctx, { SW_USER, SW_PASSWORD, SW_ENVIRONMENT }: Record<string, string | null>): Promise<void> {
  const isRemoved = [SW_USER, SW_PASSWORD, SW_ENVIRONMENT].includes(null)
  const sent = await listSent(ctx.db, Object.keys(ENVIRONMENTS))
  const waiting = sent.filter(({ pac, pac_account, createdAt }) => {
    const environment = ENVIRONMENTS[pac]
    if (ctx.now >= giveUpFrom({ createdAt })) return false
    if (isRemoved || !environment || (SW_ENVIRONMENT && SW_ENVIRONMENT !== environment)) return true
    const account = pac_account === UNKNOWN_ACCOUNT ? ctx.ports.pacs.get(pac)?.account : pac_account
    return SW_USER && account ? swAccount(SW_USER, environment) !== account : false
  })
  if (waiting.length === 0) return
  const folios = waiting.slice(0, NAMED).map(({ series, folio }) => `${series}-${folio}`)
  if (waiting.length > NAMED) folios.push(`${waiting.length - NAMED} más`)
  throw refuse('INVOICES_WAITING', { folios: new Intl.ListFormat('es-MX').format(folios) })
}

/** POST /admin/fiscal_provider/check. NOT_FOUND. */
export async function checkFiscalProvider(ctx: Ctx): Promise<{ ok: boolean; message: string }> {
  const { pac } = ctx.ports
  if (!pac || pac.id === 'sandbox') throw refuse('NOT_FOUND')
  await ctx.throttle({ name: 'processor-check', subject: pac.id, max: 20, seconds: 60 })
  const answer = await pac.check()
  if (answer !== 'ok') ctx.studio.log.warn({ said: answer }, 'pac.check_failed')
  return { ok: answer === 'ok', message: MESSAGES[answer] }
}
