/** Reservations as passes of a phone's wallet, and the studio's keys for them (docs/domain.md R27, G12). */
import * as z from 'zod'
import { endpoint, instant, pathId, refusals } from './endpoint.ts'
import { keyState } from './processor-states.ts'

export const WALLET_NAMES = { apple: 'Apple Wallet', google: 'Billetera de Google' } as const
const wallet = z.enum(Object.keys(WALLET_NAMES) as [keyof typeof WALLET_NAMES])
export type WalletId = z.infer<typeof wallet>

/**
 * The keys of each wallet by the variable of the environment that wins over a typed one. `isLong`: several lines, such as a certificate.
 */
export const WALLET_KEYS = {
  apple: {
    APPLE_PASS_CERTIFICATE: { label: 'Certificado de tus pases', isLong: true },
    APPLE_PASS_PRIVATE_KEY: { label: 'Llave privada del certificado', isLong: true },
    APPLE_WWDR_CERTIFICATE: { label: 'Certificado intermedio de Apple (WWDR)', isLong: true },
  },
  google: {
    GOOGLE_WALLET_ISSUER_ID: { label: 'Identificador del emisor', isLong: false },
    GOOGLE_WALLET_SERVICE_ACCOUNT: { label: 'Archivo JSON de la cuenta de servicio', isLong: true },
  },
} as const satisfies Record<WalletId, Record<string, { label: string; isLong: boolean }>>
type KeysOf<W> = W extends WalletId ? keyof (typeof WALLET_KEYS)[W] : never
export type WalletKeyName = KeysOf<WalletId>

const walletState = z.object({
  wallet: wallet.describe('Billetera.'),
  state: z
    .enum(['ready', 'partial', 'missing', 'invalid', 'expired'])
    .describe(
      'ready: se ofrece; partial: le faltan llaves; missing: no tiene ninguna; invalid: una no sirve, ver `problem`; expired: el certificado venció.',
    ),
  problem: z.string().nullable().describe('Qué llave no sirve y por qué; null: ninguna.'),
  identifier: z
    .string()
    .nullable()
    .describe('Con qué nombre firma: el tipo de pase de Apple o la cuenta de servicio de Google; null: no se sabe.'),
  valid_until: instant.nullable().describe('Hasta cuándo sirve el certificado; null: no vence o no hay.'),
  keys: z.array(keyState).describe('Sus llaves. Nunca se muestran.'),
})
export type WalletState = z.infer<typeof walletState>
const states = z.object({ wallets: z.array(walletState).describe('Las billeteras, con su estado.') })

const walletPass = z.object({
  class_reservation_id: z.int().describe('Reservación.'),
  class_type: z.string().describe('Nombre de la clase.'),
  class_date: instant.describe('Hora de pared de la clase escrita como UTC.'),
  apple_url: z
    .url()
    .nullable()
    .describe('Archivo .pkpass, para abrir en un dispositivo de Apple; null: el estudio no tiene llaves de Apple.'),
  google_url: z.url().nullable().describe('Página de Google que guarda el pase; null: el estudio no tiene llaves de Google.'),
})
export type WalletPass = z.infer<typeof walletPass>

export const walletPasses = {
  /**
   * The pass of one reservation of mine, or of my next one. Null when the studio has no wallet, the reservation has no access code now, or
   * there is no next one.
   */
  mine: endpoint('GET', '/wallet_pass', 'customer', 'Reservaciones', 'Agregar mi lugar a la billetera del teléfono')
    .input(z.object({ class_reservation_id: pathId.optional().describe('Reservación; sin ella, la próxima.') }))
    .errors(refusals('RESERVATION_NOT_FOUND'))
    .output(z.object({ pass: walletPass.nullable().describe('El pase; null: no hay.') })),
  /** Every wallet with the state of its keys. Keys are never sent. */
  list: endpoint('GET', '/admin/wallets', 'staff:settings.edit', 'Configuración', 'Estado de las billeteras').output(states),
  /**
   * Stores keys of a wallet, encrypted with the master key; null takes one away. They are used at once. PROTECTED: the environment sets one
   * of them. INVALID_INPUT by key: one is not what it must be, or does not belong to the others. Needs a recent sign-in.
   */
  saveKeys: endpoint('PUT', '/admin/wallets/{wallet}/keys', 'staff:settings.code', 'Configuración', 'Guardar las llaves de una billetera')
    .input(
      z.object({
        wallet,
        keys: z
          .record(z.string().max(40), z.string().trim().min(1).max(12_000).nullable())
          .describe('Las llaves por su nombre; null quita una. Las que no se envían se quedan.'),
      }),
    )
    .errors(refusals('PROTECTED', 'RECENT_SIGN_IN_REQUIRED'))
    .output(states),
}
