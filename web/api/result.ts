// The only place that knows the client's exception, and the outcomes of product.md §8: false,
// nothing, null, the error itself. What the spec calls "logged" goes to `report`, which shows it;
// the console stays clean (product.md §O33).
import { AppwriteException } from 'appwrite'

/** A call that failed. `code` is the HTTP status; 0 when no answer came. */
export type Failure = { message: string; code: number; type: string }

export type Report = (failure: Failure) => void

/** What is known of an error thrown by a call. */
export function failureOf(error: unknown): Failure {
  if (error instanceof AppwriteException)
    return { message: error.message, code: error.code, type: error.type }
  return { message: error instanceof Error ? error.message : String(error), code: 0, type: '' }
}

async function orElse<Result, Other>(
  call: Promise<Result>,
  other: Other,
  report: Report | undefined,
): Promise<Result | Other> {
  try {
    return await call
  } catch (error) {
    report?.(failureOf(error))
    return other
  }
}

/** The spec's outcome of a failed post get, delete, upload or file delete. */
export function orFalse<Result>(call: Promise<Result>, report?: Report): Promise<Result | false> {
  return orElse(call, false, report)
}

/** The spec's outcome of a failed create, update or list. */
export function orNothing<Result>(
  call: Promise<Result>,
  report?: Report,
): Promise<Result | undefined> {
  return orElse(call, undefined, report)
}

/** The spec's outcome when there is no current user. */
export function orNull<Result>(call: Promise<Result>, report?: Report): Promise<Result | null> {
  return orElse(call, null, report)
}

/** The spec's outcome of a failed prefs call: the error object itself. */
export function orFailure<Result>(call: Promise<Result>): Promise<Result | Failure> {
  return call.catch(failureOf)
}
