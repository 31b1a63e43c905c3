// Detects that PostgreSQL is away: logs it once, probes it each second, and refuses calls at once
// meanwhile, so that they do not all wait for a silent server.
import type { Log } from '../process/log.ts'
import { DatabaseUnavailable, describePostgresError } from './database-errors.ts'

/** How often PostgreSQL is probed while it is away, and how long a probe may take. */
export const POSTGRES_PROBE_EVERY_MS = 1000
export const POSTGRES_PROBE_TIMEOUT_MS = 2000
/** How long a call waits for a connection. Longer: 503. */
export const POSTGRES_CONNECT_TIMEOUT_MS = 5000

export type CircuitBreaker = ReturnType<typeof makeCircuitBreaker>

type BreakerOptions = {
  log: Log
  /** Whether PostgreSQL answers now, within a time limit. @throws the reason */
  probe: () => Promise<void>
  /** Called when an outage begins. */
  onBegin: () => void
}

export function makeCircuitBreaker({ log, probe, onBegin }: BreakerOptions) {
  let sinceMs: number | undefined
  let cause: unknown
  let isEnded = false
  let checking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function check(): Promise<void> {
    clearTimeout(timer)
    if (isEnded) return
    checking ??= probe()
      .then(over, (error: unknown) => {
        cause = error
        begin()
        if (!isEnded) timer = setTimeout(check, POSTGRES_PROBE_EVERY_MS).unref()
      })
      .finally(() => {
        checking = undefined
      })
    return checking
  }
  function begin(): void {
    if (sinceMs !== undefined || isEnded) return
    sinceMs = performance.now()
    log.error(
      { event: 'database away', reason: describePostgresError(cause) },
      'PostgreSQL is away',
    )
    onBegin()
  }
  function over(): void {
    if (sinceMs === undefined) return
    const afterMs = Math.round(performance.now() - sinceMs)
    sinceMs = undefined
    log.warn({ event: 'database back', afterMs }, 'PostgreSQL is back')
  }
  return {
    /** A connection was lost or refused. @returns the error for the caller */
    began(error: unknown): DatabaseUnavailable {
      cause = error
      begin()
      void check()
      return new DatabaseUnavailable(error)
    },
    /** A call got no connection in time, maybe for another reason: probes before it opens. */
    suspect(error: unknown): DatabaseUnavailable {
      void check()
      return new DatabaseUnavailable(error)
    },
    /** @throws DatabaseUnavailable while it is away */
    async pass(): Promise<void> {
      if (sinceMs === undefined) return
      await checking
      if (sinceMs !== undefined) throw new DatabaseUnavailable(cause)
    },
    /** Stops probing. */
    end(): void {
      isEnded = true
      clearTimeout(timer)
    },
  }
}
