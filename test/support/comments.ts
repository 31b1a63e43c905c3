// The rules of comments on a fresh database, with posts and people in it, for store and rule tests.

import { sql } from 'kysely'
import { readCommentPage } from '#backend/comments/comment-page.ts'
import { closeComments, createComment, deleteComment } from '#backend/comments/comments.ts'
import { listComments, readComment } from '#backend/comments/read-comments.ts'
import { onDomainEvent } from '#backend/database/domain-events.ts'
import type { Database } from '#backend/database/schema.ts'
import { insideTransaction } from '#backend/database/transaction.ts'
import type { Viewer } from '#backend/http/viewer.ts'
import {
  applyAllHidings,
  hideCommentsOnPost,
  recountCommentsOf,
} from '#backend/moderation/hidings.ts'
import { updateComment } from '#backend/moderation/moderate-comments.ts'
import type { Config } from '#backend/settings/config.ts'
import type { SiteSnapshot } from '#backend/site/site.ts'
import type { CommentFormat, CommentOrder } from '#contract/comments.ts'
import { UNIQUE_ID } from '#contract/ids.ts'
import { makeTestContext } from './context.ts'
import { addPeople, makeTestPosts, viewerOf } from './posts.ts'
import { SITE_NOW } from './site.ts'

/** With a post `p` by alice; the named people signed up a year ago. */
export async function makeTestComments(db: Database, people: string[] = ['bob', 'carol']) {
  await addPeople(db, ['alice', 'operator', ...people])
  const labels = JSON.stringify(['operator'])
  await db.updateTable('user').set({ labels }).where('id', '=', 'operator').execute()
  let nowMs = Date.parse('2023-11-20T13:37:00.000Z')
  const plain = makeTestPosts(db, { now: () => new Date(nowMs) })
  const passSeconds = (seconds: number) => {
    nowMs += seconds * 1000
  }
  const posts = { ...plain, passSeconds }
  await posts.write(viewerOf('alice'), 'p')
  const site: SiteSnapshot = { ...SITE_NOW, approveFirst: 'off' }
  /** Off unless a test of mails changes it. */
  const mail: { kind: 'off' | 'smtp' } = { kind: 'off' }
  const read = async () => {
    if (insideTransaction.getStore()) throw new Error('Settings are not read in a transaction')
    return site
  }
  const context = makeTestContext(db, {
    ...plain,
    site: { ...plain.site, read },
    mail: mail as Config['mail'],
  })
  onDomainEvent(db, async (tx, _after, event) => {
    if (event.kind === 'block') await recountCommentsOf(context, tx, event.userId)
  })
  const counted: string[] = []
  type PageQuery = {
    page?: number
    order?: CommentOrder
    comment?: string
    thread?: string
    texts?: CommentFormat
  }
  return {
    db,
    posts,
    context,
    mail,
    site,
    /** Ids of the posts whose comments were counted for their limit. */
    counted,
    write: (viewer: Viewer, content: string, data: { postId?: string; parentId?: string } = {}) =>
      createComment(
        context,
        viewer,
        { documentId: UNIQUE_ID, data: { postId: 'p', content, ...data } },
        (postId) => counted.push(postId),
      ),
    update: updateComment.bind(undefined, context),
    remove: deleteComment.bind(undefined, context),
    close: closeComments.bind(undefined, context),
    hideAll: hideCommentsOnPost.bind(undefined, context),
    list: listComments.bind(undefined, context),
    read: readComment.bind(undefined, context),
    page: (viewer: Viewer, query: PageQuery = {}, id = 'p') =>
      readCommentPage(context, viewer, id, {
        page: query.page,
        order: query.order ?? 'oldest',
        commentId: query.comment,
        threadId: query.thread,
        texts: query.texts ?? 'plain',
      }),
    counts: () => readCounts(db),
    async block(userId: string, isBlocked: boolean) {
      const user = db.updateTable('user').set({ isBlocked: Number(isBlocked) })
      await user.where('id', '=', userId).execute()
      await applyAllHidings(context)
    },
    /** Applies pending hidings to comments, as the server does in the background. */
    applyAllHidings: (stopping?: AbortSignal) => applyAllHidings(context, stopping),
  }
}

/** The stored counts, and the same counts computed from the rows. */
async function readCounts(db: Database) {
  const stored = await db.selectFrom('discussion').selectAll().orderBy('seq').execute()
  const rows = await db
    .selectFrom('comment')
    .leftJoin('user', 'user.id', 'comment.userId')
    .select(['comment.id', 'discussionSeq', 'parentId', 'status', 'replies', 'user.isBlocked'])
    .execute()
  const blocks = await db.selectFrom('commentBlock').selectAll().execute()
  const shownRows = rows.filter((row) => row.status === 'shown' && row.isBlocked === 0)
  const shownIn = (seq: number) => shownRows.filter((row) => row.discussionSeq === seq)
  return {
    stored: {
      discussions: stored.map((one) => [one.shown, one.threads]),
      replies: rows.map(({ id, replies }) => [id, replies]),
      listed: blocks.reduce((sum, { listed }) => sum + listed, 0),
    },
    counted: {
      discussions: stored.map(({ seq }) => {
        return [shownIn(seq).length, shownIn(seq).filter(({ parentId }) => parentId === '').length]
      }),
      replies: rows.map(({ id }) => [id, shownRows.filter((row) => row.parentId === id).length]),
      listed: rows.filter((row) => shownRows.includes(row) || row.replies > 0).length,
    },
  }
}

/**
 * Inserts many comments by a person below the post `p`, which has one already; every tenth waits
 * for approval. Triggers update the counts.
 */
export async function fillComments(db: Database, userId: string, count: number) {
  const { seq, createdAt } = await db
    .selectFrom('comment')
    .innerJoin('discussion', 'discussion.seq', 'comment.discussionSeq')
    .select(['discussion.seq', 'comment.createdAt'])
    .where('discussion.postId', '=', 'p')
    .executeTakeFirstOrThrow()
  const rows = Array.from({ length: count }, (_none, at) => ({
    id: `c${at}`,
    discussionSeq: seq,
    parentId: '',
    place: at + 2,
    userId,
    status: at % 10 === 0 ? 'waiting' : 'shown',
    hasLinks: 1,
    digest: `${at}`,
    createdAt,
    updatedAt: createdAt,
    content: `words ${at}`,
  }))
  for (let at = 0; at < count; at += 500)
    await db
      .insertInto('comment')
      .values(rows.slice(at, at + 500))
      .execute()
  await sql`update discussion set ${sql.ref('lastPlace')} = ${count + 1}`.execute(db)
  await sql`update comment set ${sql.ref('isCounted')} = 1
    where status = 'shown' and ${sql.ref('isCounted')} = 0`.execute(db)
}
