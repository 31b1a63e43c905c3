// Fills the folders of a backup with bytes: linked to the backup before, where that one is sound,
// else copied from the blog. Never linked to the blog's own file: what harms the one would harm
// the other.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { CutShort, type Keeper } from '../files/keeper.ts'
import { listStored } from './blog-data.ts'
import { type Hashes, hashFile, linkFile, writeBytes } from './bytes.ts'
import type { Entry, LostBytes } from './manifest.ts'
import type { NamedBytes } from './rows-store.ts'

/** The same place in the backup before, with what its manifest says. */
export type Earlier = { folder: string; entries: Map<string, Entry> }

export type Collection = {
  keeper: Keeper
  folder: string
  earlier: Earlier | undefined
  /** What is there already. */
  collected: Map<string, Hashes>
  /** What is kept and cannot be read. */
  unreadable: Set<string>
  figures: { linkedFiles: number; copiedFiles: number; copiedBytes: number }
}

/** Takes everything that is kept just now and not there yet. @returns how many that was */
export async function collectListed(collection: Collection): Promise<number> {
  const before = collection.collected.size
  for (const name of await listStored(collection.keeper)) await collect(collection, name)
  return collection.collected.size - before
}

/** Takes the bytes of one name. @returns undefined when they are kept nowhere */
export async function collect(collection: Collection, name: string): Promise<Hashes | undefined> {
  const { collected } = collection
  const found =
    collected.get(name) ?? (await linkEarlier(collection, name)) ?? (await copy(collection, name))
  if (found) collected.set(name, found)
  return found
}

async function linkEarlier(
  { folder, earlier, figures }: Collection,
  name: string,
): Promise<Hashes | undefined> {
  const entry = earlier?.entries.get(name)
  if (!earlier || !entry) return undefined
  const path = join(earlier.folder, name)
  const hashes = await hashFile(path)
  if (hashes?.sha256 !== entry.sha256 || !(await linkFile(path, join(folder, name))))
    return undefined
  figures.linkedFiles++
  return hashes
}

async function copy(
  { keeper, folder, figures, unreadable }: Collection,
  name: string,
): Promise<Hashes | undefined> {
  try {
    const bytes = await keeper.open(name)
    if (!bytes) return undefined
    const hashes = await writeBytes(bytes, join(folder, name))
    figures.copiedFiles++
    figures.copiedBytes += hashes.sizeBytes
    return hashes
  } catch (error) {
    if (!(error instanceof CutShort) && !isReadFault(error)) throw error
    unreadable.add(name)
    return undefined
  }
}

/** The disk has lost these bytes; the rest is backed up all the same. */
function isReadFault(error: unknown): boolean {
  return (
    error instanceof Error &&
    'syscall' in error &&
    error.syscall === 'read' &&
    'code' in error &&
    (error.code === 'EIO' || error.code === 'EISDIR')
  )
}

/**
 * Leaves what rows name and removes the rest.
 *
 * @returns what the manifest says: the entries, and bytes that the blog itself has lost
 */
export async function keepNamed(
  { folder, collected, unreadable }: Collection,
  named: NamedBytes[],
): Promise<{ entries: Entry[]; lost: LostBytes[] }> {
  const names = new Set(named.map(({ name }) => name))
  for (const name of collected.keys())
    if (!names.has(name)) await rm(join(folder, name), { force: true })
  const entries: Entry[] = []
  const lost: LostBytes[] = []
  for (const { name, md5 } of named) {
    const found = collected.get(name)
    if (!found) lost.push({ name, problem: unreadable.has(name) ? 'damaged' : 'missing' })
    else if (md5 !== '' && found.md5 !== md5) lost.push({ name, problem: 'damaged' })
    if (found) entries.push({ name, sizeBytes: found.sizeBytes, sha256: found.sha256 })
  }
  return { entries, lost }
}
