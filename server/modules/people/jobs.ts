import * as z from 'zod'
import type { Ctx } from '#server/modules/ctx.ts'
import type { JobHandler } from '#server/platform/jobs.ts'
import { RECOVERY_JOB } from './people.ts'

const recovery = z.object({ email: z.string() })

export function peopleJobs(asSystem: (job: string) => Ctx): JobHandler[] {
  return [
    {
      name: RECOVERY_JOB,
      /** Whether there is such an account is found out here, where nobody waits for an answer (P12). */
      async work(data) {
        await asSystem(RECOVERY_JOB).ports.identity.sendPasswordLink(recovery.parse(data).email)
      },
    },
  ]
}
