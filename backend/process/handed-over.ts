// A connection that a worker was just being handed when it was killed: node:cluster waits for ever
// for its answer, and so would the client. Here it is answered in its place, and another worker
// gets the connection.
import type { Worker } from 'node:cluster'

/** What node:cluster sends of itself: `newconn` with a connection, and the answer to it. */
type Internal = { cmd?: string; act?: string; seq?: number; ack?: number; accepted?: boolean }

/**
 * Called for each new worker.
 *
 * @note this is not of the documented part of Node: where it changes, such a connection hangs again
 */
export function passOnWhenKilled({ process: child }: Worker): void {
  let last: number | undefined
  const send = child.send.bind(child) as (...sent: unknown[]) => boolean
  child.send = (message: unknown, ...rest: unknown[]) => {
    const { act, seq } = message as Internal
    if (act === 'newconn') last = seq
    return send(message, ...rest)
  }
  child.once('exit', () =>
    // The cluster has forgotten the worker by then.
    setImmediate(() => {
      const answer: Internal = { cmd: 'NODE_CLUSTER', accepted: false }
      if (last !== undefined) child.emit('internalMessage', { ...answer, ack: last })
    }),
  )
}
