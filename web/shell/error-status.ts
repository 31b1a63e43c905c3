// From what a route threw to the status line of the error catalogue (product.md §8).
import { isRouteErrorResponse } from 'react-router'
import { failureOf } from '../api/result.ts'
import { texts } from '../locales/texts.ts'

const STATUS_LINES: Record<number, string> = texts.statusLines

/** The status of a thrown response or of a refused call; undefined for a fault of ours. */
export function findStatus(error: unknown): number | undefined {
  if (isRouteErrorResponse(error)) return error.status
  return statusOfData(error) ?? (failureOf(error).code || undefined)
}

/** Whether a call got no answer at all. */
export function isUnanswered(error: unknown): boolean {
  const found = isRouteErrorResponse(error) ? error.data : Reflect.get(Object(error), 'data')
  return Reflect.get(Object(found), 'isUnanswered') === true
}

/** Of what `data()` made: the router does not unwrap it for a deferred answer. */
function statusOfData(error: unknown): number | undefined {
  const init =
    typeof error === 'object' && error !== null && 'init' in error
      ? (error.init as ResponseInit | null)
      : null
  return init?.status
}

/** The HTTP status of what was thrown; 500 for a fault of ours. */
export function errorStatusOf(error: unknown): number {
  return findStatus(error) ?? 500
}

export function statusLineOf(status: number): string {
  return STATUS_LINES[status] ?? texts.unknownStatus
}
