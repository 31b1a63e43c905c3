// What all parts of an export take.
import type { ExportPart } from '#contract/archive.ts'
import type { ArchiveContext } from '../context.ts'

export type ExportRequest = {
  folder: string
  parts: readonly ExportPart[]
  /** With email addresses, password hashes, identities, invitations, sign-ins and Activity. */
  hasPeople: boolean
  /** Whose posts; undefined for the whole blog. */
  ownerId: string | undefined
  /** Renders a page of this blog as a guest of a public blog would get it. */
  fetchPage: FetchPage
}

export type FetchPage = (path: string) => Promise<{ status: number; type: string; body: Buffer }>

export type ExportOptions = {
  /** Ends the export; the next one in the same folder continues it. */
  signal: AbortSignal
  onProgress(progress: { part: ExportPart; done: number; total: number }): void
}

/**
 * Writes one part of an archive into `request.folder`. An earlier attempt may have been killed: what
 * is complete there may stay, and what does not belong there is removed.
 *
 * @returns what the manifest counts
 */
export type WritePart = (
  context: ArchiveContext,
  request: ExportRequest,
  options: ExportOptions,
) => Promise<{ counts: Record<string, number>; lost?: string[] }>
