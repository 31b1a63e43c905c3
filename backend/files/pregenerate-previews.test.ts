// Previews drawn in advance: in all sizes of our pages, one at a time, after waiting requests, and
// without taking capacity from them.

import { expect, test } from 'vitest'
import { makeBackground } from '../process/background.ts'
import { makeLog } from '../process/log.ts'
import type { FilesContext } from './context.ts'
import { makeImageQueue } from './image-process.ts'
import { makePreviewPregeneration } from './pregenerate-previews.ts'
import type { PreviewParams } from './preview-params.ts'
import type { FileRow } from './store.ts'

const FILE: FileRow = {
  seq: 1,
  id: 'photo',
  bucketId: 'content',
  userId: 'alice',
  name: 'a.png',
  signature: 's',

  mimeType: 'image/png',
  sizeBytes: 9,
  width: 60,
  height: 40,
  color: '',
  storedName: 'stored',
  chunksTotal: 1,
  chunksUploaded: 1,
  isComplete: 1,
  permissions: '[]',
  readers: 'any',
  createdAt: '',
  updatedAt: '',
}
const COVERS = [
  '384x216',
  '640x360',
  '828x466',
  '414x233',
  '1080x608',
  '1312x738',
  '1320x743',
  '1600x900',
  '1120x448',
  '1680x672',
  '2240x896',
]

function makeSite() {
  const log = makeLog('silent')
  const background = makeBackground(log)
  const imageQueue = makeImageQueue()
  const drawn: string[] = []
  const running = { now: 0, most: 0 }
  const drawing = { until: Promise.resolve() }
  const pregeneration = makePreviewPregeneration({
    log,
    background,
    imageQueue,
    avatarBucketId: 'avatars',
    previews: {
      async pregenerate({ storedName }: FileRow, { width, height }: PreviewParams) {
        running.most = Math.max(running.most, ++running.now)
        await drawing.until.finally(() => running.now--)
        if (storedName === 'damaged') throw new Error('It is damaged')
        drawn.push(`${width}x${height}`)
      },
    },
  } as unknown as FilesContext)
  return { pregeneration, background, imageQueue, drawn, running, drawing }
}

test('draws the sizes of cards, pages and avatars, one at a time, even after a damaged file', async () => {
  const { pregeneration, background, drawn, running } = makeSite()
  pregeneration.add(FILE)
  await background.drained()
  expect(drawn).toEqual([])
  pregeneration.start()
  pregeneration.add({ ...FILE, storedName: 'damaged' })
  pregeneration.add(FILE)
  pregeneration.add({ ...FILE, bucketId: 'avatars' })
  await background.drained()
  expect([drawn, running.most]).toEqual([[...COVERS, '72x72', '300x300', '144x144', '288x288'], 1])
})

test('begins only while no request waits, and leaves the capacity of the queue to later requests', async () => {
  const { pregeneration, background, imageQueue, drawn, running, drawing } = makeSite()
  const gate = Promise.withResolvers<void>()
  const slow = Promise.withResolvers<void>()
  const hold = () => imageQueue(() => gate.promise)
  const requests = [hold()]
  pregeneration.start()
  pregeneration.add(FILE)
  await expect.poll(() => imageQueue.stats().running).toBe(1)
  expect(running.now).toBe(0)
  drawing.until = slow.promise
  gate.resolve()
  await Promise.all(requests)
  await expect.poll(() => running.now).toBe(1)
  // While one is drawn in advance, an upload and two previews begin at once.
  const started: string[] = []
  await Promise.all([
    imageQueue(async () => started.push('upload'), {}, { isUpload: true, isHeavy: true }),
    imageQueue(async () => started.push('preview')),
    imageQueue(async () => started.push('another')),
  ])
  expect(started).toHaveLength(3)
  pregeneration.stop()
  slow.resolve()
  await background.drained()
  expect(drawn).toHaveLength(1)
})

test('leaves heavy previews to requests', async () => {
  const { pregeneration, background, drawn } = makeSite()
  pregeneration.start()
  pregeneration.add({ ...FILE, width: 7000, height: 7000 })
  await background.drained()
  expect(drawn).toEqual([])
})
