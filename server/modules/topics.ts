/**
 * Topics of the event bus between the processes of a studio (server/platform/events.ts). The topic says what changed, the fields identify
 * it.
 */
import type { BulkJob } from '#contract/bulk.ts'
import type { AuditEntity } from '#contract/copy/audit-entities.ts'

declare module '#server/platform/events.ts' {
  interface Topics {
    settings: object
    /** The keys of the processors. */
    processors: object
    content: object
    catalogue: object
    people: { uid?: string }
    /** `only: 'places'`: a reservation was made or released; the class itself did not change. */
    /** A device was shared, or another person uses it. */
    shared_device: object
    /** An API key was changed, rotated or revoked. */
    api_key: object
    class: { single_class_id: number; class_date: string; only?: 'places' }
    purchase: { purchase_id: number; customer_id: number }
    /** A change that the audit trail records; `entity_id` as it is there. */
    record: { entity: AuditEntity; entity_id: string | number | null }
    /** How far a change to many records is, for the person who started it. */
    job: { bulk_job_id: number; staff_id: number; state: BulkJob['state']; done: number; total: number }
    /** A staff member opened a screen of one record, is still there, or left it (`here: false`). */
    presence: { staff_id: number; name: string; link: string; here: boolean }
  }
}
