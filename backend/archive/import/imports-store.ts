// SQL of what imports have made (`importedItem`), of people who have not claimed their account, and
// of what an import reads of this blog.
import { type SqlBool, sql } from 'kysely'
import type { ImportIssue } from '#contract/archive.ts'
import type { ImportedItemTable } from '../../database/archive-tables.ts'
import { isOneOfTexts, listParameter, prepared } from '../../database/dialect.ts'
import type { Database } from '../../database/schema.ts'

export type NewItem = Omit<ImportedItemTable, 'seq' | 'digest'> & { digest: string }
export type ItemKind = NewItem['kind']
export type ItemKey = Pick<NewItem, 'owner' | 'source' | 'kind' | 'key'>
type Scope = Pick<NewItem, 'owner' | 'source'>

/** @throws the database's unique-constraint violation when it is there already */
export const insertItem = prepared((tx, item: NewItem) =>
  tx.insertInto('importedItem').values(item),
)

/** Of these keys, the items that are there, by key. */
export async function findItems(db: Database, scope: Scope, kind: ItemKind, keys: string[]) {
  if (keys.length === 0) return new Map<never, never>()
  const items = db
    .selectFrom('importedItem')
    .select(['key', 'runId', 'targetId'])
    .where('owner', '=', scope.owner)
    .where('source', '=', scope.source)
    .where('kind', '=', kind)
  const rows = await items.where(isOneOfTexts(db, 'key', listParameter(db, keys))).execute()
  return new Map(rows.map((row) => [row.key, row]))
}

/** The complete file of an imported picture. */
export async function findPictureFile(
  db: Database,
  { owner, source, key }: Omit<ItemKey, 'kind'>,
  bucketId: string,
) {
  return await db
    .selectFrom('importedItem')
    .innerJoin('file', (join) =>
      join.onRef('file.id', '=', 'importedItem.targetId').on('file.bucketId', '=', bucketId),
    )
    .select(['file.id', 'file.width', 'file.height', 'file.mimeType'])
    .where('importedItem.owner', '=', owner)
    .where('importedItem.source', '=', source)
    .where('importedItem.kind', '=', 'picture')
    .where('importedItem.key', '=', key)
    .where('file.isComplete', '=', 1)
    .executeTakeFirst()
}

/** Forgets an item whose target is gone, so that it can be made again. */
export async function deleteItem(tx: Database, { owner, source, kind, key }: ItemKey) {
  await tx
    .deleteFrom('importedItem')
    .where((eb) => eb.and({ owner, source, kind, key }))
    .execute()
}

export async function countItems(db: Database, runId: string, kind: ItemKind): Promise<number> {
  const items = db.selectFrom('importedItem').select(sql<number>`count(*)`.as('total'))
  const ofRun = items.where('runId', '=', runId).where('kind', '=', kind)
  return Number((await ofRun.executeTakeFirstOrThrow()).total)
}

/** Pictures that several authors show are stored for each of them, and counted once. */
export async function countPictures(db: Database, runId: string): Promise<number> {
  const pictures = db
    .selectFrom('importedItem')
    .select(sql<number>`count(distinct digest)`.as('total'))
    .where('runId', '=', runId)
    .where('kind', '=', 'picture')
  return Number((await pictures.executeTakeFirstOrThrow()).total)
}

/** Items of a run that are not undone yet, the newest first. */
export async function listItems(
  db: Database,
  { runId, kind, before, limit }: { runId: string; kind: ItemKind; before: number; limit: number },
) {
  const items = db.selectFrom('importedItem').selectAll()
  const ofRun = items.where('runId', '=', runId).where('kind', '=', kind)
  const left = ofRun.where('digest', '!=', UNDONE).where('seq', '<', before)
  return await left.orderBy('seq', 'desc').limit(limit).execute()
}

/** The `digest` of an item that is undone; its row goes with the last step. */
const UNDONE = 'undone'

export async function markUndone(tx: Database, seqs: number[]): Promise<void> {
  if (seqs.length === 0) return
  await tx.updateTable('importedItem').set({ digest: UNDONE }).where('seq', 'in', seqs).execute()
}

export async function countUndone(db: Database, runId: string, kind: ItemKind): Promise<number> {
  const items = db.selectFrom('importedItem').select(sql<number>`count(*)`.as('total'))
  const undone = items.where('runId', '=', runId).where('kind', '=', kind)
  return Number((await undone.where('digest', '=', UNDONE).executeTakeFirstOrThrow()).total)
}

export async function deleteUndone(tx: Database, runId: string): Promise<void> {
  const items = tx.deleteFrom('importedItem').where('runId', '=', runId)
  await items.where('digest', '=', UNDONE).execute()
}

/** The number of different tags of the posts of a run. */
export async function countTags(db: Database, runId: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(distinct "postTag".key) as total
    from "importedItem" join post on post.id = "importedItem"."targetId"
      join "postTag" on "postTag"."postSeq" = post.seq
    where "importedItem"."runId" = ${runId} and "importedItem".kind = 'post'`.execute(db)
  return Number(rows[0]?.total ?? 0)
}

/** Which of these comments are on a post of this run that is still there. */
export async function findKeptPosts(
  db: Database,
  runId: string,
  commentIds: string[],
): Promise<Set<string>> {
  const comments = db
    .selectFrom('comment')
    .innerJoin('discussion', 'discussion.seq', 'comment.discussionSeq')
    .innerJoin('importedItem', 'importedItem.targetId', 'discussion.postId')
    .select('comment.id')
    .where('comment.id', 'in', commentIds)
    .where('importedItem.runId', '=', runId)
    .where('importedItem.kind', '=', 'post')
  return new Set((await comments.execute()).map(({ id }) => id))
}

// --- what an import reads of this blog

/** A person's posts that this run has not made, to find those that an export has, too. */
export async function listTitles(
  db: Database,
  { userId, runId }: { userId: string; runId: string },
  { after, limit }: { after: number; limit: number },
) {
  const posts = db.selectFrom('post').select(['seq', 'id', 'title', 'createdAt'])
  const isOfRun = sql<SqlBool>`exists (select 1 from "importedItem"
    where "targetId" = post.id and "runId" = ${runId} and kind = 'post')`
  const others = posts.where((eb) => eb.not(isOfRun))
  const later = others.where('userId', '=', userId).where('seq', '>', after)
  return await later.orderBy('seq').limit(limit).execute()
}

/** People with one of these verified addresses, by address in lower case. */
export async function findVerified(db: Database, emails: string[]) {
  if (emails.length === 0) return new Map<string, string>()
  const people = db.selectFrom('user').select(['id', 'email']).where('isVerified', '=', 1)
  const found = people.where('isBlocked', '=', 0).where('email', 'in', emails)
  return new Map((await found.execute()).map(({ id, email }) => [email.toLowerCase(), id]))
}

export async function countNamesakes(db: Database, name: string): Promise<number> {
  const people = db.selectFrom('user').select(sql<number>`count(*)`.as('total'))
  return Number((await people.where('name', '=', name).executeTakeFirstOrThrow()).total)
}

/** Whether there is a post with this id, which is not deleted. */
export async function hasPost(db: Database, id: string): Promise<boolean> {
  const post = db.selectFrom('post').select('seq').where('id', '=', id)
  return (await post.executeTakeFirst()) !== undefined
}

/** Whether there is, or was, a post with this id. */
export async function isPostId(db: Database, id: string): Promise<boolean> {
  if (await hasPost(db, id)) return true
  const deleted = db.selectFrom('deletedPost').select('seq').where('postId', '=', id).limit(1)
  return (await deleted.executeTakeFirst()) !== undefined
}

// --- people who have not claimed their account

/** Accounts of these that nobody has claimed, and that have no post and no deleted post. */
export async function listEmptyUnclaimed(db: Database, userIds: string[]): Promise<string[]> {
  if (userIds.length === 0) return []
  const isEmpty = (table: 'post' | 'deletedPost') =>
    sql<SqlBool>`not exists (select 1 from ${sql.table(table)}
      where ${sql.ref(`${table}.userId`)} = ${sql.ref('unclaimedUser.userId')})`
  const people = db.selectFrom('unclaimedUser').select('userId').where('userId', 'in', userIds)
  const rows = await people.where(isEmpty('post')).where(isEmpty('deletedPost')).execute()
  return rows.map(({ userId }) => userId)
}

// --- issues that the import itself finds, after those of the dry run

/** @param first the number of the first one */
export async function replaceIssues(
  tx: Database,
  runId: string,
  { first, issues }: { first: number; issues: ImportIssue[] },
): Promise<void> {
  const stored = tx.deleteFrom('importIssue').where('runId', '=', runId)
  await stored.where('number', '>=', first).execute()
  for (let at = 0; at < issues.length; at += 500) {
    const rows = issues
      .slice(at, at + 500)
      .map((issue, index) => ({ runId, number: first + at + index, ...issue }))
    await tx.insertInto('importIssue').values(rows).execute()
  }
}

/** Whether the run was requested over the API, and so has a row. */
export async function hasRun(db: Database, runId: string): Promise<boolean> {
  const run = db.selectFrom('archiveRun').select('id').where('id', '=', runId)
  return (await run.executeTakeFirst()) !== undefined
}
