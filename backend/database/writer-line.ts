// The line before the one connection of SQLite that writes. So many wait at most, and each for a
// limited time from its own arrival, whoever is before it.
import { DATABASE_WAITING_MAX } from '#contract/server-limits.ts'
import { DatabaseAway } from './faults.ts'

export type WriterLine = {
  /**
   * Waits until nobody before it writes.
   *
   * @returns lets the next one in
   * @throws DatabaseAway when the line is full, or its turn did not come in time
   */
  enter(giveUpAtMs: number): Promise<() => void>
  isEmpty(): boolean
}

export function makeWriterLine(): WriterLine {
  let isTaken = false
  const waiting: (() => void)[] = []
  function leave(): void {
    const next = waiting.shift()
    if (next) next()
    else isTaken = false
  }
  return {
    async enter(giveUpAtMs) {
      if (isTaken) await stand(waiting, giveUpAtMs)
      isTaken = true
      return leave
    },
    isEmpty: () => waiting.length === 0,
  }
}

async function stand(waiting: (() => void)[], giveUpAtMs: number): Promise<void> {
  if (waiting.length >= DATABASE_WAITING_MAX)
    throw new DatabaseAway(new Error('Too many writes wait'))
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(
    () => {
      waiting.splice(waiting.indexOf(resolve), 1)
      reject(new DatabaseAway(new Error('Other writes took too long')))
    },
    Math.max(0, giveUpAtMs - performance.now()),
  )
  waiting.push(resolve)
  try {
    await promise
  } finally {
    clearTimeout(timer)
  }
}
