/** Which processors a studio has: cash always, and the one that the configuration names for cards. */
import type { Config } from '#server/config.ts'
import type { Db } from '#server/platform/db.ts'
import { Cash } from './efectivo/cash.ts'
import type { PaymentGateway } from './port.ts'
import { Sandbox } from './sandbox/sandbox.ts'

export interface PaymentDeps {
  db: Db
  now: () => Date
  publicUrl: string
  log: { error(details: object, text: string): void }
  config: Pick<Config, 'PAYMENTS' | 'ALLOW_SANDBOX' | 'NODE_ENV' | 'demo'>
}

export interface Payments {
  gateways: ReadonlyMap<string, PaymentGateway>
  /** The gateway that new card payments use. */
  cards: PaymentGateway
  /** The built-in processor when it is in use: its pages must be served (sandbox/site.ts). */
  sandbox: Sandbox | null
}

/** Builds the gateways. Throws an Error with a Spanish sentence when the configuration does not allow it. */
export function choosePayments(deps: PaymentDeps): Payments {
  const { config } = deps
  const cash = new Cash(deps)
  if (config.PAYMENTS !== 'sandbox')
    throw new Error(`PAYMENTS=${config.PAYMENTS}: este procesador todavía no está disponible en esta versión. Usa PAYMENTS=sandbox.`)
  if (config.NODE_ENV === 'production' && !config.demo && !config.ALLOW_SANDBOX)
    throw new Error(
      'El procesador de prueba no cobra dinero de verdad y no se usa en producción. Configura PAYMENTS, o ALLOW_SANDBOX=1 si solo estás probando.',
    )
  const sandbox = new Sandbox(deps)
  return {
    gateways: new Map<string, PaymentGateway>([
      ['efectivo', cash],
      ['sandbox', sandbox],
    ]),
    cards: sandbox,
    sandbox,
  }
}
