// Very many rows are deleted or changed some hundred at a time: by the daily sweeps, and by calls
// that concern all data of a user.

import { type Kysely, type KyselyPlugin, sql } from 'kysely'
import { expect, test } from 'vitest'
import { sweepInvitations } from '#backend/accounts/invitations.ts'
import { sweepSignIns } from '#backend/accounts/sessions.ts'
import { sweepUsedLinks } from '#backend/accounts/used-links.ts'
import { sweepActivity } from '#backend/activity/activity.ts'
import type { Database, Tables } from '#backend/database/schema.ts'
import { inTransaction } from '#backend/database/transaction.ts'
import { removeFileBatchOf } from '#backend/files/files.ts'
import { makeRateLimits } from '#backend/http/rate-limits.ts'
import type { UserViewer } from '#backend/http/viewer.ts'
import type { NotificationsContext } from '#backend/notifications/context.ts'
import {
  markRead,
  removeManyNotificationsOf,
  sweepNotifications,
} from '#backend/notifications/notifications.ts'
import { makeBackground } from '#backend/process/background.ts'
import { makeLog } from '#backend/process/log.ts'
import { deleteUncountedReads, makeReads } from '#backend/reads/reads.ts'
import { makeTestComments } from '#test/support/comments.ts'
import { makeTestContext } from '#test/support/context.ts'
import { describeEachDatabase } from '#test/support/databases.ts'
import { addPeople, viewerOf } from '#test/support/posts.ts'

const ROWS = 450
const OLD = '2001-01-01T00:00:00.000Z'
const NEW = '2023-11-20T13:37:00.000Z'
const now = () => new Date(NEW)
const background = makeBackground(makeLog('silent'))

/** The number of rows that the largest statement has changed. */
function watchChanges(db: Database) {
  let largest = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      largest = Math.max(largest, Number(result.numAffectedRows ?? 0))
      return result
    },
  }
  return { db: db.withPlugin(plugin), most: () => largest }
}

/** Puts rows into a table, of which these columns differ; the rest is text of any kind. */
async function fill(db: Database, table: keyof Tables, values: (at: number) => object) {
  const rows = Array.from({ length: ROWS }, (_, index) => values(index))
  const any = db as unknown as Kysely<Record<string, object>>
  await any.insertInto(table).values(rows).execute()
}

async function count(db: Database, table: keyof Tables): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(
    db,
  )
  return Number(rows[0]?.n)
}

const notification = (at: number) => ({
  userId: 'alice',
  id: `n${at}`,
  kind: 'reply',
  groupKey: `${at}`,
  postId: '',
  commentId: '',
  caseId: '',
  actors: '[]',
  count: 1,
  hiddenBy: '',
  reason: '',
  place: at,
  updatedAt: OLD,
})

type Sweep = [
  table: keyof Tables,
  values: (at: number) => object,
  sweep: (db: Database) => Promise<unknown>,
]
const SWEEPS: Sweep[] = [
  [
    'activity',
    (at) => ({
      time: OLD,
      kind: 'posts',
      action: 'removed',
      actor: 'key',
      actorId: '',
      actorName: '',
      subjectType: 'post',
      subjectId: `${at}`,
      subjectName: '',
      details: '{}',
    }),
    (db) => sweepActivity(makeTestContext(db, { now })),
  ],
  [
    'signInLog',
    (at) => ({ id: `${at}`, userId: 'alice', ip: '', userAgent: '', createdAt: OLD }),
    (db) => sweepSignIns(makeTestContext(db, { now })),
  ],
  [
    'usedLink',
    (at) => ({ id: `${at}`, usedAt: OLD }),
    (db) => sweepUsedLinks(makeTestContext(db, { now })),
  ],
  [
    'invitation',
    (at) => ({
      id: `${at}`,
      email: `${at}@example.test`,
      name: '',
      role: 'author',
      secretHash: `${at}`,
      invitedBy: '',
      isMailed: 0,
      createdAt: OLD,
      expiresAt: OLD,
    }),
    (db) => sweepInvitations(makeTestContext(db, { now })),
  ],
  [
    'rateCount',
    (at) => ({ id: `${at}`, endMs: 1, calls: 1 }),
    (db) => makeRateLimits({ isOn: true, db }).sweep(),
  ],
  ['notification', notification, (db) => sweepNotifications(makeTestContext(db, { now }))],
  [
    'postRead',
    (at) => ({ postId: 'p', day: `2001-${at}`, userId: 'alice', count: 1 }),
    (db) => makeReads(makeTestContext(db, { background, now })).sweep(),
  ],
  [
    'postRead',
    (at) => ({ postId: 'p', day: `2001-${at}`, userId: 'alice', count: 1 }),
    async (db) => {
      const prefs = { readCounts: 'off' }
      await inTransaction(db, background, (tx, afterCommit) =>
        deleteUncountedReads(tx, afterCommit, { userId: 'alice', prefs }),
      )
      await background.drained()
    },
  ],
]

describeEachDatabase('very many rows', (open) => {
  async function start() {
    const opened = await open()
    await addPeople(opened.db, ['alice'])
    await opened.db
      .insertInto('post')
      .values({
        id: 'p',
        title: 'p',
        content: '',
        featuredImage: '',
        status: 'active',
        userId: 'alice',
        permissions: '[]',
        readers: 'any',
        createdAt: OLD,
        updatedAt: OLD,
      })
      .execute()
    return {
      ...watchChanges(opened.db),
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    }
  }

  test.each(SWEEPS)('all rows of %s are deleted in batches', async (table, values, sweep) => {
    await using blog = await start()
    await fill(blog.db, table, values)
    const before = blog.most()
    expect(before).toBe(ROWS)
    const watched = watchChanges(blog.db)
    await sweep(watched.db)
    expect(await count(blog.db, table)).toBe(0)
    expect(watched.most()).toBe(200)
  })

  test('all notifications are marked as read in batches', async () => {
    await using blog = await start()
    await fill(blog.db, 'notification', notification)
    const watched = watchChanges(blog.db)
    await markRead({ db: watched.db, background } as NotificationsContext, viewerOf('alice'), {
      isRead: true,
    })
    const rows = await blog.db.selectFrom('notification').select(['isRead', 'isSeen']).execute()
    expect(rows.every(({ isRead, isSeen }) => isRead === 1 && isSeen === 1)).toBe(true)
    expect(watched.most()).toBe(200)
    expect(await removeManyNotificationsOf(blog.db, 'alice')).toBe(false)
    expect(await removeManyNotificationsOf(blog.db, 'alice')).toBe(false)
    expect(await removeManyNotificationsOf(blog.db, 'alice')).toBe(true)
    expect(await count(blog.db, 'notification')).toBe(0)
  })

  test('all comments without links are updated in batches', async () => {
    await using opened = await open()
    const watched = watchChanges(opened.db)
    const { write, update } = await makeTestComments(watched.db)
    const { $id } = await write(viewerOf('bob'), 'first')
    const { seq } = await opened.db.selectFrom('discussion').select('seq').executeTakeFirstOrThrow()
    await fill(opened.db, 'comment', (at) => ({
      id: `${at}`,
      discussionSeq: seq,
      parentId: '',
      place: at + 2,
      userId: 'bob',
      status: 'shown',
      hasLinks: 0,
      digest: `${at}`,
      createdAt: OLD,
      updatedAt: OLD,
      content: '',
    }))
    const operator: UserViewer = { ...viewerOf('operator'), accountRole: 'operator' }
    for (const status of ['hidden', 'shown'] as const) await update(operator, $id, { status })
    const remaining = opened.db.selectFrom('comment').select('seq').where('hasLinks', '=', 0)
    expect(await remaining.execute()).toEqual([])
    expect(watched.most()).toBe(200)
  })

  test('files and their ids are deleted in batches with an account', async () => {
    await using blog = await start()
    await fill(blog.db, 'file', (at) => ({
      id: `${at}`,
      bucketId: `b${at % 2}`,
      userId: 'alice',
      name: '',
      mimeType: '',
      sizeBytes: 1,
      signature: '',
      width: 1,
      height: 1,
      color: '',
      chunksTotal: 1,
      chunksUploaded: 1,
      isComplete: 1,
      storedName: `${at}`,
      permissions: '[]',
      readers: 'any',
      createdAt: OLD,
      updatedAt: OLD,
    }))
    await fill(blog.db, 'fileId', (at) => ({
      bucketId: `b${at % 2}`,
      id: `${at}`,
      ownerId: 'alice',
      uploadedAt: OLD,
      releasedAt: '',
    }))
    const removed: string[] = []
    const store = { remove: async (name: string) => void removed.push(name) }
    const files = { blobStore: store, chunks: store }
    const watched = watchChanges(blog.db)
    const isFew = () =>
      inTransaction(watched.db, background, (tx, afterCommit) =>
        removeFileBatchOf(files, tx, afterCommit, 'alice'),
      )
    while (!(await isFew()));
    await background.drained()
    expect([removed.length, await count(blog.db, 'file')]).toEqual([ROWS, 0])
    const owned = blog.db.selectFrom('fileId').select('id').where('ownerId', '=', 'alice')
    expect((await owned.execute()).length).toBeLessThan(100)
    expect(watched.most()).toBe(100)
  })
})
