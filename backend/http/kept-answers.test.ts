// When an answer to a guest is made anew. What is in it, over HTTP: test/api/kept-answers.test.ts.
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { setHearing, tellAtOnce, tellMissed } from '../database/change-ears.ts'
import type { Database } from '../database/schema.ts'
import { makeChangedTopics, noteTopics } from '../database/topics.ts'
import { finishAnswers } from './json-answers.ts'
import { makeKeptAnswers } from './kept-answers.ts'
import { GUEST } from './viewer.ts'

function start() {
  const db = {} as Database
  const state = { ms: 0, version: 0, made: 0, meanwhile: () => {} }
  const kept = makeKeptAnswers(makeChangedTopics(db), {
    ...{ projectId: 'blog', version: () => state.version, nowMs: () => state.ms },
  })
  const app = Fastify()
  app.decorateRequest('viewer')
  app.addHook('onRequest', async (request) => {
    request.viewer = request.headers.cookie ? { role: 'key' } : GUEST
  })
  finishAnswers(app)
  app.get(
    '/x',
    kept.forGuests(async () => {
      noteTopics('post:a')
      state.meanwhile()
      return { made: ++state.made }
    }),
  )
  const ask = async (headers: Record<string, string> = {}): Promise<number> =>
    (await app.inject({ url: '/x', headers })).json().made
  const change = (userIds: string[]) =>
    tellAtOnce(db, { kind: 'public', userIds, isAnyoneGone: false })
  const changePost = (id: string) =>
    tellAtOnce(db, {
      ...{ kind: 'post', action: 'update', id, payload: undefined },
      access: { userId: 'a', status: 'active', readers: 'any', isHidden: 0, isAuthorBlocked: 0 },
    })
  return { db, kept, state, ask, change, changePost }
}

test('an answer is made once for guests and each time for others, apart for each level', async () => {
  const { ask } = start()
  expect([await ask(), await ask()]).toEqual([1, 1])
  expect([await ask({ cookie: 'one' }), await ask({ cookie: 'one' })]).toEqual([2, 3])
  const newer = { 'x-appwrite-response-format': '1.9.0' }
  expect([await ask(newer), await ask(newer), await ask()]).toEqual([4, 4, 1])
})

test('it is made anew once something of it has changed, is not heard, or may have', async () => {
  const { db, state, ask, change, changePost } = start()
  await ask()
  changePost('b')
  expect(await ask()).toBe(1)
  const ends = [
    () => changePost('a'),
    () => change(['anybody']),
    () => tellMissed(db),
    () => {
      state.version = 1
    },
    () => {
      state.ms = 60_001
    },
  ]
  for (const [at, end] of ends.entries()) {
    end()
    expect([at, await ask(), await ask()]).toEqual([at, at + 2, at + 2])
  }
  setHearing(db, false)
  const made = state.made
  expect([await ask(), await ask()]).toEqual([made + 1, made + 2])
})

test('what changes while it is made ends it', async () => {
  const { state, ask, changePost } = start()
  state.meanwhile = () => changePost('a')
  expect([await ask(), await ask()]).toEqual([1, 2])
})

test('it is given early for its own project alone', async () => {
  const { kept, ask } = start()
  await ask()
  const find = (project?: string) => {
    const asked = new IncomingMessage(new Socket())
    const headers = project === undefined ? {} : { 'x-appwrite-project': project }
    return kept.findEarly(Object.assign(asked, { url: '/x', headers }))
  }
  expect(find('blog')?.head.status).toBe(200)
  expect([find('other'), find()]).toEqual([undefined, undefined])
})
