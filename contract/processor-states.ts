/**
 * The processors of payments as the owner sees them: which are configured, what is missing, and whether they answer (docs/domain.md G11).
 */
import * as z from 'zod'
import { endpoint, instant, refusals } from './endpoint.ts'
import type { ScriptedProcessor } from './processors.ts'

export const PROCESSOR_NAMES = { stripe: 'Stripe', conekta: 'Conekta', paypal: 'PayPal' } as const satisfies Record<
  ScriptedProcessor,
  string
>
const processor = z.enum(Object.keys(PROCESSOR_NAMES) as [keyof typeof PROCESSOR_NAMES])
export type ProcessorId = z.infer<typeof processor>

/**
 * The keys of each processor by the variable of the environment that wins over a typed one. `isSecret`: it is never shown again. `pattern`:
 * its format.
 */
export const PROCESSOR_KEYS = {
  stripe: {
    STRIPE_SECRET_KEY: { label: 'Llave secreta', isRequired: true, pattern: /^[sr]k_(test|live)_\w+$/, like: 'sk_live_…' },
    STRIPE_WEBHOOK_SECRET: { label: 'Secreto de avisos', isRequired: true, pattern: /^whsec_\w+$/, like: 'whsec_…' },
  },
  conekta: {
    CONEKTA_PRIVATE_KEY: { label: 'Llave privada', isRequired: true, pattern: /^[\w-]{8,200}$/, like: 'key_…' },
    CONEKTA_WEBHOOK_KEY: {
      label: 'Llave pública de avisos',
      isRequired: false,
      pattern: /^[\w\s+/=-]{20,2000}$/,
      like: '-----BEGIN PUBLIC KEY-----',
    },
  },
  paypal: {
    PAYPAL_CLIENT_ID: { label: 'Client ID', isRequired: true, pattern: /^[\w-]{16,200}$/, like: 'A…' },
    PAYPAL_CLIENT_SECRET: { label: 'Secret', isRequired: true, pattern: /^[\w-]{16,200}$/, like: 'E…' },
    PAYPAL_WEBHOOK_ID: { label: 'Webhook ID', isRequired: true, pattern: /^\w{8,60}$/, like: '8PT597110X687430L' },
  },
} as const satisfies Record<
  keyof typeof PROCESSOR_NAMES,
  Record<string, { label: string; isRequired: boolean; pattern: RegExp; like: string }>
>
type KeysOf<P> = P extends keyof typeof PROCESSOR_KEYS ? keyof (typeof PROCESSOR_KEYS)[P] : never
export type ProcessorKeyName = KeysOf<ProcessorId>

/** A key of an external service as the owner sees it: never the key itself. */
export const keyState = z.object({
  name: z.string().describe('Variable del servidor que gana sobre la llave escrita aquí.'),
  label: z.string(),
  source: z
    .enum(['environment', 'stored'])
    .nullable()
    .describe('environment: la pone el servidor; stored: se escribió aquí; null: no hay.'),
  ending: z.string().nullable().describe('Sus últimos cuatro caracteres; null: no hay llave.'),
  changed_at: instant.nullable().describe('Cuándo se escribió aquí; null: no se escribió aquí.'),
})

export type KeyState = z.infer<typeof keyState>

const processorState = z.object({
  processor: processor.describe('Procesador de pagos.'),
  state: z
    .enum(['connected', 'partial', 'missing'])
    .describe('connected: tiene todo; partial: le falta algo de `missing`; missing: no tiene llave secreta.'),
  live: z.boolean().nullable().describe('Si cobra dinero de verdad; null: su llave no lo dice.'),
  key_ending: z.string().nullable().describe('Los últimos cuatro caracteres de su llave secreta; null: no tiene.'),
  missing: z.array(z.string()).describe('Lo que falta: variables del servidor, en mayúsculas, y claves de ajustes.'),
  takes_payments: z.boolean().describe('Si los pagos nuevos van por él.'),
  keys: z.array(keyState).describe('Sus llaves. Nunca se muestran: solo su final.'),
  webhook_url: z.string().describe('La dirección de avisos que se registra en el procesador.'),
})
export type ProcessorState = z.infer<typeof processorState>

export const processorStates = {
  /** Every processor, configured or not. Keys are never sent, only their last four characters. */
  list: endpoint('GET', '/admin/processors', 'staff:settings.edit', 'Configuración', 'Estado de los procesadores de pagos').output(
    z.object({
      processors: z.array(processorState).describe('Los procesadores, con su estado.'),
      is_sandbox: z.boolean().describe('Si cobra el procesador de prueba, sin dinero de verdad.'),
      takes_cards: z.boolean().describe('Si el sitio cobra con tarjeta.'),
      is_chosen_by_server: z
        .boolean()
        .describe('Si el servidor decide quién cobra los pagos nuevos; si no, los cobra el procesador cuya llave se escribió aquí.'),
    }),
  ),
  /**
   * Stores keys of a processor, encrypted with the master key; null takes one away. They are used at once and never sent again. Only the
   * given ones change. PROTECTED: the environment sets one of them, and wins. Needs a recent sign-in.
   */
  saveKeys: endpoint(
    'PUT',
    '/admin/processors/{processor}/keys',
    'staff:settings.code',
    'Configuración',
    'Guardar las llaves de un procesador',
  )
    .input(
      z.object({
        processor,
        keys: z
          .record(z.string().max(40), z.string().trim().min(1).max(2_000).nullable())
          .describe('Las llaves por su nombre; null quita una. Las que no se envían se quedan.'),
      }),
    )
    .errors(refusals('PROTECTED', 'RECENT_SIGN_IN_REQUIRED'))
    .output(z.object({ processors: z.array(processorState).describe('Los procesadores, con su estado.') })),
  /** Asks the processor for its latest events with the configured key: changes nothing there or here. NOT_FOUND: it has no key. */
  check: endpoint(
    'POST',
    '/admin/processors/{processor}/check',
    'staff:settings.edit',
    'Configuración',
    'Probar la conexión con un procesador',
  )
    .input(z.object({ processor }))
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ ok: z.boolean().describe('Si respondió y aceptó la llave.'), message: z.string() })),
}
