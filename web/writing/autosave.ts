// When a draft is saved by itself: a moment after the last key, now and then while the keys go on,
// and again after a pause when no answer came. One saving at a time. Knows nothing of forms, of
// posts or of what is sent.
import {
  AUTOSAVE_AFTER_MS,
  AUTOSAVE_EVERY_MS,
  AUTOSAVE_PAUSE_PER_COST,
  SAVE_RETRY_MS,
} from './autosave-timing.ts'

/**
 * How a saving ended. `partly`: some of it could not be sent yet, and is tried again by itself.
 * `unanswered`: perhaps it arrived. `refused`: it would be refused again until something changes.
 */
export type SaveOutcome = 'saved' | 'partly' | 'unanswered' | 'refused'

type AutosaveNeeds = {
  /** Whether what is typed now is a draft that is saved by itself. */
  isOn: () => boolean
  /** Sends what is there now. Must end in any case. */
  save: () => Promise<SaveOutcome>
}

export type Autosave = {
  needs: AutosaveNeeds
  /** Something was typed that is not saved. */
  isDirty: boolean
  /** When the first key came that is not saved; undefined when all are. */
  firstKeyMs: number | undefined
  /** Not sent before that, however many keys come. */
  notBeforeMs: number
  failures: number
  timer: ReturnType<typeof setTimeout> | undefined
  running: Promise<SaveOutcome> | undefined
  /** Somebody else saves: nothing is sent by itself. */
  isHalted: boolean
}

export function makeAutosave(needs: AutosaveNeeds): Autosave {
  return {
    needs,
    isDirty: false,
    firstKeyMs: undefined,
    notBeforeMs: 0,
    failures: 0,
    timer: undefined,
    running: undefined,
    isHalted: false,
  }
}

/** Something was typed. */
export function noteKey(autosave: Autosave): void {
  autosave.isDirty = true
  autosave.firstKeyMs ??= Date.now()
  schedule(autosave, AUTOSAVE_AFTER_MS)
}

/**
 * Saves at once what is not saved; waits for a saving that is under way, which may have begun
 * before the last key.
 */
export async function saveNow(autosave: Autosave): Promise<SaveOutcome> {
  if (autosave.running !== undefined) await autosave.running
  return run(autosave)
}

/** The network is back: what waits for it is sent at once. */
export function retryNow(autosave: Autosave): void {
  autosave.notBeforeMs = 0
  if (autosave.failures > 0 && autosave.isDirty) schedule(autosave, 0)
}

/** Tries no more until the next key. */
export function stopTrying(autosave: Autosave): void {
  clearTimeout(autosave.timer)
  autosave.failures = 0
}

/** Waits for a saving that is under way; nothing is sent by itself until `resume`. */
export async function halt(autosave: Autosave): Promise<void> {
  autosave.isHalted = true
  clearTimeout(autosave.timer)
  await autosave.running
}

export function resume(autosave: Autosave): void {
  autosave.isHalted = false
  if (autosave.isDirty) schedule(autosave, AUTOSAVE_AFTER_MS)
}

/** What the form holds is saved, by somebody else. */
export function settle(autosave: Autosave): void {
  clearTimeout(autosave.timer)
  autosave.isDirty = false
  autosave.firstKeyMs = undefined
  autosave.failures = 0
}

function schedule(autosave: Autosave, pauseMs: number): void {
  const { needs, running, isHalted, firstKeyMs } = autosave
  clearTimeout(autosave.timer)
  if (running !== undefined || isHalted || !needs.isOn()) return
  const now = Date.now()
  const latestMs = (firstKeyMs ?? now) + AUTOSAVE_EVERY_MS
  const dueMs = Math.max(Math.min(now + pauseMs, latestMs), autosave.notBeforeMs)
  autosave.timer = setTimeout(() => void run(autosave), Math.max(0, dueMs - now))
}

function run(autosave: Autosave): Promise<SaveOutcome> {
  if (autosave.running !== undefined) return autosave.running
  clearTimeout(autosave.timer)
  autosave.isDirty = false
  autosave.firstKeyMs = undefined
  const running = autosave.needs
    .save()
    .catch((): SaveOutcome => 'refused')
    .then(follow(autosave, Date.now()))
  autosave.running = running
  return running
}

/** What happens after a saving that began at this time. */
function follow(autosave: Autosave, beganMs: number): (outcome: SaveOutcome) => SaveOutcome {
  return (outcome) => {
    const now = Date.now()
    autosave.running = undefined
    if (outcome === 'saved') {
      autosave.failures = 0
      const restMs = Math.min((now - beganMs) * AUTOSAVE_PAUSE_PER_COST, AUTOSAVE_EVERY_MS)
      autosave.notBeforeMs = now + restMs
    } else {
      autosave.isDirty = true
      const at = Math.min(autosave.failures, SAVE_RETRY_MS.length - 1)
      autosave.notBeforeMs = now + (SAVE_RETRY_MS[at] ?? 0)
      autosave.failures += 1
    }
    // What was refused waits for the next key.
    const hasKeys = autosave.firstKeyMs !== undefined
    if (autosave.isDirty && (outcome !== 'refused' || hasKeys))
      schedule(autosave, hasKeys ? AUTOSAVE_AFTER_MS : 0)
    return outcome
  }
}
