// Every 503 is in the log with its cause: once a second and cause, with a count, so that an outage
// under load does not fill the disk with lines.
import { Refusal } from '#contract/errors.ts'
import { type Log, makeGroupedLog } from '../process/log.ts'

/** How often one cause has a line. */
const UNAVAILABLE_LOG_EVERY_MS = 1000

declare module 'fastify' {
  interface FastifyInstance {
    noteUnavailable: NoteUnavailable
  }
}

/** Notes one answer of 503. @param place the route, or the part of the server that answered */
type NoteUnavailable = (error: unknown, place: string | undefined) => void

export function makeUnavailableLog(log: Log): NoteUnavailable {
  const note = makeGroupedLog<string | undefined>({
    everyMs: UNAVAILABLE_LOG_EVERY_MS,
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
