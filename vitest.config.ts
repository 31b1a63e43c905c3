// Unit, store and API tests. Browser tests have playwright.config.ts. `npm test` leaves out what is
// tagged "more", `npm run test:more` runs only that.
import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { NODE_COMPILE_CACHE } from './scripts/processes.ts'

const FILES = ['{contract,backend,web,scripts}/**/*', 'test/*', 'test/{api,engines}/**/*'].map(
  (files) => `${files}.test.{ts,tsx}`,
)
/** Takes minutes: begun last, it would be alone at the end. */
const LONGEST = 'test/commands.test.ts'

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLongest = ({ moduleId }: TestSpecification) => moduleId.endsWith(LONGEST)
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))]
  }
}

const mocking = globSync(FILES).filter((file) => /\bvi\.mock\(/.test(readFileSync(file, 'utf8')))

// For the workers, and for the threads and processes that tests start.
process.env.NODE_COMPILE_CACHE ??= NODE_COMPILE_CACHE

export default defineConfig({
  test: {
    tags: [{ name: 'more', description: 'Matrices and what takes long: npm run test:more.' }],
    globalSetup: ['test/support/servers.ts'],
    sequence: { sequencer: LongestFirst },
    // One more than there are cores: the tests wait part of their time, and each worker loads all
    // of the blog. Not more than PostgreSQL has connections for.
    maxWorkers: Math.min(availableParallelism() + 1, 8),
    projects: [
      // Files share a worker and what it has loaded: a test leaves no global changed.
      project('shared', {
        include: FILES,
        exclude: [...configDefaults.exclude, ...mocking],
        isolate: false,
      }),
      // A mocked module is seen by its file alone.
      project('mocking', { include: mocking, isolate: true }),
    ],
  },
})

function project(name: string, files: { include: string[]; exclude?: string[]; isolate: boolean }) {
  return {
    test: {
      name,
      ...files,
      setupFiles: ['test/support/clean-console.ts'],
      // Ends what hangs; how quick something is, its own test says.
      testTimeout: 240_000,
      hookTimeout: 240_000,
      // Waiting ends at once when what is waited for is there: only a failure takes this long.
      expect: { poll: { interval: 10, timeout: 60_000 } },
    },
  }
}
