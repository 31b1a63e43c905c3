// Runs a command of the operator as a process.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { NODE_COMPILE_CACHE } from '#scripts/processes.ts'

export type Outcome = { code: number; out: string; err: string }

/** Runs `scripts/NAME` until it exits. */
export function runScript(
  script: string,
  args: string[],
  env: Record<string, string>,
): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join('scripts', script), ...args],
      { env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE, ...env } },
      (error, out, err) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    )
  })
}
