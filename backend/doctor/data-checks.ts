// Checks the data folder (existing, private, writable, free space, secrets) and the database (it
// opens, each table can be read, its version fits, the clock is right, each row has its bytes and
// all bytes have a row).
import { access, constants, readdir, readFile, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { describeProblem, hashStored } from '../backups/backup-io.ts'
import { planOf } from '../backups/backup-plan.ts'
import {
  countRows,
  findBytes,
  findNamesInUse,
  measureBlog,
  openBlobStores,
  openRawDatabase,
  readMigrations,
} from '../backups/blog-contents.ts'
import { readProgramVersion } from '../backups/manifest.ts'
import { findDamage, listTables, type RawDatabase } from '../backups/raw-database.ts'
import { TOO_OLD } from '../database/old-database.ts'
import { ORPHAN_SECONDS } from '../files/sweep.ts'
import { tryParseEmail } from '../mail/addresses.ts'
import { RESTORE_MARKER } from '../process/secrets.ts'
import { toBackupChoice } from '../site/site.ts'
import { abbreviateNames, type CheckedBlog, type Report } from './finding.ts'

const DISK_FREE_WARNING_BYTES = 1024 * 1024 * 1024
const DISK_FREE_FAULT_BYTES = 100 * 1024 * 1024

const MIB = 1024 * 1024

export async function checkFolder(blog: CheckedBlog, report: Report) {
  const { dataDir } = blog
  const stats = await stat(dataDir).catch((error: unknown) =>
    report.fault(
      `${dataDir}: ${describeProblem(error)}: set BLOG_DATA_DIR, or start the blog once`,
    ),
  )
  if (!stats) return undefined
  const { mode, uid } = stats
  await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK).catch(() => {
    blog.isInaccessible = true
  })
  if (blog.isInaccessible)
    return report.fault(
      `${dataDir} cannot be read and written: run this as its user, or chown -R it`,
    )
  const names = await readdir(dataDir)
  if (names.includes(RESTORE_MARKER))
    return report.fault(`a restore into ${dataDir} was not finished: run npm run restore again`)
  if (names.length === 0)
    return report.fault(`${dataDir} is empty: start the blog once, or restore a backup`)
  const ownUid = process.getuid?.()
  if ((mode & 0o077) !== 0)
    report.warning(`others can read ${dataDir}: chmod 700 ${dataDir}, or start the blog once`)
  if (ownUid !== undefined && ownUid !== 0 && ownUid !== uid)
    report.warning(`${dataDir} belongs to another user: run this as the user of the blog`)
  // An administrator may have created files as another user than the server's.
  const foreignNames: string[] = []
  for (const name of names) {
    const entry = await stat(join(dataDir, name)).catch(() => undefined)
    if (entry && entry.uid !== uid && name !== 'lost+found') foreignNames.push(name)
  }
  if (foreignNames.length > 0)
    report.fault(`not of the folder's own user: ${abbreviateNames(foreignNames)}: chown -R them`)
  return `${dataDir} is private and can be written`
}

export async function checkSecrets(blog: CheckedBlog, report: Report) {
  const { dataDir, apiKey, browserKey, providerTokenKey } = blog
  if (blog.isInaccessible) return undefined
  const settings = {
    'api-key': apiKey,
    'browser-key': browserKey,
    'provider-token-key': providerTokenKey,
  }
  for (const [name, setting] of Object.entries(settings)) {
    const path = join(dataDir, name)
    const text = await readFile(path, 'utf8').catch(() => undefined)
    const isMissing = text === undefined
    if (isMissing && setting === undefined)
      report.warning(`${name} is missing: the next start makes a new one, or restore it`)
    if (!isMissing && !/^[0-9a-f]{64}$/.test(text.trim()))
      report.fault(`${path} is damaged: put its 64 characters back from a backup`)
    else if (!isMissing && ((await stat(path)).mode & 0o077) !== 0)
      report.warning(`others can read ${path}: chmod 600 ${path}`)
  }
  return 'all there, readable by their user alone'
}

export async function checkSpace(
  { dataDir, backups }: CheckedBlog,
  report: Report,
): Promise<undefined> {
  const folders = [['the data folder', dataDir], ...(backups ? [['backups', backups.folder]] : [])]
  for (const [name, path = ''] of folders) {
    const disk = await statfs(path).catch(() => undefined)
    if (!disk) continue
    const freeBytes = disk.bavail * disk.bsize
    const text = `${Math.floor(freeBytes / MIB)} MiB are free for ${name}`
    if (freeBytes < DISK_FREE_FAULT_BYTES)
      report.fault(`${text}: make room: nothing can be saved on a full disk`)
    else if (freeBytes < DISK_FREE_WARNING_BYTES) report.warning(`${text}: make room soon`)
    else report.ok(text)
  }
}

// --- the database, and the files that its rows name

const CLOCK_WARNING_SECONDS = 5
const CLOCK_FAULT_SECONDS = 5 * 60

/** Bytes without a row may be this many times as old as the sweep's limit: the sweep runs daily. */
const SWEEP_AGE_FACTOR = 3
const POSTGRES_MIN_MAJOR = 15
const BEING_WRITTEN = /^\.|\.(?:part|s3)$/
const DUPLICATE_ADVICE =
  'their owners may change one address, or delete the account that they do not use'
const RESTORE_ADVICE = 'copy files/NAME of a backup into the data folder'

export async function checkDatabase(blog: CheckedBlog, report: Report) {
  if (!blog.databaseUrl && blog.isInaccessible) return undefined
  try {
    await using database = await openRawDatabase(blog)
    const isSqlite = database.major === 0
    const [row] = await database.query(
      isSqlite
        ? 'select sqlite_version() as "version"'
        : `select current_setting('server_version') as "version",
             extract(epoch from clock_timestamp()) * 1000 as "ms"`,
    )
    const clockOffsetMs = isSqlite ? undefined : Number(row?.ms) - blog.now().getTime()
    const server = `${isSqlite ? 'SQLite' : 'PostgreSQL'} ${row?.version}`
    const damage = await findDamage(database)
    for (const text of damage)
      report.fault(`${text}: stop the blog, keep a copy of the data folder, and restore a backup`)
    if (!isSqlite && database.major < POSTGRES_MIN_MAJOR)
      report.fault(`${server}: PostgreSQL ${POSTGRES_MIN_MAJOR} or newer is needed`)
    if (damage.length > 0) return undefined
    const migrations = await readMigrations(database)
    const newestMs = await findNewestMs(database)
    const backupFolder = await findBackupFolder(database, blog)
    const bytes = await findBytes(database)
    blog.databaseState = { migrations, newestMs, clockOffsetMs, backupFolder, ...bytes }
    const duplicates = migrations.missing.length > 0 ? [] : await findDuplicateAddresses(database)
    if (duplicates.length > 0)
      report.warning(
        `accounts with another one’s address in another spelling: ${abbreviateNames(duplicates)}: ${DUPLICATE_ADVICE}`,
      )
    const rows = await countRows(database, await listTables(database))
    // A database of an older program may lack some of these tables.
    const { user = 0, post = 0, postVersion = 0, deletedPost = 0, comment = 0 } = rows
    return `${server}, sound: ${user} people, ${post} posts, ${postVersion} stored versions, ${deletedPost} deleted posts, ${comment} comments`
  } catch (error) {
    const advice = blog.databaseUrl
      ? 'check BLOG_DATABASE_URL and whether PostgreSQL runs'
      : 'start the blog once, or restore a backup'
    return report.fault(`cannot be opened: ${describeProblem(error)}: ${advice}`)
  }
}

/**
 * Accounts whose address is another spelling of an address, created before both spellings counted
 * as the same mailbox.
 *
 * @returns ids
 */
async function findDuplicateAddresses({ query, major }: RawDatabase): Promise<string[]> {
  const hasNonAscii = major === 0 ? `email glob '*[^ -~]*'` : `email ~ '[^ -~]'`
  const rows = await query(
    `select id, email from "user" where email like '%xn--%' or ${hasNonAscii} order by id`,
  )
  const duplicates = rows.filter(({ email }) => (tryParseEmail(String(email)) ?? email) !== email)
  return duplicates.map(({ id }) => String(id))
}

/** The folder of the automatic backups. A database of an older program stores no chosen folder. */
async function findBackupFolder(
  database: RawDatabase,
  blog: CheckedBlog,
): Promise<string | undefined> {
  const hasValues = (await listTables(database)).includes('siteValue')
  const rows = hasValues ? await database.query(`select "name", "value" from "siteValue"`) : []
  const values = new Map(rows.map(({ name, value }) => [String(name), String(value)]))
  const { databaseBytes, filesBytes } = await measureBlog(database)
  const backup = toBackupChoice(values)
  const plan = planOf({ ...blog, backups: undefined }, { backup }, databaseBytes + filesBytes)
  return plan.isOn ? plan.folder : undefined
}

async function findNewestMs({ query }: RawDatabase): Promise<number> {
  const [newest] = await query(
    `select max("at") as "at" from (
       select max("createdAt") as "at" from "user"
       union all select max("lastUsedAt") from "session"
       union all select max("updatedAt") from "post"
     ) as "times"`,
  )
  return newest?.at ? Date.parse(String(newest.at)) : 0
}

export async function checkVersion({ databaseState }: CheckedBlog, report: Report) {
  if (!databaseState) return undefined
  const { newer, missing, isTooOld } = databaseState.migrations
  const text = `Lamplight ${await readProgramVersion()} on Node ${process.versions.node}`
  if (newer.length > 0)
    report.fault(
      `${text}, but the database is newer (${abbreviateNames(newer)}): update the program`,
    )
  else if (isTooOld) report.fault(`${text}. ${TOO_OLD}`)
  else if (missing.length > 0)
    report.warning(
      `${text}; the next start migrates (${abbreviateNames(missing)}): make a backup first`,
    )
  return `${text}, and the database fits`
}

/**
 * Compares the clock of this host with that of the database server, and with the newest times in
 * the database. Uses no other service.
 */
export async function checkClock({ databaseState, nowMs }: CheckedBlog, report: Report) {
  if (!databaseState) return undefined
  const { clockOffsetMs, newestMs } = databaseState
  const differenceMs = Math.max(newestMs - nowMs, Math.abs(clockOffsetMs ?? 0))
  const seconds = Math.round(differenceMs / 1000)
  const source = clockOffsetMs === undefined ? 'data already written' : 'the database server'
  const level = seconds > CLOCK_FAULT_SECONDS ? 'fault' : 'warning'
  if (seconds > CLOCK_WARNING_SECONDS)
    report[level](`differs by ${seconds} s from ${source}: set it, and keep it by NTP`)
  return `agrees with ${source}`
}

/** Compares rows with stored bytes both ways. Ignores files that change meanwhile. */
export async function checkFiles(blog: CheckedBlog, report: Report) {
  const { databaseState, s3, nowMs } = blog
  if (!databaseState) return undefined
  const blobStores = openBlobStores(blog)
  const stored = new Map<string, number>()
  for await (const { name, changedAtMs } of blobStores.files.list())
    stored.set(name, (await changedAtMs()) ?? nowMs)
  const suspects = new Map<string, string>()
  for (const { name, md5 } of databaseState.files)
    if (!stored.has(name)) suspects.set(name, 'missing')
    else if (!s3 && (await hashStored(blobStores.files, name))?.md5 !== md5)
      suspects.set(name, 'damaged')
  for (const { name } of databaseState.uploads)
    if (!(await blobStores.uploads.has(name)))
      suspects.set(name, 'missing, of an unfinished upload')
  const confirmed = await findNamesInUse(blog, [...suspects.keys()])
  const lost = confirmed.map((name) => `${name} (${suspects.get(name)})`)
  if (lost.length > 0)
    report.fault(`not what the database says: ${abbreviateNames(lost)}: ${RESTORE_ADVICE}`)
  // Ignores files that are being written, and those whose row was added meanwhile.
  for (const { name } of databaseState.files) stored.delete(name)
  const orphans = new Set([...stored.keys()].filter((name) => !BEING_WRITTEN.test(name)))
  for (const name of await findNamesInUse(blog, [...orphans])) orphans.delete(name)
  const oldMs = nowMs - SWEEP_AGE_FACTOR * ORPHAN_SECONDS * 1000
  const advice = [...orphans].some((name) => (stored.get(name) ?? nowMs) < oldMs)
    ? 'the daily sweep should have removed them, see its errors in the log'
    : 'the daily sweep removes them when they are a day old'
  const count = orphans.size === 1 ? '1 file' : `${orphans.size} files`
  if (orphans.size > 0)
    report.warning(`no row names ${count}: ${abbreviateNames([...orphans])}: ${advice}`)
  return `all ${databaseState.files.length} files have their bytes${s3 ? ' at the S3 server' : ', unharmed'}`
}
