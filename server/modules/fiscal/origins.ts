/** Where and on which clocks invoices are issued. */
import { wallClock } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { type ChargeRow, listOrigins } from './charge-store.ts'

/** A place of issue: the studio's tax domicile, or a location with a postal code of its own. */
export interface Origin {
  /** Null: the tax domicile. */
  location_id: number | null
  postalCode: string
  zone: string
}

/** The places of issue: the tax domicile first. */
export async function listStudioOrigins(ctx: Ctx): Promise<[Origin, ...Origin[]]> {
  const own = await listOrigins(ctx.db)
  return [
    { location_id: null, postalCode: ctx.settings.business_postal_code, zone: ctx.zone },
    ...own.map(({ location_id, postal_code, timezone }) => ({ location_id, postalCode: postal_code, zone: timezone ?? ctx.zone })),
  ]
}

/** The place that issues the documents of a charge. */
export const originAmong = (origins: readonly [Origin, ...Origin[]], { origin_id }: Pick<ChargeRow, 'origin_id'>): Origin =>
  origins.find((origin) => origin.location_id === origin_id) ?? origins[0]

/** The wall clock of a place of issue, as a document has it. */
export const formatIssuedAt = (ctx: Ctx, { zone }: Pick<Origin, 'zone'>): string => wallClock(ctx.now, zone).toISOString().slice(0, 19)
