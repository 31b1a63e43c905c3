// The rules of posts on a fresh database with people in it, for store and rule tests.

import type { Database } from '#backend/database/schema.ts'
import type { UserViewer, Viewer } from '#backend/http/viewer.ts'
import { hidePost } from '#backend/moderation/moderate-posts.ts'
import { readAdjacentPosts, readAuthor } from '#backend/post-lists/adjacent-posts.ts'
import { type ListOptions, listPosts, privatePostsIn } from '#backend/post-lists/list-posts.ts'
import { searchPosts } from '#backend/post-lists/search-posts.ts'
import { listTags } from '#backend/post-lists/tag-list.ts'
import type { PostsContext } from '#backend/post-texts/context.ts'
import { backfillIndex } from '#backend/post-texts/regenerate-texts.ts'
import { createPost, updatePost } from '#backend/posts/change-posts.ts'
import { highlightUnsaved, readPost } from '#backend/posts/read-post.ts'
import {
  listDeleted,
  purgeDeleted,
  removePost,
  removePostsOf,
  restoreDeleted,
  sweepDeleted,
} from '#backend/versions/deleted-posts.ts'
import {
  listVersions,
  readVersion,
  restoreVersion,
  streamVersionsOf,
} from '#backend/versions/versions.ts'
import type { PostDocument } from '#contract/posts.ts'
import { makeTestContext } from './context.ts'
import type { TestDatabase } from './databases.ts'

export type TestPosts = ReturnType<typeof bindPosts> & {
  /** Moves the clock on by a second. */
  tick(): void
  /** Writes a post as this person; its title is its id by default. */
  write(author: UserViewer, id: string, data?: Record<string, unknown>): Promise<PostDocument>
  setLike(person: UserViewer, id: string, liked: boolean): Promise<PostDocument>
}

export function viewerOf(name: string, { isVerified = false } = {}): UserViewer {
  return {
    role: 'user',
    userId: name,
    email: `${name}@example.test`,
    name,
    isVerified,
    accountRole: 'author',
    sessionId: `session-of-${name}`,
  }
}

/** Puts people into the database. */
export async function addPeople(db: Database, names: string[]): Promise<void> {
  const time = '2023-01-01T00:00:00.000Z'
  const rows = names.map((name) => ({
    id: name,
    name: `The ${name}`,
    email: `${name}@example.test`,
    passwordHash: null,
    passwordUpdatedAt: null,
    isVerified: 0,
    isBlocked: 0,
    prefs: '{}',
    createdAt: time,
    updatedAt: time,
    accessedAt: time,
  }))
  for (let from = 0; from < rows.length; from += 100) {
    await db
      .insertInto('user')
      .values(rows.slice(from, from + 100))
      .execute()
  }
}

/** Puts likes into the database, in this order. */
export async function addLikes(db: Database, postId: string, userIds: string[]): Promise<void> {
  await db
    .insertInto('discussion')
    .values({ postId })
    .onConflict((c) => c.column('postId').doNothing())
    .execute()
  const { seq: discussionSeq } = await db
    .selectFrom('discussion')
    .select('seq')
    .where('postId', '=', postId)
    .executeTakeFirstOrThrow()
  const likes = userIds.map((userId) => ({ discussionSeq, userId, createdAt: LIKED_AT }))
  for (let from = 0; from < likes.length; from += 500)
    await db
      .insertInto('postLike')
      .values(likes.slice(from, from + 500))
      .execute()
}

const LIKED_AT = '2023-11-20T13:37:00.000Z'

/**
 * A database with public posts by alice, inserted without the rules: `p00`, `p01`… with these
 * bodies of any length.
 */
export async function openBodies(
  open: () => Promise<TestDatabase>,
  bodies: string[],
): Promise<AsyncDisposable & { posts: TestPosts; db: Database }> {
  const opened = await open()
  await addPeople(opened.db, ['alice'])
  const time = '2023-11-20T13:37:00.000Z'
  for (const [at, content] of bodies.entries()) {
    const id = `p${String(at).padStart(2, '0')}`
    const fields = {
      id,
      title: id,
      content,
      featuredImage: 'image',
      status: 'active',
      userId: 'alice',
    }
    await opened.db
      .insertInto('post')
      .values({
        ...fields,
        permissions: '["read(\\"any\\")"]',
        readers: 'any',
        createdAt: time,
        updatedAt: time,
      })
      .execute()
  }
  return {
    posts: makeTestPosts(opened.db),
    db: opened.db,
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}

/** The rules that routes call, bound to a context. */
function bindPosts(posts: PostsContext) {
  return {
    ...posts,
    read: async (viewer: Viewer, id: string, queries?: string[]) =>
      (await readPost(posts, viewer, id, queries)).post,
    create: createPost.bind(undefined, posts),
    update: updatePost.bind(undefined, posts),
    remove: removePost.bind(undefined, posts),
    list: async (viewer: Viewer, queries: string[] | undefined, options: ListOptions) =>
      (await listPosts(posts, viewer, queries, options)).answer,
    privatePostsIn,
    readAdjacentPosts: async (viewer: Viewer, id: string) =>
      (await readAdjacentPosts(posts, viewer, id)).around,
    readAuthor: readAuthor.bind(undefined, posts),
    highlight: highlightUnsaved.bind(undefined, posts),
    search: searchPosts.bind(undefined, posts),
    listTags: listTags.bind(undefined, posts.db),
    hide: hidePost.bind(undefined, posts),
    listVersions: listVersions.bind(undefined, posts),
    readVersion: readVersion.bind(undefined, posts),
    restoreVersion: restoreVersion.bind(undefined, posts),
    listDeleted: listDeleted.bind(undefined, posts),
    restoreDeleted: restoreDeleted.bind(undefined, posts),
    purgeDeleted: purgeDeleted.bind(undefined, posts),
    removePostsOf,
    sweepDeleted: sweepDeleted.bind(undefined, posts),
    streamVersionsOf: streamVersionsOf.bind(undefined, posts.db),
    backfillIndex: backfillIndex.bind(undefined, posts),
  }
}

/** Inserts the row of a complete image in the content bucket, unless the id exists. */
export async function addImage(db: Database, userId: string, id: string): Promise<void> {
  if (id === '') return
  const createdAt = '2023-01-01T00:00:00.000Z'
  await db
    .insertInto('file')
    .values({
      id,
      userId,
      bucketId: 'content',
      color: '',
      readers: 'any',
      isComplete: 1,
      name: 'x.png',
      mimeType: 'image/png',
      sizeBytes: 1,
      signature: '',
      width: 1,
      height: 1,
      chunksTotal: 1,
      chunksUploaded: 1,
      storedName: `content-${id}`,
      permissions: '[]',
      createdAt,
      updatedAt: createdAt,
    })
    .onConflict((c) => c.doNothing())
    .execute()
}

export function makeTestPosts(db: Database, overrides: Partial<PostsContext> = {}): TestPosts {
  let nowMs = Date.parse('2023-11-20T13:37:00.000Z')
  const context = makeTestContext(db, {
    contentBucketId: 'content',
    avatarBucketId: 'avatars',
    now: () => new Date(nowMs),
    ...overrides,
  })
  const posts = bindPosts(context)
  return {
    ...posts,
    tick: () => {
      nowMs += 1000
    },
    async write(author, id, data = {}) {
      const image = `image-of-${id}`
      if (data.featuredImage === undefined) await addImage(db, author.userId, image)
      const allData = { title: id, featuredImage: image, ...data }
      return posts.create(author, { documentId: id, data: allData, permissions: undefined })
    },
    setLike: (person, id, liked) =>
      posts.update(person, id, {
        data: { like: 999, likeId: liked ? [person.userId, 'somebody'] : [] },
        permissions: undefined,
        unlessNewerThan: undefined,
      }),
  }
}

/** Six posts in order of creation, with likes; c and d were created in the same millisecond. */
export async function writeSixPosts(db: Database): Promise<TestPosts> {
  const alice = viewerOf('alice')
  const bob = viewerOf('bob')
  await addPeople(db, ['alice', 'bob', 'carla'])
  const posts = makeTestPosts(db)
  await posts.write(alice, 'a', { title: 'Lamp', content: '<p>50% off_now</p>' })
  posts.tick()
  await posts.write(alice, 'b', { title: 'lamp post' })
  posts.tick()
  await posts.write(bob, 'c', { title: 'Ärger 😀', content: 'Ä' })
  await posts.write(alice, 'd', { title: 'Zebra', status: 'inactive' })
  posts.tick()
  await posts.write(alice, 'e', { title: 'A lamp' })
  posts.tick()
  await posts.write(bob, 'f', { title: "it's (a) [test], yes" })
  for (const [person, id] of [
    [bob, 'b'],
    [alice, 'b'],
    [bob, 'e'],
  ] as const)
    await posts.setLike(person, id, true)
  return posts
}
