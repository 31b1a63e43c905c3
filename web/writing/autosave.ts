// When a draft is saved by itself: a moment after the last key, now and then while the keys go on,
// and again after a pause when no answer came. One saving at a time.

/** A draft is saved this long after the last key; while keys go on, at least this often. */
export const AUTOSAVE_AFTER_MS = 3000
export const AUTOSAVE_EVERY_MS = 30_000
/** What takes long to send is sent less often: this many times as long passes after it. */
const PAUSE_PER_COST = 2
/** Pauses before what got no answer is sent again; the last one stays. */
export const SAVE_RETRY_MS = [2000, 5000, 15_000, 30_000, 60_000] as const

export function retryPauseMs(failures: number): number {
  return SAVE_RETRY_MS[failures] ?? SAVE_RETRY_MS.at(-1) ?? 0
}

/**
 * How a saving ended. `partly`: some of it could not be sent yet, and is tried again by itself.
 * `unanswered`: perhaps it arrived. `refused`: it would be refused again until something changes.
 */
export type SaveOutcome = 'saved' | 'partly' | 'unanswered' | 'refused'

type AutosaveOptions = {
  /** Whether what is typed now is a draft that is saved by itself. */
  isOn: () => boolean
  /** Sends what is there now. Must end in any case. */
  save: () => Promise<SaveOutcome>
}

export class Autosave {
  /** Something was typed that is not saved. */
  isDirty = false
  /** Savings in a row that did not end well. */
  failures = 0
  /** "Submit" saves: nothing is sent automatically. */
  isHalted = false
  /** When the first key came that is not saved; undefined when all are. */
  private firstKeyMs: number | undefined
  /** Not sent before that, however many keys come. */
  private notBeforeMs = 0
  private timer: ReturnType<typeof setTimeout> | undefined
  private running: Promise<SaveOutcome> | undefined
  private readonly needs: AutosaveOptions

  constructor(needs: AutosaveOptions) {
    this.needs = needs
  }

  /** Something was typed. */
  noteKey(): void {
    this.isDirty = true
    this.firstKeyMs ??= performance.now()
    this.schedule(AUTOSAVE_AFTER_MS)
  }

  /**
   * Saves at once what is not saved; waits for a saving that is under way, which may have begun
   * before the last key.
   */
  async saveNow(): Promise<SaveOutcome> {
    if (this.running !== undefined) await this.running
    return this.run()
  }

  /** The network is back: what waits for it is sent at once. */
  retryNow(): void {
    this.notBeforeMs = 0
    if (this.failures > 0 && this.isDirty) this.schedule(0)
  }

  /** Tries no more until the next key. */
  stopTrying(): void {
    clearTimeout(this.timer)
    this.failures = 0
  }

  /** Waits for a saving that is under way; nothing is sent by itself until `resume`. */
  async halt(): Promise<void> {
    this.isHalted = true
    clearTimeout(this.timer)
    await this.running
  }

  resume(): void {
    this.isHalted = false
    if (this.isDirty) this.schedule(AUTOSAVE_AFTER_MS)
  }

  /** "Submit" has saved what the form holds. */
  settle(): void {
    this.stopTrying()
    this.isDirty = false
    this.firstKeyMs = undefined
  }

  private schedule(pauseMs: number): void {
    clearTimeout(this.timer)
    if (this.running !== undefined || this.isHalted || !this.needs.isOn()) return
    const now = performance.now()
    const latestMs = (this.firstKeyMs ?? now) + AUTOSAVE_EVERY_MS
    const dueMs = Math.max(Math.min(now + pauseMs, latestMs), this.notBeforeMs)
    this.timer = setTimeout(() => void this.run(), dueMs - now)
  }

  private run(): Promise<SaveOutcome> {
    this.running ??= this.save()
    return this.running
  }

  private async save(): Promise<SaveOutcome> {
    clearTimeout(this.timer)
    this.isDirty = false
    this.firstKeyMs = undefined
    const beganMs = performance.now()
    const outcome = await this.needs.save().catch((): SaveOutcome => 'refused')
    this.running = undefined
    this.follow(outcome, beganMs)
    return outcome
  }

  /** What happens after a saving that began at this time. */
  private follow(outcome: SaveOutcome, beganMs: number): void {
    const now = performance.now()
    if (outcome === 'saved') {
      this.failures = 0
      const restMs = Math.min((now - beganMs) * PAUSE_PER_COST, AUTOSAVE_EVERY_MS)
      this.notBeforeMs = now + restMs
    } else {
      this.isDirty = true
      this.notBeforeMs = now + retryPauseMs(this.failures)
      this.failures += 1
    }
    // What was refused waits for the next key.
    const hasKeys = this.firstKeyMs !== undefined
    if (this.isDirty && (outcome !== 'refused' || hasKeys))
      this.schedule(hasKeys ? AUTOSAVE_AFTER_MS : 0)
  }
}
