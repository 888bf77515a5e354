/** The processors of payments as the owner sees them: which are configured, what is missing, and whether they answer (docs/domain.md G11). */
import * as z from 'zod'
import { endpoint, refusals } from './endpoint.ts'

export const PROCESSOR_NAMES = { stripe: 'Stripe', conekta: 'Conekta', paypal: 'PayPal' } as const
const processor = z.enum(Object.keys(PROCESSOR_NAMES) as [keyof typeof PROCESSOR_NAMES])
export type ProcessorId = z.infer<typeof processor>

const processorState = z.object({
  processor: processor.describe('Procesador de pagos.'),
  state: z
    .enum(['connected', 'partial', 'missing'])
    .describe('connected: tiene todo; partial: le falta algo de `missing`; missing: no tiene llave secreta.'),
  live: z.boolean().nullable().describe('Si cobra dinero de verdad; null: su llave no lo dice.'),
  key_ending: z.string().nullable().describe('Los últimos cuatro caracteres de su llave secreta; null: no tiene.'),
  missing: z.array(z.string()).describe('Lo que falta: variables del servidor, en mayúsculas, y claves de ajustes.'),
  takes_payments: z.boolean().describe('Si los pagos nuevos van por él.'),
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
    }),
  ),
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
