/** Entry point of the worker thread (worker-thread.ts): imports the module that a task names and posts what its function returns. */
import { parentPort } from 'node:worker_threads'
import type { TaskAnswer, TaskMessage } from './worker-thread.ts'

async function answerTo({ module, name, input }: TaskMessage): Promise<TaskAnswer> {
  try {
    const work = (await import(module))[name] as (input: unknown) => unknown
    return { output: await work(input) }
  } catch (error) {
    return { error }
  }
}

parentPort?.on('message', async (message: TaskMessage) => parentPort?.postMessage(await answerTo(message)))
