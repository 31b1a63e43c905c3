import { AppwriteException } from 'appwrite'
import { expect, test } from 'vitest'
import type { Api } from '../api/client.ts'
import { deleteFile, sourcesOf } from './files-api.ts'

function makeRefusingApi(code: number): Api {
  const refusal = new AppwriteException('Refused', code, 'refused')
  return { storage: { deleteFile: () => Promise.reject(refusal) } } as unknown as Api
}

test('a file that no longer exists counts as deleted', async () => {
  expect(await deleteFile(makeRefusingApi(404), 'avatars', 'f1')).toEqual({
    ok: true,
    value: undefined,
  })
  expect(await deleteFile(makeRefusingApi(401), 'avatars', 'f1')).toEqual({
    ok: false,
    failure: { message: 'Refused', code: 401, type: 'refused' },
  })
})

test('the wider a preview, the lower its quality, and all have the requested aspect ratio', () => {
  const requests: unknown[] = []
  const getFilePreview = (...[, , width, height, , quality]: unknown[]) => {
    requests.push({ width, height, quality })
    return new URL(`http://blog.test/v1/preview?width=${String(width)}`)
  }
  const api = { storage: { getFilePreview } } as unknown as Api
  const shape = { ratio: 16 / 9, widths: [640, 960, 1280], sizes: '100vw', width: 640 }
  expect(sourcesOf(api, 'content', { fileId: 'f1', ...shape })).toEqual({
    src: '/v1/preview?width=640',
    srcSet: '/v1/preview?width=640 640w, /v1/preview?width=960 960w, /v1/preview?width=1280 1280w',
    sizes: '100vw',
    width: 640,
    height: 360,
  })
  expect(requests.slice(1)).toEqual([
    { width: 640, height: 360, quality: 80 },
    { width: 960, height: 540, quality: 68 },
    { width: 1280, height: 720, quality: 58 },
  ])
})
