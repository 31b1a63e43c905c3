// The list of what an import leaves out: of its dry run, and from `IMPORT_ISSUES_MAX` on of the
// import itself.
import type { ImportIssue } from '#contract/archive.ts'
import type { Database } from '../../database/schema.ts'
import { replaceIssues } from './imports-store.ts'

/** @param first the number of the first one; those from there on are replaced */
export async function saveIssues(
  tx: Database,
  runId: string,
  issues: { first: number; issues: ImportIssue[] },
): Promise<void> {
  await replaceIssues(tx, runId, issues)
}
