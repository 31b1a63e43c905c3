// The disk cache of previews while its folder cannot be written.
import { mkdir, mkdtempDisposable, readdir, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeLog } from '../process/log.ts'
import { makePreviewStore } from './previews.ts'

test('a preview that cannot be cached leaves nothing on the disk', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lamplight-previews-'))
  const store = makePreviewStore({ folder: folder.path, log: makeLog('silent') })
  expect(await store.find('key')).toBeUndefined()
  await mkdir(join(folder.path, 'key', 'in the way'), { recursive: true })
  await store.save('key', Buffer.from('drawn'))
  expect(await readdir(folder.path)).toEqual(['key'])
  expect(await store.find('key')).toBeUndefined()
})

test('the file that another process is writing stays; an abandoned one is removed', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lamplight-previews-'))
  for (const name of ['new.part', 'old.part']) await writeFile(join(folder.path, name), 'half')
  await utimes(join(folder.path, 'old.part'), 1, 1)
  const store = makePreviewStore({ folder: folder.path, log: makeLog('silent') })
  await store.save('key', Buffer.from('drawn'))
  expect((await readdir(folder.path)).sort()).toEqual(['key', 'new.part'])
})
