// Originals whose bytes are missing or fewer than their row says: a missing file and a line in the
// log, never a short answer (threat-model.md §10).
import type { Readable } from 'node:stream'
import { Refusal } from '#contract/errors.ts'
import type { Log } from '../process/log.ts'
import { type ByteRange, CutShort, type Keeper, readWhole, unreachable } from './keeper.ts'

type Needs = { keeper: Keeper; log: Log }
type Named = { storedName: string; sizeBytes: number }

/**
 * Opens the bytes of a file, or a part of them.
 *
 * @throws Refusal `storage_file_not_found` when they are gone or cut short, which is logged
 */
export async function openOriginal(
  { keeper, log }: Needs,
  { storedName, sizeBytes }: Named,
  range?: ByteRange,
): Promise<Readable> {
  try {
    const bytes = await keeper.open(storedName, range, sizeBytes)
    if (bytes) return bytes
    log.error({ storedName }, 'the bytes of a file are missing')
  } catch (error) {
    if (!(error instanceof CutShort)) throw error
    log.error({ storedName, err: error }, 'the bytes of a file are cut short')
  }
  throw new Refusal('storage_file_not_found')
}

/** All bytes of a file. @throws as {@link openOriginal} */
export async function readOriginal(needs: Needs, file: Named): Promise<Buffer> {
  const stream = await openOriginal(needs, file)
  const bytes = await readWhole(stream).catch((error: unknown) => {
    throw error instanceof Refusal ? error : unreachable(error)
  })
  if (bytes.length === file.sizeBytes) return bytes
  needs.log.error({ storedName: file.storedName }, 'the bytes of a file are cut short')
  throw new Refusal('storage_file_not_found')
}
