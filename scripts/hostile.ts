// `npm run test:hostile`: how the blog answers one reader while others attack it on this machine:
// previews of every size, very large uploads, costly queries, guessed passwords, slow clients and
// long posts, side by side. Prints the reader's p99 beside its idle value and the server's memory,
// and fails beyond the limits of threat-model.md §10. `--seconds 20` attacks longer.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { memoryMb } from './bench/load.ts'
import { ATTACKS, type Tally } from './hostile/attacks.ts'
import { fillBlog, type Targets } from './hostile/blog.ts'
import type { ReaderTask, Reading } from './hostile/reader.ts'
import { ROOT, runShown, SERVE_ARGS, startServing, stopProcess, toolEnv } from './processes.ts'

/** How many times its idle value a p99 may take. */
const SLOWER_MAX = 10
const MEMORY_MAX_MB = 1024
/** Below this, what is measured is the clock and the load's own work. */
const IDLE_FLOOR_MS = 5
const WIDTHS_A_READING = 300
const SAMPLE_MS = 100
const API_KEY = 'a-key-for-the-hostile-load'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '20' } } })
let nextWidth = 300
const folder = await mkdtemp(join(tmpdir(), 'lamplight-hostile-'))
try {
  process.exitCode = (await run(Number(values.seconds) * 1000)) ? 0 : 1
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function run(lastsMs: number): Promise<boolean> {
  if ((await runShown(process.execPath, [join(ROOT, 'scripts/build-web.ts'), '--if-stale'])) !== 0)
    throw new Error('The web part could not be built')
  const env = toolEnv({
    BLOG_DATA_DIR: folder,
    BLOG_API_KEY: API_KEY,
    // Each client of this load has an address of its own, told as a proxy tells it.
    BLOG_TRUSTED_PROXIES: 'loopback',
    BLOG_LOG_LEVEL: 'silent',
  })
  const { url, child } = await startServing('blog', SERVE_ARGS, env)
  try {
    const targets = await fillBlog(url, API_KEY)
    await read(targets, lastsMs / 4)
    const idle = await read(targets, lastsMs / 2)
    const stopping = new AbortController()
    let peakMb = 0
    const sampling = setInterval(() => {
      void memoryMb(child).then((now) => {
        peakMb = Math.max(peakMb, now ?? 0)
      })
    }, SAMPLE_MS)
    const attacks = ATTACKS.map(async ({ name, run: attack }) => ({
      name,
      tally: await attack(targets, stopping.signal),
    }))
    const attacked = await read(targets, lastsMs)
    stopping.abort()
    const tallies = await Promise.all(attacks)
    clearInterval(sampling)
    return print({ idle, attacked, tallies, peakMb })
  } finally {
    await stopProcess(child)
  }
}

/** Lets one reader ask for a page, the feed and previews, again and again. */
async function read(targets: Targets, lastsMs: number): Promise<Reading> {
  const { pageUrl, feedUrl, smallPreviewUrl: previewUrl, readerHeaders: headers } = targets
  const task = { pageUrl, feedUrl, previewUrl, firstWidth: nextWidth, headers, lastsMs }
  nextWidth += WIDTHS_A_READING
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(ROOT, 'scripts/hostile/reader.ts'), JSON.stringify(task satisfies ReaderTask)],
    { maxBuffer: 2 ** 24 },
  )
  return JSON.parse(stdout) as Reading
}

function p99(times: number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? 0
}

type Figures = {
  idle: Reading
  attacked: Reading
  tallies: { name: string; tally: Tally }[]
  peakMb: number
}

/** @returns whether everything is within its limit */
function print({ idle, attacked, tallies, peakMb }: Figures): boolean {
  let isGood = attacked.failed.length === 0 && peakMb < MEMORY_MAX_MB
  say(`${'attack'.padEnd(24)}${'sent'.padStart(8)}  answers`)
  for (const { name, tally } of tallies) {
    const answers = [...tally.answers].map(([status, count]) => `${status}: ${count}`)
    say(`${name.padEnd(24)}${String(tally.sent).padStart(8)}  ${answers.join(', ')}`)
  }
  say('')
  say(`${'p99 of the reader'.padEnd(24)}${'idle ms'.padStart(8)}${'attacked'.padStart(10)}`)
  for (const [name, key] of [
    ['post page', 'page'],
    ['feed call', 'feed'],
    ['small preview, drawn', 'preview'],
  ] as const) {
    const [before, during] = [p99(idle[key]), p99(attacked[key])]
    const times = during / Math.max(before, IDLE_FLOOR_MS)
    say(
      `${name.padEnd(24)}${before.toFixed(1).padStart(8)}${during.toFixed(1).padStart(10)}  ${times.toFixed(1)} times`,
    )
    if (key !== 'preview' && times >= SLOWER_MAX) isGood = false
  }
  say(`${'reader refused'.padEnd(24)}${String(attacked.failed.length).padStart(8)}`)
  for (const failure of new Set(attacked.failed)) say(`  ${failure}`)
  say(`${'memory at most, MB'.padEnd(24)}${peakMb.toFixed(0).padStart(8)}`)
  say(isGood ? 'within the limits' : 'BEYOND THE LIMITS')
  return isGood
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
