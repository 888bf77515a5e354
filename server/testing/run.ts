import { randomUUID } from 'node:crypto'
import type { JobRun } from '#server/platform/jobs.ts'

/** One attempt of a job, for calling a handler directly. */
export const newRun = (id: string = randomUUID()): JobRun => ({ id, signal: new AbortController().signal })
