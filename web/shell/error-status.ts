// From whatever a route threw to the status line of the error catalogue (product.md §8).
import { isRouteErrorResponse } from 'react-router'
import { failureOf } from '../api/result.ts'
import { texts } from '../locales/texts.ts'

const STATUS_LINES: Record<number, string> = texts.statusLines

/**
 * The status that came with what was thrown, by a route or by a refused call; undefined for a fault
 * of ours.
 */
export function findStatus(error: unknown): number | undefined {
  if (isRouteErrorResponse(error)) return error.status
  return statusOfData(error) ?? (failureOf(error).code || undefined)
}

/**
 * Thrown by a loader whose answer the page was still waiting for: the router leaves it as `data()`
 * made it.
 */
function statusOfData(error: unknown): number | undefined {
  const init =
    typeof error === 'object' && error !== null && 'init' in error
      ? (error.init as ResponseInit | null)
      : null
  return init?.status
}

/**
 * The HTTP status of what was thrown: a route's own answer, a refused call, or 500 for a fault of
 * ours.
 */
export function errorStatusOf(error: unknown): number {
  return findStatus(error) ?? 500
}

export function statusLineOf(status: number): string {
  return STATUS_LINES[status] ?? texts.unknownStatus
}
