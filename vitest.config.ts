import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,server,web,scripts}/**/*.test.{ts,tsx}'],
    globalSetup: 'server/testing/global-setup.ts',
    // Processes, as in production: threads are no faster here, and sharp, argon2 and signals behave differently in them.
    pool: 'forks',
    maxWorkers: 3,
    execArgv: ['--import', './scripts/fast-resolve.mjs'],
    // Ten times what a test needs; those that start and kill processes, or send thousands of requests, say that they may take longer.
    testTimeout: 60_000,
    hookTimeout: 240_000,
  },
})
