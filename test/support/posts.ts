// The rules of posts on a fresh database with people in it, for store and rule tests. Files are
// played by a list.

import type { Database } from '#backend/database/schema.ts'
import type { UserViewer, Viewer } from '#backend/http/viewer.ts'
import { createPost, restoreVersion, updatePost } from '#backend/posts/change-posts.ts'
import {
  endDeleted,
  listDeleted,
  removeAllOf,
  removePost,
  restoreDeleted,
  sweepDeleted,
} from '#backend/posts/deleted-posts.ts'
import { hidePost } from '#backend/posts/moderate-posts.ts'
import type { PostNeeds } from '#backend/posts/needs.ts'
import { makePostTexts } from '#backend/posts/post-texts.ts'
import {
  highlightUnsaved,
  listPosts,
  ownPostsIn,
  readAdjacentPosts,
  readAuthor,
  readPost,
} from '#backend/posts/read-posts.ts'
import { backfillIndex, renewSome } from '#backend/posts/renew-texts.ts'
import { searchPosts } from '#backend/posts/search-posts.ts'
import { listTags } from '#backend/posts/tags-and-files.ts'
import { listVersions, readVersion, streamVersionsOf } from '#backend/posts/versions.ts'
import { type Background, makeBackground } from '#backend/process/background.ts'
import { makeLog } from '#backend/process/log.ts'
import type { PostDocument } from '#contract/posts.ts'
import type { TestDatabase } from './databases.ts'
import { plainSite } from './site.ts'

export type TestPosts = ReturnType<typeof withCalls> & {
  background: Background
  /** What was noted of files, in order. */
  notedFiles: Parameters<PostNeeds['setPostFiles']>[2][]
  /** Moves the clock on by a second. */
  tick(): void
  /** Writes a post as this person; its title is its id unless told. */
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
 * A database with public posts of alice, put in past the rules: `p00`, `p01`… with these bodies,
 * however long.
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
    const written = {
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
        ...written,
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

/** The rules that routes call, with their needs handed over. */
export function withCalls(posts: PostNeeds) {
  return {
    ...posts,
    read: (viewer: Viewer, id: string, queries?: string[]) => readPost(posts, viewer, id, queries),
    create: createPost.bind(undefined, posts),
    update: updatePost.bind(undefined, posts),
    remove: removePost.bind(undefined, posts),
    list: listPosts.bind(undefined, posts),
    ownPostsIn,
    readAdjacentPosts: readAdjacentPosts.bind(undefined, posts),
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
    endDeleted: endDeleted.bind(undefined, posts),
    removeAllOf,
    sweepDeleted: sweepDeleted.bind(undefined, posts),
    streamVersionsOf: streamVersionsOf.bind(undefined, posts.db),
    backfillIndex: backfillIndex.bind(undefined, posts),
  }
}

export function makeTestPosts(db: Database, overrides: Partial<PostNeeds> = {}): TestPosts {
  const notedFiles: TestPosts['notedFiles'] = []
  const background = makeBackground(makeLog('silent'))
  let nowMs = Date.parse('2023-11-20T13:37:00.000Z')
  const given: Omit<PostNeeds, 'renew'> = {
    db,
    background,
    databaseId: 'blogdb',
    collectionId: 'posts',
    site: plainSite(),
    hasExtraAttributes: false,
    contentBucketId: 'content',
    avatarBucketId: 'avatars',
    bodies: makePostTexts({
      publicUrl: 'https://blog.example',
      allowedOrigins: ['https://blog.example'],
      contentBucketId: 'content',
    }),
    isUsableImage: async () => true,
    findOwnFiles: async () => new Set(),
    setPostFiles: async (_tx, _after, post) => void notedFiles.push(post),
    setVersionFiles: async () => [],
    listVersionFiles: async () => [],
    releaseFiles: async () => {},
    now: () => new Date(nowMs),
    ...overrides,
  }
  const posts = withCalls({ ...given, renew: (seqs) => renewSome(given, seqs) })
  return {
    ...posts,
    background,
    notedFiles,
    tick: () => {
      nowMs += 1000
    },
    write: (author, id, data = {}) =>
      posts.create(author, {
        documentId: id,
        data: { title: id, featuredImage: `image-of-${id}`, ...data },
        permissions: undefined,
      }),
    setLike: (person, id, liked) =>
      posts.update(person, id, {
        data: { like: 999, likeId: liked ? [person.userId, 'somebody'] : [] },
        permissions: undefined,
        unlessNewerThan: undefined,
      }),
  }
}

/** Six posts in order of creation, with likes; c and d were made in the same millisecond. */
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
