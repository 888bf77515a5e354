/** Environment -> typed configuration. Every variable is optional; errors are listed in Spanish before the program ends. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as z from 'zod'
import '#contract/copy/validation.ts'
import { CARD_PROCESSORS, type CardProcessor, type RealCardProcessor } from '#contract/processors.ts'
import type { Vendor } from '#contract/rendering.ts'

const on = z.enum(['1', 'true', 'on', 'yes', '0', 'false', 'off', 'no']).transform((text) => ['1', 'true', 'on', 'yes'].includes(text))
const url = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/$/, ''))
/** Pages, the identity service and cookies are served from the root of the address: a path would break all of them. */
const site = url.refine((text) => /^\w+:\/\/[^/?#@]+$/.test(text), 'debe ser solo la dirección, sin ruta: https://estudio.mx')

const environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  /** Port of the checks for supervisors and monitors (server/health.ts); by default PORT + 2. Not for visitors. */
  INTERNAL_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  INTERNAL_HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: site.optional(),
  DATA_DIR: z.string().min(1).default('data'),
  /** File of the master keys that encrypt secrets in the database; default: master-keys.txt in DATA_DIR, created when missing. */
  MASTER_KEYS_FILE: z.string().min(1).optional(),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'debe empezar con postgres://')
    .optional(),
  /** Demo studio: vaiven (default), fragua, or off. On by default only with the embedded database. */
  DEMO: z.enum(['vaiven', 'fragua', 'off', '0', '1']).optional(),
  /** Whether a new demo studio has a year of history; without it only the weeks around today, which are made faster. */
  DEMO_HISTORY: on.default(true),
  /** Addresses of proxies whose X-Forwarded-For is trusted, comma separated. Never "true". */
  TRUST_PROXY: z.string().optional(),
  /** `ninguno`: only cash, terminal and transfer at the studio. Default: the sandbox where it may charge, otherwise none. */
  PAYMENTS: z.enum([...CARD_PROCESSORS, 'ninguno']).optional(),
  /** The sandbox refuses to run in production without this. */
  ALLOW_SANDBOX: on.optional(),
  /** Port of the sandbox's card fields; by default PORT + 1. SANDBOX_URL: its address for visitors. */
  SANDBOX_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  SANDBOX_URL: site.optional(),
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_API_BASE: url.optional(),
  PAYPAL_CLIENT_ID: z.string().optional(),
  PAYPAL_CLIENT_SECRET: z.string().optional(),
  PAYPAL_WEBHOOK_ID: z.string().optional(),
  /** `https://api-m.sandbox.paypal.com` for PayPal's sandbox accounts. */
  PAYPAL_API_BASE: url.optional(),
  CONEKTA_PRIVATE_KEY: z.string().optional(),
  CONEKTA_WEBHOOK_KEY: z.string().optional(),
  CONEKTA_API_BASE: url.optional(),
  /** Base addresses of the processors' browser scripts; tests set those of a fake. */
  STRIPE_JS_BASE: url.optional(),
  PAYPAL_JS_BASE: url.optional(),
  CONEKTA_JS_BASE: url.optional(),
  /** Keys of the phones' wallets (server/adapters/wallet-passes), certificates and keys as PEM texts. */
  APPLE_PASS_CERTIFICATE: z.string().optional(),
  APPLE_PASS_PRIVATE_KEY: z.string().optional(),
  APPLE_WWDR_CERTIFICATE: z.string().optional(),
  GOOGLE_WALLET_ISSUER_ID: z.string().optional(),
  GOOGLE_WALLET_SERVICE_ACCOUNT: z.string().optional(),
  /** The provider that stamps invoices (server/adapters/pac/sw). */
  SW_USER: z.string().optional(),
  SW_PASSWORD: z.string().optional(),
  SW_ENVIRONMENT: z.enum(['produccion', 'pruebas']).optional(),
  SW_API_BASE: url.optional(),
  SW_STORAGE_API_BASE: url.optional(),
  SAT_API_BASE: url.optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'debe empezar con smtp:// o smtps://')
    .optional(),
  MAIL_FROM: z.string().optional(),
  WHATSAPP_TOKEN: z.string().optional(),
  WHATSAPP_PHONE_ID: z.string().optional(),
  /** Meta's id of the business account, for the state of its templates. */
  WHATSAPP_BUSINESS_ID: z.string().optional(),
  WHATSAPP_API_BASE: url.optional(),
  /** The secret that signs Meta's webhooks, and the token of its webhook verification. */
  WHATSAPP_APP_SECRET: z.string().optional(),
  WHATSAPP_VERIFY_TOKEN: z.string().optional(),
  /** Webhooks may be sent to this machine, also with http: for development and tests. */
  WEBHOOKS_LOOPBACK: on.optional(),
  PUSH_LOOPBACK: on.optional(),
  /** Address of the S3 API, when it is not Amazon's. */
  S3_API_BASE: url.optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  /** Email of the first owner of a studio that is not a demo (docs/operations.md). */
  OWNER_EMAIL: z.email().optional(),
  /** API requests per minute and address; 0 = no limit. */
  REQUESTS_PER_MINUTE: z.coerce.number().int().min(0).default(1_200),
  /** How long public responses may be cached, in seconds; 0 = never (for measurements). */
  CACHE_SECONDS: z.coerce.number().int().min(0).max(3_600).default(10),
  /** The maker of the platform in the footer: its name, and the address that it links to. */
  VENDOR_NAME: z.string().max(60).default('Estudio'),
  VENDOR_URL: z.url({ protocol: /^https$/ }).optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('warn'),
  NODE_ENV: z.enum(['production', 'development', 'test']).default('production'),
})

/** All environment variables that the program reads; docs/operations.md explains them. */
export const VARIABLES: readonly string[] = Object.keys(environment.shape)

export type Config = z.infer<typeof environment> & {
  PAYMENTS: CardProcessor | 'ninguno'
  /** Whether the environment names the processor of new cards: then nothing else decides it. */
  paymentsFixed: boolean
  /** Whether stand-ins of external services may run. */
  maySandbox: boolean
  root: string
  dataDir: string
  masterKeysFile: string
  demo: 'vaiven' | 'fragua' | null
  vendor: Vendor
}

/** The target of the link in the strip of a demo. A real studio has none without VENDOR_URL: this name is reserved for examples. */
const DEMO_VENDOR_URL = 'https://estudio.example/'

type Variable = keyof typeof environment.shape
type Address = Extract<Variable, `${string}_BASE`>

/** Addresses of external services that receive money, cards or files. */
const ADDRESSES = VARIABLES.filter((name): name is Address => name.endsWith('_BASE'))

/** The secret key of each processor that can take new cards; the first one that is set takes them, where PAYMENTS is not set. */
export const CARD_KEYS = {
  stripe: 'STRIPE_SECRET_KEY',
  conekta: 'CONEKTA_PRIVATE_KEY',
} as const satisfies Record<RealCardProcessor, Variable>

/** Reads the environment. Throws one Error whose message lists every problem, one per line. */
export function readConfig(env: Record<string, string | undefined>, root: string): Config {
  const variables = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const read = environment.safeParse(variables)
  const wrong = read.success ? [] : read.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
  if (read.success) {
    if (read.data.NODE_ENV === 'production' && read.data.WEBHOOKS_LOOPBACK)
      wrong.push('  WEBHOOKS_LOOPBACK: solo en desarrollo y en pruebas')
    if (read.data.NODE_ENV === 'production' && read.data.PUSH_LOOPBACK) wrong.push('  PUSH_LOOPBACK: solo en desarrollo y en pruebas')
    for (const base of ADDRESSES)
      if (read.data.NODE_ENV === 'production' && read.data[base]?.startsWith('http:'))
        wrong.push(`  ${base}: en producción debe empezar con https://`)
    for (const [id, key] of Object.entries(CARD_KEYS))
      if (read.data.PAYMENTS === id && !read.data[key]) wrong.push(`  ${key}: hace falta con PAYMENTS=${id}`)
    wrong.push(...halfConfigured(read.data))
  }
  if (!read.success || wrong.length) throw new Error(`La configuración tiene errores:\n${wrong.join('\n')}`)
  const demoName = read.data.DEMO ?? (read.data.DATABASE_URL ? 'off' : 'vaiven')
  const demo = demoName === 'off' || demoName === '0' ? null : demoName === 'fragua' ? 'fragua' : 'vaiven'
  const maySandbox = read.data.NODE_ENV !== 'production' || demo !== null || read.data.ALLOW_SANDBOX === true
  return {
    ...read.data,
    PAYMENTS: read.data.PAYMENTS ?? (maySandbox ? 'sandbox' : 'ninguno'),
    maySandbox,
    paymentsFixed: read.data.PAYMENTS !== undefined,
    root,
    dataDir: resolve(root, read.data.DATA_DIR),
    masterKeysFile: resolve(root, read.data.MASTER_KEYS_FILE ?? join(read.data.DATA_DIR, 'master-keys.txt')),
    demo,
    vendor: { name: read.data.VENDOR_NAME, url: read.data.VENDOR_URL ?? (demo ? DEMO_VENDOR_URL : null) },
  }
}

/** Errors for processors with incomplete settings: without its webhook a renewal or refund would be noticed late. */
function halfConfigured(variables: z.infer<typeof environment>): string[] {
  const out: string[] = []
  if (variables.STRIPE_SECRET_KEY && !/^[sr]k_(test|live)_\w+$/.test(variables.STRIPE_SECRET_KEY))
    out.push('  STRIPE_SECRET_KEY: debe ser la llave secreta, sk_live_... o sk_test_...')
  if (Boolean(variables.PAYPAL_CLIENT_ID) !== Boolean(variables.PAYPAL_CLIENT_SECRET))
    out.push('  PAYPAL_CLIENT_ID y PAYPAL_CLIENT_SECRET: hacen falta los dos')
  if (variables.NODE_ENV !== 'production') return out
  if (variables.STRIPE_SECRET_KEY && !variables.STRIPE_WEBHOOK_SECRET) out.push('  STRIPE_WEBHOOK_SECRET: hace falta con STRIPE_SECRET_KEY')
  if (variables.PAYPAL_CLIENT_ID && !variables.PAYPAL_WEBHOOK_ID) out.push('  PAYPAL_WEBHOOK_ID: hace falta con PAYPAL_CLIENT_ID')
  return out
}

/** The port of server/health.ts: PORT + 2, or below PORT where none is left above; any free port with PORT=0. */
export function internalPort({ INTERNAL_PORT, PORT }: Pick<Config, 'INTERNAL_PORT' | 'PORT'>): number {
  return INTERNAL_PORT ?? (PORT === 0 ? 0 : PORT > 65_533 ? PORT - 2 : PORT + 2)
}

/** Whether the web part was built. */
export function isBuilt(config: Config): boolean {
  return existsSync(resolve(config.root, 'build/server/index.js'))
}
