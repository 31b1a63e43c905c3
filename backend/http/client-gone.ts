// Whether the client still waits for its answer. Work that nobody waits for is dropped
// (threat-model.md §9 "Costs").
import type { FastifyReply } from 'fastify'
import { Refusal } from '#contract/errors.ts'

const signals = new WeakMap<FastifyReply, AbortSignal>()

/**
 * A signal that is aborted when the client of this reply closes its connection before the answer is
 * sent. The reason is a refusal that nobody gets to see.
 *
 * @note Fastify's own `request.signal` is aborted as soon as the body of a request has been read
 */
export function clientGone(reply: FastifyReply): AbortSignal {
  const known = signals.get(reply)
  if (known) return known
  const controller = new AbortController()
  const { raw } = reply
  const abort = () =>
    controller.abort(new Refusal('general_argument_invalid', 'The client has gone.'))
  if (raw.destroyed || raw.socket?.destroyed) abort()
  else
    raw.once('close', () => {
      if (!raw.writableFinished) abort()
    })
  signals.set(reply, controller.signal)
  return controller.signal
}
