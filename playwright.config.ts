/** `npm run test:e2e` starts this: it builds the pages, finds a browser and makes the folder of a new studio. */
import { readdirSync } from 'node:fs'
import { defineConfig } from '@playwright/test'
import { runsTagged, specsNotAt } from './scripts/spec-sizes.mjs'

const { E2E_PORT: port = '3210', E2E_DATA_DIR: dataDir = 'test-results/data', CHROMIUM_PATH: executablePath, E2E_TURN } = process.env
const baseURL = `http://localhost:${port}`

/** In CI a project leaves out what does not run at its turn (scripts/spec-sizes.mjs). */
function leftOut(size: 'phone' | 'desktop') {
  const turn = E2E_TURN ? Number(E2E_TURN) : null
  return {
    testIgnore: specsNotAt(size, turn, readdirSync('e2e')).map((name) => `**/${name}`),
    ...(runsTagged(size, turn) ? {} : { grepInvert: /@one-size/ }),
  }
}

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  forbidOnly: true,
  // Tests that then pass are listed by scripts/run.mjs, which allows only a few (`FLAKY_LIMIT` of scripts/test-runs.mjs).
  retries: process.env.CI ? 1 : 0,
  // One studio for all: files run beside each other, the tests of a file in order. Two workers leave a seventh of two cores idle.
  workers: 3,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  use: {
    baseURL,
    locale: 'es-MX',
    timezoneId: 'America/Mexico_City',
    screenshot: 'only-on-failure',
    // Recording costs a third of the suite's time: only the retry of a failed test is recorded. `--trace on` records everything.
    trace: 'on-first-retry',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // Otherwise a spare process is started for the next page: a tenth of the processor time of loading one.
        '--renderer-process-limit=1',
      ],
    },
  },
  projects: [
    {
      name: 'phone',
      ...leftOut('phone'),
      use: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
    },
    {
      name: 'desktop',
      ...leftOut('desktop'),
      use: { viewport: { width: 1440, height: 900 } },
    },
  ],
  webServer: {
    command: `"${process.execPath}" --import ./scripts/fast-resolve.mjs server/main.ts`,
    url: baseURL,
    env: {
      PORT: port,
      INTERNAL_PORT: '0',
      DATA_DIR: dataDir,
      PUBLIC_URL: baseURL,
      NODE_ENV: 'production',
      DATABASE_URL: '',
      DEMO_HISTORY: 'off',
      // All tests call from one address.
      REQUESTS_PER_MINUTE: '0',
    },
    timeout: 60_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    stdout: 'pipe',
  },
})
