// What a backup, a restore or a move refuses with: one clear line for the operator, exit code 1.

/** The message says what is wrong and what to do. */
export class CopyProblem extends Error {}

/** The line of any error, with those that caused it. */
export function describeProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const own = error.message || ('code' in error ? String(error.code) : error.name)
  return error.cause === undefined ? own : `${own} (${describeProblem(error.cause)})`
}
