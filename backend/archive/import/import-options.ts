// What all parts of an import take.
import type { ImportChoices, ImportCounts, ImportProgress } from '#contract/archive.ts'
import type { FileTree } from '../sources/source.ts'

export type WorkOptions = {
  /** Ends the work at the next batch; what is committed stays. */
  signal: AbortSignal
  onProgress(progress: ImportProgress): void
}

/** An export that is imported. */
export type ImportTask = {
  /** The run's own folder, which has the staging file. */
  folder: string
  tree: FileTree
  /** Whose posts they become; undefined for an import of the whole blog. */
  ownerId: string | undefined
  /** The address of the old site, as the person entered it; empty for none. */
  oldAddress: string
}

export type ApplyTask = ImportTask & { runId: string; choices: ImportChoices }

export const NO_COUNTS: ImportCounts = {
  posts: 0,
  drafts: 0,
  pages: 0,
  pictures: 0,
  comments: 0,
  people: 0,
  tags: 0,
  addresses: 0,
}
