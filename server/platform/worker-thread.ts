/**
 * Long computations on a worker thread, so that no other request waits for them: sanitizing HTML, drawing a receipt, generating the OpenAPI
 * document. One thread, one task at a time, in order. Input and output are copied (structured clone).
 */
import { Worker } from 'node:worker_threads'
import { refuse } from '#contract/errors.ts'
import { outsideOnly } from './db.ts'

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
  /** How long one task may run. */
  timeoutMs: number
  /** How many tasks may wait for their turn. */
  maxWaiting: number
  /** After this long without a task the thread ends: the modules that it loaded take tens of megabytes. */
  idleMs: number
}

const LIMITS: WorkerLimits = { timeoutMs: 15_000, maxWaiting: 1_000, idleMs: 60_000 }
const HEAP = { maxOldGenerationSizeMb: 256 }

export interface WorkerThread {
  /** BUSY when too many tasks wait, or when this one took too long; otherwise what the function returned or threw. */
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
    // Out of memory, or a fault of the thread itself: the task that ran fails, the next one gets a new thread.
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
      // An idle thread keeps no process alive.
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
      outsideOnly('The worker thread')
      if (waiting.length >= limits.maxWaiting) return Promise.reject(refuse('BUSY'))
      return new Promise((resolve, reject) => {
        waiting.push({ message, resolve, reject })
        if (!running) next()
      })
    },
  }
}

const shared = openWorkerThread(LIMITS)

/**
 * The function `name` of a module, run on the process's worker thread. It stands at the top of its file, takes one argument and returns
 * what can be cloned. Not inside a transaction. BUSY.
 */
export function onWorkerThread<Work extends (input: never) => unknown>(
  module: URL,
  name: string,
): (input: Parameters<Work>[0]) => Promise<Awaited<ReturnType<Work>>> {
  return (input) => shared.run({ module: module.href, name, input }) as Promise<Awaited<ReturnType<Work>>>
}
