// SQL for which rows of a table an archive has: those of the whole blog, or of one person. Rows
// that are being deleted in the background are left out.
import type { Selection } from '../../backups/raw-database.ts'
import { NAME_COLUMN, VALUES_OF_ONE_HOST } from '../data-tables.ts'

/** Conditions by table. Undefined selects all rows. */
type Conditions = Readonly<Record<string, string | undefined>>

/** A discussion of no post is what is left of a deleted one. */
const ofTheBlog = (hasPeople: boolean): Conditions => ({
  importedItem: hasPeople ? undefined : IS_NO_PERSON,
  siteValue: `name not in (${VALUES_OF_ONE_HOST.map(quote).join(', ')})`,
  file: '"isComplete" = 1',
  ...below('"postId" is not null or "deletedId" is not null'),
})

/** The keys of people in other programs may be their addresses. */
const IS_NO_PERSON = `kind <> 'person'`

/** The rows that belong to discussions. */
function below(discussionCondition: string, commentCondition = 'true') {
  const discussions = `select seq from discussion where ${discussionCondition}`
  const comments = `"discussionSeq" in (${discussions}) and (${commentCondition})`
  const isOfComment = `"commentId" in (select id from comment where ${comments})`
  const cases = `"commentId" is null or ${isOfComment}`
  return {
    discussion: discussionCondition,
    postLike: `"discussionSeq" in (${discussions})`,
    comment: comments,
    commentAuthor: `"commentSeq" in (select seq from comment where ${comments})`,
    commentBlock: `"discussionSeq" in (${discussions})`,
    commentHiding: `"discussionSeq" is null or "discussionSeq" in (${discussions})`,
    reportCase: cases,
    report: `"caseSeq" in (select seq from "reportCase" where ${cases})`,
  }
}

/** Posts and drafts of a person, what stands below them, and the person's comments elsewhere. */
function ofPerson(userId: string): Conditions {
  const id = quote(userId)
  const isOwn = `"userId" = ${id}`
  const posts = `select id from post where ${isOwn}`
  const deletedPosts = `select id from "deletedPost" where ${isOwn}`
  const isOfPost = `"postId" in (${posts})`
  const isOfBoth = `${isOfPost} or "deletedId" in (${deletedPosts})`
  const isElsewhere = `seq in (select "discussionSeq" from comment where ${isOwn})`
  // Of others only what readers of the post see.
  const isSeen = `"isCounted" = 1 and "discussionSeq" in
    (select seq from discussion where ${isOfBoth})`
  const { comment, commentAuthor } = below(`${isOfBoth} or ${isElsewhere}`, `${isOwn} or ${isSeen}`)
  return {
    user: `id = ${id}`,
    file: `"isComplete" = 1 and ${isOwn}`,
    avatarFile: isOwn,
    post: isOwn,
    deletedPost: isOwn,
    postExtra: isOfPost,
    postDetails: isOfBoth,
    postSchedule: isOfPost,
    postTag: `"postSeq" in (select seq from post where ${isOwn})`,
    postFile: isOfPost,
    postVersion: isOfBoth,
    versionFile: `"versionId" in (select id from "postVersion" where ${isOfBoth})`,
    postRead: isOfPost,
    deletedRead: `"deletedId" in (${deletedPosts})`,
    discussion: `${isOfBoth} or ${isElsewhere}`,
    postLike: `"discussionSeq" in (select seq from discussion where ${isOfBoth})`,
    comment,
    commentAuthor,
    importedItem: `owner = ${id} and ${IS_NO_PERSON}`,
    oldAddress: isOfPost,
  }
}

/** Rows that name other people, whose accounts are not in a person's own archive. */
const NAMED = ['postLike', 'comment']

type Subject = { ownerId: string | undefined; hasPeople: boolean }

export type RowSelections = {
  hasTable(table: string): boolean
  /** @param keys the columns of the primary key, in the syntax of `order by` */
  of(table: string, keys: readonly string[]): Selection
}

export function selectRows({ ownerId, hasPeople }: Subject): RowSelections {
  const conditions = ownerId === undefined ? ofTheBlog(hasPeople) : ofPerson(ownerId)
  return {
    hasTable: (table) => ownerId === undefined || Object.hasOwn(conditions, table),
    of: (table, keys) => ({
      where: conditions[table],
      orderBy: keys.join(', '),
      columns: ownerId !== undefined && NAMED.includes(table) ? [nameOfWriter(table)] : [],
    }),
  }
}

function nameOfWriter(table: string): string {
  return `(select name from "user" where id = "${table}"."userId") as "${NAME_COLUMN}"`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
