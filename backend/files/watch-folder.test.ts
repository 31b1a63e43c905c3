// The folder of files of a server whose disk was not mounted when it started.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { watchFolder } from './disk.ts'

test('a folder that was empty at the start is used only if it should hold no files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lamplight-same-'))
  const lost = watchFolder(join(folder, 'missing', 'twice'), { shouldHoldFiles: true })
  await expect(lost()).rejects.toMatchObject({ status: 503 })
  const fresh = watchFolder(folder, { shouldHoldFiles: false })
  await fresh()
  await writeFile(join(folder, 'file'), '')
  await watchFolder(folder, { shouldHoldFiles: true })()
  await rm(folder, { recursive: true })
  await expect(fresh()).rejects.toMatchObject({ status: 503 })
})
