// The account calls against a client whose requests are recorded.
import { Account, Avatars, Client, Storage } from 'appwrite'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Api } from '../api/client.ts'
import { changePrefs, fetchProviderUser, getAccount } from './accounts-api.ts'

const USERINFO_URL = 'https://www.googleapis.com/oauth2/v1/userinfo'

type Call = { method: string; path: string; body: unknown }

/** The real client, which records every request and gets these responses in order. */
function makeRecordingApi(responses: { status: number; body: unknown }[]): {
  api: Api
  calls: Call[]
} {
  const calls: Call[] = []
  vi.stubGlobal('fetch', async (input: string | URL, init: RequestInit = {}) => {
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    calls.push({ method: init.method ?? 'GET', path: new URL(input).pathname, body })
    const answer = responses.shift()
    if (!answer) throw new TypeError('Failed to fetch')
    return Response.json(answer.body, { status: answer.status })
  })
  const client = new Client().setEndpoint('http://blog.test/v1').setProject('blog')
  const settings = {
    siteName: 'Web App',
    about: 'A quiet place to write and read.',
    reading: 'members' as const,
    projectId: 'blog',
    databaseId: 'blogdb',
    collectionId: 'posts',
    contentBucketId: 'content',
    avatarBucketId: 'avatars',
    mail: 'sent' as const,
    hasGoogle: true,
    isRegistrationOpen: true,
    googleUserinfoUrl: USERINFO_URL,
    isSignedIn: true,
  }
  const services = {
    account: new Account(client),
    avatars: new Avatars(client),
    storage: new Storage(client),
  }
  return { api: { settings, client, ...services }, calls }
}

const REFUSED = {
  message: 'You are not allowed to do this.',
  code: 401,
  type: 'general_unauthorized_scope',
  version: '1.4.13',
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('preferences', () => {
  test('a change is sent together with all stored preferences, which would be lost otherwise', async () => {
    const { api, calls } = makeRecordingApi([
      { status: 200, body: { avatar: 'a1', theme: 'dark', other: [1] } },
      { status: 200, body: { $id: 'alice' } },
    ])
    expect(await changePrefs(api, { theme: 'light' })).toEqual({
      ok: true,
      value: { $id: 'alice' },
    })
    expect(calls).toEqual([
      { method: 'GET', path: '/v1/account/prefs', body: undefined },
      {
        method: 'PATCH',
        path: '/v1/account/prefs',
        body: { prefs: { avatar: 'a1', theme: 'light', other: [1] } },
      },
    ])
  })

  test('if the stored preferences cannot be read, nothing is sent and the failure is returned', async () => {
    const { api, calls } = makeRecordingApi([{ status: 401, body: REFUSED }])
    expect(await changePrefs(api, { theme: 'light' })).toMatchObject({
      ok: false,
      failure: { code: 401, type: 'general_unauthorized_scope' },
    })
    expect(calls.map((call) => call.method)).toEqual(['GET'])
  })
})

describe('who is signed in', () => {
  test('a guest gets a failure with the status 401', async () => {
    const { api } = makeRecordingApi([{ status: 401, body: REFUSED }])
    expect(await getAccount(api)).toMatchObject({ ok: false, failure: { code: 401 } })
  })

  test('a missing response becomes a failure without a status', async () => {
    const { api } = makeRecordingApi([])
    expect(await getAccount(api)).toMatchObject({ ok: false, failure: { code: 0 } })
  })
})

describe('the provider', () => {
  test('is called at its address, and its JSON is returned', async () => {
    const { calls } = makeRecordingApi([{ status: 200, body: { name: 'Alice' } }])
    expect(await fetchProviderUser('token', USERINFO_URL)).toEqual({ name: 'Alice' })
    expect(calls.map((call) => call.path)).toEqual(['/oauth2/v1/userinfo'])
  })

  test('is reported as "Failed to fetch user info" when it refuses', async () => {
    makeRecordingApi([{ status: 401, body: {} }])
    await expect(fetchProviderUser('token', USERINFO_URL)).rejects.toThrow(
      'Failed to fetch user info',
    )
  })

  test('is not called without a token, or on a page that must not call it', async () => {
    const { calls } = makeRecordingApi([])
    await expect(fetchProviderUser('', USERINFO_URL)).rejects.toThrow('Failed to fetch user info')
    await expect(fetchProviderUser('token', '')).rejects.toThrow('Failed to fetch user info')
    expect(calls).toEqual([])
  })
})
