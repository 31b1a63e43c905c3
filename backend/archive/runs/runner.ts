// Runs imports and exports that are requested over the API, one at a time on each host.

import type { ArchiveContext } from '../context.ts'

export type ArchiveRunner = ReturnType<typeof makeArchiveRunner>

export function makeArchiveRunner(_context: ArchiveContext) {
  return {
    /** Looks for work at once. */
    pollNow(): void {},
  }
}
