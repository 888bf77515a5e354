/**
 * Long computations on a worker thread, so that no other request waits for them: sanitizing HTML, drawing a receipt, generating the OpenAPI
 * document, reading and writing spreadsheets. A thread does one task at a time, in order; files have a thread of their own, because one
 * with thousands of rows takes seconds. Input and output are copied (structured clone).
 */
import { Worker } from 'node:worker_threads'
import { refuse } from '#contract/errors.ts'
import { assertNotInTransaction } from './db.ts'

export interface TaskMessage {
  /** Address of the module that the worker imports. */
  module: string
  /** The function of that module to call. */
  name: string
  input: unknown
}

export type TaskAnswer = { output: unknown } | { error: unknown }

interface Task {
  message: TaskMessage
  resolve(output: unknown): void
  reject(error: unknown): void
}

interface WorkerLimits {
  /** Time limit of one task, in milliseconds. */
  timeoutMs: number
  /** Maximum number of queued tasks. */
  maxWaiting: number
  /** The thread ends after this many milliseconds without a task: the modules that it loaded take tens of megabytes. */
  idleMs: number
}

const LIMITS: WorkerLimits = { timeoutMs: 15_000, maxWaiting: 1_000, idleMs: 60_000 }
const HEAP = { maxOldGenerationSizeMb: 256 }

export interface WorkerThread {
  /** Returns or throws what the function does. BUSY when too many tasks are queued or this one exceeded its time limit. */
  run(message: TaskMessage): Promise<unknown>
}

export function openWorkerThread(limits: WorkerLimits): WorkerThread {
  const waiting: Task[] = []
  let running: Task | null = null
  let worker: Worker | null = null
  let timer: NodeJS.Timeout | undefined

  function start(): Worker {
    const thread = new Worker(new URL('./worker-main.ts', import.meta.url), { resourceLimits: HEAP })
    thread.on('message', (answer: TaskAnswer) => {
      if (thread !== worker) return
      const done = running
      next()
      if ('error' in answer) done?.reject(answer.error)
      else done?.resolve(answer.output)
    })
    // Out of memory, or the thread itself failed: the running task fails, the next one gets a new thread.
    thread.on('error', (error) => abandon(thread, error))
    thread.on('exit', (code) => abandon(thread, new Error(`The worker thread ended with code ${code}.`)))
    return thread
  }

  function abandon(thread: Worker | null, error: unknown): void {
    if (thread === null || thread !== worker) return
    worker = null
    void thread.terminate()
    const failed = running
    next()
    failed?.reject(error)
  }

  function next(): void {
    clearTimeout(timer)
    running = waiting.shift() ?? null
    if (running) {
      worker ??= start()
      worker.ref()
      worker.postMessage(running.message)
      timer = setTimeout(() => abandon(worker, refuse('BUSY')), limits.timeoutMs)
    } else if (worker) {
      // An idle thread must not keep the process alive.
      worker.unref()
      timer = setTimeout(() => {
        const idle = worker
        worker = null
        void idle?.terminate()
      }, limits.idleMs).unref()
    }
  }

  return {
    run(message) {
      assertNotInTransaction('The worker thread')
      if (waiting.length >= limits.maxWaiting) return Promise.reject(refuse('BUSY'))
      return new Promise((resolve, reject) => {
        waiting.push({ message, resolve, reject })
        if (!running) next()
      })
    },
  }
}

const threads = { texts: openWorkerThread(LIMITS), files: openWorkerThread(LIMITS) }

/**
 * Wraps the exported function `name` of a module so that it runs on a worker thread of the process: `files` for what may take seconds. It
 * takes one argument; input and output must be cloneable (structured clone). Not inside a transaction. Throws BUSY.
 */
export function onWorkerThread<Work extends (input: never) => unknown>(
  module: URL,
  name: string,
  thread: keyof typeof threads = 'texts',
): (input: Parameters<Work>[0]) => Promise<Awaited<ReturnType<Work>>> {
  return (input) => threads[thread].run({ module: module.href, name, input }) as Promise<Awaited<ReturnType<Work>>>
}
