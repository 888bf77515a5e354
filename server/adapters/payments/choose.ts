/** Builds a studio's payment gateways: always the counter, the one that PAYMENTS names for cards, and every other configured one. */
import type { ProcessorId, ProcessorKeyName } from '#contract/processor-states.ts'
import { isWalletProcessor, type RealCardProcessor } from '#contract/processors.ts'
import { CARD_KEYS, type Config } from '#server/config.ts'
import type { Db } from '#server/platform/db.ts'
import { ConektaGateway } from './conekta/conekta.ts'
import { Counter } from './counter/counter.ts'
import { PayPalGateway } from './paypal/paypal.ts'
import type { PaymentGateway } from './port.ts'
import { Sandbox } from './sandbox/sandbox.ts'
import { StripeGateway } from './stripe/stripe.ts'

type Credentials = ProcessorKeyName | `${Uppercase<ProcessorId>}_API_BASE`

export interface PaymentDeps {
  /** Keys that the owner typed; the environment wins. */
  stored?: Partial<Pick<Config, Credentials>>
  /** The existing sandbox, reused when the gateways are rebuilt. */
  sandbox?: Sandbox | null
  db: Db
  now: () => Date
  publicUrl: string
  log: { error(details: object, text: string): void }
  config: Pick<Config, 'PAYMENTS' | 'ALLOW_SANDBOX' | 'NODE_ENV' | 'demo'> &
    Partial<Pick<Config, 'paymentsFixed'>> &
    Partial<Pick<Config, Credentials>>
}

export interface Payments {
  /** Includes processors that no longer take new cards: existing payments and subscriptions continue. */
  gateways: ReadonlyMap<string, PaymentGateway>
  /** The gateway that new card payments use; null with PAYMENTS=ninguno. */
  cards: PaymentGateway | null
  /** PayPal, or the sandbox's wallet while the sandbox is in use; null without either. */
  wallet: PaymentGateway | null
  /** The built-in processor when it is in use: its pages must be served (sandbox/site.ts). */
  sandbox: Sandbox | null
}

/** What is configured of a processor, without its keys. */
export interface ProcessorCredentials {
  id: ProcessorId
  /** The last four characters of the secret key; null: there is none. */
  keyEnding: string | null
  /** Whether its key moves real money; null: not visible in the key. */
  live: boolean | null
  /** Variables of the environment that are not set. */
  missing: readonly string[]
}

const ENDING = 4
/** Keys that are too short for their ending to be shown without giving away the rest. */
const SHORT = 12

/** What is configured of every processor. */
export function describeCredentials(config: PaymentDeps['config']): ProcessorCredentials[] {
  const read = (id: ProcessorId, secret: Credentials, others: readonly Credentials[], live: boolean | null): ProcessorCredentials => {
    const key = config[secret]
    return {
      id,
      keyEnding: key ? (key.length < SHORT ? '' : key.slice(-ENDING)) : null,
      live: key ? live : null,
      missing: [secret, ...others].filter((name) => !config[name]),
    }
  }
  const isPayPalSandbox = config.PAYPAL_API_BASE?.includes('sandbox') === true
  const all: Readonly<Record<ProcessorId, ProcessorCredentials>> = {
    stripe: read('stripe', 'STRIPE_SECRET_KEY', ['STRIPE_WEBHOOK_SECRET'], /^[sr]k_live_/.test(config.STRIPE_SECRET_KEY ?? '')),
    paypal: read('paypal', 'PAYPAL_CLIENT_SECRET', ['PAYPAL_CLIENT_ID', 'PAYPAL_WEBHOOK_ID'], !isPayPalSandbox),
    conekta: read('conekta', 'CONEKTA_PRIVATE_KEY', [], null),
  }
  return Object.values(all)
}

/** The configuration with the typed keys in place of what the environment does not set. */
export function withStoredKeys(config: PaymentDeps['config'], stored: PaymentDeps['stored'] = {}): PaymentDeps['config'] {
  const set = Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined))
  const merged = { ...stored, ...set } as PaymentDeps['config']
  // Where PAYMENTS is not set, the first typed key makes its processor take new cards; a processor whose key the environment sets
  // takes precedence.
  const typed = takerOf(stored)
  return config.paymentsFixed === false && typed ? { ...merged, PAYMENTS: takerOf(config) ?? typed } : merged
}

const takerOf = (keys: Partial<Pick<Config, Credentials>>): RealCardProcessor | null =>
  (Object.keys(CARD_KEYS) as RealCardProcessor[]).find((id) => keys[CARD_KEYS[id]]) ?? null

/** Whether the environment sets the processor of new cards, so that typed keys do not change it. */
export const isTakerOfEnvironment = (config: PaymentDeps['config']): boolean => config.paymentsFixed === true || takerOf(config) !== null

/** Builds the gateways. Throws an Error with a Spanish sentence when the configuration is invalid. */
export function choosePayments(input: PaymentDeps): Payments {
  const deps = { ...input, config: withStoredKeys(input.config, input.stored) }
  const { config } = deps
  const real = realProcessors(deps)
  const counter = [new Counter('efectivo', deps), new Counter('mostrador', deps), new Counter('regalo', deps)]
  const wallet = real.find(({ id }) => isWalletProcessor(id)) ?? null
  // Existing payments continue through their processors; no processor takes new ones.
  if (config.PAYMENTS === 'ninguno') return { gateways: byId([...counter, ...real]), cards: null, wallet: null, sandbox: null }
  if (config.PAYMENTS !== 'sandbox') {
    const cards = real.find(({ id }) => id === config.PAYMENTS)
    if (!cards) throw new Error(`PAYMENTS=${config.PAYMENTS}: falta la llave de este procesador. Revisa docs/operations.md.`)
    // What the sandbox charged before a key was typed stays with it.
    const before = input.config.PAYMENTS === 'sandbox' ? (deps.sandbox ?? new Sandbox(deps)) : null
    return { gateways: byId([...counter, ...(before ? [before] : []), ...real]), cards, wallet, sandbox: before }
  }
  if (config.NODE_ENV === 'production' && !config.demo && !config.ALLOW_SANDBOX)
    throw new Error(
      'El procesador de prueba no cobra dinero de verdad y no se usa en producción. Configura PAYMENTS (con PAYMENTS=ninguno el estudio cobra solo en efectivo, terminal y transferencia), o ALLOW_SANDBOX=1 si solo estás probando.',
    )
  const sandbox = deps.sandbox ?? new Sandbox(deps)
  return { gateways: byId([...counter, sandbox, ...real]), cards: sandbox, wallet: wallet ?? sandbox, sandbox }
}

const byId = (gateways: PaymentGateway[]) => new Map(gateways.map((gateway) => [gateway.id as string, gateway]))

/** Builds each processor; null without its keys. */
const BUILD: Readonly<Record<ProcessorId, (deps: PaymentDeps) => PaymentGateway | null>> = {
  stripe: ({ db, now, config }) =>
    config.STRIPE_SECRET_KEY
      ? new StripeGateway({
          db,
          now,
          secretKey: config.STRIPE_SECRET_KEY,
          webhookSecret: config.STRIPE_WEBHOOK_SECRET,
          apiBase: config.STRIPE_API_BASE,
        })
      : null,
  paypal: ({ db, now, config }) =>
    config.PAYPAL_CLIENT_ID && config.PAYPAL_CLIENT_SECRET
      ? new PayPalGateway({
          db,
          now,
          clientId: config.PAYPAL_CLIENT_ID,
          clientSecret: config.PAYPAL_CLIENT_SECRET,
          webhookId: config.PAYPAL_WEBHOOK_ID,
          apiBase: config.PAYPAL_API_BASE,
        })
      : null,
  conekta: ({ db, now, config }) =>
    config.CONEKTA_PRIVATE_KEY
      ? new ConektaGateway({
          db,
          now,
          privateKey: config.CONEKTA_PRIVATE_KEY,
          webhookKey: config.CONEKTA_WEBHOOK_KEY,
          apiBase: config.CONEKTA_API_BASE,
        })
      : null,
}

const realProcessors = (deps: PaymentDeps): PaymentGateway[] => Object.values(BUILD).flatMap((build) => build(deps) ?? [])
