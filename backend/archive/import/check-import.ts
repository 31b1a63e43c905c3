// The dry run of an import.
import type { ImportCheck, ImportIssue } from '#contract/archive.ts'
import type { ArchiveContext } from '../context.ts'
import type { Source } from '../sources/source.ts'
import type { ImportTask, WorkOptions } from './import-options.ts'

export async function checkImport(
  _context: ArchiveContext,
  _task: ImportTask & { source: Source },
  _options: WorkOptions,
): Promise<{ check: ImportCheck; issues: Iterable<ImportIssue> }> {
  throw new Error('Imports are not built yet')
}
