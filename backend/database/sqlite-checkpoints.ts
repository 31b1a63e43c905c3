// When SQLite's write-ahead log is moved into the database file, and how: in a thread, first
// beside all writes, then what has come meanwhile while writes wait for a moment. Only then does
// the log begin anew instead of growing.
import {
  CHECKPOINT_BUSY_MS,
  CHECKPOINT_IDLE_MS,
  CHECKPOINT_MAX_MS,
  CHECKPOINT_PAGES,
} from '#contract/server-limits.ts'
import { makeWorkThread } from '../process/work-thread.ts'

export type CheckpointAsked = { path: string; isWhole: boolean; busyMs: number }
/** Pages in the log, and those of them that are not in the database file yet. */
export type Checkpoint =
  | { pages: number; left: number }
  | { fault: { code: string; message: string } }

export type Checkpoints = {
  /** Says how many pages the log has after a commit. */
  noteLog(pages: number): void
  ended(): Promise<void>
}

type Needs = {
  path: string
  /** Keeps all writes of this process waiting. @returns lets them go on; undefined when busy */
  pauseWrites: () => Promise<(() => void) | undefined>
  /** What SQLite failed of. */
  onFault: (error: Error & { code: string }) => void
  /** A test hands in less. */
  atPages?: number | undefined
}

const THREAD = new URL('./sqlite-checkpoint-thread.ts', import.meta.url)
const MEMORY_MB = 32

export function makeCheckpoints({
  path,
  pauseWrites,
  onFault,
  atPages = CHECKPOINT_PAGES,
}: Needs): Checkpoints {
  const thread = makeWorkThread<CheckpointAsked, Checkpoint>(THREAD, {
    ...{ maxMs: CHECKPOINT_MAX_MS, idleMs: CHECKPOINT_IDLE_MS, memoryMb: MEMORY_MB },
  })
  let running: Promise<void> | undefined
  /** What a checkpoint left behind: somebody reads an older state, as a backup does. */
  let kept = 0

  async function ask(isWhole: boolean): Promise<{ pages: number; left: number } | undefined> {
    const done = await thread({ path, isWhole, busyMs: CHECKPOINT_BUSY_MS }).catch(() => 'busy')
    if (typeof done === 'string') return undefined
    if (!('fault' in done.answer)) return done.answer
    const { code, message } = done.answer.fault
    onFault(Object.assign(new Error(message), { code }))
    return undefined
  }
  async function checkpoint(): Promise<void> {
    const first = await ask(false)
    kept = first?.pages ?? 0
    if (!first || first.left > atPages) return
    const goOn = await pauseWrites()
    if (!goOn) return
    try {
      const whole = await ask(true)
      kept = whole && whole.left === 0 ? 0 : kept
    } finally {
      goOn()
    }
  }
  return {
    noteLog(pages) {
      kept = Math.min(kept, pages)
      if (running !== undefined || pages - kept < atPages) return
      running = checkpoint().finally(() => {
        running = undefined
      })
    },
    ended: async () => running,
  }
}
