// An import, and its undoing, that are killed before any of their queries end as if they were not.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openImportBlog } from '../../../test/support/imports.ts'
import { findTempFolder } from '../../../test/support/temp-folder.ts'

const SCRIPT = fileURLToPath(new URL('../../../test/support/killed-import.ts', import.meta.url))
/** Shares of the queries after which the process is killed. */
const SHARES = [0.02, 0.2, 0.45, 0.6, 0.8, 0.99]

async function runImport(folder: string, work: string, killAt = 0) {
  const child = spawn(process.execPath, [SCRIPT, folder, work, String(killAt)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<string | number | null>((resolve) => {
    child.on('exit', (code, signal) => resolve(signal ?? code))
  })
  const output = (await Array.fromAsync(child.stdout)).join('')
  return { ended: await ended, queries: Number(output) }
}

async function makeFolder() {
  const folder = await mkdtemp(join(await findTempFolder(), 'lamplight-killed-'))
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

/** Everything that does not depend on the time of the import. */
async function readBlog(dataDir: string) {
  await using blog = await openImportBlog({ dataDir })
  const { db } = blog.context
  const posts = await db
    .selectFrom('post')
    .select(['id', 'title', 'status', 'createdAt', 'updatedAt', 'publishedAt', 'userId'])
    .orderBy('id')
    .execute()
  const comments = db
    .selectFrom('comment')
    .select(['id', 'parentId', 'place', 'replies', 'content'])
  const items = db.selectFrom('importedItem').select(['kind', 'key', 'owner', 'runId'])
  const tags = db.selectFrom('postTag').innerJoin('post', 'post.seq', 'postSeq')
  return {
    posts,
    comments: await comments.orderBy('id').execute(),
    items: await items.orderBy('kind').orderBy('key').execute(),
    tags: await tags.select(['post.id', 'name', 'place']).orderBy('id').orderBy('place').execute(),
    addresses: await db.selectFrom('oldAddress').selectAll().orderBy('address').execute(),
    users: await db.selectFrom('user').select(['id', 'name']).execute(),
    unclaimed: await db.selectFrom('unclaimedUser').selectAll().execute(),
    files: (await db.selectFrom('file').select('name').execute()).length,
    references: (await db.selectFrom('postFile').select('postId').execute()).length,
  }
}

test.for(['import', 'undo'])(
  'an %s that is killed goes on and ends the same',
  {
    tags: ['more'],
  },
  async (work) => {
    await using whole = await makeFolder()
    const imported = await runImport(whole.folder, 'import')
    const undone = work === 'undo' ? await runImport(whole.folder, 'undo') : imported
    const expected = await readBlog(whole.folder)
    await using killed = await makeFolder()
    if (work === 'undo') await runImport(killed.folder, 'import')
    for (const share of SHARES) {
      const { ended } = await runImport(killed.folder, work, Math.ceil(undone.queries * share))
      expect([0, 'SIGKILL']).toContain(ended)
    }

    const last = await runImport(killed.folder, work)

    expect(last.ended).toBe(0)
    expect(await readBlog(killed.folder)).toEqual(expected)
    expect(expected.posts).toHaveLength(work === 'undo' ? 0 : 120)
  },
)
