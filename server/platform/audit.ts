/** The audit trail: every verb by staff or about money leaves a row in its own transaction (architecture section 5). */
import type { Tx } from './db.ts'
import { audit } from './tables.ts'

export interface AuditEntry {
  at: Date
  actor: string
  actor_id: number | null
  action: string
  entity: string
  entity_id: string | number | null
  before?: unknown
  after?: unknown
  reason?: string | null
  request_id?: string | null
}

export async function writeAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  await tx.insert(audit).values({
    at: entry.at,
    actor: entry.actor,
    actor_id: entry.actor_id,
    action: entry.action,
    entity: entry.entity,
    entity_id: entry.entity_id === null ? null : String(entry.entity_id),
    before: entry.before ?? null,
    after: entry.after ?? null,
    reason: entry.reason ?? null,
    request_id: entry.request_id ?? null,
  })
}
