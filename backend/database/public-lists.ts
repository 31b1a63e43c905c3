// The version of what guests see of the posts, of all and of each author's: a row that changes in
// the transaction that changes what is seen, so that a feed can be compared by it before anything
// else is read (decision 0041). Rules say that something changes; nothing here knows what.
import { sql } from 'kysely'
import { makeId } from '../process/ids.ts'
import { compiledOnce } from './compiled.ts'
import type { Database, PublicListRow } from './schema.ts'

/** The row of all posts. */
const ALL = ''

export type PublicListVersion = Pick<PublicListRow, 'version' | 'changedAt'> & {
  /** False where a person has no row. */
  isOwn: boolean
}

/** The people whose posts are seen otherwise than before, and whether any is not shown any more. */
export type PublicChange = { userIds: string[]; isAnyoneGone: boolean }

type Noted = {
  /** Whether they are not shown any more. */
  people: Map<string, { isGone: boolean }>
  fileIds: Set<string>
}

const noted = new WeakMap<Database, Noted>()
const ears = new WeakMap<Database, (change: PublicChange) => void>()

/** Where a transaction gathers what it notes; inTransaction asks for it. */
export function gatherPublicChanges(tx: Database): void {
  noted.set(tx, { people: new Map(), fileIds: new Set() })
}

/** Guests see posts of this person, or the person, otherwise once the transaction is committed. */
export function notePublicChange(tx: Database, userId: string, { isGone = false } = {}): void {
  notedIn(tx).people.set(userId, { isGone })
}

/** A file is there, is gone, or has other readers: a post or a person may show it. */
export function noteFileChange(tx: Database, fileId: string): void {
  notedIn(tx).fileIds.add(fileId)
}

function notedIn(tx: Database): Noted {
  const found = noted.get(tx)
  if (!found) throw new Error('A public change was noted outside a transaction')
  return found
}

/** What the transaction has noted; undefined when it is nothing. */
export async function findPublicChange(tx: Database): Promise<PublicChange | undefined> {
  const { people, fileIds } = notedIn(tx)
  for (const userId of await findShowing(tx, [...fileIds]))
    if (!people.has(userId)) people.set(userId, { isGone: false })
  if (people.size === 0) return undefined
  const isAnyoneGone = [...people.values()].some(({ isGone }) => isGone)
  return { userIds: [...people.keys()].sort(), isAnyoneGone }
}

/**
 * Gives what the transaction has noted new versions: its last statements, because every other
 * change waits from here to the commit. The row of all posts comes first, so that no two wait for
 * each other.
 */
export async function keepPublicChange(tx: Database, { userIds }: PublicChange): Promise<void> {
  const { people } = notedIn(tx)
  const isGone = (userId: string) => people.get(userId)?.isGone === true
  // A new text each time: a number would come again after a backup was restored.
  const row = { version: makeId(), changedAt: new Date().toISOString() }
  const [userId, ...others] = userIds
  if (userId !== undefined && others.length === 0 && !isGone(userId)) {
    await keepTwo(tx, { userId, ...row })
    return
  }
  for (const key of [ALL, ...userIds])
    if (isGone(key)) await tx.deleteFrom('publicList').where('key', '=', key).execute()
    else await keepVersion(tx, { key, ...row })
}

const keepVersion = compiledOnce((tx, { key, ...row }: PublicListRow) =>
  tx
    .insertInto('publicList')
    .values({ key, ...row })
    .onConflict((c) => c.column('key').doUpdateSet(row)),
)

/** As most changes need it: of all posts and of one person's. */
const keepTwo = compiledOnce(
  (tx, { userId, ...row }: Omit<PublicListRow, 'key'> & { userId: string }) =>
    tx
      .insertInto('publicList')
      .values([ALL, userId].map((key) => ({ key, ...row })))
      .onConflict((c) => c.column('key').doUpdateSet(row)),
)

/** Whose active posts, or whose faces, these files are. */
async function findShowing(tx: Database, fileIds: string[]): Promise<string[]> {
  if (fileIds.length === 0) return []
  const found = await sql<{ userId: string }>`
    select ${sql.ref('post.userId')} as ${sql.ref('userId')} from ${sql.table('postFile')}
      join post on post.id = ${sql.ref('postFile.postId')}
      where ${sql.ref('postFile.fileId')} in (${sql.join(fileIds)})
        and post.status = 'active' and post.readers = 'any' and ${sql.ref('post.isHidden')} = 0
        and exists (select 1 from "user" where id = ${sql.ref('post.userId')} and ${sql.ref('isBlocked')} = 0)
    union select ${sql.ref('avatarFile.userId')} from ${sql.table('avatarFile')}
      join "user" on "user".id = ${sql.ref('avatarFile.userId')} and ${sql.ref('user.isBlocked')} = 0
      where ${sql.ref('avatarFile.fileId')} in (${sql.join(fileIds)})`.execute(tx)
  return found.rows.map(({ userId }) => userId)
}

/** Hears, after each commit of this process, whose posts are seen otherwise. */
export function hearPublicChanges(db: Database, ear: (change: PublicChange) => void): void {
  ears.set(db, ear)
}

export function tellPublicChange(db: Database, change: PublicChange | undefined): void {
  if (change) ears.get(db)?.(change)
}

/**
 * The version of what guests see of one person's posts, or of all. A person without a row has that
 * of all: they have changed nothing yet, or are not there. Whoever has one is shown.
 */
export async function readPublicVersion(
  db: Database,
  userId: string = ALL,
): Promise<PublicListVersion> {
  const own = await findRow(db, userId)
  if (own) return { ...own, isOwn: true }
  const all = await findRow(db, ALL)
  if (!all) throw new Error('The table publicList has no row of all posts')
  return { ...all, isOwn: false }
}

async function findRow(db: Database, key: string) {
  return db
    .selectFrom('publicList')
    .select(['version', 'changedAt'])
    .where('key', '=', key)
    .executeTakeFirst()
}
