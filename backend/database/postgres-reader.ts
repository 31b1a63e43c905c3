// Reads outside transactions share a few connections: each sends what comes in one turn of the
// event loop together, and does not wait for answers before it sends more. A connection of its own
// for each read costs three times as much processor time, most of it for small packets.
import pg from 'pg'
import { READER_DEPTH, READER_IDLE_MS, READER_SLOW_MS } from '#contract/server-limits.ts'
import { codeOf, DatabaseAway, isPassingFault } from './faults.ts'
import {
  cut,
  isLoss,
  type PostgresLimits,
  sessionLimits,
  withinTime,
} from './postgres-connection.ts'
import { STALE_PLAN } from './transaction.ts'

export type Reader = {
  /** @returns undefined when a connection of its own is better: all of these are busy */
  read(statement: pg.QueryConfig): Promise<pg.QueryResult> | undefined
  /** Connections from before are not used again. */
  renew(): void
  /** How many connections it has, and how many of them are idle. */
  numbers(): { open: number; idle: number }
  end(): Promise<void>
}

type Needs = {
  connectionString: string
  connections: number
  limits: PostgresLimits
  /** A connection was lost or could not be made. @returns what the callers get */
  onLost: (error: unknown) => DatabaseAway
  /** Tables have changed under prepared statements. */
  onStalePlan: () => void
}

type Line = {
  client: pg.Client
  /** Undefined once it is connected. */
  connecting: Promise<void> | undefined
  inFlight: number
  /** When the oldest of these began to be answered, or the last answer came. */
  sinceMs: number
  /** What is to be sent is held back until the end of this turn. */
  isHeld: boolean
  /** It takes no more, and ends once it has answered. */
  isRetired: boolean
  lostBy: unknown
}

export function makeReader(needs: Needs): Reader {
  const lines = makeLines(needs)

  function pick(): Line | undefined {
    const nowMs = performance.now()
    let best: Line | undefined
    let open = 0
    for (const line of lines.all()) {
      if (line.isRetired) continue
      open++
      const isSlow = line.inFlight > 0 && nowMs - line.sinceMs > READER_SLOW_MS
      if (isSlow || line.inFlight >= READER_DEPTH) continue
      if (!best || line.inFlight < best.inFlight) best = line
    }
    const isWanted = !best || best.inFlight > 0
    return isWanted && open < needs.connections ? lines.add() : best
  }
  async function ask(line: Line, statement: pg.QueryConfig): Promise<pg.QueryResult> {
    if (line.inFlight++ === 0) line.sinceMs = performance.now()
    try {
      if (line.connecting !== undefined) await line.connecting
      hold(line)
      return await line.client.query(statement)
    } catch (error) {
      if (statement.name !== undefined && codeOf(error) === STALE_PLAN) {
        needs.onStalePlan()
        throw new DatabaseAway(error)
      }
      if (isLoss(error)) lines.lose(line, error)
      if (line.lostBy !== undefined) throw needs.onLost(line.lostBy)
      throw isPassingFault(error) ? new DatabaseAway(error) : error
    } finally {
      line.inFlight--
      line.sinceMs = performance.now()
    }
  }
  return {
    read(statement) {
      const line = pick()
      return line && ask(line, statement)
    },
    renew() {
      for (const line of lines.all()) void lines.retire(line)
    },
    numbers: () => ({
      open: lines.all().length,
      idle: lines.all().filter(({ inFlight }) => inFlight === 0).length,
    }),
    end: lines.end,
  }
}

/** The connections, each watched as long as it owes answers. */
function makeLines({ connectionString, limits }: Needs) {
  let lines: Line[] = []
  const everyMs = Math.min(500, limits.silence / 4)
  let lookedMs = performance.now()
  const watching = setInterval(() => {
    const nowMs = performance.now()
    // After a standstill of this process answers may be there that it has not seen.
    const isLate = nowMs - lookedMs > 2 * everyMs
    lookedMs = nowMs
    if (!isLate) for (const line of lines) look(line, nowMs)
  }, everyMs).unref()

  function look(line: Line, nowMs: number): void {
    const forMs = nowMs - line.sinceMs
    if (line.inFlight === 0 && forMs > READER_IDLE_MS) void retire(line)
    if (line.inFlight > 0 && forMs > limits.silence) lose(line, silence(limits.silence))
  }
  /** What it was asked is still answered, and it is looked at until then. */
  async function retire(line: Line): Promise<void> {
    if (line.isRetired) return
    line.isRetired = true
    await line.client.end().catch(() => {})
    drop(line)
  }
  function lose(line: Line, error: unknown): void {
    if (line.lostBy !== undefined) return
    line.lostBy = error
    drop(line)
    cut(line.client)
  }
  function drop(line: Line): void {
    lines = lines.filter((one) => one !== line)
  }
  async function connect(client: pg.Client): Promise<void> {
    await client.connect()
    await client.query(sessionLimits(limits))
  }
  return {
    all: () => lines,
    retire,
    lose,
    add(): Line {
      const config = { connectionString, keepAlive: true, pipeline: true }
      const client = new pg.Client({ ...config, connectionTimeoutMillis: limits.connect })
      const line: Line = {
        ...{ client, inFlight: 0, sinceMs: performance.now(), isHeld: false, isRetired: false },
        lostBy: undefined,
        connecting: withinTime(connect(client), 2 * limits.connect).then(() => {
          line.connecting = undefined
        }),
      }
      client.on('error', (error) => lose(line, error))
      line.connecting?.catch((error: unknown) => lose(line, error))
      lines.push(line)
      return line
    },
    async end() {
      await Promise.all(lines.map(retire))
      clearInterval(watching)
    },
  }
}

function hold(line: Line): void {
  if (line.isHeld) return
  const { stream } = (line.client as unknown as { connection: { stream: Corkable } }).connection
  line.isHeld = true
  stream.cork()
  setImmediate(() => {
    line.isHeld = false
    stream.uncork()
  })
}

type Corkable = { cork(): void; uncork(): void }

function silence(ms: number): Error {
  return Object.assign(new Error(`No answer for ${ms} ms`), { code: 'ETIMEDOUT' })
}
