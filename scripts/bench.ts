// `npm run bench`: measures one process on SQLite and PostgreSQL with 32 connections and compares
// it with its targets. First: requests per second of a blog of 1,000 posts, alternating with a bare
// node:http server that sends the same bytes; then: readers beside a writer; finally: latency of
// calls with up to 100,000 posts. All posts differ and are created by the API, so that they are in
// the search index. Writes docs/benchmarks.md. `--quick` measures briefly, with fewer posts, and
// writes nothing; `--only sqlite` or `--only postgres` leaves the other out.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BlogLocation } from './bench/blog.ts'
import { measureCalls } from './bench/calls.ts'
import { fill, measureGrowth, measureStart } from './bench/growth.ts'
import { options, scale } from './bench/options.ts'
import { type DatabaseReport, say, writeReport } from './bench/report.ts'
import { buildInChildProcess, isBuildStale } from './build-web.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { ROOT } from './processes.ts'

const REPORT = join(ROOT, 'docs/benchmarks.md')
/** The part of the report that is written by hand begins here. */
const NOTES = '\n## Notes\n'

const folder = await mkdtemp(join(tmpdir(), 'lamplight-bench-'))
try {
  if ((await isBuildStale()) && !buildInChildProcess())
    throw new Error('The web part could not be built')
  const reports: DatabaseReport[] = []
  if (options.only !== 'postgres') reports.push(await measure('SQLite', async () => undefined))
  if (options.only !== 'sqlite') {
    await using servers = new AsyncDisposableStack()
    const startDatabase = async () => servers.use(await startEmbeddedPostgres()).url
    reports.push(await measure('PostgreSQL', startDatabase))
  }
  const report = writeReport(reports)
  say(report)
  if (!options.quick && !options.only) {
    const [, notes = ''] = (await readFile(REPORT, 'utf8')).split(NOTES)
    await writeFile(REPORT, `${report.trimEnd()}\n${NOTES}${notes}`)
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function measure(
  database: string,
  startDatabase: () => Promise<string | undefined>,
): Promise<DatabaseReport> {
  const newLocation = async (name: string): Promise<BlogLocation> => ({
    dataDir: join(folder, `${database}-${name}`),
    databaseUrl: await startDatabase(),
  })
  const calls = await newLocation('calls')
  const small = await newLocation('small')
  const large = await newLocation('large')
  const { rows, writerImpacts } = await measureCalls(database, calls)
  await fill(small, scale.posts)
  await fill(large, scale.many)
  const start = [await measureStart(small, scale.posts), await measureStart(large, scale.many)]
  const growth = await measureGrowth(database, small, large)
  await rm(large.dataDir, { recursive: true })
  return { database, rows, writerImpacts, growth, start }
}
