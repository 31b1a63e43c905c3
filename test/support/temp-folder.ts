// A temporary folder in memory if it has space: on a busy disk a new database takes four times as
// long.
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'

const IN_MEMORY = '/dev/shm'
const IN_MEMORY_MIN_BYTES = 2 * 1024 ** 3

/** For test servers. @returns the ordinary folder of temporary files if memory is too small */
export async function findTempFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(IN_MEMORY).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize >= IN_MEMORY_MIN_BYTES ? IN_MEMORY : tmpdir()
}
