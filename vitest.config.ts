// Unit, store and API tests; playwright.config.ts has the browser tests. `npm test` leaves out
// tests tagged "more", `npm run test:more` runs only those.
import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { NODE_COMPILE_CACHE } from './scripts/processes.ts'

const FILES = ['{contract,backend,web,scripts}/**/*', 'test/*', 'test/{api,engines}/**/*'].map(
  (files) => `${files}.test.{ts,tsx}`,
)
/** Takes minutes, so it starts first: started last, it would run alone at the end. */
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
    // One more than there are cores, because tests wait part of their time; at most as many as
    // PostgreSQL has connections for.
    maxWorkers: Math.min(availableParallelism() + 1, 8),
    projects: [
      // Files share a worker and its loaded modules: no test may leave a global changed.
      project('shared', {
        include: FILES,
        exclude: [...configDefaults.exclude, ...mocking],
        isolate: false,
      }),
      // Isolated, so that a mocked module affects no other file.
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
      // Only ends hanging tests; tests of speed have limits of their own.
      testTimeout: 240_000,
      hookTimeout: 240_000,
      // Polling ends as soon as its condition holds: only a failure takes this long.
      expect: { poll: { interval: 10, timeout: 60_000 } },
    },
  }
}
