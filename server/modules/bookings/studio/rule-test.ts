/** What each rule answers about one customer and one class (R25), by the functions that guard a booking. Nothing is written. */
import { type Refusal, refuse } from '#contract/errors.ts'
import type { RuleAnswer, RuleTest } from '#contract/rule-test.ts'
import type { SettingKey, Settings } from '#contract/settings.ts'
import { formatWall, wallClock } from '#contract/time.ts'
import { factsForStaff, PERSON_RULES, type PersonFacts, whyNotPerson } from '#server/modules/bookings/person-rules.ts'
import { cancellingFrom, closesAt, opensAt, whyNotOpen, whyNotReserveByStaff, whyNotRoom } from '#server/modules/bookings/rules.ts'
import { loadPersonFacts } from '#server/modules/bookings/spots/person-guards.ts'
import { type ClassFacts, timetable } from '#server/modules/bookings/timetable/timetable.ts'
import { whyNotJoin } from '#server/modules/bookings/waitlist-rules.ts'
import { pendingDocuments } from '#server/modules/content/content.ts'
import { spendableCreditLots, usableFor, whyNoCredit } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { dryRun } from '#server/modules/dry-run.ts'
import { customerById } from '#server/modules/people/people.ts'

/** The settings that each rule depends on; empty: none. */
const SETTINGS: Readonly<Record<RuleAnswer['topic'], readonly SettingKey[]>> = {
  time: ['reservation_opens_days', 'reservation_timeframe_hours', 'reservation_timeframe_minutes'],
  waitlist: ['waitlist_enabled', 'waitlist_mode'],
  penalty: ['unlimited_membership_penalties_enabled', 'unlimited_max_no_shows_for_penalty', 'unlimited_penalty_days'],
  profile: ['profile_required_to_reserve'],
  cancel: [
    'allow_cancel_reservations',
    'cancel_timeframe_value',
    'allow_cancel_after_treshold',
    'max_cancels_per_available_class',
    'undo_minutes',
  ],
  places: [],
  clash: [],
  documents: [],
  credit: [],
}

interface PersonTopic {
  topic: RuleAnswer['topic']
  /** What holds while the rule refuses nothing. */
  yes: string
  /** Whether the studio has this rule; absent: always. */
  applies?: (settings: Settings) => boolean
}

/** How the rule of each fact about the person is shown, in this order. A fact without an entry does not compile. */
const PERSON_TOPICS: Readonly<Record<keyof PersonFacts, PersonTopic>> = {
  penalty: { topic: 'penalty', yes: 'No tiene penalización.' },
  clashes: { topic: 'clash', yes: 'No tiene otra clase a esa hora.' },
  documents: { topic: 'documents', yes: 'Aceptó los documentos del estudio.' },
  incomplete: { topic: 'profile', yes: 'Su perfil está completo.', applies: (settings) => settings.profile_required_to_reserve },
}

const settingsOf = (topic: RuleAnswer['topic']): string[] => [...SETTINGS[topic]]

/** GET /admin/rule_test. CLASS_NOT_FOUND, NOT_FOUND, FORBIDDEN at others' locations. */
export async function testRules(ctx: Ctx, input: { single_class_id: number; customer_id: number }): Promise<RuleTest> {
  const { single_class_id, customer_id } = input
  const [cls] = await timetable(ctx.studio).byId([single_class_id])
  if (!cls) throw refuse('CLASS_NOT_FOUND')
  ctx.requireLocation('roster.all', cls.location_id)
  const customer = await customerById(ctx.db, customer_id)
  const { facts, lots, documents } = await dryRun(ctx, async (tx) => {
    const [facts, creditLots, documents] = await Promise.all([
      loadPersonFacts(tx, ctx, cls, customer_id),
      spendableCreditLots(tx, ctx, customer_id),
      pendingDocuments(tx, customer_id),
    ])
    return { facts, lots: creditLots, documents }
  })
  const { settings, now } = ctx
  const rules: RuleAnswer[] = []
  /** Adds a rule: with what the person reads where it refuses, otherwise with what holds instead. */
  const add = (topic: RuleAnswer['topic'], no: Refusal | null, yes: string) =>
    rules.push({ topic, ok: no === null, text: no ? no.message : yes, settings: settingsOf(topic) })
  add('time', whyNotOpen(cls, settings, now), openText(ctx, cls))
  const full = whyNotRoom(cls, 1)
  add('places', full, cls.places_left === 1 ? 'Queda 1 lugar.' : `Quedan ${cls.places_left} lugares de ${cls.capacity ?? 0}.`)
  if (full && rules[0]?.ok) {
    const no = whyNotJoin(cls, settings, now)
    const text = no ? no.message : 'Puede anotarse en la lista de espera.'
    rules.push({ topic: 'waitlist', ok: null, text, settings: settingsOf('waitlist') })
  }
  for (const fact of Object.keys(PERSON_TOPICS) as (keyof PersonFacts)[]) {
    const { topic, yes, applies } = PERSON_TOPICS[fact]
    if (applies && !applies(settings)) continue
    add(topic, PERSON_RULES[fact](facts, cls, ctx.zone), yes)
    if (fact === 'documents' && documents.length)
      rules.push({ topic, ok: null, text: `Le falta aceptar: ${documents.map(({ title }) => title).join(', ')}.`, settings: [] })
  }
  const [creditLot] = usableFor(lots, cls, ctx.zone)
  const none = creditLot ? null : whyNoCredit(lots, cls, now)
  add('credit', none, creditLot ? creditLotText(creditLot, cls) : '')
  const { until, policy } = cancellingFrom(cls, settings, now)
  const cancelText = until ? `Cancela sin perder su crédito hasta el ${at(until, cls)}.` : policy.cancel
  rules.push({ topic: 'cancel', ok: null, text: cancelText, settings: settingsOf('cancel') })
  return {
    customer: { customer_id, name: `${customer.name} ${customer.last_name}`.trim() },
    single_class: {
      single_class_id,
      name: cls.shown.class_type.name,
      location: cls.shown.location.name,
      class_date: wallClock(cls.starts_at, cls.zone).toISOString(),
    },
    can_reserve: rules.every(({ ok }) => ok !== false),
    // A seat of the map is chosen when the place is booked.
    staff_can_reserve:
      whyNotPerson(factsForStaff(facts), cls, ctx.zone) === null &&
      whyNotReserveByStaff({ ...cls, spot_map: null }, {}, settings, now) === null,
    rules,
  }
}

const at = (moment: Date, cls: ClassFacts) => formatWall(wallClock(moment, cls.zone), 'class')

function openText(ctx: Ctx, cls: ClassFacts): string {
  const opens = opensAt(cls, ctx.settings)
  const until = `hasta el ${at(closesAt(cls, ctx.settings), cls)}`
  return opens ? `Se reserva desde el ${at(opens, cls)} ${until}.` : `Se reserva ${until}.`
}

function creditLotText(
  creditLot: { title: string; unlimited: boolean; balance: number | null; expires_at: Date | null },
  cls: ClassFacts,
): string {
  const what = creditLot.unlimited
    ? `Entra con “${creditLot.title}”, sin límite de clases`
    : `Se usa 1 de sus ${creditLot.balance} créditos de “${creditLot.title}”`
  return creditLot.expires_at ? `${what}, que vence el ${formatWall(wallClock(creditLot.expires_at, cls.zone), 'date')}.` : `${what}.`
}
