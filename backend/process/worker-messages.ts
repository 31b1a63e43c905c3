// What a worker and its supervisor send each other: plain JSON, in order.

export type FromWorker =
  /** It is there; its number is what the supervisor knows it by. */
  | { kind: 'hello' }
  /** It answers requests. */
  | { kind: 'ready' }
  /** Nothing may be acknowledged any more, by nobody on this machine. */
  | { kind: 'fatal' }
  /** For all others. */
  | { kind: 'tell'; topic: string; body: unknown }
  /**
   * For all others in the order of turns; the supervisor says when it is passed on, and when all of
   * them have heard it.
   */
  | { kind: 'tell in order'; topic: string; body: unknown; call: number }
  | { kind: 'heard'; delivery: number }
  /** For the supervisor itself. */
  | { kind: 'ask'; topic: string; body: unknown; call: number }
  /** It wants to write to the database, or has done so. */
  | { kind: 'want turn'; call: number }
  | { kind: 'leave turn'; isUnused?: boolean }
  /** All that was written in the oldest turn that it left has been told. */
  | { kind: 'turn told' }
  /** What it has written is to be on disk: by a sync that begins after this. */
  | { kind: 'want sync'; call: number }
  /** The sync that it was asked for has ended. */
  | { kind: 'synced'; isDone: boolean }

export type ToWorker =
  | { kind: 'told'; topic: string; body: unknown; from: number; delivery?: number }
  | { kind: 'passed on'; call: number }
  | { kind: 'all heard'; call: number }
  | { kind: 'answer'; call: number; body: unknown }
  | { kind: 'turn'; call: number }
  /** It is to sync for all that wanted one so far. */
  | { kind: 'sync'; call: number }
  /** Somebody else wants to write. */
  | { kind: 'turn wanted' }
  /** Another worker is not there any more. Its last words may be lost unless it stopped itself. */
  | { kind: 'gone'; id: number; isLost: boolean }
  /** It does from now on what only one process must do. */
  | { kind: 'lead' }
  | { kind: 'stop'; how: StopHow }

/**
 * `drain`: as after a signal. `retire`: another worker has taken its place, so that it need not
 * hurry. `at once`: nothing may be acknowledged any more.
 */
export type StopHow = 'drain' | 'retire' | 'at once'
