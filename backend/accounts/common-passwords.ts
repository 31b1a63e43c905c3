// The passwords that everybody tries first. Read at the first sign-up, not at start: most starts
// never need it.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { COMMON_PASSWORDS, PASSWORD_MIN_CHARS } from '#contract/limits.ts'

let commonest: Promise<ReadonlySet<string>> | undefined

/**
 * Whether a password is, in any letter case, one of the commonest that are long enough to be
 * allowed at all.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  commonest ??= readCommonest()
  return (await commonest).has(password.toLowerCase())
}

/** Read as a file and not imported, so that the nine tenths that are not kept can be collected. */
async function readCommonest(): Promise<ReadonlySet<string>> {
  const require = createRequire(import.meta.url)
  const path = require.resolve('@zxcvbn-ts/language-common/src/passwords.json')
  const ranked = JSON.parse(await readFile(path, 'utf8')) as string[]
  return new Set(
    ranked.filter((one) => one.length >= PASSWORD_MIN_CHARS).slice(0, COMMON_PASSWORDS),
  )
}
