// Runs a command of an operator, such as `npm run backup`: a failure is one line.
import { CopyProblem, describeProblem } from '../backend/backups/backup-io.ts'
import { SettingError } from '../backend/settings/setting-definitions.ts'

export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/**
 * Runs a command. Its failure ends the process with code 1.
 *
 * @param what the subject of "… failed", for an error that says nothing to operators by itself
 * @param isExpected whether an error says all; `SettingError` and `CopyProblem` do
 * @param advice further lines after an error
 */
export async function runCommand(
  what: string,
  run: () => Promise<void>,
  { isExpected = () => false, advice = () => [] }: CommandFailure = {},
): Promise<void> {
  try {
    await run()
  } catch (error) {
    const saysAll =
      error instanceof SettingError || error instanceof CopyProblem || isExpected(error)
    const text = describeProblem(error)
    const lines = [saysAll ? text : `${what} failed: ${text}`, ...advice(error, saysAll)]
    process.stderr.write(`${lines.join('\n')}\n`)
    process.exitCode = 1
  }
}

type CommandFailure = {
  isExpected?: (error: unknown) => boolean
  advice?: (error: unknown, saysAll: boolean) => string[]
}
