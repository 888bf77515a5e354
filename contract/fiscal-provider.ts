/** The provider that stamps invoices (PAC) and its keys, as the owner sees them (docs/domain.md FA17). */
import * as z from 'zod'
import { endpoint, refusals } from './endpoint.ts'
import { keyState } from './processor-states.ts'

/** The keys by the variable of the environment that wins over a typed one. */
export const FISCAL_KEYS = {
  SW_USER: { label: 'Usuario', pattern: /^[\x21-\x7e]{3,200}$/, like: 'el correo de tu cuenta de SW' },
  SW_PASSWORD: {
    label: 'Contraseña',
    isShown: false,
    pattern: /^[\x20-\x7e]{6,200}$/,
    like: 'la contraseña de tu cuenta de SW, sin acentos',
  },
  SW_ENVIRONMENT: { label: 'Ambiente', pattern: /^(?:produccion|pruebas)$/, like: 'produccion o pruebas' },
} as const
export type FiscalKeyName = keyof typeof FISCAL_KEYS

const providerState = z.object({
  provider: z.enum(['sw', 'sandbox']).nullable().describe('Quién timbra las facturas nuevas; null: nadie.'),
  state: z
    .enum(['ready', 'partial', 'missing'])
    .describe('Las llaves de SW. ready: están todas; partial: faltan algunas; missing: no hay ninguna.'),
  is_test: z.boolean().describe('Si lo que timbra no tiene validez fiscal.'),
  keys: z.array(keyState).describe('Sus llaves. Nunca se muestran.'),
})
export type FiscalProviderState = z.infer<typeof providerState>
const state = z.object({ fiscal_provider: providerState.describe('El proveedor de timbrado, con el estado de sus llaves.') })

export const fiscalProvider = {
  /** The stamping provider, and which keys are stored. Keys are never sent. */
  read: endpoint('GET', '/admin/fiscal_provider', 'staff:settings.edit', 'Facturas', 'El proveedor de timbrado').output(state),
  /**
   * Stores keys of the provider, encrypted with the master key; null takes one away. They are used at once. PROTECTED: the environment sets
   * one of them. INVALID_INPUT by key. INVOICES_WAITING: of another account, while real invoices of the last 72 hours that were sent with
   * this one have no answer. Needs a recent sign-in.
   */
  saveKeys: endpoint(
    'PUT',
    '/admin/fiscal_provider/keys',
    'staff:settings.code',
    'Facturas',
    'Guardar las llaves del proveedor de timbrado',
  )
    .input(
      z.object({
        keys: z
          .record(z.string().max(40), z.string().trim().min(1).max(2_000).nullable())
          .describe('Las llaves por su nombre; null quita una. Las que no se envían se quedan.'),
      }),
    )
    .errors(refusals('PROTECTED', 'RECENT_SIGN_IN_REQUIRED', 'INVOICES_WAITING'))
    .output(state),
  /** Signs in at the provider: changes nothing there or here. NOT_FOUND: it has no keys. */
  check: endpoint(
    'POST',
    '/admin/fiscal_provider/check',
    'staff:settings.edit',
    'Facturas',
    'Probar la conexión con el proveedor de timbrado',
  )
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ ok: z.boolean().describe('Si respondió y aceptó las llaves.'), message: z.string() })),
}
