// One reader of the attacked blog, in a process of its own: what the attackers' process is busy
// with must not count. Takes what to ask as JSON, and prints how long each answer took.
import { setTimeout as delay } from 'node:timers/promises'

const ASK_EVERY_MS = 50
const ANSWER_TIMEOUT_MS = 30_000
/** Every so many turns a preview is asked for. */
const PREVIEW_EVERY = 10

export type ReaderTask = {
  pageUrl: string
  feedUrl: string
  /** `{width}` stands for a width that nobody has asked for yet. */
  previewUrl: string
  firstWidth: number
  headers: Record<string, string>
  lastsMs: number
}

/** Milliseconds of each answer, and what was not answered well. */
export type Reading = { page: number[]; feed: number[]; preview: number[]; failed: string[] }

async function read(task: ReaderTask): Promise<Reading> {
  const { pageUrl, feedUrl, previewUrl, firstWidth, headers, lastsMs } = task
  const reading: Reading = { page: [], feed: [], preview: [], failed: [] }
  const ask = async (times: number[], url: string) => {
    const startedMs = performance.now()
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS)
    const failure = await fetch(url, { headers, signal }).then(
      async (answer) => {
        await answer.arrayBuffer()
        return answer.ok ? undefined : String(answer.status)
      },
      (error: unknown) => String(error),
    )
    times.push(performance.now() - startedMs)
    if (failure) reading.failed.push(`${new URL(url).pathname} ${failure}`)
  }
  const endMs = performance.now() + lastsMs
  for (let turn = 0; performance.now() < endMs; turn++) {
    const nextMs = performance.now() + ASK_EVERY_MS
    await ask(reading.page, pageUrl)
    await ask(reading.feed, feedUrl)
    if (turn % PREVIEW_EVERY === 0) {
      const width = String(firstWidth + turn / PREVIEW_EVERY)
      await ask(reading.preview, previewUrl.replace('{width}', width))
    }
    await delay(Math.max(0, nextMs - performance.now()))
  }
  return reading
}

process.stdout.write(JSON.stringify(await read(JSON.parse(process.argv[2] ?? '') as ReaderTask)))
