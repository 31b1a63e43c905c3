// Files and posts with their real rules on a fresh database with alice and bob in it, without HTTP;
// the files are in a folder.

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { inTransaction } from '#backend/database/transaction.ts'
import { makeStoredName } from '#backend/files/blob-store.ts'
import { makeFiles } from '#backend/files/files.ts'
import type { Viewer } from '#backend/http/viewer.ts'
import { makeBackground } from '#backend/process/background.ts'
import { makeLog } from '#backend/process/log.ts'
import { bindFiles } from './bound-files.ts'
import { makeTestContext } from './context.ts'
import type { TestDatabase } from './databases.ts'
import { drawPhoto } from './images.ts'
import { addPeople, makeTestPosts } from './posts.ts'

type UploadOptions = { bucketId?: string; contentRange?: string; bytes?: Buffer }

const DAY_MS = 24 * 3600 * 1000
const ALWAYS = { unlessNewerThan: undefined }

export async function makeFileSite(
  open: () => Promise<TestDatabase>,
  { hasExtraAttributes = false }: { hasExtraAttributes?: boolean } = {},
) {
  const { db, ...rest } = await open()
  const photo = await drawPhoto('png', { width: 6, height: 4 })
  await addPeople(db, ['alice', 'bob'])
  const dataDir = await mkdtemp(join(tmpdir(), 'lamplight-uses-'))
  const log = makeLog('silent')
  const background = makeBackground(log)
  let shiftMs = 0
  const context = await makeFiles(
    makeTestContext(db, {
      background,
      log,
      dataDir,
      contentBucketId: 'content',
      avatarBucketId: 'avatars',
      now: () => new Date(Date.now() + shiftMs),
    }),
  )
  const files = bindFiles(context)
  const posts = makeTestPosts(db, { ...context, hasExtraAttributes })
  return {
    db,
    files,
    posts,
    background,
    passDay: () => {
      shiftMs += DAY_MS + 60_000
    },
    /** Lets the thirty days of all deleted posts pass, and sweeps them. */
    async expireDeleted() {
      shiftMs += 31 * DAY_MS
      await posts.sweepDeleted()
    },
    /** Uploads a small image, or one chunk of a file. */
    async upload(
      viewer: Viewer,
      id: string,
      { bucketId = 'content', contentRange, bytes = photo }: UploadOptions = {},
    ) {
      const storedName = makeStoredName()
      const { sizeBytes } = await files.received.put(storedName, [bytes], bytes.length)
      return await files.create(bucketId, viewer, {
        id,
        permissions: undefined,
        bytes: { storedName, sizeBytes, name: 'photo.png' },
        contentRange,
      })
    },
    edit: (viewer: Viewer, id: string, data: Record<string, unknown>) =>
      posts.update(viewer, id, { data, permissions: undefined, ...ALWAYS }),
    setAvatar: (userId: string, fileId: string | undefined) =>
      inTransaction(db, background, (tx, afterCommit) =>
        files.setAvatarFile(tx, afterCommit, { userId, fileId }),
      ),
    /** The ids of all files. Expects the bytes of each, and no others, in the folder. */
    async ids(): Promise<string[]> {
      await background.drained()
      const rows = await db.selectFrom('file').select(['id', 'storedName']).orderBy('id').execute()
      const names = await readdir(join(dataDir, 'files')).catch(() => [])
      expect(names.sort()).toEqual(rows.map(({ storedName }) => storedName).sort())
      return rows.map(({ id }) => id)
    },
    async [Symbol.asyncDispose]() {
      await background.drained()
      await rm(dataDir, { recursive: true, force: true })
      await rest[Symbol.asyncDispose]()
    },
  }
}
