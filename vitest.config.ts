// Unit, store and API tests. Browser tests have playwright.config.ts. `npm test` leaves out what is
// tagged "more", `npm run test:more` runs only that.
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,backend,web,scripts}/**', 'test', 'test/api/**'].map(
      (folder) => `${folder}/*.test.{ts,tsx}`,
    ),
    tags: [{ name: 'more', description: 'Matrices and what takes long: npm run test:more.' }],
    globalSetup: ['test/support/servers.ts'],
    setupFiles: ['test/support/clean-console.ts'],
    // Files share a worker and what it has loaded: a test mocks no module, and leaves no global
    // changed.
    isolate: false,
    // More than there are cores: the tests wait for servers and databases part of their time.
    maxWorkers: 2 * availableParallelism(),
    // Ends what hangs; how quick something is, its own test says.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Waiting ends at once when what is waited for is there: only a failure takes this long.
    expect: { poll: { timeout: 20_000 } },
  },
})
