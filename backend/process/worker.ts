// The channel of a worker to its supervisor.
import cluster from 'node:cluster'
import { makeSiblings, type Supervised } from './siblings.ts'
import type { ToWorker } from './worker-messages.ts'

/** @returns undefined in a process that somebody else has started with a channel */
export function connectToSupervisor(processes: number): Supervised | undefined {
  const { worker } = cluster
  if (!worker) return undefined
  const channel = {
    send: (message: object) => void (worker.isConnected() && worker.send(message, () => {})),
    receive: (ear: (message: ToWorker) => void) => void worker.on('message', ear),
  }
  // The setting may have changed since the supervisor began.
  return makeSiblings(channel, { id: worker.id, count: Math.max(2, processes) })
}
