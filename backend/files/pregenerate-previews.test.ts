// Previews drawn before anybody asks: in all sizes that pages ask for, one at a time, behind what
// people wait for, and in no place of theirs.

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
  const ahead = makePreviewPregeneration({
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
  return { ahead, background, imageQueue, drawn, running, drawing }
}

test('draws the sizes of cards, pages and faces, one at a time, and no other file waits for a damaged one', async () => {
  const { ahead, background, drawn, running } = makeSite()
  ahead.add(FILE)
  await background.drained()
  expect(drawn).toEqual([])
  ahead.start()
  ahead.add({ ...FILE, storedName: 'damaged' })
  ahead.add(FILE)
  ahead.add({ ...FILE, bucketId: 'avatars' })
  await background.drained()
  expect([drawn, running.most]).toEqual([[...COVERS, '72x72', '300x300', '144x144', '288x288'], 1])
})

test('begins only while nobody waits, and takes no place of those who come meanwhile', async () => {
  const { ahead, background, imageQueue, drawn, running, drawing } = makeSite()
  const gate = Promise.withResolvers<void>()
  const slow = Promise.withResolvers<void>()
  const hold = () => imageQueue(() => gate.promise)
  const people = [hold()]
  ahead.start()
  ahead.add(FILE)
  await expect.poll(() => imageQueue.stats().running).toBe(1)
  expect(running.now).toBe(0)
  drawing.until = slow.promise
  gate.resolve()
  await Promise.all(people)
  await expect.poll(() => running.now).toBe(1)
  // One is being drawn ahead: an upload and two previews begin at once all the same.
  const begun: string[] = []
  await Promise.all([
    imageQueue(async () => begun.push('upload'), {}, { isUpload: true, isHeavy: true }),
    imageQueue(async () => begun.push('preview')),
    imageQueue(async () => begun.push('another')),
  ])
  expect(begun).toHaveLength(3)
  ahead.stop()
  slow.resolve()
  await background.drained()
  expect(drawn).toHaveLength(1)
})

test('leaves what is heavy to those who ask', async () => {
  const { ahead, background, drawn } = makeSite()
  ahead.start()
  ahead.add({ ...FILE, width: 7000, height: 7000 })
  await background.drained()
  expect(drawn).toEqual([])
})
