// SQL of sign-in with Google, on both databases.
import { expect, test } from 'vitest'
import { describeEachDatabase } from '#test/support/databases.ts'
import * as store from './store.ts'

const STATE = {
  stateHash: 'state',
  browserHash: 'browser',
  nonce: 'nonce',
  codeVerifier: 'verifier',
  successUrl: 'https://blog.example/in',
  failureUrl: '',
  isForToken: 0,
  expiresAt: '2023-11-20T13:47:00.000Z',
}

describeEachDatabase('sign-in with Google', (open) => {
  test('a state can be used once, and only by its own browser', async () => {
    await using opened = await open()
    const { db } = opened
    await store.insertState(db, STATE)
    expect(await store.consumeState(db, { stateHash: 'state', browserHash: 'other' })).toBe(
      undefined,
    )
    expect(await store.consumeState(db, { stateHash: 'other', browserHash: 'browser' })).toBe(
      undefined,
    )
    const taken = await Promise.all(Array.from({ length: 8 }, () => store.consumeState(db, STATE)))
    expect(taken.filter((row) => row !== undefined)).toEqual([STATE])
  })

  test('only expired states are deleted', async () => {
    await using opened = await open()
    const { db } = opened
    await store.insertState(db, STATE)
    await store.deleteStatesBefore(db, '2023-11-20T13:46:59.999Z')
    expect(await db.selectFrom('oauthState').selectAll().execute()).toEqual([STATE])
    await store.deleteStatesBefore(db, STATE.expiresAt)
    expect(await db.selectFrom('oauthState').selectAll().execute()).toEqual([])
  })

  test('very many expired states are deleted a batch at a time', async () => {
    await using opened = await open()
    const { db } = opened
    const states = Array.from({ length: 120 }, (_none, at) => ({ ...STATE, stateHash: `${at}` }))
    await db.insertInto('oauthState').values(states).execute()
    const remaining: number[] = []
    for (let time = 0; time < 3; time++) {
      await store.deleteStatesBefore(db, STATE.expiresAt)
      remaining.push((await db.selectFrom('oauthState').selectAll().execute()).length)
    }
    expect(remaining).toEqual([70, 20, 0])
  })
})
