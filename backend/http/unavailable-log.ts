// Every 503 is in the log with its cause: once a second and cause, with a count, so that an outage
// under load does not fill the disk with lines.
import { Refusal } from '#contract/errors.ts'
import { UNAVAILABLE_CAUSES_MAX, UNAVAILABLE_LOG_EVERY_MS } from '#contract/limits.ts'
import type { Log } from '../process/log.ts'

/** Notes one answer of 503. @param place the route, or the part of the server that answered */
export type NoteUnavailable = (error: unknown, place: string | undefined) => void

export function makeUnavailableLog(log: Log): NoteUnavailable {
  /** Answers that are not logged yet, by cause. */
  const pending = new Map<string, number>()

  function write(cause: string, count: number, place: string | undefined): void {
    log.warn({ event: 'unavailable', cause, count, route: place }, 'answered 503')
    pending.set(cause, 0)
    setTimeout(() => {
      const more = pending.get(cause) ?? 0
      pending.delete(cause)
      if (more > 0) write(cause, more, place)
    }, UNAVAILABLE_LOG_EVERY_MS).unref()
  }
  return (error, place) => {
    const named = causeOf(error)
    const isKnown = pending.has(named) || pending.size < UNAVAILABLE_CAUSES_MAX
    const cause = isKnown ? named : 'other causes'
    const count = pending.get(cause)
    if (count === undefined) write(cause, 1, place)
    else pending.set(cause, count + 1)
  }
}

/** The innermost cause, with its code; the refusal's own text when it names none. */
function causeOf(error: unknown): string {
  let cause = error
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause
  if (!(cause instanceof Error)) return String(cause)
  const code = 'code' in cause && typeof cause.code === 'string' ? `${cause.code}: ` : ''
  return cause instanceof Refusal ? cause.message : code + cause.message
}
