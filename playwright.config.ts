// Browser tests: journeys through a real server process in a real Chromium. `npm test` finds the
// browser (scripts/chromium.ts) and leaves out what is tagged @more, which is in
// `npm run test:more`.
import { defineConfig } from '@playwright/test'
import { CHROMIUM_FLAGS, findChromium } from './scripts/chromium.ts'

/** Pages of tests live for seconds, in which optimising scripts takes longer than it saves. */
const NO_OPTIMISER = '--js-flags=--no-opt'

export default defineConfig({
  testDir: 'test/browser',
  testMatch: '**/*.test.ts',
  outputDir: 'test-results',
  fullyParallel: false,
  workers: 2,
  retries: 0,
  forbidOnly: process.env.CI === 'true',
  // Only ends hanging tests.
  timeout: 600_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  use: {
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    screenshot: 'only-on-failure',
    // Recording slows every test down; `npx playwright test --trace on` asks for it.
    trace: 'off',
    launchOptions: {
      executablePath: await findChromium(),
      args: [...CHROMIUM_FLAGS, NO_OPTIMISER],
    },
  },
})
