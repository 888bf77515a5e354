/**
 * Staff of one location change nothing of another (docs/domain.md E4, E14): every writing of the administration is called with the ids of a
 * location where the caller does not work, alone and beside the ids of their own, and no row of the other location changes.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { minimalInput } from '#server/testing/minimal-input.ts'
import { bearer, JSON_BODY, pathOf } from '#server/testing/target.ts'
import { type TwoLocations, twoLocations } from '#server/testing/two-locations.ts'
import { type Declared, endpoints, send } from '#server/testing/wire.ts'

let on: TwoLocations
beforeAll(async () => {
  on = await twoLocations()
})
afterAll(() => on.s.close())

const CLASSES = 'select single_class_id from single_class where location_id = $1'
const PURCHASES = 'select purchase_id from purchase where location_id = $1'
const SESSIONS = 'select cash_session_id from cash_session where location_id = $1'
const SALES = 'select sale_id from sale where location_id = $1'
/** The rows of a location, by table. */
const ROWS: Record<string, string> = {
  location: 'location_id = $1',
  room: 'location_id = $1',
  single_class: 'location_id = $1',
  class_reservation: `single_class_id in (${CLASSES})`,
  waitlist: `single_class_id in (${CLASSES})`,
  class_draft: `single_class_id in (${CLASSES})`,
  class_instructor: `single_class_id in (${CLASSES})`,
  substitution: `single_class_id in (${CLASSES})`,
  cash_session: 'location_id = $1',
  cash_movement: `cash_session_id in (${SESSIONS})`,
  sale: 'location_id = $1',
  sale_line: `sale_id in (${SALES})`,
  sale_payment: `sale_id in (${SALES})`,
  purchase: 'location_id = $1',
  payment_attempt: `purchase_id in (${PURCHASES})`,
  invoice: `purchase_id in (${PURCHASES})`,
  refund: `purchase_id in (${PURCHASES})`,
  available_class: `purchase_id in (${PURCHASES})`,
  gift_card: `purchase_id in (${PURCHASES})`,
  gift_card_movement: `gift_card_id in (select gift_card_id from gift_card where purchase_id in (${PURCHASES}))`,
  money_difference: `purchase_id in (${PURCHASES})`,
  product_stock: 'location_id = $1',
  holiday_location: 'location_id = $1',
  staff_location: 'location_id = $1',
}

/** What may change, and why: the rows are of a person or of the studio, not of the location alone. */
const MAY: Record<string, string> = {
  'studioSales.giveAccess': 'what the customer left unpaid of the same package ends, wherever it was ordered (V5)',
}

async function fingerprints(): Promise<Record<string, string>> {
  const { s, locations } = on
  const known = new Set(
    (await s.sql<{ name: string }>('select relname as name from pg_class where relkind = $1', ['r'])).map(({ name }) => name),
  )
  const parts = Object.entries(ROWS)
    .filter(([table]) => known.has(table))
    .map(
      ([table, where]) =>
        `select '${table}' as name, md5(coalesce(string_agg(to_jsonb(t)::text, '|' order by to_jsonb(t)::text), '')) as rows from "${table}" t where ${where}`,
    )
  const rows = await s.sql<{ name: string; rows: string }>(parts.join(' union all '), [locations.sur])
  return Object.fromEntries(rows.map(({ name, rows }) => [name, rows]))
}

/** The requests to an endpoint: with every id of the other location once, and the same beside the caller's own location. */
function requestsTo(endpoint: Declared): { path: string; body: string | undefined }[] {
  const { there, locations } = on
  const most = Math.max(
    1,
    ...Object.entries(there).map(([name, values]) => (endpoint.params.includes(name) || endpoint.fields.length > 0 ? values.length : 1)),
  )
  return [locations.sur, locations.norte].flatMap((location_id) =>
    Array.from({ length: most }, (_, n) => {
      const valueFor = (name: string) => {
        if (name === 'location_id') return location_id
        const values = there[name]
        return values?.[n % values.length]
      }
      const input = endpoint.schema ? (minimalInput(endpoint.schema, valueFor) as Record<string, unknown>) : {}
      const body = Object.fromEntries(Object.entries(input).filter(([name]) => !endpoint.params.includes(name)))
      return {
        path: pathOf(endpoint, (param) => String(valueFor(param) ?? input[param] ?? 1)),
        body: endpoint.method === 'DELETE' && Object.keys(body).length === 0 ? undefined : JSON.stringify(body),
      }
    }),
  )
}

// Calls every writing endpoint of the administration, with each id.
test('no writing of the administration changes anything of another location', { timeout: 400_000 }, async () => {
  const { s, boss } = on
  const writings = endpoints().filter(({ method, access }) => method !== 'GET' && access.startsWith('staff'))
  const changed: Record<string, string[]> = {}
  const answers = { done: 0, refused: 0, invalid: 0 }
  let before = await fingerprints()
  for (const writing of writings) {
    const requests = new Map(requestsTo(writing).map((request) => [JSON.stringify(request), request]))
    for (const { path, body } of requests.values()) {
      const headers = { ...bearer(boss.token), ...(body === undefined ? {} : JSON_BODY), 'idempotency-key': randomUUID() }
      const { status, text } = await send(s.url, { method: writing.method, path, body, headers })
      expect(status, `${writing.name} ${body}: ${text}`).toBeLessThan(500)
      if (status === 400 || status === 422) answers.invalid++
      else if (status < 300) answers.done++
      else answers.refused++
      const after = await fingerprints()
      const tables = Object.keys(ROWS).filter((table) => before[table] !== after[table])
      if (tables.length > 0) changed[writing.name] ??= [...tables, `${path} ${body}`]
      before = after
    }
  }
  for (const name of Object.keys(MAY)) delete changed[name]
  expect(changed).toEqual({})
  // Most requests are understood: they are refused, or done where nothing is of the other location.
  expect(answers.done).toBeGreaterThan(60)
  expect(answers.refused).toBeGreaterThan(100)
})
