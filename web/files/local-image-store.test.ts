// The images of unsaved texts on the device, with maps in place of browser and server.
import { expect, test } from 'vitest'
import type { DeviceTable } from '../drafts/device-table.ts'
import {
  deleteLocalImages,
  type LocalImage,
  reuploadImages,
  saveLocalImage,
} from './local-image-store.ts'

const DAY_MS = 24 * 3600 * 1000
const file = new File(['x'], 'x.png', { type: 'image/png' })

function makeStorage() {
  const entries = new Map<string, LocalImage>()
  const storage: DeviceTable<LocalImage> = {
    set: async (key, image) => void entries.set(key, image),
    findAll: async (prefix) => [...entries].filter(([key]) => key.startsWith(prefix)),
    remove: async (keys) => keys.forEach((key) => void entries.delete(key)),
  }
  return { entries, storage }
}

function showing(...ids: string[]): string {
  return ids.map((id) => `<img src="/v1/storage/buckets/content/files/${id}/view?a=1">`).join('')
}

test('an image in the text that the server no longer has is uploaded again under its id', async () => {
  const { storage } = makeStorage()
  for (const fileId of ['there', 'gone', 'elsewhere'])
    await saveLocalImage({ userId: 'alice', fileId, file }, storage)
  await saveLocalImage({ userId: 'bob', fileId: 'bobs', file }, storage)
  const stored: string[] = []
  const calls = {
    findOwn: async () => new Set(['there']),
    reupload: async (id: string) => stored.push(id) > 0,
  }
  const html = showing('there', 'gone', 'bobs', 'never-stored')
  expect(await reuploadImages({ userId: 'alice', html, calls }, storage)).toBe(true)
  expect(stored).toEqual(['gone'])
  const text = { userId: 'alice', html: '<p>no image</p>', calls }
  expect(await reuploadImages(text, storage)).toBe(false)
})

test('without storage or a response no image is uploaded again, and nothing fails', async () => {
  const broken: DeviceTable<LocalImage> = {
    set: () => Promise.reject(new Error('no room')),
    findAll: () => Promise.reject(new Error('no database')),
    remove: () => Promise.reject(new Error('no database')),
  }
  await saveLocalImage({ userId: 'alice', fileId: 'a', file }, broken)
  await deleteLocalImages({ userId: 'alice' }, broken)
  const calls = {
    findOwn: () => Promise.reject(new Error('no answer')),
    reupload: async () => true,
  }
  const text = { userId: 'alice', html: showing('a'), calls }
  expect(await reuploadImages(text, broken)).toBe(false)
  const { storage } = makeStorage()
  await saveLocalImage({ userId: 'alice', fileId: 'a', file }, storage)
  expect(await reuploadImages(text, storage)).toBe(false)
})

test('images that no draft shows are deleted after a day, and all of them with the account', async () => {
  const { entries, storage } = makeStorage()
  for (const fileId of ['old', 'drafted', 'young'])
    await saveLocalImage({ userId: 'alice', fileId, file }, storage)
  await saveLocalImage({ userId: 'bob', fileId: 'old', file }, storage)
  for (const [key, image] of entries)
    if (!key.endsWith('young')) entries.set(key, { ...image, keptAt: Date.now() - DAY_MS - 1000 })
  await deleteLocalImages({ userId: 'alice', texts: [showing('drafted')] }, storage)
  expect([...entries.keys()]).toEqual(['image/alice/drafted', 'image/alice/young', 'image/bob/old'])
  await deleteLocalImages({ userId: 'alice' }, storage)
  expect([...entries.keys()]).toEqual(['image/bob/old'])
})
