// `npm run bench`: what the blog costs on this host beside its aims, on SQLite and PostgreSQL, with
// one process and 32 connections. First calls and pages a second of a blog of 1,000 posts, reads in
// turns with a bare node:http server that sends the same bytes; then what a writer costs readers;
// then how a call's time grows to 100,000 posts. Every post is another one and was made by the API,
// so that it is in the index of words. Writes docs/benchmarks.md. `--quick` measures shortly, with
// fewer posts, and writes nothing; `--only sqlite` or `--only postgres` leaves the other out.
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
/** What is written by hand. */
const NOTES = '\n## Notes\n'

const folder = await mkdtemp(join(tmpdir(), 'lamplight-bench-'))
try {
  if ((await isBuildStale()) && !buildInChildProcess())
    throw new Error('The web part could not be built')
  const measured: DatabaseReport[] = []
  if (options.only !== 'postgres') measured.push(await measure('SQLite', async () => undefined))
  if (options.only !== 'sqlite') {
    await using servers = new AsyncDisposableStack()
    const startDatabase = async () => servers.use(await startEmbeddedPostgres()).url
    measured.push(await measure('PostgreSQL', startDatabase))
  }
  const report = writeReport(measured)
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
  const place = async (name: string): Promise<BlogLocation> => ({
    dataDir: join(folder, `${database}-${name}`),
    databaseUrl: await startDatabase(),
  })
  const calls = await place('calls')
  const small = await place('small')
  const large = await place('large')
  const { rows, written } = await measureCalls(database, calls)
  await fill(small, scale.posts)
  await fill(large, scale.many)
  const start = [await measureStart(small, scale.posts), await measureStart(large, scale.many)]
  const grown = await measureGrowth(database, small, large)
  await rm(large.dataDir, { recursive: true })
  return { database, rows, written, grown, start }
}
