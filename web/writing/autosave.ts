// Decides when a draft is saved: a moment after the last key, regularly while typing goes on, and
// again after a pause if no answer came. Only one save runs at a time.

/** A draft is saved this long after the last key; while typing goes on, at least this often. */
export const AUTOSAVE_AFTER_MS = 3000
export const AUTOSAVE_EVERY_MS = 30_000
/** After a save, the next one waits this many times as long as the save took. */
const PAUSE_FACTOR = 2
/** Pauses before an unanswered save is sent again; the last one is used from then on. */
export const SAVE_RETRY_MS = [2000, 5000, 15_000, 30_000, 60_000] as const

export function retryPauseMs(failures: number): number {
  return SAVE_RETRY_MS[failures] ?? SAVE_RETRY_MS.at(-1) ?? 0
}

/**
 * How a save ended. `partly`: some of the text could not be sent yet; the save is repeated.
 * `unanswered`: the text may have arrived. `refused`: the server would refuse it again until the
 * writer changes something.
 */
export type SaveOutcome = 'saved' | 'partly' | 'unanswered' | 'refused'

type AutosaveOptions = {
  /** Whether the text may be saved automatically now. */
  isOn: () => boolean
  /** Sends the text. The promise must settle. */
  save: () => Promise<SaveOutcome>
}

export class Autosave {
  /** Something was typed that is not saved. */
  isDirty = false
  /** The number of consecutive saves that did not end as `saved`. */
  failures = 0
  /** When the first key that is not saved yet was pressed; undefined if there is none. */
  private firstKeyMs: number | undefined
  /** Nothing is sent before this time, however many keys are pressed. */
  private notBeforeMs = 0
  private timer: ReturnType<typeof setTimeout> | undefined
  private running: Promise<SaveOutcome> | undefined
  private readonly options: AutosaveOptions

  constructor(options: AutosaveOptions) {
    this.options = options
  }

  /** Call it when something was typed. */
  markDirty(): void {
    this.isDirty = true
    this.firstKeyMs ??= performance.now()
    this.schedule(AUTOSAVE_AFTER_MS)
  }

  /** Saves now; first waits for a running save, which may have begun before the last key. */
  async saveNow(): Promise<SaveOutcome> {
    if (this.running !== undefined) await this.running
    return this.run()
  }

  /** Call it when the connection is back: a save that waits for it is sent immediately. */
  retryNow(): void {
    this.notBeforeMs = 0
    if (this.failures > 0 && this.isDirty) this.schedule(0)
  }

  /** Sends nothing until the next key. */
  stopRetrying(): void {
    clearTimeout(this.timer)
    this.failures = 0
  }

  /** Waits for a running save. The caller turns autosaving off meanwhile (`isOn`). */
  async pause(): Promise<void> {
    clearTimeout(this.timer)
    await this.running
  }

  resume(): void {
    if (this.isDirty) this.schedule(AUTOSAVE_AFTER_MS)
  }

  /** Call it when the text of the form is saved. */
  reset(): void {
    this.stopRetrying()
    this.isDirty = false
    this.firstKeyMs = undefined
  }

  private schedule(pauseMs: number): void {
    clearTimeout(this.timer)
    if (this.running !== undefined || !this.options.isOn()) return
    const nowMs = performance.now()
    const latestMs = (this.firstKeyMs ?? nowMs) + AUTOSAVE_EVERY_MS
    const dueMs = Math.max(Math.min(nowMs + pauseMs, latestMs), this.notBeforeMs)
    this.timer = setTimeout(() => void this.run(), dueMs - nowMs)
  }

  private run(): Promise<SaveOutcome> {
    this.running ??= this.save()
    return this.running
  }

  private async save(): Promise<SaveOutcome> {
    clearTimeout(this.timer)
    this.isDirty = false
    this.firstKeyMs = undefined
    const startedMs = performance.now()
    const outcome = await this.options.save().catch((): SaveOutcome => 'refused')
    this.running = undefined
    this.scheduleNext(outcome, startedMs)
    return outcome
  }

  private scheduleNext(outcome: SaveOutcome, startedMs: number): void {
    const nowMs = performance.now()
    if (outcome === 'saved') {
      this.failures = 0
      const pauseMs = Math.min((nowMs - startedMs) * PAUSE_FACTOR, AUTOSAVE_EVERY_MS)
      this.notBeforeMs = nowMs + pauseMs
    } else {
      this.isDirty = true
      this.notBeforeMs = nowMs + retryPauseMs(this.failures)
      this.failures += 1
    }
    // A refused text waits for the next key.
    const hasTyped = this.firstKeyMs !== undefined
    if (this.isDirty && (outcome !== 'refused' || hasTyped))
      this.schedule(hasTyped ? AUTOSAVE_AFTER_MS : 0)
  }
}
