// What a backup or a restore refuses with: one clear line for the operator, exit code 1.

/** The message says what is wrong and what to do. */
export class BackupProblem extends Error {}

/** The line of any error, with those that caused it. */
export function describeProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined
    ? error.message
    : `${error.message} (${describeProblem(error.cause)})`
}
