import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,server,web,scripts}/**/*.test.{ts,tsx}'],
    globalSetup: 'server/testing/global-setup.ts',
    // Processes, as in production: threads are no faster here, and sharp, argon2 and signals behave differently in them.
    pool: 'forks',
    maxWorkers: 3,
    execArgv: ['--import', './scripts/fast-resolve.mjs'],
    // Generous: what hangs is found all the same, and a machine that has other things to do fails nobody.
    testTimeout: 180_000,
    hookTimeout: 240_000,
  },
})
