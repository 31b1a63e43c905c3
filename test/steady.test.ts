// No test depends on how fast the host is: time is a clock that the test moves, waiting ends
// with what is waited for, and a cost is counted, or processor time. A failure names the line.
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const LIMIT_MIN_MS = 5000
const LIMITED = 'timeout|limit|lock|wait|silence|highlight|headers|within|soon|json|window'

/** What no line may hold. What a pattern finds in brackets is a number: it may be large enough. */
const FAULTS: [fault: string, pattern: RegExp][] = [
  ['reads the clock', /\bperformance\.now\(\)|\bhrtime\b/],
  [
    'compares with the clock',
    /Date\.now\(\) - [a-z]|Date\.now\(\).*\.toBe(?:Less|Greater)|\.toBe(?:Less|Greater).*Date\.now/,
  ],
  ['sleeps', /\bwaitForTimeout\b|\bpg_sleep\((?!3600\))|\bAbortSignal\.timeout\(|\bsleep\(/],
  ['sleeps', /\bdelay\([1-9a-zA-Z]|(?<!\.)\bsetTimeout\(.*, [1-9a-zA-Z]/],
  ['gives a timer another name', /\bsetTimeout as (?!delay\b)/],
  ['has a short limit', /\b(?:lock|silence|connect): ([\d_]+)/],
  ['has a short limit', new RegExp(`(?:${LIMITED})Ms[:=] *([\\d_]+)`, 'i')],
  ['has a short limit', new RegExp(`const \\w*(?:${LIMITED})\\w*_MS = ([\\d_]+)`, 'i')],
  ['has a short limit', /\btimeout: ([\d_]+)/],
  ['waits for a second: expect.poll has a longer default', /\bvi\.wait(?:For|Until)\(/],
]

/** Lines that may, each by a part of it, and why. */
const EXCEPTIONS: [file: string, line: RegExp, why: string][] = [
  ['backend/backups/scheduled-backups.test.ts', /limitMs: 1 /, 'nothing right has to fit in it'],
  [
    'backend/post-texts/highlight.test.ts',
    /highlightMs: 1 |waitMs: 0,/,
    'nothing right has to fit in it',
  ],
  ['backend/database/postgres-faults.test.ts', /LOCK_LIMITS/, 'the lock is held until the end'],
  ['backend/files/s3-silence.test.ts', /SILENCE_MS = 200/, 'the peer never answers'],
  ['backend/http/bodies.test.ts', /headersMs: 1000/, 'the headers never end'],
  ['backend/process/response-time-padding.test.ts', /performance/, 'the clock stands'],
  ['web/writing/autosave.test.ts', /tookMs|savedAtMs/, 'the timers are moved by the test'],
  ['test/support/fake-socket.ts', /setTimeout:/, 'it passes timers on, which tests move'],
  ['test/support/backup-writes.ts', /everyMs/, 'the pace of writers; nothing waits for it'],
  ['test/support/event-loop.ts', /delay\(1\)/, 'the next task of the event loop, whenever it runs'],
  ['test/support/slow-lists.ts', /PAGE_DATA/, 'two timers of one process, the later one longer'],
  ['test/support/browser-blog.ts', /moving/, 'where the pointer rests, the same comes later'],
  // They ask again until there is an answer, 10 seconds at least.
  ['test/deploy.test.ts', /deadlineMs|ASK_EVERY_MS/, 'ends what hangs'],
  ['test/support/process.ts', /deadlineMs|ASK_EVERY_MS/, 'ends what hangs'],
  ['test/support/nginx.ts', /deadlineMs|ASK_EVERY_MS/, 'ends what hangs'],
  ['test/support/blob-stores.ts', /deadlineMs|await delay\(100\)$/, 'ends what hangs'],
]

const files = globSync(
  ['{backend,contract,scripts,test,web}/**/*.test.{ts,tsx}', 'test/support/*.ts'],
  { exclude: ['**/node_modules/**'] },
)
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file !== 'test/steady.test.ts')
const faults = files.flatMap((file) => findFaults(file, readFileSync(file, 'utf8')))
const isExcepted = (file: string, line: string) =>
  EXCEPTIONS.some(([where, part]) => where === file && part.test(line))

function findFaults(file: string, text: string) {
  return text.split('\n').flatMap((line, at) =>
    FAULTS.filter(([, pattern]) => {
      const [directive, limit = '0'] = pattern.exec(line) ?? []
      return directive !== undefined && Number(limit.replaceAll('_', '')) < LIMIT_MIN_MS
    }).map(([fault]) => ({ file, line, says: `${file}:${at + 1} ${fault}: ${line.trim()}` })),
  )
}

test.each([
  'expect(performance.now() - startMs).toBeLessThan(50)',
  'expect(Date.parse(session.expiry) - Date.now()).toBeGreaterThan(3500_000)',
  'const tookMs = Date.now() - startedMs',
  "import { setTimeout as pause } from 'node:timers/promises'",
  'await page.waitForTimeout(100)',
  'await delay(300)',
  'await new Promise((done) => setTimeout(done, 300))',
  'const limits = { retryMs: [], timeoutMs: 50 }',
  'const SILENCE_MS = 300',
  'await expect(note).toBeVisible({ timeout: 1000 })',
  'await vi.waitFor(() => expect(done).toBe(true))',
])('%s is reported', (line) => {
  expect(findFaults('a.test.ts', line)).toHaveLength(1)
})

test('no test sleeps, reads the clock or limits work to less than five seconds', () => {
  expect(files.length).toBeGreaterThan(300)
  expect(
    faults.filter(({ file, line }) => !isExcepted(file, line)).map(({ says }) => says),
  ).toEqual([])
})

test('each exception is still needed', () => {
  const unused = EXCEPTIONS.filter(
    ([where, part]) => !faults.some(({ file, line }) => file === where && part.test(line)),
  )
  expect(unused).toEqual([])
})
