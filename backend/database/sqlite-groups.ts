// Writes of SQLite that are committed together: those that wait in the line become one transaction,
// and are answered once a sync of the log covers it (decision 0052). After a write or a sync that
// failed there is none any more.
import { statSync } from 'node:fs'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type SqliteFile from 'better-sqlite3'
import { GROUP_MAX_MS } from '#contract/server-limits.ts'
import { codeOf, DatabaseAway, isPassingFault, isWriteFault, UnknownOutcome } from './faults.ts'
import { makeCheckpoints } from './sqlite-checkpoints.ts'
import type { LogSync } from './sqlite-log-sync.ts'
import { makeWriterLine } from './writer-line.ts'

const BUSY_RETRY_MAX_MS = 4

/** Called once, when SQLite could not write or sync; the process then stops. */
export type OnFatal = (error: unknown) => void

/** One write's turn: nobody else writes until it leaves. */
export type Turn = {
  /** @throws DatabaseAway after a failed write, or when SQLite has taken the group back */
  write<Result>(work: () => Result): Result
  /** What was done could not be taken back alone: all of the group is. */
  abandon(error: unknown): void
  /** Lets the next one in. Resolves once what was done is durable; rejects when it is not kept. */
  leave(turn: { isKept: boolean }): Promise<void>
}

export type Groups = {
  /** @throws DatabaseAway when the turn did not come in time */
  enter(): Promise<Turn>
  /** @throws DatabaseAway after a failed write */
  refuseAfterFailure(): void
  close(): Promise<void>
}

/**
 * `lockMs` is how long a call waits for a lock; a test hands in `checkpointAtPages` and `groupMs`
 * instead of CHECKPOINT_PAGES and GROUP_MAX_MS.
 */
export type GroupLimits = {
  lockMs: number
  checkpointAtPages?: number
  groupMs?: number
}
type Needs = GroupLimits & { file: SqliteFile.Database; log: LogSync; onFatal: OnFatal }

/** `done` is settled once its commit is durable, or lost. */
type Group = {
  done: PromiseWithResolvers<void>
  endAtMs: number
  hasWork: boolean
}

export function makeGroups(needs: Needs): Groups {
  const { file, log, lockMs } = needs
  const line = makeWriterLine()
  const failure = makeFailure(needs.onFatal)
  const checkpoints = makeCheckpoints({
    path: file.name,
    atPages: needs.checkpointAtPages,
    async pauseWrites() {
      const leave = await line.enter(performance.now() + lockMs).catch(() => undefined)
      if (leave) commits.end()
      return leave
    },
    onFault: (error) => {
      if (isWriteFault(error, { isCommit: true })) failure.note(error)
    },
  })
  const commits = makeGroupCommits({ ...needs, failure, noteLog: checkpoints.noteLog })

  function takeTurn(inside: Group, goOn: () => void): Turn {
    return {
      write(work) {
        if (!commits.isOpen(inside)) throw new DatabaseAway(new Error('SQLite has taken it back'))
        return commits.write(work)
      },
      abandon(error) {
        if (commits.isOpen(inside)) commits.abandon(new DatabaseAway(error))
      },
      leave({ isKept }) {
        inside.hasWork ||= isKept
        const isLast = line.isEmpty() || performance.now() > inside.endAtMs
        if (commits.isOpen(inside) && isLast) commits.end()
        goOn()
        return inside.done.promise
      },
    }
  }
  return {
    refuseAfterFailure: failure.refuse,
    async enter() {
      const giveUpAtMs = performance.now() + lockMs
      const goOn = await line.enter(giveUpAtMs)
      try {
        return takeTurn(await commits.join(giveUpAtMs), goOn)
      } catch (error) {
        goOn()
        throw error
      }
    },
    async close() {
      await checkpoints.ended()
      await log.close()
      file.close()
    },
  }
}

type CommitNeeds = Pick<Needs, 'file' | 'log' | 'groupMs'> & {
  failure: Failure
  noteLog: (pages: number) => void
}

/** The group that is open, its commit and the sync behind it. */
function makeGroupCommits(needs: CommitNeeds) {
  const { file, log, failure, noteLog, groupMs = GROUP_MAX_MS } = needs
  const [begin, commit, rollback, countPages] = [
    'begin immediate',
    'commit',
    'rollback',
    'pragma wal_checkpoint(noop)',
  ].map((sql) => preparedOnce(file, sql)) as [Prepared, Prepared, Prepared, Prepared]
  const requireInPlace = makeInPlace(file)
  let open: Group | undefined

  function lose(error: unknown): void {
    open?.done.reject(error)
    open = undefined
  }
  /** After a failed write nothing is certain; the next start reads what the disk really has. */
  function abandon(error: unknown): void {
    if (file.inTransaction && !failure.isNoted()) rollback().run()
    lose(error)
  }
  function write<Result>(work: () => Result, isCommit = false): Result {
    failure.refuse()
    try {
      return work()
    } catch (error) {
      const isFatal = isWriteFault(error, { isCommit })
      if (isFatal) failure.note(error)
      const seen = isFatal
        ? isCommit
          ? new UnknownOutcome(error)
          : new DatabaseAway(error)
        : error
      // SQLite takes all back by itself where it could not go on.
      if (isFatal || !file.inTransaction) lose(seen)
      throw seen
    }
  }
  function end(): void {
    if (!open) return
    const ending = open
    try {
      requireInPlace()
      write(() => commit().run(), true)
    } catch (error) {
      abandon(error)
      return
    }
    open = undefined
    if (ending.hasWork)
      log.synced().then(ending.done.resolve, (error: unknown) => {
        failure.note(error)
        ending.done.reject(new UnknownOutcome(error))
      })
    else ending.done.resolve()
    noteLog((countPages().get() as { log: number }).log)
  }
  return {
    write,
    end,
    abandon,
    isOpen: (group: Group) => group === open,
    /** Whoever comes in the same turn of the event loop shares the group, and its sync. */
    async join(giveUpAtMs: number): Promise<Group> {
      if (open) return open
      await log.hasRoom()
      await nextTurn()
      await whileBusy(() => write(() => begin().run()), giveUpAtMs)
      open = {
        done: Promise.withResolvers<void>(),
        endAtMs: performance.now() + groupMs,
        hasWork: false,
      }
      return open
    },
  }
}

/**
 * Whoever has files open can write to them after they were deleted or replaced. Nobody else would
 * find that: the next start opens what is there.
 *
 * @throws (each call) DatabaseAway while database and log are not those that are open
 */
function makeInPlace({ name, memory }: SqliteFile.Database): () => void {
  const paths = memory ? [] : [name, `${name}-wal`]
  const find = (path: string) => {
    const found = statSync(path, { throwIfNoEntry: false })
    return found && `${found.dev} ${found.ino}`
  }
  const first = paths.map(find)
  return () => {
    const moved = paths.find((path, at) => {
      const now = find(path)
      first[at] ??= now
      return now !== first[at]
    })
    if (moved !== undefined)
      throw new DatabaseAway(new Error(`${moved} is another file than the one in use`))
  }
}

type Prepared = () => SqliteFile.Statement

/** When it is first needed. */
function preparedOnce(file: SqliteFile.Database, sql: string): Prepared {
  let statement: SqliteFile.Statement | undefined
  return () => {
    statement ??= file.prepare(sql)
    return statement
  }
}

type Failure = ReturnType<typeof makeFailure>

/** Why nothing may be written any more. */
function makeFailure(onFatal: OnFatal) {
  let failure: { error: unknown } | undefined
  return {
    isNoted: () => failure !== undefined,
    note(error: unknown): void {
      if (failure) return
      failure = { error }
      onFatal(error)
    },
    refuse(): void {
      if (failure) throw new DatabaseAway(failure.error, 'The server is stopping.')
    },
  }
}

/** Another process may hold a lock: tries again without stopping the event loop. */
export async function whileBusy<Result>(work: () => Result, giveUpAtMs: number): Promise<Result> {
  for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, BUSY_RETRY_MAX_MS)) {
    try {
      return work()
    } catch (error) {
      if (!isPassingFault(error)) throw error
      if (!codeOf(error).startsWith('SQLITE_BUSY')) throw new DatabaseAway(error)
      if (performance.now() + pauseMs > giveUpAtMs) throw new DatabaseAway(error)
      await delay(pauseMs)
    }
  }
}
