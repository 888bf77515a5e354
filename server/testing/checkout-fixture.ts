/** A studio that sells by card and in cash, with helpers for tests of the checkout. */

import { randomUUID } from 'node:crypto'
import type { Settings } from '#contract/settings.ts'
import { salesJobs } from '#server/modules/sales/jobs.ts'
import { newRun } from './run.ts'
import { type Person, studio } from './studio.ts'

export async function openCheckoutStudio(settings: Partial<Settings> = {}) {
  const s = await studio({ settings: { cash_session_required: false, ...settings } })
  await s.make.paymentMethod({ payment_method_id: 1, name: 'Tarjeta' })
  await s.make.paymentMethod({ payment_method_id: 2, name: 'Efectivo' })
  return {
    s,
    /** The sandbox, where the cards are charged. */
    bank: s.bank(),
    /** One attempt with a card; the same `key` is the same checkout visit. */
    attempt: (person: Person, class_package_id: number, payment_method: string, key: string = randomUUID()) =>
      s.as(person, key).sales.attempt({ class_package_id, payment_method }),
    /** How many of a package are sold or reserved. */
    async sold(class_package_id: number) {
      const [row] = await s.sql<{ sold: number }>('select sold from class_package where class_package_id = $1', [class_package_id])
      return row?.sold
    },
    /** Runs one of the jobs of sales now, and the jobs that it sends to each processor. */
    async run(name: string, data: object) {
      const work = async (job: string, data: unknown) => {
        const found = salesJobs.find((known) => known.name === job)
        if (!found) throw new Error(`no job ${job}`)
        await found.work(s.system(job), data, newRun())
      }
      await work(name, data)
      const sent = await s.sql<{ data: { job: string; data: unknown } }>(
        `delete from jobs.job where data->>'job' in ('sales.sweep-gateway', 'sales.compare-books') returning data`,
      )
      for (const message of sent) await work(message.data.job, message.data.data)
    },
  }
}
