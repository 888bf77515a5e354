import { randomUUID } from 'node:crypto'
import type { JobRun } from '#server/platform/job-types.ts'

/** A job run, for calling a handler directly. */
export const newRun = (id: string = randomUUID()): JobRun => ({ id, signal: new AbortController().signal })
