import * as z from 'zod'
import { ACCOUNT_DELETED_JOB } from '#server/adapters/identity/port.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { JobHandler } from '#server/platform/jobs.ts'
import { leaveAccount, RECOVERY_JOB } from './people.ts'

const recovery = z.object({ email: z.string() })
const deleted = z.object({ uid: z.string() })

export function peopleJobs(asSystem: (job: string) => Ctx): JobHandler[] {
  return [
    {
      name: RECOVERY_JOB,
      /** Whether there is such an account is found out here, where nobody waits for an answer (P12). */
      async work(data) {
        await asSystem(RECOVERY_JOB).ports.identity.sendPasswordLink(recovery.parse(data).email)
      },
    },
    { name: ACCOUNT_DELETED_JOB, work: (data) => leaveAccount(asSystem(ACCOUNT_DELETED_JOB), deleted.parse(data)) },
  ]
}
