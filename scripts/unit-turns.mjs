/**
 * The unit test files that CI runs by turn (turns.mjs): processes that are killed, random walks, generated data, and every endpoint or
 * column with many values. Most of them take 25 to 120 s of a worker. The rules, races and rights that they try once more on a large scale
 * have tests that run at every turn, as all files do that are not listed here.
 */
export const FILES_BY_TURN = [
  [
    'server/http.test.ts',
    'server/request-input.test.ts',
    'server/modules/sales/till/start-pending.crash.test.ts',
    'server/modules/fiscal/fiscal.crash.test.ts',
  ],
  [
    'server/hostile-values.test.ts',
    'server/modules/bookings/bookings.crash.test.ts',
    'server/modules/sales/random-walk-money.race.test.ts',
  ],
  ['server/modules/imports/imports.crash.test.ts', 'server/killed-verbs.crash.test.ts', 'server/hostile-records.test.ts'],
  [
    'server/platform/embedded-postgres.test.ts',
    'server/modules/bulk/bulk.crash.test.ts',
    'server/modules/bookings/customer/waitlist.crash.test.ts',
    'server/fuzz.test.ts',
    'server/demo/history.test.ts',
    'server/adapters/payments/killed.test.ts',
  ],
  [
    'server/crash.test.ts',
    'server/modules/counter/tills-random-walk.test.ts',
    'server/modules/messages/messages.crash.test.ts',
    'server/modules/reports/generated.test.ts',
    'server/modules/sales/random-walk-money.test.ts',
  ],
  [
    'server/hanging-services.test.ts',
    'server/demo/demo.test.ts',
    'server/modules/bookings/random-walk.test.ts',
    'server/modules/broadcasts/broadcasts.crash.test.ts',
    'server/modules/planning/planning.crash.test.ts',
    'server/modules/sales/till/cash-sessions.crash.test.ts',
    'server/modules/list-plans.test.ts',
  ],
]

/**
 * Those that run at every second turn, at the odd or the even ones: the dearest of the rest (20 to 50 s of a worker). Two files of one
 * subject are in different lists, so that races, processors and money are tried at every turn.
 */
export const FILES_BY_SECOND_TURN = [
  [
    'server/modules/sales/sales.race.test.ts',
    'server/adapters/payments/conekta/conekta.test.ts',
    'server/modules/bookings/customer/waitlist.race.test.ts',
    'server/modules/sales/checkout/replay.race.test.ts',
    'server/modules/bookings/zones.test.ts',
    'server/modules/rollups/rollups.test.ts',
    'server/modules/fiscal/returned-outside.test.ts',
    'server/modules/sales/settlement/discounts.race.test.ts',
    'server/platform/data-migrations.test.ts',
    'server/platform/data-migrations-from-0099.test.ts',
  ],
  [
    'server/modules/sales/checkout/tabs.race.test.ts',
    'server/adapters/payments/paypal/paypal.test.ts',
    'server/adapters/payments/stripe/stripe-network.test.ts',
    'server/modules/bookings/bookings.race.test.ts',
    'server/modules/sales/till/split-processors.test.ts',
    'server/modules/imports/studio-export.test.ts',
    'server/modules/income/days.test.ts',
    'server/recent-sign-in.test.ts',
    'server/platform/jobs.test.ts',
    'server/adapters/payments/webhook-backlog.test.ts',
    'scripts/run.test.ts',
  ],
]

/** The files, relative to the project, that do not run at a turn. */
export function filesNotAt(turn) {
  return [...FILES_BY_TURN.filter((_files, n) => n !== turn - 1).flat(), ...(FILES_BY_SECOND_TURN[turn % 2] ?? [])]
}
