// An S3 server that accepts and never answers: who comes after the first is told so at once.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { makeLog } from '../process/log.ts'
import { makeDisk } from './disk.ts'
import { makeImageQueue } from './image-process.ts'
import { readPreviewParams } from './preview-params.ts'
import { makePreviews } from './previews.ts'
import { makeCircuitBreaker, makeS3 } from './s3.ts'

const UNREACHABLE = { type: 'general_service_disabled', status: 503 }
const SILENCE_MS = 200

async function openSilent() {
  let asked = 0
  const server = createServer(() => {
    asked++
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const config = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bucket: 'b',
    region: 'r',
    accessKey: 'a',
    secretKey: 's',
  }
  const spool = makeDisk(tmpdir())
  const blobStore = makeS3(config, { spool, silenceMs: SILENCE_MS })
  return {
    blobStore,
    asked: () => asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

test('of eight previews at once only those under way ask it, all are refused', async () => {
  await using s3 = await openSilent()
  const imageQueue = makeImageQueue()
  const context = {
    blobStore: s3.blobStore,
    imageQueue,
    log: makeLog('silent'),
    folder: '/dev/null/none',
  }
  const previews = makePreviews(context)
  const params = readPreviewParams({ width: '90' }, '')
  const asking = Array.from({ length: 8 }, (_, at) => {
    const file = { signature: `${at}`, storedName: `s${at}`, mimeType: 'image/png' }
    const size = { sizeBytes: 9, width: 300, height: 200 }
    return previews.read({ ...file, ...size }, params, { key: `k${at}` })
  })
  for (const outcome of await Promise.allSettled(asking))
    expect(outcome).toMatchObject({ status: 'rejected', reason: UNREACHABLE })
  expect(s3.asked()).toBeLessThan(8)
})

test('is asked by one call after a moment, and by all once that one is answered', async () => {
  let nowMs = 0
  const absence = makeCircuitBreaker({ awayMs: 5000, limitMs: 10_000 }, () => nowMs)
  const silence = Object.assign(new Error('silent'), { name: 'TimeoutError' })
  const asks = () => [absence.find(), absence.find()]
  expect(asks()).toEqual([undefined, undefined])
  absence.note(silence)
  expect(asks()).toEqual([silence, silence])
  nowMs += 5000
  expect(asks()).toEqual([undefined, silence])
  // Whoever asked may have gone without an answer.
  nowMs += 10_000
  expect(asks()).toEqual([undefined, silence])
  absence.note(new Error('refused'))
  expect(asks()).toEqual([undefined, undefined])
})
