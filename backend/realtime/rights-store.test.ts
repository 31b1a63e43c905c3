// Who hears of a change is what the database says when it is told, whatever was so when it happened
// and whatever this process has heard of meanwhile.
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
type PostChange = Extract<RealtimeEvent, { kind: 'post' }>
type CommentChange = Extract<RealtimeEvent, { kind: 'comment' }>

const UPDATE: PostChange = {
  kind: 'post',
  action: 'update',
  id: 'p00',
  payload: {},
  access: { userId: 'alice', status: 'active', readers: 'any', isHidden: 0, isAuthorBlocked: 0 },
}
const DELETE: PostChange = { ...UPDATE, action: 'delete' }

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

/** A public post of alice, and connections of alice, bob, a guest and the key. */
async function makeStage(open: () => Promise<TestDatabase>) {
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
    async hearers(change: RealtimeEvent, among = everybody) {
      return (await findRecipients(context, among, change)).map(({ network }) => network)
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}

type Case = {
  what: string
  meanwhile: (db: Database) => Promise<unknown>
  change?: RealtimeEvent
  hear: string[]
  ended?: string[]
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
const secret: PostChange = { ...UPDATE, access: { ...UPDATE.access, status: 'inactive' } }

const CASES: Case[] = [
  { what: 'nothing', meanwhile: nothing, hear: ['alice', 'bob', 'guest', 'key'] },
  { what: 'the post is hidden', meanwhile: setPost({ isHidden: 1 }), hear: ['alice', 'key'] },
  {
    what: 'the post is inactive',
    meanwhile: setPost({ status: 'inactive' }),
    hear: ['alice', 'key'],
  },
  {
    what: 'the post is for members',
    meanwhile: setPost({ readers: 'users' }),
    hear: ['alice', 'bob', 'key'],
  },
  {
    what: 'the post is for the verified, and bob is',
    async meanwhile(db) {
      await setPost({ readers: 'verified' })(db)
      await setUser('bob', { isVerified: 1 })(db)
    },
    hear: ['alice', 'bob', 'key'],
  },
  { what: 'the post is gone', meanwhile: deletePost, hear: [] },
  {
    what: 'the post is gone, as is told',
    meanwhile: deletePost,
    change: DELETE,
    hear: ['alice', 'bob', 'guest', 'key'],
  },
  {
    what: 'what was secret is public',
    meanwhile: nothing,
    change: secret,
    hear: ['alice', 'key'],
  },
  {
    what: 'the author is blocked',
    meanwhile: setUser('alice', { isBlocked: 1 }),
    hear: ['key'],
    ended: ['alice 3000'],
  },
  {
    what: 'the author of a deleted post is blocked',
    meanwhile: setUser('alice', { isBlocked: 1 }),
    change: DELETE,
    hear: ['key'],
    ended: ['alice 3000'],
  },
  {
    what: 'a listener is blocked',
    meanwhile: setUser('bob', { isBlocked: 1 }),
    hear: ['alice', 'guest', 'key'],
    ended: ['bob 3000'],
  },
  {
    what: 'a session is ended',
    meanwhile: (db) => db.deleteFrom('session').where('userId', '=', 'bob').execute(),
    hear: ['alice', 'guest', 'key'],
    ended: ['bob 3000'],
  },
  {
    what: 'the time of a session is over',
    meanwhile: setSession({ expiresAt: EARLIER }),
    hear: ['alice', 'guest', 'key'],
    ended: ['bob 3000'],
  },
  {
    what: 'a session was not used for long',
    meanwhile: setSession({ lastUsedAt: '2020-01-01T00:00:00.000Z' }),
    hear: ['alice', 'guest', 'key'],
    ended: ['bob 3000'],
  },
  {
    what: 'a file of bob',
    meanwhile: nothing,
    change: {
      kind: 'file',
      action: 'update',
      bucketId: 'content',
      id: 'one',
      ownerId: 'bob',
      payload: {},
    },
    hear: ['bob', 'key'],
  },
  {
    what: 'the account of bob',
    meanwhile: nothing,
    change: { kind: 'account', userId: 'bob', name: 'update.name', payload: {} },
    hear: ['bob'],
  },
]

describeEachDatabase('listeners', (open) => {
  test('who may hear is asked when a change is told', async () => {
    for (const { what, meanwhile, change = UPDATE, hear, ended = [] } of CASES) {
      await using stage = await makeStage(open)
      await meanwhile(stage.db)
      expect([what, await stage.hearers(change)]).toEqual([what, hear])
      expect([what, stage.closed]).toEqual([what, ended])
    }
  })

  test('words of a comment that waits, or is hidden by now, are for its writer and those who moderate', async () => {
    await using stage = await makeStage(open)
    const { db, hearers } = stage
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
    const told: CommentChange = {
      kind: 'comment',
      action: 'update',
      id: 'c',
      payload: { content: 'Words' },
      access,
      postId: 'p00',
      writerId: 'bob',
      isOpen: true,
    }
    const ofOther = { ...told, isOpen: false, writerId: 'carol' }
    const all = ['alice', 'bob', 'guest', 'key']
    expect(await hearers(told)).toEqual(all)
    expect(await hearers({ ...told, isOpen: false })).toEqual(['alice', 'bob', 'key'])
    expect(await hearers(ofOther)).toEqual(['alice', 'key'])
    const labels = JSON.stringify(['operator'])
    await db.updateTable('user').set({ labels }).where('id', '=', 'bob').execute()
    expect(await hearers(ofOther)).toEqual(['alice', 'bob', 'key'])
    await db.updateTable('user').set({ labels: '[]' }).execute()
    await db.updateTable('comment').set({ status: 'hidden', isCounted: 0 }).execute()
    expect(await hearers(told)).toEqual(['alice', 'bob', 'key'])
    expect(await hearers({ ...told, payload: { content: '' } })).toEqual(all)
    await setPost({ isHidden: 1 })(db)
    expect(await hearers(told)).toEqual(['alice', 'key'])
    await deletePost(db)
    expect(await hearers(told)).toEqual([])
  })

  test('a JWT is heard by as long as it stands for its session', async () => {
    await using stage = await makeStage(open)
    const { db, clock, closed, connect } = stage
    const jwts = makeJwts('of the server')
    const session = { userId: 'bob', id: 'session-of-bob', secretHash: 'hash of bob' }
    const jwt = await jwts.make(session, { now: NOW, seconds: 600 })
    const proof = await jwts.readProof(jwt, NOW)
    const bob: Viewer = { ...viewerOf('bob'), sessionId: '', ...(proof && { proof }) }
    const lines = [connect('one', bob), connect('two', bob)]
    expect(await stage.hearers(UPDATE, lines)).toEqual(['one', 'two'])
    clock.now = new Date(NOW.getTime() + 3_600_000)
    expect(await stage.hearers(UPDATE, lines.slice(0, 1))).toEqual([])
    clock.now = NOW
    await db
      .updateTable('session')
      .set({ secretHash: 'another' })
      .where('userId', '=', 'bob')
      .execute()
    expect(await stage.hearers(UPDATE, lines.slice(1))).toEqual([])
    expect(closed).toEqual(['one 3000', 'two 3000'])
  })
})
