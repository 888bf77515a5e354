/** The state of the processors for the settings screen (G11). Their keys are never sent. */

import { refuse } from '#contract/errors.ts'
import { PROCESSOR_KEYS, type ProcessorId, type ProcessorState } from '#contract/processor-states.ts'
import type { SettingKey } from '#contract/settings.ts'
import { PaymentError } from '#server/adapters/payments/port.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { listStoredKeys } from './processor-keys.ts'

/** The setting with the public key that the browser needs. */
const PUBLIC_KEYS: Readonly<Record<ProcessorId, SettingKey>> = {
  stripe: 'stripe_public',
  conekta: 'conekta_public',
  paypal: 'paypal_client_id',
}

/** GET /admin/processors. */
export async function processorStates(
  ctx: Ctx,
): Promise<{ processors: ProcessorState[]; is_sandbox: boolean; takes_cards: boolean; is_chosen_by_server: boolean }> {
  const stored = await listStoredKeys(ctx.db)
  const { cards, wallet, credentials } = ctx.ports
  const processors = credentials.map(({ id, keyEnding, live, missing }): ProcessorState => {
    const key = PUBLIC_KEYS[id]
    const all = [...missing, ...(ctx.settings[key] ? [] : [key])]
    return {
      processor: id,
      state: keyEnding === null ? 'missing' : all.length > 0 ? 'partial' : 'connected',
      live,
      key_ending: keyEnding,
      missing: all,
      takes_payments: cards?.id === id || (wallet?.id === id && ctx.settings.paypal_enabled),
      keys: Object.entries(PROCESSOR_KEYS[id]).map(([name, { label }]) => {
        const typed = stored.get(name)
        const ofEnvironment = ctx.ports.keysOfEnvironment.get(name)
        const source = ofEnvironment === undefined ? (typed ? 'stored' : null) : 'environment'
        return { name, label, source, ending: ofEnvironment ?? typed?.ending ?? null, changed_at: typed?.updatedAt.toISOString() ?? null }
      }),
      webhook_url: `${ctx.studio.publicUrl}/api/webhooks/${id}`,
    }
  })
  const is_chosen_by_server = ctx.ports.isTakerOfEnvironment
  return { processors, is_sandbox: cards?.id === 'sandbox', takes_cards: cards !== null, is_chosen_by_server }
}

/** POST /admin/processors/{processor}/check: reads the events of this moment, of which there are none or few. NOT_FOUND. */
export async function checkProcessor(ctx: Ctx, { processor }: { processor: ProcessorId }): Promise<{ ok: boolean; message: string }> {
  const gateway = ctx.ports.gateways.get(processor)
  if (!gateway) throw refuse('NOT_FOUND')
  await ctx.throttle({ name: 'processor-check', subject: processor, max: 20, seconds: 60 })
  try {
    for await (const _ of gateway.since(ctx.now)) break
    return { ok: true, message: 'Respondió y aceptó la llave.' }
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error
    ctx.studio.log.warn({ error, processor }, 'processor.check_failed')
    return {
      ok: false,
      message: error.kind === 'config' ? 'Respondió, pero no aceptó la llave.' : 'No respondió. Inténtalo en unos minutos.',
    }
  }
}
