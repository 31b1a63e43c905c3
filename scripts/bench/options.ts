// The options of the command, and the scale of the measurements.
import { parseCommandLine } from '../command-line.ts'

const USAGE = `npm run bench    measures what the blog costs on this host and writes docs/benchmarks.md
Options: --quick                     measures shortly and writes nothing
         --only sqlite | postgres    leaves the other out`
export const { values: options } = parseCommandLine(USAGE, {
  options: { quick: { type: 'boolean' }, only: { type: 'string' } },
})
/** `posts` of the small blog, `many` of the large one; `calls` of one kind in a batch. */
export const scale = options.quick
  ? { seconds: 0.2, writerSeconds: 1, rounds: 1, batches: 1, calls: 40, posts: 100, many: 500 }
  : { seconds: 2, writerSeconds: 7, rounds: 5, batches: 8, calls: 200, posts: 1000, many: 100_000 }
