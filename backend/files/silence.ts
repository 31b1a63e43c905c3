// A limit on silence: for calls to another server that may accept a connection and never answer.
import { Transform } from 'node:stream'

export type Silence = {
  /** Aborted when the silence is too long. */
  signal: AbortSignal
  /** There was a sign of life: the time begins anew. */
  touch(): void
}

/**
 * Waits for `work` as long as it is not silent for `limitMs`.
 *
 * @throws Error of the name TimeoutError when it is, whatever the work does with the signal
 */
export async function withoutSilence<Result>(
  limitMs: number,
  work: (silence: Silence) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const error = new Error(`No sign of life for ${limitMs} ms`)
    error.name = 'TimeoutError'
    controller.abort(error)
    reject(error)
  }, limitMs)
  const silence = { signal: controller.signal, touch: () => void timer.refresh() }
  const working = work(silence)
  // It may still fail when nobody waits for it any more.
  working.catch(() => {})
  try {
    return await Promise.race([working, promise])
  } finally {
    clearTimeout(timer)
  }
}

export type Absence = ReturnType<typeof makeAbsence>

/**
 * Remembers that a server was silent, so that not everybody waits for it: for `awayMs` nobody asks
 * it, then one call does, while the others are still refused for the `limitMs` that it may take.
 */
export function makeAbsence(
  { awayMs, limitMs }: { awayMs: number; limitMs: number },
  nowMs = () => performance.now(),
) {
  let silence: { error: Error; untilMs: number } | undefined
  return {
    /** @returns the silence, while nobody may ask */
    find(): Error | undefined {
      if (!silence) return undefined
      if (nowMs() < silence.untilMs) return silence.error
      silence.untilMs = nowMs() + limitMs
      return undefined
    },
    /** How a call ended. */
    note(error?: unknown): void {
      const isSilent = error instanceof Error && error.name === 'TimeoutError'
      silence = isSilent ? { error, untilMs: nowMs() + awayMs } : undefined
    },
  }
}

/** Passes bytes on and tells of each piece. */
export function watched(onPiece: () => void): Transform {
  return new Transform({
    transform(piece, _encoding, done) {
      onPiece()
      done(null, piece)
    },
  })
}
