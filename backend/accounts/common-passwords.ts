// The passwords that attackers try first. Loaded at the first sign-up, not at start: most starts
// never need them.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { COMMON_PASSWORDS, PASSWORD_MIN_CHARS } from '#contract/limits.ts'

let commonPasswords: Promise<ReadonlySet<string>> | undefined

/**
 * Whether a password is, in any letter case, one of the most common ones that are long enough
 * to be allowed at all.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  commonPasswords ??= loadCommonPasswords()
  return (await commonPasswords).has(password.toLowerCase())
}

/** Read as a file and not imported, so that the nine tenths that are not kept can be freed. */
async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const require = createRequire(import.meta.url)
  const path = require.resolve('@zxcvbn-ts/language-common/src/passwords.json')
  const ranked = JSON.parse(await readFile(path, 'utf8')) as string[]
  return new Set(
    ranked.filter((one) => one.length >= PASSWORD_MIN_CHARS).slice(0, COMMON_PASSWORDS),
  )
}
