// The rules of files on both databases, without HTTP: ownership, limits, and the sweep after
// crashes and disconnected clients.

import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { FileModel } from '#contract/files.ts'
import { CHUNK_BYTES } from '#contract/limits.ts'
import { type BoundFiles, bindFiles } from '#test/support/bound-files.ts'
import { makeTestContext } from '#test/support/context.ts'
import { describeEachDatabase, type TestDatabase } from '#test/support/databases.ts'
import { drawNoise, drawPhoto } from '#test/support/images.ts'
import { addPeople } from '#test/support/posts.ts'
import type { Viewer } from '../http/viewer.ts'
import { makeBackground } from '../process/background.ts'
import { makeLog } from '../process/log.ts'
import { makeStoredName } from './blob-store.ts'
import {
  FILES_PER_USER_MAX,
  STORED_PER_USER_MAX_BYTES,
  UNFINISHED_UPLOADS_PER_USER_MAX,
} from './file-access.ts'
import { makeFiles } from './files.ts'
import type { NewFileRow } from './store.ts'

const DAY_MS = 24 * 3600 * 1000

function person(userId: string): Viewer {
  return {
    role: 'user',
    userId,
    email: `${userId}@example.test`,
    name: userId,
    isVerified: true,
    accountRole: 'author',
    sessionId: 's',
  }
}

const alice = person('alice')
const bob = person('bob')
const key: Viewer = { role: 'key' }

async function makeSite(open: () => Promise<TestDatabase>) {
  const { db, ...rest } = await open()
  await addPeople(db, ['alice', 'bob'])
  const dataDir = await mkdtemp(join(tmpdir(), 'lamplight-files-'))
  const lines: Record<string, unknown>[] = []
  const log = makeLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
  const background = makeBackground(log)
  let shiftMs = 0
  const now = (): Date => new Date(Date.now() + shiftMs)
  const context = await makeFiles(
    makeTestContext(db, {
      background,
      log,
      dataDir,
      contentBucketId: 'content',
      avatarBucketId: 'avatars',
      now,
    }),
  )
  const files = bindFiles(context)
  return {
    db,
    dataDir,
    files,
    background,
    lines,
    passTime: (ms: number) => {
      shiftMs += ms
    },
    async storedNames(folder: 'files' | 'uploads'): Promise<string[]> {
      await background.drained()
      return await readdir(join(dataDir, folder)).catch(() => [])
    },
    async [Symbol.asyncDispose]() {
      await background.drained()
      await rm(dataDir, { recursive: true, force: true })
      await rest[Symbol.asyncDispose]()
    },
  }
}

type Sending = { bucketId?: string; id?: string; contentRange?: string }

async function upload(
  files: BoundFiles,
  viewer: Viewer,
  bytes: Buffer,
  { bucketId = 'content', id, contentRange }: Sending = {},
): Promise<FileModel> {
  const storedName = makeStoredName()
  const { sizeBytes } = await files.received.put(storedName, [bytes], bytes.length)
  return await files.create(bucketId, viewer, {
    id,
    permissions: undefined,
    bytes: { storedName, sizeBytes, name: 'photo.png' },
    contentRange,
  })
}

function makeRow(changes: Partial<NewFileRow>): NewFileRow {
  const time = new Date().toISOString()
  return {
    id: makeStoredName().slice(0, 30),
    bucketId: 'content',
    userId: 'alice',
    name: 'x.png',
    mimeType: 'image/png',
    sizeBytes: 10,
    signature: '',
    width: 1,
    height: 1,
    color: '',
    chunksTotal: 1,
    chunksUploaded: 1,
    isComplete: 1,
    storedName: makeStoredName(),
    permissions: '[]',
    readers: 'any',
    createdAt: time,
    updatedAt: time,
    ...changes,
  }
}

describeEachDatabase('files', (open) => {
  test('a post may use a complete content image of its author; the API key may use any', async () => {
    await using site = await makeSite(open)
    const photo = await drawPhoto('png', { width: 60, height: 40 })
    const image = await upload(site.files, alice, photo)
    const avatar = await upload(site.files, alice, photo, { bucketId: 'avatars' })
    const half = await upload(site.files, alice, Buffer.alloc(20), {
      contentRange: `bytes ${CHUNK_BYTES}-${CHUNK_BYTES + 19}/${CHUNK_BYTES + 20}`,
    })
    const answers = [image, avatar, half].flatMap(({ $id }) =>
      ['alice', 'bob', undefined].map((owner) => site.files.isUsableImage(site.db, $id, owner)),
    )
    expect(await Promise.all(answers)).toEqual([
      true,
      false,
      true,
      false,
      false,
      false,
      false,
      false,
      false,
    ])
  })

  test('the list of a user’s files has the complete ones of both buckets, oldest first', async () => {
    await using site = await makeSite(open)
    const photo = await drawPhoto('png', { width: 60, height: 40 })
    await upload(site.files, alice, photo, { id: 'first' })
    await upload(site.files, bob, photo, { id: 'other' })
    await upload(site.files, alice, Buffer.alloc(20), {
      id: 'half',
      contentRange: `bytes ${CHUNK_BYTES}-${CHUNK_BYTES + 19}/${CHUNK_BYTES + 20}`,
    })
    await upload(site.files, alice, photo, { id: 'second', bucketId: 'avatars' })
    const files = await site.files.listCompleteFilesOf('alice')
    expect(files.map(({ model }) => model.$id)).toEqual(['first', 'second'])
  })

  test('one of several concurrent deletes finds the file', async () => {
    await using site = await makeSite(open)
    const { $id } = await upload(
      site.files,
      alice,
      await drawPhoto('png', { width: 60, height: 40 }),
    )
    const ways = await Promise.allSettled(
      [1, 2, 3].map(() => site.files.remove('content', $id, alice)),
    )
    expect(ways.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(await site.storedNames('files')).toEqual([])
  })

  test('a file uploaded under an id that was just deleted has its own bytes', async () => {
    await using site = await makeSite(open)
    const first = await drawPhoto('png', { width: 60, height: 40 })
    const second = await drawPhoto('png', { width: 30, height: 20 })
    await upload(site.files, alice, first, { id: 'again' })
    await site.files.remove('content', 'again', alice)
    await upload(site.files, alice, second, { id: 'again' })
    expect(await site.storedNames('files')).toHaveLength(1)
    const file = await site.files.readVisible('content', 'again', bob)
    const bytes: Buffer[] = []
    for await (const piece of await site.files.openBytes(file)) bytes.push(piece)
    expect(Buffer.concat(bytes).equals(second)).toBe(true)
  })

  test('concurrent chunks complete the file once', async () => {
    await using site = await makeSite(open)
    const noise = await drawNoise(11_000_000)
    const send = (index: number) => {
      const end = Math.min((index + 1) * CHUNK_BYTES, noise.length)
      const contentRange = `bytes ${index * CHUNK_BYTES}-${end - 1}/${noise.length}`
      return upload(site.files, alice, noise.subarray(index * CHUNK_BYTES, end), {
        id: 'large',
        contentRange,
      })
    }
    const answers = await Promise.all([0, 1, 2].map(send))
    expect(Math.max(...answers.map(({ chunksUploaded }) => chunksUploaded))).toBe(3)
    expect(await site.files.read('content', 'large', alice)).toMatchObject({
      chunksUploaded: 3,
      sizeOriginal: noise.length,
      mimeType: 'image/png',
    })
    expect(
      [await site.storedNames('files'), await site.storedNames('uploads')].map(
        (names) => names.length,
      ),
    ).toEqual([1, 0])
    expect(await site.db.selectFrom('fileChunk').selectAll().execute()).toEqual([])
  })

  test.each([
    {
      name: 'a gibibyte',
      rows: [makeRow({ sizeBytes: STORED_PER_USER_MAX_BYTES - 100 })],
      type: 'storage_invalid_file_size',
    },
    {
      name: '5,000 files',
      rows: Array.from({ length: FILES_PER_USER_MAX }, () => makeRow({})),
      type: 'general_argument_invalid',
    },
  ])('a user may store at most $name, and others are not affected', async ({ rows, type }) => {
    await using site = await makeSite(open)
    for (let at = 0; at < rows.length; at += 500)
      await site.db
        .insertInto('file')
        .values(rows.slice(at, at + 500))
        .execute()
    const photo = await drawPhoto('png', { width: 60, height: 40 })
    await expect(upload(site.files, alice, photo)).rejects.toMatchObject({ type, status: 400 })
    expect([await site.storedNames('files'), await site.storedNames('uploads')]).toEqual([[], []])
    expect(await upload(site.files, bob, photo)).toMatchObject({ chunksUploaded: 1 })
  })

  test('concurrent uploads cannot exceed the limit together', async () => {
    await using site = await makeSite(open)
    const photo = await drawPhoto('png', { width: 60, height: 40 })
    await site.db
      .insertInto('file')
      .values(makeRow({ sizeBytes: STORED_PER_USER_MAX_BYTES - 3 * photo.length - 1 }))
      .execute()
    const sent = await Promise.allSettled(
      Array.from({ length: 9 }, () => upload(site.files, alice, photo)),
    )
    expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    const refused = sent.flatMap((result) =>
      result.status === 'rejected' ? [result.reason.type] : [],
    )
    expect(refused).toEqual(Array.from({ length: 6 }, () => 'storage_invalid_file_size'))
    expect(
      [await site.storedNames('files'), await site.storedNames('uploads')].map(
        (names) => names.length,
      ),
    ).toEqual([3, 0])
  })

  test('concurrent uploads cannot exceed the limit of unfinished ones together', async () => {
    await using site = await makeSite(open)
    const begin = (viewer: Viewer) =>
      upload(site.files, viewer, Buffer.alloc(20), {
        contentRange: `bytes ${CHUNK_BYTES}-${CHUNK_BYTES + 19}/${CHUNK_BYTES + 20}`,
      })
    const maxUploads = UNFINISHED_UPLOADS_PER_USER_MAX
    const results = await Promise.allSettled(
      Array.from({ length: maxUploads + 6 }, () => begin(alice)),
    )
    const refused = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason.message] : [],
    )
    const message = `You have ${maxUploads} unfinished uploads already.`
    expect(refused).toEqual(Array.from({ length: 6 }, () => message))
    expect(await site.storedNames('uploads')).toHaveLength(maxUploads)
    expect(await begin(bob)).toMatchObject({ chunksTotal: 2 })
  })

  test('the sweep removes bytes without a row after a day, and reports rows without bytes', async () => {
    await using site = await makeSite(open)
    const photo = await drawPhoto('png', { width: 60, height: 40 })
    await upload(site.files, key, photo, { id: 'intact' })
    await upload(site.files, key, photo, { id: 'lost' })
    const { storedName } = await site.files.readVisible('content', 'lost', alice)
    await rm(join(site.dataDir, 'files', storedName))
    await upload(site.files, alice, Buffer.alloc(20), {
      id: 'half',
      contentRange: `bytes ${CHUNK_BYTES}-${CHUNK_BYTES + 19}/${CHUNK_BYTES + 20}`,
    })
    await mkdir(join(site.dataDir, 'uploads'), { recursive: true })
    for (const folder of ['files', 'uploads'])
      await writeFile(join(site.dataDir, folder, 'stray'), 'x')
    const old = new Date(Date.now() - DAY_MS - 1000)
    await writeFile(join(site.dataDir, 'files', 'old.part'), 'x')
    await utimes(join(site.dataDir, 'files', 'old.part'), old, old)

    await site.files.sweep()
    expect((await site.storedNames('files')).sort()).toEqual([expect.stringMatching(/-/), 'stray'])
    expect(await site.storedNames('uploads')).toHaveLength(2)
    expect(site.lines.filter(({ msg }) => msg === 'the bytes of a file are missing')).toMatchObject(
      [{ fileId: 'lost', bucketId: 'content' }],
    )

    site.passTime(DAY_MS + 60_000)
    await site.files.sweep()
    expect(await site.storedNames('files')).toEqual([expect.stringMatching(/-/)])
    expect(await site.storedNames('uploads')).toEqual([])
    const { files } = await site.files.list('content', key, {
      queries: undefined,
      search: undefined,
    })
    expect(files.map(({ $id }) => $id)).toEqual(['intact', 'lost'])
  })
})
