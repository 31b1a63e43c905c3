// Every 503 is in the log with its cause: once a second and cause, with a count, so that an outage
// under load does not fill the disk with lines.
import { Refusal } from '#contract/errors.ts'
import type { Log } from '../process/log.ts'

/** How often one cause has a line. */
const UNAVAILABLE_LOG_EVERY_MS = 1000
/** Causes that have lines of their own at once. */
const UNAVAILABLE_CAUSES_MAX = 100

/** Notes one answer of 503. @param place the route, or the part of the server that answered */
export type NoteUnavailable = (error: unknown, place: string | undefined) => void

export function makeUnavailableLog(log: Log): NoteUnavailable {
  const note = makeGroupedLog<string | undefined>({
    everyMs: UNAVAILABLE_LOG_EVERY_MS,
    groupsMax: UNAVAILABLE_CAUSES_MAX,
    others: 'other causes',
    write: (cause, count, place) =>
      log.warn({ event: 'unavailable', cause, count, route: place }, 'answered 503'),
  })
  return (error, place) => note(causeOf(error), place)
}

/** The innermost cause, with its code; the refusal's own text when it names none. */
function causeOf(error: unknown): string {
  let cause = error
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause
  if (!(cause instanceof Error)) return String(cause)
  const code = 'code' in cause && typeof cause.code === 'string' ? `${cause.code}: ` : ''
  return cause instanceof Refusal ? cause.message : code + cause.message
}

// --- lines of one kind in the log: once in a while for each group, with a count, so that what
// happens often does not fill the disk.

/** Notes that something happened. @param details of what is written first for the group */
export type GroupedLog<Details> = (group: string, details: Details) => void

/** @param needs `others` is the group of all that come when there are `groupsMax` already */
export function makeGroupedLog<Details>(needs: {
  everyMs: number
  groupsMax: number
  others: string
  write: (group: string, count: number, details: Details) => void
}): GroupedLog<Details> {
  const { everyMs, groupsMax, others, write } = needs
  /** What is not written yet, by group. */
  const pending = new Map<string, number>()

  function writeNow(group: string, count: number, details: Details): void {
    write(group, count, details)
    pending.set(group, 0)
    setTimeout(() => {
      const more = pending.get(group) ?? 0
      pending.delete(group)
      if (more > 0) writeNow(group, more, details)
    }, everyMs).unref()
  }
  return (named, details) => {
    const group = pending.has(named) || pending.size < groupsMax ? named : others
    const count = pending.get(group)
    if (count === undefined) writeNow(group, 1, details)
    else pending.set(group, count + 1)
  }
}
