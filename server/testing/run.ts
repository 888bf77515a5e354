import { randomUUID } from 'node:crypto'
import type { JobRun } from '#server/platform/jobs.ts'

/** A job run, for calling a handler directly. */
export const newRun = (id: string = randomUUID()): JobRun => ({ id, signal: new AbortController().signal })
