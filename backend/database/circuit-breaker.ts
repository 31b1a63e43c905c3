// Detects that PostgreSQL is away: logs it once, probes it each second, and refuses calls at once
// meanwhile, so that they do not all wait for a silent server.
import type { Log } from '../process/log.ts'
import { DatabaseUnavailable, describePostgresError } from './database-errors.ts'

/** How often PostgreSQL is probed while it is away, and how long a probe may take. */
export const POSTGRES_PROBE_EVERY_MS = 1000
export const POSTGRES_PROBE_TIMEOUT_MS = 2000
/** How long a call waits for a connection before it fails with 503. */
export const POSTGRES_CONNECT_TIMEOUT_MS = 5000

export type CircuitBreaker = ReturnType<typeof makeCircuitBreaker>

type BreakerOptions = {
  log: Log
  /** Whether PostgreSQL answers now, within a time limit. @throws the reason */
  probe: () => Promise<void>
  /** Called when an outage begins. */
  onOutage: () => void
}

export function makeCircuitBreaker({ log, probe, onOutage }: BreakerOptions) {
  let awaySinceMs: number | undefined
  let cause: unknown
  let isStopped = false
  let checking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function check(): Promise<void> {
    clearTimeout(timer)
    if (isStopped) return
    checking ??= probe()
      .then(endOutage, (error: unknown) => {
        cause = error
        startOutage()
        if (!isStopped) timer = setTimeout(check, POSTGRES_PROBE_EVERY_MS).unref()
      })
      .finally(() => {
        checking = undefined
      })
    return checking
  }
  function startOutage(): void {
    if (awaySinceMs !== undefined || isStopped) return
    awaySinceMs = performance.now()
    log.error(
      { event: 'database away', reason: describePostgresError(cause) },
      'PostgreSQL is away',
    )
    onOutage()
  }
  function endOutage(): void {
    if (awaySinceMs === undefined) return
    const afterMs = Math.round(performance.now() - awaySinceMs)
    awaySinceMs = undefined
    log.warn({ event: 'database back', afterMs }, 'PostgreSQL is back')
  }
  return {
    /** For a connection that was lost or refused. @returns the error for the caller */
    trip(error: unknown): DatabaseUnavailable {
      cause = error
      startOutage()
      void check()
      return new DatabaseUnavailable(error)
    },
    /** For a call that got no connection in time, maybe without an outage: only starts a probe. */
    suspect(error: unknown): DatabaseUnavailable {
      void check()
      return new DatabaseUnavailable(error)
    },
    /** @throws DatabaseUnavailable while PostgreSQL is away */
    async requireAvailable(): Promise<void> {
      if (awaySinceMs === undefined) return
      await checking
      if (awaySinceMs !== undefined) throw new DatabaseUnavailable(cause)
    },
    /** Stops probing. */
    end(): void {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
