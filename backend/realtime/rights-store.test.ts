// Who receives an event is decided by the database when it is sent, whatever was true when the
// event was published and whatever this process knows.
import { expect, test } from 'vitest'
import { describeEachDatabase, type TestDatabase } from '#test/support/databases.ts'
import { addPeople, openBodies, viewerOf } from '#test/support/posts.ts'
import { makeJwts } from '../compat/jwt.ts'
import type { RealtimeEvent } from '../database/realtime-events.ts'
import type { Database } from '../database/schema.ts'
import { GUEST, type Viewer } from '../http/viewer.ts'
import { type Connection, makeConnections } from './connections.ts'
import { findRecipients, sessionOf } from './rights-store.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')
const EARLIER = '2026-03-01T11:00:00.000Z'
const LATER = '2026-03-02T12:00:00.000Z'
type PostEvent = Extract<RealtimeEvent, { kind: 'post' }>
type CommentEvent = Extract<RealtimeEvent, { kind: 'comment' }>

const UPDATE: PostEvent = {
  kind: 'post',
  action: 'update',
  id: 'p00',
  payload: {},
  access: { userId: 'alice', status: 'active', readers: 'any', isHidden: 0, isAuthorBlocked: 0 },
}
const DELETE: PostEvent = { ...UPDATE, action: 'delete' }

async function addSession(db: Database, userId: string): Promise<void> {
  const row = {
    id: `session-of-${userId}`,
    userId,
    secretHash: `hash of ${userId}`,
    provider: 'email',
    providerUid: userId,
    ip: '127.0.0.1',
    userAgent: 'test',
    providerAccessToken: '',
    providerAccessTokenExpiresAt: '',
    providerRefreshToken: '',
    createdAt: EARLIER,
    lastUsedAt: EARLIER,
    expiresAt: LATER,
  }
  await db.insertInto('session').values(row).execute()
}

/** A public post by alice, and connections of alice, bob, a guest and the key. */
async function setUp(open: () => Promise<TestDatabase>) {
  const opened = await openBodies(open, ['<p>Text</p>'])
  const { db } = opened
  await addPeople(db, ['bob'])
  for (const userId of ['alice', 'bob']) await addSession(db, userId)
  const connections = makeConnections()
  const closed: string[] = []
  const clock = { now: NOW }
  function connect(name: string, viewer: Viewer): Connection {
    const socket = { close: (code: number) => void closed.push(`${name} ${code}`) }
    const connection: Connection = {
      socket: socket as unknown as Connection['socket'],
      network: name,
      viewer,
      session: sessionOf(viewer),
      subscriptions: new Map(),
      indexedChannels: [],
      isAlive: true,
    }
    connections.all.add(connection)
    return connection
  }
  const everybody = [
    connect('alice', viewerOf('alice')),
    connect('bob', viewerOf('bob')),
    connect('guest', GUEST),
    connect('key', { role: 'key' }),
  ]
  const context = { db, connections, now: () => clock.now }
  return {
    db,
    closed,
    clock,
    connect,
    async recipientsOf(event: RealtimeEvent, among = everybody) {
      return (await findRecipients(context, among, event)).map(({ network }) => network)
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}

type Case = {
  name: string
  meanwhile: (db: Database) => Promise<unknown>
  event?: RealtimeEvent
  recipients: string[]
  closed?: string[]
}

const setPost =
  (set: Partial<{ isHidden: number; status: string; readers: string }>) => (db: Database) =>
    db.updateTable('post').set(set).execute()
const setUser = (id: string, set: { isBlocked?: number; isVerified?: number }) => (db: Database) =>
  db.updateTable('user').set(set).where('id', '=', id).execute()
const setSession = (set: { expiresAt?: string; lastUsedAt?: string }) => (db: Database) =>
  db.updateTable('session').set(set).where('userId', '=', 'bob').execute()
const nothing = async () => {}
const deletePost = (db: Database) => db.deleteFrom('post').execute()
const secret: PostEvent = { ...UPDATE, access: { ...UPDATE.access, status: 'inactive' } }

const CASES: Case[] = [
  { name: 'nothing', meanwhile: nothing, recipients: ['alice', 'bob', 'guest', 'key'] },
  { name: 'the post is hidden', meanwhile: setPost({ isHidden: 1 }), recipients: ['alice', 'key'] },
  {
    name: 'the post is inactive',
    meanwhile: setPost({ status: 'inactive' }),
    recipients: ['alice', 'key'],
  },
  {
    name: 'the post is for members',
    meanwhile: setPost({ readers: 'users' }),
    recipients: ['alice', 'bob', 'key'],
  },
  {
    name: 'the post is for the verified, and bob is',
    async meanwhile(db) {
      await setPost({ readers: 'verified' })(db)
      await setUser('bob', { isVerified: 1 })(db)
    },
    recipients: ['alice', 'bob', 'key'],
  },
  { name: 'the post is gone', meanwhile: deletePost, recipients: [] },
  {
    name: 'the event says that the post is deleted',
    meanwhile: deletePost,
    event: DELETE,
    recipients: ['alice', 'bob', 'guest', 'key'],
  },
  {
    name: 'the post was a draft and is public now',
    meanwhile: nothing,
    event: secret,
    recipients: ['alice', 'key'],
  },
  {
    name: 'the author is blocked',
    meanwhile: setUser('alice', { isBlocked: 1 }),
    recipients: ['key'],
    closed: ['alice 3000'],
  },
  {
    name: 'the author of a deleted post is blocked',
    meanwhile: setUser('alice', { isBlocked: 1 }),
    event: DELETE,
    recipients: ['key'],
    closed: ['alice 3000'],
  },
  {
    name: 'a recipient is blocked',
    meanwhile: setUser('bob', { isBlocked: 1 }),
    recipients: ['alice', 'guest', 'key'],
    closed: ['bob 3000'],
  },
  {
    name: 'a session is ended',
    meanwhile: (db) => db.deleteFrom('session').where('userId', '=', 'bob').execute(),
    recipients: ['alice', 'guest', 'key'],
    closed: ['bob 3000'],
  },
  {
    name: 'the time of a session is over',
    meanwhile: setSession({ expiresAt: EARLIER }),
    recipients: ['alice', 'guest', 'key'],
    closed: ['bob 3000'],
  },
  {
    name: 'a session was not used for long',
    meanwhile: setSession({ lastUsedAt: '2020-01-01T00:00:00.000Z' }),
    recipients: ['alice', 'guest', 'key'],
    closed: ['bob 3000'],
  },
  {
    name: 'a file of bob',
    meanwhile: nothing,
    event: {
      kind: 'file',
      action: 'update',
      bucketId: 'content',
      id: 'one',
      ownerId: 'bob',
      payload: {},
    },
    recipients: ['bob', 'key'],
  },
  {
    name: 'the account of bob',
    meanwhile: nothing,
    event: { kind: 'account', userId: 'bob', name: 'update.name', payload: {} },
    recipients: ['bob'],
  },
]

describeEachDatabase('recipients of events', (open) => {
  test('rights are read when an event is sent', async () => {
    for (const { name, meanwhile, event = UPDATE, recipients, closed = [] } of CASES) {
      await using stage = await setUp(open)
      await meanwhile(stage.db)
      expect([name, await stage.recipientsOf(event)]).toEqual([name, recipients])
      expect([name, stage.closed]).toEqual([name, closed])
    }
  })

  test('a comment that waits, or has been hidden, reaches only its writer and moderators', async () => {
    await using stage = await setUp(open)
    const { db, recipientsOf } = stage
    const discussion = { postId: 'p00', deletedId: null }
    await db.insertInto('discussion').values(discussion).execute()
    const { seq } = await db.selectFrom('discussion').select('seq').executeTakeFirstOrThrow()
    const times = { createdAt: EARLIER, updatedAt: EARLIER }
    await db
      .insertInto('comment')
      .values({
        id: 'c',
        discussionSeq: Number(seq),
        parentId: '',
        place: 1,
        userId: 'bob',
        status: 'shown',
        isCounted: 1,
        hasLinks: 1,
        digest: '',
        content: 'Words',
        ...times,
      })
      .execute()
    const { access } = UPDATE
    const event: CommentEvent = {
      kind: 'comment',
      action: 'update',
      id: 'c',
      payload: { content: 'Words' },
      access,
      postId: 'p00',
      writerId: 'bob',
      isOpen: true,
    }
    const ofOther = { ...event, isOpen: false, writerId: 'carol' }
    const everybody = ['alice', 'bob', 'guest', 'key']
    expect(await recipientsOf(event)).toEqual(everybody)
    expect(await recipientsOf({ ...event, isOpen: false })).toEqual(['alice', 'bob', 'key'])
    expect(await recipientsOf(ofOther)).toEqual(['alice', 'key'])
    const labels = JSON.stringify(['operator'])
    await db.updateTable('user').set({ labels }).where('id', '=', 'bob').execute()
    expect(await recipientsOf(ofOther)).toEqual(['alice', 'bob', 'key'])
    await db.updateTable('user').set({ labels: '[]' }).execute()
    await db.updateTable('comment').set({ status: 'hidden', isCounted: 0 }).execute()
    expect(await recipientsOf(event)).toEqual(['alice', 'bob', 'key'])
    expect(await recipientsOf({ ...event, payload: { content: '' } })).toEqual(everybody)
    await setPost({ isHidden: 1 })(db)
    expect(await recipientsOf(event)).toEqual(['alice', 'key'])
    await deletePost(db)
    expect(await recipientsOf(event)).toEqual([])
  })

  test('a connection by JWT receives events while the JWT and its session are valid', async () => {
    await using stage = await setUp(open)
    const { db, clock, closed, connect } = stage
    const jwts = makeJwts('of the server')
    const session = { userId: 'bob', id: 'session-of-bob', secretHash: 'hash of bob' }
    const jwt = await jwts.make(session, { now: NOW, seconds: 600 })
    const proof = await jwts.readProof(jwt, NOW)
    const bob: Viewer = { ...viewerOf('bob'), sessionId: '', ...(proof && { proof }) }
    const connections = [connect('one', bob), connect('two', bob)]
    expect(await stage.recipientsOf(UPDATE, connections)).toEqual(['one', 'two'])
    clock.now = new Date(NOW.getTime() + 3_600_000)
    expect(await stage.recipientsOf(UPDATE, connections.slice(0, 1))).toEqual([])
    clock.now = NOW
    await db
      .updateTable('session')
      .set({ secretHash: 'another' })
      .where('userId', '=', 'bob')
      .execute()
    expect(await stage.recipientsOf(UPDATE, connections.slice(1))).toEqual([])
    expect(closed).toEqual(['one 3000', 'two 3000'])
  })
})
