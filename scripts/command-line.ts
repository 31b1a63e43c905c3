// The words behind a command, as in `npm run backup -- DIR`: `--help` prints what the command
// knows, and anything else that it does not know is refused with that.
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

/** Ends the process after `--help`, and for words that the command does not know. */
export function readArgs<const Options extends ParseArgsOptionsConfig>(
  usage: string,
  { options, mostWords = 0 }: { options: Options; mostWords?: number },
) {
  try {
    const known = { ...options, help: { type: 'boolean' } } as const
    const { values, positionals } = parseArgs({ options: known, allowPositionals: true })
    if ((values as { help?: boolean }).help) printUsage(usage)
    if (positionals.length <= mostWords) return { values, words: positionals }
  } catch {
    // Refused below.
  }
  return refuseArgs(usage)
}

function printUsage(usage: string): never {
  process.stdout.write(`${usage}\n`)
  process.exit(0)
}

export function refuseArgs(usage: string): never {
  process.stderr.write(`${usage}\n`)
  process.exit(1)
}
