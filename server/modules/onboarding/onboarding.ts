/** First steps of a new studio (docs/domain.md, "First steps"). Records are created with the ordinary endpoints; here are only states. */
import { Refusal, refuse } from '#contract/errors.ts'
import {
  type Giro,
  ONBOARDING_DRAFT_BYTES,
  type Onboarding,
  type OnboardingExample,
  type OnboardingKey,
  type OnboardingProposal,
} from '#contract/onboarding.ts'
import { cancelFor } from '#server/modules/bookings/bookings.ts'
import { pageList } from '#server/modules/content/content.ts'
import { revokeUnspent } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { eraseAtOnce } from '#server/modules/customers/customers.ts'
import { removeClassType, removeSold } from '#server/modules/schedule/schedule.ts'
import { makeProposal } from './proposals.ts'
import { buildSteps, type CardProcessor } from './rules.ts'
import {
  deleteExample,
  findFirstAddress,
  insertExamples,
  listCreatedSince,
  listExamples,
  listSteps,
  listTraces,
  readFacts,
  upsertStep,
} from './store.ts'

/** Only records that were made while the steps were being done can be called examples. */
const EXAMPLE_AGE_MS = 15 * 60_000
/** Credits that the test customer gets. */
const TEST_CREDITS = 1

const cardProcessorOf = ({ cards }: Ctx['ports']): CardProcessor => (cards === null ? 'none' : cards.id === 'sandbox' ? 'sandbox' : 'real')

/** GET /admin/onboarding. */
export async function getOnboarding(ctx: Ctx): Promise<Onboarding> {
  const [facts, rows, examples] = await Promise.all([readFacts(ctx.db, ctx.now), listSteps(ctx.db), listExamples(ctx.db)])
  const steps = buildSteps({ facts, rows, settings: ctx.settings, cards: cardProcessorOf(ctx.ports) })
  return {
    steps,
    ...progressOf(steps),
    is_open: isOpen(steps, facts.has_reservation),
    has_reservations: facts.has_reservation,
    test_customer_id: examples.find(({ entity }) => entity === 'customer')?.entity_id ?? null,
    examples: examples.filter(({ entity, is_changed }) => entity !== 'customer' && !is_changed).length,
  }
}

const progressOf = (steps: Onboarding['steps']) => ({ done: steps.filter(({ state }) => state === 'done').length, total: steps.length })
/** First steps are shown only until the first reservation of a customer. */
const isOpen = (steps: Onboarding['steps'], hasReservation: boolean) => !hasReservation && steps.some(({ state }) => state === 'pending')

/** How far the studio is, for every screen of the administration; null when there is nothing left to do. */
export async function onboardingProgress(ctx: Ctx): Promise<{ done: number; total: number } | null> {
  const [facts, rows] = await Promise.all([readFacts(ctx.db, ctx.now), listSteps(ctx.db)])
  const steps = buildSteps({ facts, rows, settings: ctx.settings, cards: cardProcessorOf(ctx.ports) })
  return isOpen(steps, facts.has_reservation) ? progressOf(steps) : null
}

interface StepChange {
  key: OnboardingKey
  skipped?: boolean | undefined
  draft?: unknown
  examples?: readonly OnboardingExample[] | undefined
}

/** PUT /admin/onboarding/{key}. NOT_FOUND: an example that was not created just now; INVALID_INPUT: a draft over the limit. */
export async function changeOnboardingStep(ctx: Ctx, { key, skipped, draft, examples = [] }: StepChange): Promise<Onboarding> {
  if (Buffer.byteLength(JSON.stringify(draft ?? null)) > ONBOARDING_DRAFT_BYTES)
    throw refuse('INVALID_INPUT', { issues: [{ path: 'draft', message: 'Es demasiado para guardarlo.' }] })
  const since = new Date(ctx.now.getTime() - EXAMPLE_AGE_MS)
  if ((await listCreatedSince(ctx.db, examples, since)).length < examples.length) throw refuse('NOT_FOUND')
  await ctx.tx(async (tx) => {
    const change = {
      ...(skipped === undefined ? {} : { skippedAt: skipped ? ctx.now : null }),
      ...(draft === undefined ? {} : { draft }),
    }
    if (Object.keys(change).length > 0) await upsertStep(tx, key, change, ctx.now)
    await insertExamples(tx, examples, ctx.now)
  })
  return getOnboarding(ctx)
}

/** The input of a proposal; missing values come from the studio's settings and records. */
interface ProposalInput {
  giro: Giro
  city: string
  business_name?: string | undefined
  legal_name?: string | undefined
  address?: string | undefined
  email?: string | undefined
}

/** POST /admin/onboarding/proposal. */
export async function proposeStudio(ctx: Ctx, input: ProposalInput): Promise<OnboardingProposal> {
  const { cancel_timeframe_value, cancel_timeframe_unit } = ctx.settings
  const cancel_hours = cancel_timeframe_unit === 'hours' ? (cancel_timeframe_value ?? 12) : 12
  const business_name = input.business_name || ctx.settings.business_name
  return makeProposal({
    giro: input.giro,
    city: input.city,
    business_name,
    cancel_hours,
    legal_name: input.legal_name || ctx.settings.business_legal_name || business_name,
    address: input.address ?? (await findFirstAddress(ctx.db)) ?? '',
    email: input.email ?? ctx.settings.email,
  })
}

/** DELETE /admin/onboarding/examples: each through the verb that staff remove it with, which refuses what is in use. */
export async function removeExamples(ctx: Ctx, { dry_run }: { dry_run: boolean }) {
  const remaining: (OnboardingExample & { why: string })[] = []
  let removed = 0
  for (const { is_changed, ...example } of await listExamples(ctx.db)) {
    if (example.entity === 'customer') continue
    if (is_changed) {
      remaining.push({ ...example, why: 'Alguien lo cambió.' })
      continue
    }
    if (!dry_run)
      try {
        await removeRecord(ctx, example)
        await ctx.tx((tx) => deleteExample(tx, example))
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        remaining.push({ ...example, why: error.message })
        continue
      }
    removed += 1
  }
  return { removed, kept: remaining }
}

async function removeRecord(ctx: Ctx, { entity, entity_id }: OnboardingExample): Promise<void> {
  if (entity === 'class_package') await removeSold(ctx, { class_package_id: entity_id })
  if (entity === 'class_type') await removeClassType(ctx, entity_id)
  if (entity === 'page') await pageList.remove(ctx, entity_id)
}

/** DELETE /admin/onboarding/test_customer/{customer_id}: frees the places, takes the credits away and erases the record. NOT_FOUND. */
export async function removeTestCustomer(ctx: Ctx, { customer_id }: { customer_id: number }): Promise<{ ok: true }> {
  if (!(await listExamples(ctx.db)).some((example) => example.entity === 'customer' && example.entity_id === customer_id))
    throw refuse('NOT_FOUND')
  const reason = 'Era una prueba'
  const traces = await listTraces(ctx.db, customer_id, ctx.now)
  for (const class_reservation_id of traces.reservations) await cancelFor(ctx, { class_reservation_id, reason, credit: 'return' })
  for (const available_class_id of traces.credit_lots)
    await ctx.tx((tx) => revokeUnspent(tx, ctx, { available_class_id, amount: TEST_CREDITS, reason }))
  await eraseAtOnce(ctx, { customer_id, reason })
  return { ok: true }
}
