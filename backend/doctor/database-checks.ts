// The database: it opens, each table can be read, its version fits, and rows and bytes agree.
import { join } from 'node:path'
import { ORPHAN_SECONDS } from '#contract/server-limits.ts'
import {
  type BlogPlaces,
  type Inspection,
  inspectDatabase,
  openKeepers,
} from '../backups/blog-data.ts'
import { hashFile } from '../backups/bytes.ts'
import { listMigrations } from '../database/database.ts'
import { type Finding, fault, ok, reasonOf, showNames, warning } from './finding.ts'

/** How much older than the sweep's limit bytes without a row may be: it runs once a day. */
const SWEEP_LATE = 3
const POSTGRES_OLDEST = 15
const BEING_WRITTEN = /^\.|\.(?:part|s3)$/

type RowCounts = Inspection['rows']

/** @returns what was read, unless the database cannot be opened at all */
export async function checkDatabase(
  places: BlogPlaces,
): Promise<{ findings: Finding[]; inspection: Inspection | undefined }> {
  const about = 'database'
  try {
    const inspection = await inspectDatabase(places)
    const { damages, rows, server, miscounted } = inspection
    const findings = damages.map((text) =>
      fault(about, text, 'stop the blog, keep a copy of the data folder, and restore a backup'),
    )
    if (inspection.serverMajor > 0 && inspection.serverMajor < POSTGRES_OLDEST)
      findings.push(fault(about, server, `PostgreSQL ${POSTGRES_OLDEST} or newer is needed`))
    if (miscounted.length > 0) findings.push(describeMiscounted(miscounted))
    if (findings.length === 0) findings.push(ok(about, `${server}, sound: ${describeRows(rows)}`))
    return { findings, inspection }
  } catch (error) {
    const todo = places.databaseUrl
      ? 'check BLOG_DATABASE_URL and whether PostgreSQL runs'
      : 'start the blog once, or restore a backup'
    return {
      findings: [fault(about, `cannot be opened: ${reasonOf(error)}`, todo)],
      inspection: undefined,
    }
  }
}

function describeMiscounted(ids: string[]): Finding {
  const posts = ids.length === 1 ? '1 post counts' : `${ids.length} posts count`
  const recount = `update post set likes = (select count(*) from "postLike" where "postId" = post.id)`
  return fault(
    'database',
    `${posts} other likes than there are: ${showNames(ids)}`,
    `stop the blog and run in its database: ${recount}`,
  )
}

/** A database of an older program has no tables of versions and deleted posts. */
function describeRows({ user = 0, post = 0, postVersion = 0, deletedPost = 0 }: RowCounts): string {
  const posts = `${post} posts, ${postVersion} stored versions, ${deletedPost} deleted posts`
  return `${user} people, ${posts}`
}

export function checkVersion(program: string, { migrations }: Inspection): Finding {
  const about = 'version'
  const known = listMigrations()
  const newer = migrations.filter((name) => !known.includes(name))
  const missing = known.filter((name) => !migrations.includes(name))
  const text = `Lamplight ${program} on Node ${process.versions.node}`
  if (newer.length > 0)
    return fault(
      about,
      `${text}, but the database is of a newer one (${showNames(newer)})`,
      'update the program, or restore the backup of before',
    )
  if (missing.length > 0)
    return warning(
      about,
      `${text}; the next start changes the database (${showNames(missing)})`,
      'make a backup first',
    )
  return ok(about, `${text}, and the database fits`)
}

/** Rows against files, and files against rows, without files that have gone meanwhile. */
export async function checkFiles(
  places: BlogPlaces,
  inspection: Inspection,
  nowMs: number,
): Promise<Finding[]> {
  const about = 'files'
  const { files, chunks } = inspection
  try {
    const keepers = openKeepers(places)
    const stored = new Map<string, number>()
    for await (const { name, changedAtMs } of keepers.files.list())
      stored.set(name, (await changedAtMs()) ?? nowMs)
    const suspects: string[] = []
    for (const { name, md5 } of files)
      if (!stored.has(name)) suspects.push(`${name} (missing)`)
      else if (!places.s3 && (await hashFile(join(places.dataDir, 'files', name)))?.md5 !== md5)
        suspects.push(`${name} (damaged)`)
    for (const { name } of chunks)
      if (!(await keepers.uploads.has(name)))
        suspects.push(`${name} (missing, of an unfinished upload)`)
    const lost = await inspection.stillNamed(suspects)
    const findings = lost.length === 0 ? [] : [loss(lost)]
    const rowless = await findRowless(stored, inspection)
    if (rowless.length > 0) findings.push(describeRowless(rowless, stored, nowMs))
    const checked = places.s3 ? 'have their bytes at the S3 server' : 'have their bytes, unharmed'
    return findings.length > 0 ? findings : [ok(about, `all ${files.length} files ${checked}`)]
  } catch (error) {
    return [fault(about, reasonOf(error), 'check where files are kept')]
  }
}

function loss(lost: string[]): Finding {
  const many = lost.length === 1 ? '1 file is' : `${lost.length} files are`
  return fault(
    'files',
    `${many} not what the database says: ${showNames(lost)}`,
    'take them from a backup: copy its files/NAME into the data folder',
  )
}

/** Bytes that no row names, before or after they were listed. What is being written is left out. */
async function findRowless(stored: Map<string, number>, inspection: Inspection): Promise<string[]> {
  const named = new Set(inspection.files.map(({ name }) => name))
  const names = [...stored.keys()].filter((name) => !named.has(name) && !BEING_WRITTEN.test(name))
  const since = new Set(await inspection.stillNamed(names))
  return names.filter((name) => !since.has(name))
}

function describeRowless(names: string[], stored: Map<string, number>, nowMs: number): Finding {
  const oldMs = nowMs - SWEEP_LATE * ORPHAN_SECONDS * 1000
  const isLate = names.some((name) => (stored.get(name) ?? nowMs) < oldMs)
  return warning(
    'files',
    `no row names ${names.length === 1 ? '1 file' : `${names.length} files`}: ${showNames(names)}`,
    isLate
      ? 'the daily sweep should have removed them, see its errors in the log'
      : 'the daily sweep removes them when they are a day old',
  )
}
