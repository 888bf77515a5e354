import type { Db } from '#server/platform/db.ts'
import type { PacPort } from './port.ts'
import { PacSandbox } from './sandbox/sandbox.ts'

/** The sandbox where it may run; otherwise none, and nothing can be invoiced. */
export const choosePac = ({ maySandbox, ...deps }: { db: Db; now: () => Date; maySandbox: boolean }): PacPort | null =>
  maySandbox ? new PacSandbox(deps) : null
