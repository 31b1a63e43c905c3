// The other processes of the blog on this machine, as a worker reaches them. Messages carry events
// for open sockets only: nothing breaks when one is lost.

export type OtherWorkers = {
  /** Sends to all others. */
  tell(body: unknown): void
  hear(listener: (body: unknown) => void): void
}

/** Of a process that runs alone. */
export const NO_OTHER_WORKERS: OtherWorkers = { tell: () => {}, hear: () => {} }
