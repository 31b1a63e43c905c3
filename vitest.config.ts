// Unit, store and API tests. Browser tests have playwright.config.ts. `npm run test:slow` runs the
// files named *.slow.test.ts, everything else the others.
import { configDefaults, defineConfig } from 'vitest/config'

const isSlow = process.env.BLOG_TEST_PART === 'slow'
const FOLDERS = ['{contract,backend,web,scripts}/**', 'test', 'test/api/**']

export default defineConfig({
  test: {
    include: FOLDERS.map((folder) => `${folder}/*${isSlow ? '.slow' : ''}.test.{ts,tsx}`),
    exclude: isSlow ? configDefaults.exclude : [...configDefaults.exclude, '**/*.slow.test.ts'],
    globalSetup: ['test/support/postgres.ts', 'test/support/swift.ts'],
    setupFiles: ['test/support/clean-console.ts'],
    // Every core: the tests wait for servers and databases most of their time.
    maxWorkers: '100%',
    // Ends what hangs; how quick something is, its own test says.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
