// Which backups removeOldest keeps, and which one a restore takes.
import { mkdir, mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { completeName, listBackups, removeOldest } from './backup-folder.ts'
import { findBackup } from './restore.ts'

const name = (at: string) => completeName(new Date(at))

async function keepTwoOf(times: string[], newBackup: string): Promise<string[]> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lamplight-keep-'))
  for (const at of [...times, newBackup]) await mkdir(join(folder.path, name(at)))
  await removeOldest(folder.path, 2, name(newBackup))
  return await listBackups(folder.path)
}

const FIRST = '2026-11-01T03:30:00.000Z'
const SECOND = '2026-11-02T03:30:00.000Z'
const THIRD = '2026-11-03T03:30:00.000Z'

test('the oldest backups are removed', async () => {
  expect(await keepTwoOf([FIRST, SECOND], THIRD)).toEqual([SECOND, THIRD].map(name))
})

test('after the clock was set back, the backup that was just made stays although its name is the oldest', async () => {
  expect(await keepTwoOf([SECOND, THIRD], FIRST)).toEqual([FIRST, THIRD].map(name))
})

test('many backups in one day do not displace those of the days before', async () => {
  const early = '2026-11-02T10:00:00.000Z'
  const late = '2026-11-02T10:00:05.000Z'
  expect(await keepTwoOf([FIRST, early], late)).toEqual([FIRST, late].map(name))
})

test('the newest backup is restored, not one that a wrong clock dated in the future', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lamplight-newest-'))
  const future = '2999-01-01T03:30:00.000Z'
  await mkdir(join(folder.path, name(future)))
  expect(await findBackup(folder.path)).toBe(join(folder.path, name(future)))
  for (const at of [FIRST, SECOND]) await mkdir(join(folder.path, name(at)))
  expect(await findBackup(folder.path)).toBe(join(folder.path, name(SECOND)))
})
