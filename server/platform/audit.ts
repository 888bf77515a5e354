/** The audit trail: every action by staff or about money inserts a row in its own transaction. */
import { sql } from 'drizzle-orm'
import { prepared, type Tx } from './db.ts'
import { storableJson } from './json.ts'
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

const inserted = prepared('audit.write', (on: Tx) =>
  on.insert(audit).values({
    at: sql`${sql.placeholder('at')}`,
    actor: sql.placeholder('actor'),
    actor_id: sql.placeholder('actor_id'),
    action: sql.placeholder('action'),
    entity: sql.placeholder('entity'),
    entity_id: sql.placeholder('entity_id'),
    before: sql`${sql.placeholder('before')}::jsonb`,
    after: sql`${sql.placeholder('after')}::jsonb`,
    reason: sql.placeholder('reason'),
    request_id: sql.placeholder('request_id'),
  }),
)

const SECRET_FIELD = /(?:password|secret|token|api_?key|private_?key|hash|(?:^|_)(?:otp|pin|cvc|card_number))$/i

/** A replacer for JSON that masks the values of fields with a secret name, at any depth. */
const withoutSecrets = (key: string, value: unknown) => (SECRET_FIELD.test(key) && value !== null ? '•••' : value)

const json = (value: unknown) => (value === undefined || value === null ? null : storableJson(value, withoutSecrets))

/** Does not wait for the insert. If it fails, the transaction fails with its error. */
export async function writeAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  const { entity_id, before, after, reason = null, request_id = null, at, ...rest } = entry
  // A setting is recorded under its key.
  const isSecret = entry.entity === 'setting' && SECRET_FIELD.test(String(entity_id))
  tx.fireAndForget(
    inserted(tx).execute({
      ...rest,
      at: at.toISOString(),
      entity_id: entity_id === null ? null : String(entity_id),
      before: isSecret ? null : json(before),
      after: isSecret ? null : json(after),
      reason,
      request_id,
    }),
  )
}
