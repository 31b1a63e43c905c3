// The data folder: there, private, writable, with room on its disk, and its secrets whole. The
// database: it opens, each table can be read, its version fits, the clock agrees with it, and rows
// and bytes agree.
import { access, constants, readdir, readFile, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { describeProblem, hashKept } from '../backups/backup-io.ts'
import { planOf } from '../backups/backup-plan.ts'
import {
  countRows,
  findBytes,
  measureBlog,
  openBlobStores,
  openSide,
  readMigrations,
  stillNamed,
} from '../backups/blog-contents.ts'
import { readProgramVersion } from '../backups/manifest.ts'
import { findDamages, listTables, type Side } from '../backups/raw-database.ts'
import { TOO_OLD } from '../database/old-database.ts'
import { ORPHAN_SECONDS } from '../files/sweep.ts'
import { findEmail } from '../mail/addresses.ts'
import { RESTORE_MARKER } from '../process/secrets.ts'
import { toBackupChoice } from '../site/site.ts'
import { type Patient, type Say, showNames } from './finding.ts'

const DISK_FREE_WARNING_BYTES = 1024 * 1024 * 1024
const DISK_FREE_FAULT_BYTES = 100 * 1024 * 1024

const MIB = 1024 * 1024

export async function checkFolder(patient: Patient, say: Say) {
  const { dataDir } = patient
  const found = await stat(dataDir).catch((error: unknown) =>
    say.fault(`${dataDir}: ${describeProblem(error)}: set BLOG_DATA_DIR, or start the blog once`),
  )
  if (!found) return undefined
  const { mode, uid } = found
  await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK).catch(() => {
    patient.isClosed = true
  })
  if (patient.isClosed)
    return say.fault(`${dataDir} cannot be read and written: run this as its user, or chown -R it`)
  const names = await readdir(dataDir)
  if (names.includes(RESTORE_MARKER))
    return say.fault(`a restore into ${dataDir} was not finished: run npm run restore again`)
  if (names.length === 0)
    return say.fault(`${dataDir} is empty: start the blog once, or restore a backup`)
  const self = process.getuid?.()
  if ((mode & 0o077) !== 0)
    say.warning(`others can read ${dataDir}: chmod 700 ${dataDir}, or start the blog once`)
  if (self !== undefined && self !== 0 && self !== uid)
    say.warning(`${dataDir} belongs to another user: run this as the user of the blog`)
  // What an administrator has left there under another name than the server's.
  const strangers: string[] = []
  for (const name of names) {
    const entry = await stat(join(dataDir, name)).catch(() => undefined)
    if (entry && entry.uid !== uid && name !== 'lost+found') strangers.push(name)
  }
  if (strangers.length > 0)
    say.fault(`not of the folder's own user: ${showNames(strangers)}: chown -R them`)
  return `${dataDir} is private and can be written`
}

export async function checkSecrets(patient: Patient, say: Say) {
  const { dataDir, apiKey, browserKey, providerTokenKey } = patient
  if (patient.isClosed) return undefined
  const given = {
    'api-key': apiKey,
    'browser-key': browserKey,
    'provider-token-key': providerTokenKey,
  }
  for (const [name, setting] of Object.entries(given)) {
    const path = join(dataDir, name)
    const text = await readFile(path, 'utf8').catch(() => undefined)
    const isMissing = text === undefined
    if (isMissing && setting === undefined)
      say.warning(`${name} is missing: the next start makes a new one, or restore it`)
    if (!isMissing && !/^[0-9a-f]{64}$/.test(text.trim()))
      say.fault(`${path} is damaged: put its 64 characters back from a backup`)
    else if (!isMissing && ((await stat(path)).mode & 0o077) !== 0)
      say.warning(`others can read ${path}: chmod 600 ${path}`)
  }
  return 'all there, readable by their user alone'
}

export async function checkSpace({ dataDir, backups }: Patient, say: Say): Promise<undefined> {
  const folders = [['the data folder', dataDir], ...(backups ? [['backups', backups.folder]] : [])]
  for (const [name, path = ''] of folders) {
    const disk = await statfs(path).catch(() => undefined)
    if (!disk) continue
    const freeBytes = disk.bavail * disk.bsize
    const text = `${Math.floor(freeBytes / MIB)} MiB are free for ${name}`
    if (freeBytes < DISK_FREE_FAULT_BYTES)
      say.fault(`${text}: make room: nothing can be saved on a full disk`)
    else if (freeBytes < DISK_FREE_WARNING_BYTES) say.warning(`${text}: make room soon`)
    else say.ok(text)
  }
}

// --- the database, and the files that its rows name

const CLOCK_WARNING_SECONDS = 5
const CLOCK_FAULT_SECONDS = 5 * 60

/** How much older than the sweep's limit bytes without a row may be: it runs once a day. */
const SWEEP_LATE = 3
const POSTGRES_OLDEST = 15
const BEING_WRITTEN = /^\.|\.(?:part|s3)$/
const TWINS = 'their owners may change one address, or delete the account that they do not use'
const TAKE_FROM_BACKUP = 'copy files/NAME of a backup into the data folder'

export async function checkDatabase(patient: Patient, say: Say) {
  if (!patient.databaseUrl && patient.isClosed) return undefined
  try {
    await using side = await openSide(patient)
    const isSqlite = side.major === 0
    const [found] = await side.ask(
      isSqlite
        ? 'select sqlite_version() as "version"'
        : `select current_setting('server_version') as "version",
             extract(epoch from clock_timestamp()) * 1000 as "ms"`,
    )
    const aheadMs = isSqlite ? undefined : Number(found?.ms) - patient.now().getTime()
    const server = `${isSqlite ? 'SQLite' : 'PostgreSQL'} ${found?.version}`
    const damages = await findDamages(side)
    for (const text of damages)
      say.fault(`${text}: stop the blog, keep a copy of the data folder, and restore a backup`)
    if (!isSqlite && side.major < POSTGRES_OLDEST)
      say.fault(`${server}: PostgreSQL ${POSTGRES_OLDEST} or newer is needed`)
    if (damages.length > 0) return undefined
    const migrations = await readMigrations(side)
    const newestMs = await findNewestMs(side)
    const backupFolder = await findBackupFolder(side, patient)
    const bytes = await findBytes(side)
    patient.known = { migrations, newestMs, aheadMs, backupFolder, ...bytes }
    const twins = migrations.missing.length > 0 ? [] : await findTwinAddresses(side)
    if (twins.length > 0)
      say.warning(
        `accounts with another one’s address in another spelling: ${showNames(twins)}: ${TWINS}`,
      )
    const rows = await countRows(side, await listTables(side))
    // A database of an older program has no tables of versions, deleted posts and comments.
    const { user = 0, post = 0, postVersion = 0, deletedPost = 0, comment = 0 } = rows
    return `${server}, sound: ${user} people, ${post} posts, ${postVersion} stored versions, ${deletedPost} deleted posts, ${comment} comments`
  } catch (error) {
    const todo = patient.databaseUrl
      ? 'check BLOG_DATABASE_URL and whether PostgreSQL runs'
      : 'start the blog once, or restore a backup'
    return say.fault(`cannot be opened: ${describeProblem(error)}: ${todo}`)
  }
}

/** Accounts of one mailbox that were made before both spellings counted as one. @returns ids */
async function findTwinAddresses({ ask, major }: Side): Promise<string[]> {
  const hasOtherSigns = major === 0 ? `email glob '*[^ -~]*'` : `email ~ '[^ -~]'`
  const rows = await ask(
    `select id, email from "user" where email like '%xn--%' or ${hasOtherSigns} order by id`,
  )
  const twins = rows.filter(({ email }) => (findEmail(String(email)) ?? email) !== email)
  return twins.map(({ id }) => String(id))
}

/** As operators chose it in the browser; a database of an older program knows no choice. */
async function findBackupFolder(side: Side, patient: Patient): Promise<string | undefined> {
  const hasValues = (await listTables(side)).includes('siteValue')
  const rows = hasValues ? await side.ask(`select "name", "value" from "siteValue"`) : []
  const values = new Map(rows.map(({ name, value }) => [String(name), String(value)]))
  const { databaseBytes, filesBytes } = await measureBlog(side)
  const backup = toBackupChoice(values)
  const plan = planOf({ ...patient, backups: undefined }, { backup }, databaseBytes + filesBytes)
  return plan.isOn ? plan.folder : undefined
}

async function findNewestMs({ ask }: Side): Promise<number> {
  const [newest] = await ask(
    `select max("at") as "at" from (
       select max("createdAt") as "at" from "user"
       union all select max("lastUsedAt") from "session"
       union all select max("updatedAt") from "post"
     ) as "times"`,
  )
  return newest?.at ? Date.parse(String(newest.at)) : 0
}

export async function checkVersion({ known }: Patient, say: Say) {
  if (!known) return undefined
  const { newer, missing, isTooOld } = known.migrations
  const text = `Lamplight ${await readProgramVersion()} on Node ${process.versions.node}`
  if (newer.length > 0)
    say.fault(`${text}, but the database is newer (${showNames(newer)}): update the program`)
  else if (isTooOld) say.fault(`${text}. ${TOO_OLD}`)
  else if (missing.length > 0)
    say.warning(`${text}; the next start migrates (${showNames(missing)}): make a backup first`)
  return `${text}, and the database fits`
}

/**
 * Compares this host's clock with the database server's, and with the newest times that were
 * written by it. No other service is asked.
 */
export async function checkClock({ known, nowMs }: Patient, say: Say) {
  if (!known) return undefined
  const { aheadMs, newestMs } = known
  const differsMs = Math.max(newestMs - nowMs, Math.abs(aheadMs ?? 0))
  const seconds = Math.round(differsMs / 1000)
  const source = aheadMs === undefined ? 'data already written' : 'the database server'
  const level = seconds > CLOCK_FAULT_SECONDS ? 'fault' : 'warning'
  if (seconds > CLOCK_WARNING_SECONDS)
    say[level](`differs by ${seconds} s from ${source}: set it, and keep it by NTP`)
  return `agrees with ${source}`
}

/** Rows against files, and files against rows, without files that have gone meanwhile. */
export async function checkFiles(patient: Patient, say: Say) {
  const { known, s3, nowMs } = patient
  if (!known) return undefined
  const blobStores = openBlobStores(patient)
  const stored = new Map<string, number>()
  for await (const { name, changedAtMs } of blobStores.files.list())
    stored.set(name, (await changedAtMs()) ?? nowMs)
  const suspects = new Map<string, string>()
  for (const { name, md5 } of known.files)
    if (!stored.has(name)) suspects.set(name, 'missing')
    else if (!s3 && (await hashKept(blobStores.files, name))?.md5 !== md5)
      suspects.set(name, 'damaged')
  for (const { name } of known.uploads)
    if (!(await blobStores.uploads.has(name)))
      suspects.set(name, 'missing, of an unfinished upload')
  const still = await stillNamed(patient, [...suspects.keys()])
  const lost = still.map((name) => `${name} (${suspects.get(name)})`)
  if (lost.length > 0)
    say.fault(`not what the database says: ${showNames(lost)}: ${TAKE_FROM_BACKUP}`)
  // What is being written is left out, and what has got its row since.
  for (const { name } of known.files) stored.delete(name)
  const rowless = new Set([...stored.keys()].filter((name) => !BEING_WRITTEN.test(name)))
  for (const name of await stillNamed(patient, [...rowless])) rowless.delete(name)
  const oldMs = nowMs - SWEEP_LATE * ORPHAN_SECONDS * 1000
  const todo = [...rowless].some((name) => (stored.get(name) ?? nowMs) < oldMs)
    ? 'the daily sweep should have removed them, see its errors in the log'
    : 'the daily sweep removes them when they are a day old'
  const many = rowless.size === 1 ? '1 file' : `${rowless.size} files`
  if (rowless.size > 0) say.warning(`no row names ${many}: ${showNames([...rowless])}: ${todo}`)
  return `all ${known.files.length} files have their bytes${s3 ? ' at the S3 server' : ', unharmed'}`
}
