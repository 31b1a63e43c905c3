// Unit, store and API tests. Browser tests have playwright.config.ts.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      '{contract,backend,web,scripts}/**/*.test.{ts,tsx}',
      'test/*.test.ts',
      'test/api/**/*.test.ts',
    ],
    globalSetup: ['test/support/postgres.ts', 'test/support/swift.ts'],
    setupFiles: ['test/support/clean-console.ts'],
    // Every core: the tests wait for servers and databases most of their time.
    maxWorkers: '100%',
    // Ends what hangs; how quick something is, its own test says.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
