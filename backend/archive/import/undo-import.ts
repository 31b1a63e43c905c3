// Undoes an import.
import type { ArchiveContext } from '../context.ts'
import type { WorkOptions } from './import-options.ts'

export async function undoImport(
  _context: ArchiveContext,
  _task: { runId: string },
  _options: WorkOptions,
): Promise<{ removed: number; kept: number }> {
  throw new Error('Imports are not built yet')
}
