// From whatever a route threw to the status line of the error catalogue (spec §8).
import { isRouteErrorResponse } from 'react-router'
import { failureOf } from '../api/outcomes.ts'

const STATUS_LINES: Record<number, string> = {
  400: '400 Bad Request',
  403: '403 Forbidden',
  404: '404 Not Found',
  405: '405 Method Not Allowed',
}

/** The HTTP status of what was thrown: a route's own answer, a refused call, or 500 for a fault of ours. */
export function errorStatusOf(error: unknown): number {
  return isRouteErrorResponse(error) ? error.status : failureOf(error).code || 500
}

export function statusLineOf(status: number): string {
  return STATUS_LINES[status] ?? 'Unknown Server Error'
}
