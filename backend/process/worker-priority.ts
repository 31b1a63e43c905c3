// The threads for image work, hashing and files give way to the one that answers requests: on a
// machine with few cores the system would otherwise share it out evenly among all of them.
import { readdir, readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'

/** As for a batch job; about a tenth of the share of an ordinary thread. */
const NICE = 10
const THREADS = '/proc/self/task'

/** Linux only: elsewhere, and where the system does not allow it, nothing changes. */
export async function lowerWorkerPriority(): Promise<void> {
  const ids = await readdir(THREADS).catch(() => [])
  for (const id of ids) {
    const name = await readFile(`${THREADS}/${id}/comm`, 'utf8').catch(() => '')
    if (name.trim() !== 'libuv-worker') continue
    try {
      setPriority(Number(id), NICE)
    } catch {
      // A system that forbids it loses some speed under load, nothing else.
    }
  }
}
