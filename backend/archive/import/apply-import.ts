// Imports what the dry run has found.
import type { ImportCounts } from '#contract/archive.ts'
import type { ArchiveContext } from '../context.ts'
import type { ApplyTask, WorkOptions } from './import-options.ts'

export async function applyImport(
  _context: ArchiveContext,
  _task: ApplyTask,
  _options: WorkOptions,
): Promise<{ imported: ImportCounts }> {
  throw new Error('Imports are not built yet')
}
