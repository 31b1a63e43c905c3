// Where a blog keeps its data: its database, its files, and what lies in the data folder itself.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { makePlaces } from '../files/places.ts'
import type { S3Config } from '../settings/storage.ts'
import { hasName } from './rows.ts'
import { openPostgres, openSqlite, type Side } from './side.ts'

/** As the settings say. */
export type BlogPlaces = {
  dataDir: string
  databaseUrl: string | undefined
  s3: S3Config | undefined
}

export const SQLITE_FILE = 'blog.sqlite'
/** In the data folder itself: the database, copied by its own means, and what is being written. */
const NO_SECRET = /^(?:blog\.sqlite.*|\..*|.*\.new)$/

/**
 * Opens the database for reading, whether a server writes it or not.
 *
 * @throws Error when it cannot be opened
 */
export async function openSide({ dataDir, databaseUrl }: BlogPlaces): Promise<Side> {
  return databaseUrl ? await openPostgres(databaseUrl) : openSqlite(join(dataDir, SQLITE_FILE))
}

/** Of these stored names those that a row names just now. */
export async function stillNamed(places: BlogPlaces, names: string[]): Promise<string[]> {
  if (names.length === 0) return []
  await using now = await openSide(places)
  const still: string[] = []
  for (const name of names) if (await hasName(now, name)) still.push(name)
  return still
}

/** Where bytes are: finished files, and what has been received of unfinished ones. */
export function openKeepers({ dataDir, s3, databaseUrl }: BlogPlaces) {
  const places = makePlaces({ dataDir, s3, isShared: databaseUrl !== undefined })
  return { files: places.keeper, uploads: places.chunks }
}

/** Names of the secrets, and of whatever else lies in the data folder itself. */
export async function listSecrets(dataDir: string): Promise<string[]> {
  const entries = await readdir(dataDir, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !NO_SECRET.test(entry.name))
    .map(({ name }) => name)
    .toSorted()
}
