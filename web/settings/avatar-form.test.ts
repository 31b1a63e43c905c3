import { expect, test } from 'vitest'
import type { Account } from '#contract/accounts.ts'
import type { FileModel } from '#contract/files.ts'
import { type Failure, fail, succeed } from '../api/client.ts'
import { type AvatarCalls, avatarFailureText, changeAvatar } from './avatar-form.tsx'

const BROKEN: Failure = { message: 'Failed to fetch', code: 0, type: '' }
const file = new File(['x'], 'me.png', { type: 'image/png' })

async function change({
  avatar,
  overrides = {},
}: {
  avatar?: string
  overrides?: Partial<AvatarCalls>
}) {
  const log: string[] = []
  const account = { $id: 'alice', prefs: avatar ? { avatar, theme: 'dark' } : {} } as Account
  const calls: AvatarCalls = {
    getAccount: async () => succeed(account),
    async upload() {
      log.push('upload')
      return succeed({ $id: 'new' } as FileModel)
    },
    async savePrefs(changes) {
      log.push(`save ${JSON.stringify(changes)}`)
      return succeed(account)
    },
    async deleteFile(fileId) {
      log.push(`delete ${fileId}`)
    },
    ...overrides,
  }
  const steps: number[] = []
  const changed = await changeAvatar(calls, file, { onStep: (step) => steps.push(step) })
  const failure = changed.ok ? undefined : changed.failure
  return { failure, log, steps }
}

test('the old avatar is deleted last', async () => {
  expect(await change({ avatar: 'old' })).toEqual({
    failure: undefined,
    log: ['upload', 'save {"avatar":"new"}', 'delete old'],
    steps: [0, 1, 2, 3],
  })
})

test('a first avatar deletes nothing', async () => {
  expect((await change({})).log).toEqual(['upload', 'save {"avatar":"new"}'])
})

test('a file that is already the avatar is not deleted', async () => {
  const upload: AvatarCalls['upload'] = async () => succeed({ $id: 'old' } as FileModel)
  expect((await change({ avatar: 'old', overrides: { upload } })).log).toEqual([
    'save {"avatar":"old"}',
  ])
})

test('a failed upload changes nothing', async () => {
  const upload: AvatarCalls['upload'] = async () => fail(BROKEN)
  expect(await change({ avatar: 'old', overrides: { upload } })).toEqual({
    failure: BROKEN,
    log: [],
    steps: [0, 1],
  })
})

test('when the preferences cannot be saved, the new file is deleted and the old one stays', async () => {
  const answer = await change({ avatar: 'old', overrides: { savePrefs: async () => fail(BROKEN) } })
  expect(answer).toEqual({ failure: BROKEN, log: ['upload', 'delete new'], steps: [0, 1, 2] })
})

test.each([
  [
    'nobody is signed in',
    { message: 'missing scope', code: 401, type: 'general_unauthorized_scope' },
    'You were signed out. Sign in to continue.',
  ],
  ['there is no network', BROKEN, 'Your avatar could not be changed. Try again.'],
  [
    'the server fails',
    { message: 'x', code: 500, type: 'general_unknown' },
    'Your avatar could not be changed. Try again.',
  ],
])('when %s nothing is sent, and the form says why', async (_case, refusal: Failure, text) => {
  const answer = await change({ overrides: { getAccount: async () => fail(refusal) } })
  expect(answer).toEqual({ failure: refusal, log: [], steps: [0] })
  expect(avatarFailureText(refusal)).toBe(text)
})

test.each([
  [400, 'storage_invalid_file_size', 'File size should not exceed 5MB'],
  [400, 'storage_file_type_unsupported', 'This file is not a PNG, JPG, JPEG or GIF.'],
  [400, 'storage_invalid_file', 'This image cannot be read. Choose another one.'],
  [400, 'general_argument_invalid', 'Your avatar could not be changed. Try again.'],
  [429, 'general_rate_limit_exceeded', 'Too many attempts. Wait a minute.'],
  [0, 'upload_cancelled', 'The upload was cancelled. Your avatar is as it was.'],
  [500, 'general_unknown', 'Your avatar could not be changed. Try again.'],
])('a refusal %i %s is described as %j', (code, type, text) => {
  expect(avatarFailureText({ message: 'What the server says', code, type })).toBe(text)
})
