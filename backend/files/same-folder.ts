// Whether a folder is still the one that the server began with. What is put into another one, such
// as the place of a disk that is not mounted, would be gone with the next start.
import { mkdirSync, opendirSync, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { unreachable } from './keeper.ts'

export type SameFolder = {
  /** @throws Refusal `general_service_disabled` while it is gone, or another one */
  require(): Promise<void>
}

/**
 * Makes the folder where there is none.
 *
 * @param shouldHold whether something is missing when it is empty
 * @throws Error when it cannot be made
 */
export function watchFolder(folder: string, { shouldHold }: { shouldHold: boolean }): SameFolder {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // Not its device: a disk that is mounted again may have another one.
  const { ino } = statSync(folder)
  const isLost = shouldHold && isFolderEmpty(folder)
  return {
    async require() {
      const now = await stat(folder).catch((error: unknown) => {
        throw unreachable(error)
      })
      if (now.ino !== ino)
        throw unreachable(new Error(`${folder} is another folder than at the start of the server`))
      if (isLost)
        throw unreachable(
          new Error(
            `${folder} was empty at the start, but the database knows files: mount its disk`,
          ),
        )
    },
  }
}

function isFolderEmpty(path: string): boolean {
  using folder = opendirSync(path)
  return folder.readSync() === null
}
