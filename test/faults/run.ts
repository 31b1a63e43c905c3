// `npm run test:faults`: runs the blog while its disk, database, S3 or mail server fails.
// Prints figures, and exits with code 0 only if no acknowledged write was lost. Arguments select
// scenarios by name: `npm run test:faults -- postgres`.
import { buildWeb, isBuildStale } from '#scripts/build-web.ts'
import { backUpPostgres, backUpSqlite } from './backup.ts'
import { failingSync, fullDisk } from './failing-disk.ts'
import { killAgainAndAgain } from './kill.ts'
import { damagedPage, foreignLock } from './locks.ts'
import {
  frozenPostgres,
  killedPostgres,
  resetConnections,
  restartedPostgres,
  stopWithFrozenPostgres,
} from './postgres.ts'
import { powerCut } from './power-cut.ts'
import { type Outcome, type Scenario, seconds } from './scenario.ts'
import { scheduledOnPostgres, scheduledOnSqlite } from './scheduled.ts'
import { failingS3, stopWithSilentMailServer } from './silence.ts'

const SCENARIOS: Scenario[] = [
  { name: 'sqlite: kill -9 under writes', run: killAgainAndAgain },
  { name: 'sqlite: power cut under writes', run: powerCut },
  { name: 'sqlite: failing sync', run: () => failingSync() },
  { name: 'sqlite: failing sync, two processes', run: () => failingSync('2') },
  { name: 'sqlite: full disk', run: fullDisk },
  { name: 'sqlite: lock of another process', run: foreignLock },
  { name: 'sqlite: damaged page', run: damagedPage },
  { name: 'sqlite: kill -9 while posts are published', run: scheduledOnSqlite },
  { name: 'postgres: two processes publish posts, kill -9 of one', run: scheduledOnPostgres },
  { name: 'postgres: restart', run: restartedPostgres },
  { name: 'postgres: kill -9 of the server', run: killedPostgres },
  { name: 'postgres: reset connections, cut commits', run: resetConnections },
  { name: 'postgres: frozen', run: frozenPostgres },
  { name: 'postgres: SIGTERM while it is frozen', run: stopWithFrozenPostgres },
  { name: 's3: gone, silent, SIGTERM while silent', run: failingS3 },
  { name: 'mail: SIGTERM while the server is silent', run: stopWithSilentMailServer },
  { name: 'sqlite: backup under writes', run: backUpSqlite },
  { name: 'postgres: backup under writes', run: backUpPostgres },
]

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function runOne({ name, run }: Scenario): Promise<{ name: string; outcome: Outcome }> {
  say(`=== ${name}`)
  const startedMs = performance.now()
  const outcome = await run().catch(
    (error: unknown): Outcome => ({
      acknowledged: 0,
      lost: 0,
      faults: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
      notes: [],
    }),
  )
  outcome.notes.push(seconds(performance.now() - startedMs))
  for (const fault of outcome.faults.slice(0, 10)) say(`    FAULT ${fault}`)
  return { name, outcome }
}

function print(rows: { name: string; outcome: Outcome }[]): void {
  const width = Math.max(...rows.map(({ name }) => name.length))
  say(`\n${'scenario'.padEnd(width)}  acknowledged  lost  faults  notes`)
  for (const { name, outcome } of rows) {
    const { acknowledged, lost, faults, notes } = outcome
    const figures = [String(acknowledged).padStart(12), String(lost).padStart(4)]
    const faultCount = String(faults.length).padStart(6)
    say(`${name.padEnd(width)}  ${figures.join('  ')}  ${faultCount}  ${notes.join('; ')}`)
  }
}

if (await isBuildStale()) await buildWeb()
const words = process.argv.slice(2)
const chosen = SCENARIOS.filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
)
const rows: { name: string; outcome: Outcome }[] = []
for (const scenario of chosen) rows.push(await runOne(scenario))
print(rows)
const lost = rows.reduce((sum, { outcome }) => sum + outcome.lost, 0)
const faults = rows.reduce((sum, { outcome }) => sum + outcome.faults.length, 0)
say(`\n${lost} lost, ${faults} faults in ${rows.length} scenarios`)
process.exit(rows.length > 0 && lost === 0 && faults === 0 ? 0 : 1)
