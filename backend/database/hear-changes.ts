// Hears what was changed, one change after the other, each once: what this process commits, and on
// PostgreSQL what every process commits. Who needs it, it does not know.
import {
  CHANGES_CONNECT_AGAIN_MS,
  CHANGES_MISSED_AFTER_MS,
  CHANGES_OVERLAP,
  CHANGES_REMEMBERED_MAX,
} from '#contract/server-limits.ts'
import type { Log } from '../process/log.ts'
import { NO_OTHER_WORKERS, type OtherWorkers } from '../process/other-workers.ts'
import { setHearing, tellAtOnce, tellMissed } from './change-ears.ts'
import { findChange, findLastChange, hearOwn, listChangesAfter, withoutText } from './change-log.ts'
import type { Change, Hear } from './changes.ts'
import { reasonOf } from './faults.ts'
import type { Listening } from './postgres-listening.ts'
import type { Database } from './schema.ts'

export type HearNeeds = {
  db: Database
  databaseUrl: string | undefined
  log: Log
  /** The other processes on this machine; none when absent. */
  otherWorkers?: OtherWorkers
}

export type Hearing = {
  /** Resolves once all that is known of has been heard. */
  drained(): Promise<void>
  stop(): Promise<void>
}

/** @returns once it listens, or tries to while PostgreSQL is away */
export async function hearChanges(needs: HearNeeds, hear: Hear): Promise<Hearing> {
  const { databaseUrl, log } = needs
  const line = makeLine(log)
  if (databaseUrl) return hearAll({ ...needs, databaseUrl }, hear, line)
  hearWorkers(needs, hear, line)
  return { drained: line.drained, stop: line.drained }
}

/** On SQLite: what one process commits it tells the others of the machine. */
function hearWorkers(
  { db, otherWorkers = NO_OTHER_WORKERS }: Pick<HearNeeds, 'db' | 'otherWorkers'>,
  hear: Hear,
  line: Line,
): void {
  hearOwn(db, (kept) => {
    const changes = kept.map(({ change }) => change)
    if (changes.length > 0) otherWorkers.tell(changes.map(withoutText))
    for (const change of changes) line.add(() => hear.change(change))
  })
  otherWorkers.hear((body) => {
    for (const change of body as Change[]) {
      tellAtOnce(db, change)
      line.add(() => hear.change(change))
    }
  })
}

async function hearAll(
  { db, databaseUrl, log }: HearNeeds & { databaseUrl: string },
  hear: Hear,
  line: Line,
): Promise<Hearing> {
  const finding = makeFinding({ db, log, line }, hear)
  const { seen, own } = finding
  let last: number | undefined
  let aliveAtMs = performance.now()
  let isLost = false
  /** What NOTIFY brings while older changes are looked for: it is newer than they are. */
  let held: number[] | undefined
  setHearing(db, false)
  hearOwn(db, (kept) => {
    for (const { seq, change } of kept) remember(own, seq, change)
  })

  function handle(seq: number): void {
    if (!finding.handle(seq)) return
    last = Math.max(last ?? 0, seq)
  }
  async function catchUp(): Promise<void> {
    isLost = false
    // What comes into it is lost with its connection, and found by the next look.
    const newer: number[] = []
    held = newer
    const isFirst = last === undefined
    const from = Math.max(0, (last ?? (await findLastChange(db))) - CHANGES_OVERLAP)
    const seqs = await listChangesAfter(db, from)
    if (isFirst) for (const seq of seqs) if (!newer.includes(seq)) seen.add(seq)
    last ??= seqs.at(-1) ?? from
    if (performance.now() - aliveAtMs > CHANGES_MISSED_AFTER_MS) finding.sayMissed()
    for (const seq of [...seqs, ...newer]) handle(seq)
    if (held !== newer) return
    held = undefined
    finding.add(() => setHearing(db, !isLost))
  }
  const { startListening } = await import('./postgres-listening.ts')
  const listening: Listening = startListening(
    { connectionString: databaseUrl, log },
    {
      ready: catchUp,
      notify: (payload) => (held ? void held.push(Number(payload)) : handle(Number(payload))),
      alive() {
        aliveAtMs = performance.now()
      },
      // What was changed meanwhile may be out of date when it is heard: it is read again.
      lost: () => {
        isLost = true
        setHearing(db, false)
        held = undefined
        own.clear()
      },
    },
  )
  await listening.tried
  return {
    drained: finding.drained,
    async stop() {
      finding.stop()
      await listening.stop()
      await finding.drained()
    },
  }
}

/**
 * Finds what the numbers of NOTIFY stand for, one after the other, each once. What listens may take
 * its time; what is kept in memory is emptied before it.
 */
function makeFinding(
  { db, log, line }: Pick<HearNeeds, 'db' | 'log'> & { line: Line },
  hear: Hear,
) {
  const finding = makeLine(log)
  const own = new Map<number, Change>()
  const seen = new Set<number>()
  let isStopped = false

  /** Asks until the database answers: what was changed must not be lost. */
  async function untilRead<Row>(read: () => Promise<Row>): Promise<Row | undefined> {
    while (!isStopped) {
      try {
        return await read()
      } catch (error) {
        log.warn({ event: 'changes unread', reason: reasonOf(error) }, 'changes cannot be read')
        await pause(CHANGES_CONNECT_AGAIN_MS)
      }
    }
    return undefined
  }
  return {
    own,
    seen,
    add: finding.add,
    drained: () => finding.drained().then(line.drained),
    stop() {
      isStopped = true
    },
    sayMissed: () =>
      finding.add(() => {
        tellMissed(db)
        line.add(() => hear.missed())
      }),
    /** @returns whether it is one, and was not seen before */
    handle(seq: number): boolean {
      // Whoever may use the database may send anything by NOTIFY.
      if (!Number.isSafeInteger(seq) || seen.has(seq)) return false
      seen.add(seq)
      if (seen.size > SEEN_MAX) for (const old of firstOf(seen, SEEN_MAX / 2)) seen.delete(old)
      finding.add(async () => {
        const mine = own.get(seq)
        own.delete(seq)
        const change = mine ?? (await untilRead(() => findChange(db, seq)))
        if (!change) return
        // What this process changed itself has emptied what it keeps already.
        if (!mine) tellAtOnce(db, change)
        line.add(() => hear.change(change))
      })
      return true
    },
  }
}

const SEEN_MAX = 10 * CHANGES_OVERLAP

function firstOf(set: Set<number>, count: number): number[] {
  return [...set].slice(0, count)
}

function remember(own: Map<number, Change>, seq: number, change: Change): void {
  own.set(seq, change)
  const [oldest] = own.keys()
  if (own.size > CHANGES_REMEMBERED_MAX && oldest !== undefined) own.delete(oldest)
}

type Line = { add(work: () => void | Promise<void>): void; drained(): Promise<void> }

/** Work in the order in which it was added; none of it begins before the last has ended. */
function makeLine(log: Log): Line {
  let last = Promise.resolve()
  return {
    add(work) {
      last = last
        .then(work)
        .catch((err: unknown) => log.error({ err }, 'a change was not told to its listeners'))
    },
    drained: () => last,
  }
}

function pause(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  setTimeout(resolve, ms).unref()
  return promise
}
