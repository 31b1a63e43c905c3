// The outcome of a call of the API, and the only place that knows the client's exception. Calls
// whose failure a screen handles answer a `Result`. Where product.md §8 says that such a call
// answers false, nothing, null or the error object, it is `ok: false` here; where it says that the
// failure is logged, the screen shows it and the console stays clean (product.md §O33). Calls of
// forms (sign-in, sign-up, recovery, the settings of an account) reject instead: the form shows
// why.
import { AppwriteException } from 'appwrite'

/** A call that failed. `code` is the HTTP status; 0 when no answer came. */
export type Failure = { message: string; code: number; type: string }

export type Result<Value> = { ok: true; value: Value } | { ok: false; failure: Failure }

export const NO_ANSWER: Failure = { message: '', code: 0, type: '' }

export function succeed<Value>(value: Value): Result<Value> {
  return { ok: true, value }
}

export function fail(failure: Failure): Result<never> {
  return { ok: false, failure }
}

/** The failure that an error thrown by a call stands for. */
export function failureOf(error: unknown): Failure {
  if (error instanceof AppwriteException)
    return { message: error.message, code: error.code, type: error.type }
  return { message: error instanceof Error ? error.message : String(error), code: 0, type: '' }
}

export async function resultOf<Value>(call: Promise<Value>): Promise<Result<Value>> {
  try {
    return succeed(await call)
  } catch (error) {
    return fail(failureOf(error))
  }
}
