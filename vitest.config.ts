import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that mostly wait: for leases and breaks of killed processes to expire, or for services that do not answer. */
const WAITING = /\.crash\.test\.ts$|[\\/](?:killed|jobs|hanging-services|webhook-backlog|webhooks|stripe-network|closing)\.test\.ts$/

/**
 * Files that wait start early, each beside two that compute: otherwise at the end of the run only waiting would be left. The other files
 * are in Vitest's order (longest first, or largest first on a fresh clone).
 */
class WaitingBesideComputing extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const waiting = sorted.filter(({ moduleId }) => WAITING.test(moduleId))
    const computing = sorted.filter(({ moduleId }) => !WAITING.test(moduleId))
    return [...computing.flatMap((file, n) => (n % 2 ? file : [...waiting.splice(0, 1), file])), ...waiting]
  }
}

export default defineConfig({
  test: {
    include: ['{contract,server,web,scripts}/**/*.test.{ts,tsx}'],
    globalSetup: 'server/testing/global-setup.ts',
    sequence: { sequencer: WaitingBesideComputing },
    // Processes, as in production: threads are no faster here, and sharp, argon2 and signals behave differently in them.
    pool: 'forks',
    maxWorkers: 3,
    // The files of a worker share its modules: loading the server anew for each file takes a fifth of the processor time. Modules have no
    // state of a studio (per-studio state is in a WeakMap), and tests restore what they replace in a module.
    isolate: false,
    unstubGlobals: true,
    execArgv: ['--import', './scripts/fast-resolve.mjs'],
    // Ten times the usual duration; tests that start and kill processes, or send thousands of requests, have their own.
    testTimeout: 60_000,
    hookTimeout: 240_000,
  },
})
