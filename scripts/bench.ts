// `npm run bench`: what the blog costs on this host beside its aims, on SQLite and PostgreSQL, with
// one process and 32 connections. First calls and pages a second of a blog of 1,000 posts, reads in
// turns with a bare node:http server that sends the same bytes; then what a writer costs readers;
// then how a call's time grows to 100,000 posts. Every post is another one and was made by the API,
// so that it is in the index of words. Writes docs/benchmarks.md. `--quick` measures shortly, with
// fewer posts, and writes nothing; `--only sqlite` or `--only postgres` leaves the other out.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Place } from './bench/blog.ts'
import { measureCalls } from './bench/calls.ts'
import { fill, measureGrowth, measureStart } from './bench/growth.ts'
import { how, values } from './bench/how.ts'
import { type Measured, say, writeReport } from './bench/report.ts'
import { buildApart, isBuildStale } from './build-web.ts'
import { startOwnPostgres } from './own-postgres.ts'
import { ROOT } from './processes.ts'

const REPORT = join(ROOT, 'docs/benchmarks.md')
/** What is written by hand. */
const NOTES = '\n## Notes\n'

const folder = await mkdtemp(join(tmpdir(), 'lamplight-bench-'))
try {
  if ((await isBuildStale()) && !buildApart()) throw new Error('The web part could not be built')
  const measured: Measured[] = []
  if (values.only !== 'postgres') measured.push(await measure('SQLite', async () => undefined))
  if (values.only !== 'sqlite') {
    await using servers = new AsyncDisposableStack()
    const startDatabase = async () => servers.use(await startOwnPostgres()).url
    measured.push(await measure('PostgreSQL', startDatabase))
  }
  const report = writeReport(measured)
  say(report)
  if (!values.quick && !values.only) {
    const [, notes = ''] = (await readFile(REPORT, 'utf8')).split(NOTES)
    await writeFile(REPORT, `${report.trimEnd()}\n${NOTES}${notes}`)
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function measure(
  database: string,
  startDatabase: () => Promise<string | undefined>,
): Promise<Measured> {
  const place = async (name: string): Promise<Place> => ({
    dataDir: join(folder, `${database}-${name}`),
    databaseUrl: await startDatabase(),
  })
  const calls = await place('calls')
  const small = await place('small')
  const large = await place('large')
  const { rows, written } = await measureCalls(database, calls)
  await fill(small, how.posts)
  await fill(large, how.many)
  const start = [await measureStart(small, how.posts), await measureStart(large, how.many)]
  const grown = await measureGrowth(database, small, large)
  await rm(large.dataDir, { recursive: true })
  return { database, rows, written, grown, start }
}
