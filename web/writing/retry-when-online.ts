// A save that was asked for, while there is no network: it says so soon, waits, and goes on by
// itself.
import type { Failure } from '../api/client.ts'
import { pauseUntilOnline } from '../ui/use-online.ts'
import { retryPauseMs } from './autosave.ts'
import { CANCELLED } from './save-post.ts'

/** Without an answer for this long, the form says that there is no connection. */
export const SAVE_STALLED_MS = 2500
/** A slow line still sends this much: a long text may take longer to be answered. */
const BYTES_PER_MS = 50

type SilenceOptions = {
  /** How much is sent before an answer can come. */
  bytes: number
  onSilence: (isSilent: boolean) => void
}

/** Says when nothing was heard of what was sent for a while, or the browser is offline. */
export function watchStalledSave({ bytes, onSilence }: SilenceOptions): {
  heard: () => void
  end: () => void
} {
  let isSilent = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const tell = (is: boolean) => {
    if (is !== isSilent) onSilence(is)
    isSilent = is
  }
  const heard = () => {
    clearTimeout(timer)
    timer = setTimeout(() => tell(true), SAVE_STALLED_MS + bytes / BYTES_PER_MS)
    tell(false)
  }
  const handleOffline = () => tell(true)
  window.addEventListener('offline', handleOffline)
  heard()
  return {
    heard,
    end() {
      clearTimeout(timer)
      window.removeEventListener('offline', handleOffline)
    },
  }
}

type RetryOptions<Answer> = {
  /** Waited for first. */
  before: () => Promise<void>
  attempt: () => Promise<Answer>
  signal: AbortSignal
  /** Whether the writer waits: otherwise a lost answer is the end. */
  isAwaited: () => boolean
  tell: (hasNoLine: boolean) => void
}

/**
 * Tries until there is an answer, or the save is cancelled. What was sent before stays sent.
 *
 * @returns what the last try answered; `CANCELLED` when the signal came
 */
export async function retryWhenOnline<Answer>({
  before,
  attempt,
  signal,
  isAwaited,
  tell,
}: RetryOptions<Answer>): Promise<Answer | { failure: Failure }> {
  const cancelled = new Promise<{ failure: Failure }>((resolve) => {
    signal.addEventListener('abort', () => resolve({ failure: CANCELLED }))
  })
  const early = setTimeout(() => tell(true), navigator.onLine ? SAVE_STALLED_MS : 0)
  const first = await Promise.race([before(), cancelled])
  clearTimeout(early)
  if (first) return first
  for (let tries = 0; ; tries += 1) {
    if (navigator.onLine) {
      tell(false)
      const answer = await Promise.race([attempt(), cancelled])
      if (!hasNoAnswer(answer) || signal.aborted || !isAwaited()) return answer
    }
    tell(true)
    await pauseUntilOnline(retryPauseMs(tries), signal)
    if (signal.aborted) return { failure: CANCELLED }
  }
}

function hasNoAnswer(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null || !('failure' in answer)) return false
  const { code, type } = answer.failure as Failure
  return code === 0 && !type.endsWith('_cancelled')
}
