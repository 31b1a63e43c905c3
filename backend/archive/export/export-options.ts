// What all parts of an export take.
import type { ExportPart } from '#contract/archive.ts'
import type { StaticSite } from '#contract/pages.ts'
import type { ArchiveContext } from '../context.ts'

export type ExportRequest = {
  folder: string
  parts: readonly ExportPart[]
  /** With email addresses, password hashes, identities, invitations, sign-ins and Activity. */
  hasPeople: boolean
  /** Whose posts; undefined for the whole blog. */
  ownerId: string | undefined
  /**
   * Renders a page of this blog as a guest of a public blog would get it; backend/guest-pages.ts
   * makes it, with `staticSite`.
   */
  fetchPage: GuestPages['fetchPage']
  staticSite: StaticSite
}

export type FetchedPage = {
  status: number
  /** The media type, without its parameters. */
  type: string
  /** Where a redirect leads to; empty for none. */
  location: string
  body: Buffer
}

export type GuestPages = {
  /** @param path of a page, a picture, a style sheet …, with its query */
  fetchPage(path: string): Promise<FetchedPage>
  staticSite: StaticSite
}

export type ExportOptions = {
  /** Ends the export; the next one in the same folder continues it. */
  signal: AbortSignal
  onProgress(progress: { part: ExportPart; done: number; total: number }): void
}

/**
 * Writes one part of an archive into `request.folder`. An earlier attempt may have been killed:
 * what is complete there may stay, and what does not belong there is removed.
 *
 * @returns what the manifest counts
 */
export type WritePart = (
  context: ArchiveContext,
  request: ExportRequest,
  options: ExportOptions,
) => Promise<{ counts: Record<string, number>; lost?: string[] }>
