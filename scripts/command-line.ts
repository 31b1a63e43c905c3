// Parses the arguments of a command, such as `npm run backup -- DIR`. `--help` prints its usage,
// and unknown arguments end it with its usage.
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

/** Ends the process after `--help`, and for arguments that the command does not know. */
export function parseCommandLine<const Options extends ParseArgsOptionsConfig>(
  usage: string,
  { options, maxPositionals = 0 }: { options: Options; maxPositionals?: number },
) {
  try {
    const allOptions = { ...options, help: { type: 'boolean' } } as const
    const { values, positionals } = parseArgs({ options: allOptions, allowPositionals: true })
    if ((values as { help?: boolean }).help) printUsage(usage)
    if (positionals.length <= maxPositionals) return { values, positionals }
  } catch {
    // Refused below.
  }
  return exitWithUsage(usage)
}

function printUsage(usage: string): never {
  process.stdout.write(`${usage}\n`)
  process.exit(0)
}

export function exitWithUsage(usage: string): never {
  process.stderr.write(`${usage}\n`)
  process.exit(1)
}
