// An S3 server that accepts connections and never responds: later calls are refused at once.
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
  let requests = 0
  const server = createServer(() => {
    requests++
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
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

test('of eight concurrent previews only the running ones call the server, and all are refused', async () => {
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
  const reads = Array.from({ length: 8 }, (_, at) => {
    const file = { signature: `${at}`, storedName: `s${at}`, mimeType: 'image/png' }
    const size = { sizeBytes: 9, width: 300, height: 200 }
    return previews.read({ ...file, ...size }, params, { key: `k${at}` })
  })
  for (const outcome of await Promise.allSettled(reads))
    expect(outcome).toMatchObject({ status: 'rejected', reason: UNREACHABLE })
  expect(s3.requests()).toBeLessThan(8)
})

test('after a pause a single call tries, and all calls once that one has succeeded', async () => {
  let nowMs = 0
  const circuitBreaker = makeCircuitBreaker({ openMs: 5000, limitMs: 10_000 }, () => nowMs)
  const timeout = Object.assign(new Error('silent'), { name: 'TimeoutError' })
  const findTwice = () => [circuitBreaker.findTimeout(), circuitBreaker.findTimeout()]
  expect(findTwice()).toEqual([undefined, undefined])
  circuitBreaker.record(timeout)
  expect(findTwice()).toEqual([timeout, timeout])
  nowMs += 5000
  expect(findTwice()).toEqual([undefined, timeout])
  // The single call may have ended without an outcome.
  nowMs += 10_000
  expect(findTwice()).toEqual([undefined, timeout])
  circuitBreaker.record(new Error('refused'))
  expect(findTwice()).toEqual([undefined, undefined])
})
