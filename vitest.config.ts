// Unit, store and API tests. Browser tests have playwright.config.ts. `npm run test:slow` runs the
// files named *.slow.test.ts, everything else the others.
import { configDefaults, defineConfig } from 'vitest/config'

const isSlow = process.env.BLOG_TEST_PART === 'slow'
const FOLDERS = ['{contract,backend,web,scripts}/**', 'test', 'test/api/**']

export default defineConfig({
  test: {
    include: FOLDERS.map((folder) => `${folder}/*${isSlow ? '.slow' : ''}.test.{ts,tsx}`),
    exclude: isSlow ? configDefaults.exclude : [...configDefaults.exclude, '**/*.slow.test.ts'],
    globalSetup: ['test/support/servers.ts'],
    setupFiles: ['test/support/clean-console.ts'],
    // More than there are cores: the tests wait for servers and databases part of their time.
    maxWorkers: '200%',
    // Files share a worker and what it has loaded: no test mocks a module or leaves a global changed.
    isolate: false,
    // Ends what hangs; how quick something is, its own test says.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
