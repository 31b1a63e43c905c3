// The values that operators set, stored in the database. Each request checks the version of their
// cache tag; the values in memory are valid while it is the same.
import { createHash } from 'node:crypto'
import type { BlogLink, SiteLink } from '#contract/blog-links.ts'
import { Refusal } from '#contract/errors.ts'
import type { SiteValueName, SiteValues } from '#contract/site-settings.ts'
import type { ReadTagVersions } from '../database/cache-tags.ts'
import type { Database } from '../database/schema.ts'
import { arrangeLinks, LINKS } from './blog-links.ts'
import * as store from './store.ts'

export { isEmpty } from './store.ts'

/** The cache tag of the values. */
const TAG = 'site'

/** When the blog got its first operator. The blog is set up if this row exists. */
const SET_UP_AT = 'setUpAt'

/** The operators' choices for backups; absent fields were not chosen. */
export type BackupChoice = { isOn?: boolean; time?: string; keep?: number; folder?: string }

/** The current values, and the URL of the blog for texts that need both. */
export type SiteSnapshot = SiteValues & {
  backup: BackupChoice
  /** The pages and links that readers see. */
  links: SiteLink[]
  /** Stored values that a setting of the server overrides. */
  setTwice: SiteValueName[]
  /** When the blog got its first operator; empty before. */
  setUpAt: string
  publicUrl: string
  isRegistrationOpen: boolean
  /** The version of the logo; empty for the lamp. */
  logo: string
  /** The blog has, or has had, an operator. */
  isSetUp: boolean
}

/** @source settings.md: an environment variable or the settings file takes precedence */
export type SiteConfig = {
  siteDefaults: SiteValues
  /** Values that the environment sets, in `siteDefaults`. */
  fixedSite: readonly SiteValueName[]
  publicUrl: string
}

export type Site = ReturnType<typeof makeSite>

export function makeSite(db: Database, config: SiteConfig, readVersions: ReadTagVersions) {
  let cached: { version: number | undefined; site: SiteSnapshot } | undefined
  return {
    /**
     * Must not be called within a transaction.
     * @throws Refusal `general_service_disabled` while the database is unavailable
     */
    async read(): Promise<SiteSnapshot> {
      const version = (await readVersions([TAG])).get(TAG)
      if (cached && cached.version === version) return cached.site
      const site = toSite(config, await store.readValues(db), await store.listPages(db))
      cached = { version, site }
      return site
    },
    /** Whether the blog has no users and posts yet; false while the database is unavailable. */
    isEmpty: (): Promise<boolean> => store.isEmpty(db).catch(() => false),
    /** The values that were read last, for use while the database is unavailable. */
    lastKnown: (): SiteSnapshot => cached?.site ?? toSite(config, new Map(), []),
  }
}

function toSite(
  config: SiteConfig,
  stored: ReadonlyMap<string, string>,
  pages: store.PageRow[],
): SiteSnapshot {
  const { siteDefaults, fixedSite, publicUrl } = config
  const values: Record<string, string> = { ...siteDefaults }
  for (const name of Object.keys(siteDefaults) as SiteValueName[])
    if (!fixedSite.includes(name)) values[name] = stored.get(name) ?? siteDefaults[name]
  const siteValues = values as SiteValues
  const setTwice = fixedSite.filter((name) => (stored.get(name) ?? values[name]) !== values[name])
  const isRegistrationOpen = siteValues.registration === 'open'
  const setUpAt = stored.get(SET_UP_AT) ?? ''
  return {
    ...siteValues,
    backup: toBackupChoice(stored),
    links: arrangeLinks(stored.get(LINKS), pages).flatMap(toSiteLink),
    setTwice,
    setUpAt,
    publicUrl,
    isRegistrationOpen,
    isSetUp: stored.has(SET_UP_AT),
    logo: stored.get(LOGO) ?? '',
  }
}

function toSiteLink({ name, to, status, inHeader, inFooter }: BlogLink): SiteLink[] {
  const isShown = status === 'active' && (inHeader || inFooter)
  return isShown ? [{ name, to, inHeader, inFooter }] : []
}

/** The values must have been checked (`checkSiteValues` of operator/site-values.ts). */
export async function writeSiteValues(tx: Database, changes: Partial<SiteValues>): Promise<void> {
  for (const [name, value] of Object.entries(changes)) await store.writeValue(tx, name, value)
}

// --- backups

const BACKUP_ROWS = {
  isOn: 'backups',
  time: 'backupTime',
  keep: 'backupKeep',
  folder: 'backupFolder',
} as const satisfies Record<keyof BackupChoice, string>

type ChangedChoice = { [Name in keyof BackupChoice]: BackupChoice[Name] | undefined }

export function toBackupChoice(stored: ReadonlyMap<string, string>): BackupChoice {
  const choice: BackupChoice = {}
  const [isOn, time, keep, folder] = Object.values(BACKUP_ROWS).map((name) => stored.get(name))
  if (isOn !== undefined) choice.isOn = isOn === 'on'
  if (time !== undefined) choice.time = time
  if (keep !== undefined) choice.keep = Number(keep)
  if (folder !== undefined) choice.folder = folder
  return choice
}

/** The names and values of the rows of a choice. */
export function toBackupRows(choice: ChangedChoice): Map<string, string> {
  const rows = new Map<string, string>()
  for (const name of Object.keys(BACKUP_ROWS) as (keyof BackupChoice)[]) {
    const value = choice[name]
    if (value === undefined) continue
    rows.set(BACKUP_ROWS[name], typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value))
  }
  return rows
}

/** The choice must have been checked. @returns its rows */
export async function changeBackupChoice(tx: Database, choice: ChangedChoice) {
  const rows = toBackupRows(choice)
  for (const [name, value] of rows) await store.writeValue(tx, name, value)
  return rows
}

// --- the logo

const LOGO = 'logo'

/** @returns the version of a picture, which is part of its URL */
function versionOf(picture: Buffer): string {
  return createHash('sha256').update(picture).digest('hex').slice(0, 32)
}

/** @param picture undefined for the default, the lamp @returns its version, or an empty text */
export async function changeLogo(tx: Database, picture: Buffer | undefined): Promise<string> {
  const version = picture ? versionOf(picture) : ''
  await store.writeValue(tx, LOGO, version)
  await store.writeValue(tx, store.LOGO_PICTURE, picture?.toString('base64') ?? '')
  return version
}

/** @throws Refusal `general_route_not_found` when the logo has changed */
export async function findLogo(db: Database, version: string): Promise<Buffer> {
  const picture = Buffer.from((await store.findValue(db, store.LOGO_PICTURE)) ?? '', 'base64')
  if (versionOf(picture) !== version) throw new Refusal('general_route_not_found')
  return picture
}

/** Records that the blog has an operator. @returns false when it had one before */
export function recordSetUp(tx: Database, now: Date): Promise<boolean> {
  return store.addValue(tx, SET_UP_AT, now.toISOString())
}

/** Serialises changes to the set of operators. */
export function lockOperators(tx: Database): Promise<void> {
  return store.lockValue(tx, SET_UP_AT)
}

// --- the setup code, which proves access to the server until the blog is set up

const CODE = 'setupCode'
const CODE_BEFORE = 'setupCodeBefore'

/** Replaces the code; the previous one is stored to explain why it is no longer valid. */
export async function replaceSetupCode(tx: Database, codeHash: string): Promise<void> {
  const before = (await store.readValues(tx)).get(CODE)
  if (before !== undefined) await store.writeValue(tx, CODE_BEFORE, before)
  await store.writeValue(tx, CODE, codeHash)
}

export async function findSetupCodes(db: Database) {
  const values = await store.readValues(db)
  return { code: values.get(CODE), before: values.get(CODE_BEFORE) }
}
