// Image jobs in child processes: how an image can make one fail, and that the next job works.

import { PassThrough } from 'node:stream'
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { drawPhoto } from '#test/support/images.ts'
import { readMessages, writeMessage } from './image-messages.ts'
import { runImageJob } from './image-process.ts'
import { readPreviewParams } from './preview-params.ts'

const preview = (bytes: Buffer, query: Record<string, string>) =>
  runImageJob('preview', bytes, { params: readPreviewParams(query), type: 'png' })

test('bytes that are no image are refused, and the same process draws the next image', async () => {
  const damaged = preview(Buffer.from('no image at all'), {})
  await expect(damaged).rejects.toMatchObject({ type: 'storage_invalid_file' })
  const { bytes } = await preview(await drawPhoto('png'), { width: '30' })
  expect((await sharp(bytes).metadata()).width).toBe(30)
})

test('a drawing that takes too long is refused as busy, not as damaged, and the next one is drawn', async () => {
  const photo = await drawPhoto('png')
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const slow = preview(photo, { width: '2000', height: '2000', rotation: '45', borderRadius: '9' })
  const outcome = expect(slow).rejects.toMatchObject({
    type: 'general_service_disabled',
    status: 503,
    headers: { 'retry-after': '5' },
  })
  vi.runAllTimers()
  vi.useRealTimers()
  await outcome
  expect((await preview(photo, { width: '30' })).bytes.length).toBeGreaterThan(0)
})

test('a process that is being ended because it was idle gets no further job', async () => {
  const photo = await drawPhoto('png')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await preview(photo, { width: '30' })
  vi.runAllTimers()
  vi.useRealTimers()
  expect((await preview(photo, { width: '31' })).bytes.length).toBeGreaterThan(0)
})

test('concurrent images are drawn in separate processes', async () => {
  const photo = await drawPhoto('png')
  const widths = [21, 22]
  const drawn = await Promise.all(widths.map((width) => preview(photo, { width: String(width) })))
  for (const [at, { bytes }] of drawn.entries())
    expect((await sharp(bytes).metadata()).width).toBe(widths[at])
})

test('messages over a pipe are complete, in whatever pieces they arrive', async () => {
  const pipe = new PassThrough()
  const written = new PassThrough()
  writeMessage(written, { name: 'é' }, Buffer.from('bytes'))
  written.end()
  const all: Buffer[] = await written.toArray()
  for (const byte of Buffer.concat(all)) pipe.write(Buffer.from([byte]))
  writeMessage(pipe, {}, Buffer.alloc(0))
  pipe.end()
  expect(await Array.fromAsync(readMessages(pipe))).toEqual([
    { head: { name: 'é' }, bytes: Buffer.from('bytes') },
    { head: {}, bytes: Buffer.alloc(0) },
  ])
})
