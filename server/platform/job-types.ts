/** What jobs, their handlers and queues are (see jobs.ts). */

/** A job to be done later. `name` selects the handler. */
export interface Job {
  name: string
  data: object
  startAfter?: Date
  /** While one job of this key waits in its queue, another one is not added. */
  key?: string
}

/** One attempt of a job. */
export interface JobRun {
  /** The job's id, the same for every attempt. */
  id: string
  /** Aborted when the job's time limit is over or another process has taken the job. */
  signal: AbortSignal
}

/** How a module handles one kind of job. `every` is a cron expression (UTC) for a recurring job. */
export interface JobHandler {
  name: string
  every?: string
  /** Name of the queue, or a function that derives it from the job's data. The first queue when absent or unknown here. */
  queue?: string | ((data: unknown) => string)
  work(data: unknown, run: JobRun): Promise<void>
  /**
   * Does jobs that a worker took at once (`batch`) in one go. When it fails, each is done alone by `work`: one that fails affects no other.
   */
  workMany?(jobs: readonly TakenJob[]): Promise<void>
}

/** A job that a worker took: its data and its attempt. */
export interface TakenJob<T = unknown> {
  data: T
  run: JobRun
}

export interface QueueOptions {
  name: string
  /** Number of jobs of this queue that each process works on at once. */
  workers: number
  /**
   * How many jobs a worker takes at once; default 1. Those whose handler has `workMany` are done together, the others one after the other
   * within the same time limit and lease: only for queues whose jobs are short.
   */
  batch?: number
  /** After this time a job counts as failed and is retried. External calls inside a job must time out earlier. */
  timeoutSeconds: number
  /** Number of retries of a failed job, after 2 s, 4 s, 8 s, ...; default 9 (about a quarter of an hour in all). */
  retries?: number
  /** The longest pause between two attempts, in seconds; default 300. */
  longestPauseSeconds?: number
}
