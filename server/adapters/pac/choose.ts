/** Builds a studio's providers of stamps: the one that stamps new invoices, and every other that stamped some. */
import type { FiscalKeyName } from '#contract/fiscal-provider.ts'
import type { Db } from '#server/platform/db.ts'
import type { PacPort } from './port.ts'
import { PacSandbox } from './sandbox/sandbox.ts'
import { SwPac } from './sw/sw.ts'

export type FiscalKeys = Partial<Record<FiscalKeyName, string>>

export interface Pacs {
  /** By id, as documents name them. */
  pacs: ReadonlyMap<string, PacPort>
  /** The provider that stamps new invoices; null in a studio that cannot invoice. */
  pac: PacPort | null
}

interface PacDeps {
  db: Db
  now: () => Date
  maySandbox: boolean
  keys: FiscalKeys
  bases: { SW_API_BASE?: string | undefined; SW_STORAGE_API_BASE?: string | undefined; SAT_API_BASE?: string | undefined }
  /** The existing providers: one with the same keys is reused, with its token. */
  before?: Pacs
}

/** SW where its keys are whole; otherwise the sandbox where it may run; otherwise none, and nothing can be invoiced. */
export function choosePacs({ db, now, maySandbox, keys, bases, before }: PacDeps): Pacs {
  const sandbox = maySandbox ? (before?.pacs.get('sandbox') ?? new PacSandbox({ db, now })) : null
  const { SW_USER: user, SW_PASSWORD: password, SW_ENVIRONMENT: environment } = keys
  const sw =
    user && password && (environment === 'produccion' || environment === 'pruebas')
      ? new SwPac({
          user,
          password,
          environment,
          now,
          bases: { services: bases.SW_API_BASE, storage: bases.SW_STORAGE_API_BASE, sat: bases.SAT_API_BASE },
        })
      : null
  const all = [sw, sandbox].filter((provider) => provider !== null)
  return { pacs: new Map(all.map((provider) => [provider.id, provider])), pac: sw ?? sandbox }
}

const NAMES = ['SW_USER', 'SW_PASSWORD', 'SW_ENVIRONMENT'] as const satisfies readonly FiscalKeyName[]

/** The providers' keys among these values, with those of `first` in place of the others. */
export const mergeFiscalKeys = (first: Readonly<Record<string, unknown>>, others: Readonly<Record<string, unknown>>): FiscalKeys =>
  Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = first[name] ?? others[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
