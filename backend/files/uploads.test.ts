// Uploads that fail, on both databases: the client disconnects, the upload or the account is
// removed meanwhile, bytes are missing.

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CHUNK_BYTES } from '#contract/limits.ts'
import { describeEachDatabase, type TestDatabase } from '#test/support/databases.ts'
import { drawPhoto } from '#test/support/images.ts'
import { addPeople } from '#test/support/posts.ts'
import { CommitOutcomeUnknown } from '../database/database-errors.ts'
import type { Database } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Viewer } from '../http/viewer.ts'
import { makeBackground } from '../process/background.ts'
import { makeLog } from '../process/log.ts'
import { makeSingleFlight } from '../process/single-flight.ts'
import { makeStoredName } from './blob-store.ts'
import type { FilesContext } from './context.ts'
import { makeDisk } from './disk.ts'
import { removeRow } from './file-access.ts'
import { IMAGE_QUEUE_SHARE, makeImageQueue } from './image-process.ts'
import { removeFilesOf } from './own-files-store.ts'
import * as store from './store.ts'
import { storeImage } from './store-image.ts'
import type { Upload } from './upload-form.ts'
import { continueUpload, createFile } from './uploads.ts'

const BUCKET = 'content'

function person(userId: string): Viewer {
  const email = `${userId}@example.test`
  return {
    role: 'user',
    userId,
    email,
    name: userId,
    isVerified: true,
    accountRole: 'author',
    sessionId: 's',
  }
}

async function makeSite(open: () => Promise<TestDatabase>) {
  const { db, ...rest } = await open()
  await addPeople(db, ['alice', 'bob'])
  const folder = await mkdtemp(join(tmpdir(), 'lamplight-uploads-'))
  const background = makeBackground(makeLog('silent'))
  const received = makeDisk(join(folder, 'uploads'))
  const context = {
    db,
    background,
    log: makeLog('silent'),
    contentBucketId: 'content',
    avatarBucketId: 'avatars',
    blobStore: makeDisk(join(folder, 'files')),
    received,
    chunks: received,
    imageQueue: makeImageQueue(),
    assembling: makeSingleFlight(),
    previewPregeneration: { add: () => {} },
    now: () => new Date(),
  } as unknown as FilesContext
  return {
    context,
    async receive(bytes: Buffer, changes: Partial<Upload> = {}): Promise<Upload> {
      const storedName = makeStoredName()
      const { sizeBytes } = await context.received.put(storedName, [bytes], bytes.length)
      return {
        id: 'photo',
        permissions: undefined,
        bytes: { storedName, sizeBytes, name: 'photo.png' },
        contentRange: undefined,
        ...changes,
      }
    },
    /** The names of all bytes, finished and received. */
    async storedNames(): Promise<string[]> {
      await background.drained()
      const folders = ['files', 'uploads'].map((name) => readdir(join(folder, name)))
      return (await Promise.all(folders.map((names) => names.catch(() => [])))).flat()
    },
    async [Symbol.asyncDispose]() {
      await background.drained()
      await rm(folder, { recursive: true, force: true })
      await rest[Symbol.asyncDispose]()
    },
  }
}

/** A database whose connection ends after each COMMIT, before its result arrives. */
function withLostAnswers(db: Database): Database {
  const transaction = () => ({
    execute: async (work: (tx: Database) => Promise<unknown>) => {
      await db.transaction().execute(work)
      throw new CommitOutcomeUnknown(new Error('Connection terminated unexpectedly'))
    },
  })
  return new Proxy(db, {
    get(target, name) {
      if (name === 'transaction') return transaction
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** The second and last chunk of an image, whose first chunk does not matter. */
function secondChunk(bytes: Buffer): Partial<Upload> {
  const end = CHUNK_BYTES + bytes.length
  return { contentRange: `bytes ${CHUNK_BYTES}-${end - 1}/${end}` }
}

describeEachDatabase('uploads', (open) => {
  test('an upload whose client has disconnected is not stored, even if its last byte arrived', async () => {
    await using site = await makeSite(open)
    const upload = await site.receive(await drawPhoto('png', { width: 60, height: 40 }), {
      isDisconnected: () => true,
    })
    await expect(createFile(site.context, BUCKET, person('alice'), upload)).rejects.toMatchObject({
      type: 'general_argument_invalid',
    })
    expect(await store.findFile(site.context.db, { bucketId: 'content', id: 'photo' })).toBe(
      undefined,
    )
    expect(await site.storedNames()).toEqual([])
  })

  test.each([
    { name: 'whole', changes: {} },
    { name: 'in chunks', changes: secondChunk(Buffer.alloc(20)) },
  ])('a deleted account stores nothing: $name', async ({ changes }) => {
    await using site = await makeSite(open)
    const photo = await drawPhoto('png', { width: 60, height: 40 })
    const bytes = changes.contentRange ? Buffer.alloc(20) : photo
    const upload = await site.receive(bytes, changes)
    await expect(createFile(site.context, BUCKET, person('carla'), upload)).rejects.toMatchObject({
      type: 'user_unauthorized',
    })
    expect(await store.findFile(site.context.db, { bucketId: 'content', id: 'photo' })).toBe(
      undefined,
    )
    expect(await site.storedNames()).toEqual([])
  })

  test.each([
    { name: 'a whole file', changes: {}, isComplete: 1 },
    { name: 'a chunk', changes: secondChunk(Buffer.alloc(20)), isComplete: 0 },
  ])('the bytes stay if the outcome of a COMMIT is unknown: $name', async (commit) => {
    await using site = await makeSite(open)
    const { changes, isComplete } = commit
    const photo = await drawPhoto('png', { width: 60, height: 40 })
    const send = async (context: FilesContext) => {
      const bytes = changes.contentRange ? Buffer.alloc(20) : photo
      return createFile(context, BUCKET, person('alice'), await site.receive(bytes, changes))
    }
    if (!isComplete) {
      const first = { contentRange: `bytes 0-${CHUNK_BYTES - 1}/${CHUNK_BYTES + 20}` }
      const upload = await site.receive(Buffer.alloc(CHUNK_BYTES), first)
      await createFile(site.context, BUCKET, person('alice'), upload)
    }
    const context = { ...site.context, db: withLostAnswers(site.context.db) }
    await expect(send(context)).rejects.toBeInstanceOf(CommitOutcomeUnknown)
    const rows = [
      await store.findFile(site.context.db, { bucketId: 'content', id: 'photo' }),
      ...(await store.findChunks(site.context.db, { bucketId: 'content', id: 'photo' })),
    ]
    expect(rows[0]).toMatchObject({ isComplete })
    const names = await site.storedNames()
    for (const row of isComplete ? rows : rows.slice(1)) expect(names).toContain(row?.storedName)
    expect(rows).toHaveLength(isComplete ? 1 : 3)
  })

  test('an upload that is removed while its chunks are joined leaves nothing', async () => {
    await using site = await makeSite(open)
    const { context } = site
    const photo = await drawPhoto('png', { width: 60, height: 40 })
    const { bytes } = await site.receive(photo)
    const row = await insertUnfinished(context, photo.length, 1)
    await store.saveChunk(context.db, row, { chunkIndex: 0, storedName: bytes?.storedName ?? '' })
    const blobStore = {
      ...context.blobStore,
      async put(...args: Parameters<typeof context.blobStore.put>) {
        const blob = await context.blobStore.put(...args)
        expect(await removeRow(context, row)).toBe(true)
        return blob
      },
    }
    await expect(continueUpload({ ...context, blobStore }, row)).rejects.toMatchObject({
      type: 'storage_file_not_found',
    })
    expect(await store.findFile(context.db, row)).toBe(undefined)
    expect(await site.storedNames()).toEqual([])
  })

  test('the count of chunks never decreases, and a file is completed once', async () => {
    await using site = await makeSite(open)
    const { db } = site.context
    const row = await insertUnfinished(site.context, 3 * CHUNK_BYTES, 3)
    for (const count of [2, 1])
      await store.raiseChunksUploaded(db, row.storedName, {
        chunksUploaded: count,
        updatedAt: row.updatedAt,
      })
    expect(await store.findFile(db, row)).toMatchObject({ chunksUploaded: 2 })
    expect(await store.completeFile(db, row.storedName, { signature: 'a' })).toMatchObject({
      isComplete: 1,
      signature: 'a',
    })
    expect(await store.completeFile(db, row.storedName, { signature: 'b' })).toBe(undefined)
    expect(await store.findFile(db, row)).toMatchObject({ signature: 'a' })
  })

  test('deleting an account also removes the bytes of its unfinished uploads', async () => {
    await using site = await makeSite(open)
    const { context } = site
    const upload = await site.receive(Buffer.alloc(20), secondChunk(Buffer.alloc(20)))
    await createFile(context, BUCKET, person('alice'), upload)
    expect(await site.storedNames()).toHaveLength(1)
    await inTransaction(context.db, context.background, (tx, afterCommit) =>
      removeFilesOf(context, tx, afterCommit, 'alice'),
    )
    expect(await site.storedNames()).toEqual([])
  })

  test('chunks stay and can be completed when the queue refuses them or their client disconnects', async () => {
    await using site = await makeSite(open)
    const { context } = site
    const photo = await drawPhoto('png', { width: 60, height: 40 })
    const { bytes } = await site.receive(photo)
    const row = await insertUnfinished(context, photo.length, 1)
    await store.saveChunk(context.db, row, { chunkIndex: 0, storedName: bytes?.storedName ?? '' })
    const gate = Promise.withResolvers<void>()
    const hold = () => gate.promise
    const all = [1, 2].map(() => context.imageQueue(hold, {}, { isUpload: true }))
    const sender = new AbortController()
    const leaving = continueUpload(context, row, { key: 'a', signal: sender.signal })
    await expect.poll(() => context.imageQueue.stats().waiting).toBe(1)
    sender.abort()
    await expect(leaving).rejects.toMatchObject({ name: 'AbortError' })
    for (let at = 0; at < IMAGE_QUEUE_SHARE; at++)
      all.push(context.imageQueue(hold, { key: 'a' }, { isUpload: true }))
    await expect(continueUpload(context, row, { key: 'a' })).rejects.toMatchObject({ status: 429 })
    expect(await site.storedNames()).toEqual([bytes?.storedName])
    expect(await store.findChunks(context.db, row)).toHaveLength(1)
    gate.resolve()
    await Promise.all(all)
    expect(await continueUpload(context, row)).toMatchObject({ isComplete: 1 })
  })

  test('an upload with fewer bytes than announced is refused, and nothing is stored', async () => {
    await using site = await makeSite(open)
    const photo = await drawPhoto('png', { width: 60, height: 40 })
    const { bytes } = await site.receive(photo)
    const names = [bytes?.storedName ?? '']
    const announced = { names, sizeBytes: photo.length + 1, extension: 'png' }
    await expect(
      storeImage(site.context, site.context.received, announced, {}),
    ).rejects.toMatchObject({
      type: 'storage_invalid_file_size',
    })
    expect(await site.storedNames()).toEqual(names)
  })
})

async function insertUnfinished(
  { db }: FilesContext,
  sizeBytes: number,
  chunksTotal: number,
): Promise<store.FileRow> {
  const time = new Date().toISOString()
  return await store.insertFile(db, {
    id: 'photo',
    bucketId: 'content',
    userId: 'alice',
    name: 'photo.png',
    mimeType: '',
    sizeBytes,
    signature: '',
    width: 0,
    height: 0,
    color: '',
    chunksTotal,
    chunksUploaded: 0,
    isComplete: 0,
    storedName: makeStoredName(),
    permissions: '[]',
    readers: 'any',
    createdAt: time,
    updatedAt: time,
  })
}
