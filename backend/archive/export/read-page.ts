// One run of an export of the site, and how it reads a page of the blog.
import { CopyProblem } from '../../backups/backup-io.ts'
import type { ArchiveContext } from '../context.ts'
import type { ExportOptions, ExportRequest } from './export-options.ts'
import { type LocalPage, localisePage, type PageToLocalise, type SiteParts } from './site-page.ts'
import type { SiteWork } from './site-work-store.ts'

export type SiteExport = SiteParts & {
  context: ArchiveContext
  request: ExportRequest
  options: ExportOptions
  work: SiteWork
  pages: string[]
}

/** @param expected the status of the page; any other one ends the export */
export async function readPage(
  site: SiteExport,
  path: string,
  page: PageToLocalise,
  expected = 200,
): Promise<LocalPage> {
  site.options.signal.throwIfAborted()
  const { status, body } = await site.request.fetchPage(path)
  if (status !== expected) throw unexpected(path, status)
  return await localisePage(site, body.toString(), page)
}

export function unexpected(path: string, status: number): CopyProblem {
  return new CopyProblem(`The page ${path} could not be rendered (${status})`)
}
