// Keeping bytes: whole or not at all.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDisk, readWhole } from './disk.ts'

async function makeFolder() {
  const path = await mkdtemp(join(tmpdir(), 'lamplight-disk-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

async function read(bytes: AsyncIterable<Uint8Array> | undefined): Promise<string | undefined> {
  return bytes ? (await readWhole(bytes)).toString() : undefined
}

test('what was put is read back, whole or in part, until it is removed', async () => {
  await using folder = await makeFolder()
  const disk = makeDisk(join(folder.path, 'made', 'when needed'))
  expect(await disk.put('one', [Buffer.from('hello '), Buffer.from('lamp')], 10)).toEqual({
    sizeBytes: 10,
    signature: 'ceadd5146e8965f021bcedaa6945eaf9',
  })
  expect(await read(await disk.open('one'))).toBe('hello lamp')
  expect(await read(await disk.open('one', { start: 1, end: 3 }))).toBe('ell')
  await disk.remove('one')
  await disk.remove('one')
  expect([await disk.open('one'), await disk.has('one')]).toEqual([undefined, false])
})

test('too many bytes, or a source that breaks off, leave nothing', async () => {
  await using folder = await makeFolder()
  const disk = makeDisk(folder.path)
  async function* breaking(): AsyncIterable<Uint8Array> {
    yield Buffer.from('half')
    throw new Error('the client is gone')
  }
  await expect(disk.put('long', [Buffer.alloc(6), Buffer.alloc(5)], 10)).rejects.toMatchObject({ type: 'storage_invalid_file_size' })
  await expect(disk.put('broken', breaking(), 10)).rejects.toThrow('the client is gone')
  expect(await readdir(folder.path)).toEqual([])
})
