// An S3 server or a mail server that is unreachable or does not respond.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { makeDataDir, startServer } from '#test/support/process.ts'
import { hasSwift, S3_ACCOUNT, startSwift } from '#test/support/swift.ts'
import { makeTcpProxy } from '#test/support/tcp-proxy.ts'
import { checkAfterRestart } from './after-restart.ts'
import { makeChecks, type Outcome, seconds } from './scenario.ts'
import { call, refusedText, signUp, startWriting, untilStatus } from './writing.ts'

const AWAY_MS = 3000
const SILENT_MS = 15_000
const ANSWERED_WITHIN_MS = 15_000
const REFUSED_WITHIN_MS = 12_000
const STOPPED_WITHIN_MS = 10_000
const BUCKET = 'faults'
const POSTS = '/v1/databases/blogdb/collections/posts/documents'

/** @returns undefined if no S3 server is available */
async function startS3() {
  if (!hasSwift()) return undefined
  const { answer: endpoint, stop } = await startSwift()
  const { accessKey, secretKey } = S3_ACCOUNT
  const credentials = { accessKeyId: accessKey, secretAccessKey: secretKey }
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials })
  const giveUpAtMs = performance.now() + 20_000
  for (;;) {
    try {
      await client.send(new CreateBucketCommand({ Bucket: BUCKET }))
      break
    } catch (error) {
      // It may still be starting.
      if (performance.now() > giveUpAtMs) throw error
      await delay(200)
    }
  }
  client.destroy()
  const settings = (address: string) => ({
    BLOG_S3_ENDPOINT: address.replace(/\/$/, ''),
    BLOG_S3_BUCKET: BUCKET,
    BLOG_S3_ACCESS_KEY: accessKey,
    BLOG_S3_SECRET_KEY: secretKey,
  })
  return { endpoint, settings, [Symbol.asyncDispose]: stop }
}

/** The S3 server is down, then up; silent, then responding; silent while the blog is stopped. */
export async function failingS3(): Promise<Outcome> {
  await using s3 = await startS3()
  if (!s3) return { acknowledged: 0, lost: 0, faults: [], notes: ['skipped: no S3 server here'] }
  await using proxy = await makeTcpProxy(s3.endpoint)
  await using data = await makeDataDir()
  const { faults, expect } = makeChecks()
  const env = s3.settings(proxy.through(s3.endpoint))
  const server = await startServer(data.path, env)
  const { url } = server
  const person = await signUp(url, 'bucket')
  const writing = await startWriting(url, person)
  await delay(2000)
  const expectOtherRoutesWork = async (when: string) => {
    const answers = [await call(url, POSTS), await call(url, '/v1/account', person)]
    for (const { status, tookMs } of answers)
      expect(status === 200 && tookMs < 2000, `${when}: ${status} after ${seconds(tookMs)}`)
  }
  await proxy.refuse()
  await delay(AWAY_MS)
  await expectOtherRoutesWork('while S3 is gone')
  await proxy.accept()
  const before = writing.written.length
  await delay(3000)
  expect(writing.written.length > before, 'no upload worked when it was back')
  const stored = writing.written.find(({ kind }) => kind === 'file')?.id
  proxy.pause()
  const previews = Array.from({ length: 8 }, (_, at) =>
    call(url, `/v1/storage/buckets/content/files/${stored}/preview?width=${10 + at}`, person),
  )
  await delay(SILENT_MS / 2)
  await expectOtherRoutesWork('while S3 is silent')
  for (const { status, tookMs } of await Promise.all(previews))
    expect(
      status === 503 && tookMs < REFUSED_WITHIN_MS,
      `a preview: ${status} after ${seconds(tookMs)}`,
    )
  expect(
    (await untilStatus(url, '/healthz', 200, { withinMs: 3000 })) !== undefined,
    'the server reported itself unhealthy',
  )
  await delay(SILENT_MS / 2)
  proxy.resume()
  await delay(2000)
  proxy.pause()
  await delay(500)
  const stopRequestedAtMs = performance.now()
  const code = await server.stop('SIGTERM')
  const stopMs = performance.now() - stopRequestedAtMs
  await writing.stop()
  proxy.resume()
  expect(code === 0 && stopMs < STOPPED_WITHIN_MS, `ended with ${code} after ${seconds(stopMs)}`)
  const slowest = writing.longestMs()
  expect(slowest < ANSWERED_WITHIN_MS, `an upload was answered after ${seconds(slowest)}`)
  const others = [...writing.refused.keys()].filter((status) => ![503, 409, 0].includes(status))
  expect(others.length === 0, `refused with ${refusedText(writing.refused)}`)
  const { written } = writing
  const after = await checkAfterRestart(data.path, { person, written }, env)
  return {
    acknowledged: written.length,
    lost: after.lost.length,
    faults: [...faults, ...after.faults, ...after.lost],
    notes: [
      refusedText(writing.refused),
      `slowest ${seconds(slowest)}`,
      `SIGTERM while silent: ${code} after ${seconds(stopMs)}`,
    ],
  }
}

export async function stopWithSilentMailServer(): Promise<Outcome> {
  await using data = await makeDataDir()
  const { faults, expect } = makeChecks()
  await using silent = createServer((socket) => socket.on('error', () => {}).resume()).listen(
    0,
    '127.0.0.1',
  )
  await once(silent, 'listening')
  const server = await startServer(data.path, {
    BLOG_SMTP_URL: `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    BLOG_MAIL_FROM: 'Test Blog <blog@example.test>',
  })
  const connection = once(silent, 'connection')
  await signUp(server.url, 'mailed')
  await call(server.url, '/v1/account/recovery', {
    method: 'POST',
    body: { email: 'mailed@example.test', url: `${server.url}/reset` },
  })
  const connected = await Promise.race([connection.then(() => true), delay(5000).then(() => false)])
  expect(connected, 'no mail was on its way')
  const stopRequestedAtMs = performance.now()
  const code = await server.stop('SIGTERM')
  const tookMs = performance.now() - stopRequestedAtMs
  expect(code === 0, `the exit code was ${code}`)
  expect(tookMs < STOPPED_WITHIN_MS, `it took ${seconds(tookMs)} to end`)
  return {
    acknowledged: 1,
    lost: 0,
    faults,
    notes: [`SIGTERM: ended with ${code} after ${seconds(tookMs)}`],
  }
}
