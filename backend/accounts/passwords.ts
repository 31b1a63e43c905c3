// Hashes and verifies passwords with argon2id, a few at a time. Independent of accounts.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { invalidParam, Refusal } from '#contract/errors.ts'
import { PASSWORD_MAX_CHARS, PASSWORD_MIN_CHARS } from '#contract/limits.ts'
import { normaliseUnicode } from '#contract/plain-text.ts'
import { makeBoundedQueue, type QueueCaller } from '../process/bounded-queue.ts'
import { makeSecret } from '../process/ids.ts'
import { cacheForSeconds } from '../process/single-flight.ts'

/** How many of the most common passwords are refused. */
const COMMON_PASSWORDS = 10_000
/** How many hashes may wait. Further ones get 503 `general_service_disabled`. */
export const HASH_QUEUE_MAX = 64
/** How many hashes from one network may wait, and how long each may wait; then 503. */
export const HASH_QUEUE_SHARE = 32
export const HASH_WAIT_MAX_MS = 5000
/** argon2id with 19 MiB (threat-model.md §6). */
const HASH_COST = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }
export type HashCost = typeof HASH_COST
/** The prefix of every hash that can be verified. */
export const ARGON2_PREFIX = '$argon2'

/** Leaves one of the four threads of Node's pool to file access. */
export const MAX_CONCURRENT_HASHES = Math.min(availableParallelism(), 3)

export type Passwords = ReturnType<typeof makePasswords>

export function makePasswords(cost: HashCost = HASH_COST) {
  const hashPrefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`
  const inQueue = makeBoundedQueue({
    concurrency: MAX_CONCURRENT_HASHES,
    waiting: HASH_QUEUE_MAX,
    waitingPerKey: HASH_QUEUE_SHARE,
    waitMaxMs: HASH_WAIT_MAX_MS,
  })
  const dummyHash = cacheForSeconds(() => hash(makeSecret(), cost), { seconds: Infinity })
  return {
    /**
     * @returns a string in PHC format, which includes the parameters.
     * @param caller whose share of the queue is used, and whose signal cancels the wait
     * @throws Refusal `general_service_disabled` when too many hashes wait, or this one waits too
     *   long
     */
    hash: (password: string, caller?: QueueCaller): Promise<string> =>
      inQueue(() => hash(password, cost), caller),
    /** The prefix of a hash with the current parameters. */
    hashPrefix,
    /** Statistics of the queue of hashes. */
    stats: inQueue.stats,
    /**
     * Takes as long as for a wrong password when `stored` is undefined (no such user, or no
     * password) or is not an argon2 hash (written by SQL).
     * @throws as `hash`
     */
    async verify(password: string, stored: string | undefined, caller?: QueueCaller) {
      // Made even if it is not needed, so that the first sign-in with an unknown address takes no
      // longer than the first with a known one.
      const dummy = await dummyHash()
      const argon2Hash = stored?.startsWith(ARGON2_PREFIX) ? stored : undefined
      const isSame = await inQueue(() => verify(argon2Hash ?? dummy, password), caller)
      return isSame && argon2Hash !== undefined
    },
    /** Whether a stored hash was made with parameters other than the current ones. */
    isOutdated: (stored: string): boolean => !stored.startsWith(hashPrefix),
  }
}

/**
 * Checks the length, in characters, not in bytes.
 *
 * @throws Refusal `general_argument_invalid`
 * @source threat-model.md §3 "Password"
 */
export function checkPasswordLength(password: string, param = 'password'): void {
  // A character has at most two code units, so longer texts need not be counted.
  const chars = password.length > PASSWORD_MAX_CHARS * 2 ? password.length : [...password].length
  const rule = `Password must be between ${PASSWORD_MIN_CHARS} and ${PASSWORD_MAX_CHARS} characters long`
  if (chars < PASSWORD_MIN_CHARS || chars > PASSWORD_MAX_CHARS) throw invalidParam(param, rule)
}

/**
 * Checks all rules of a new password.
 *
 * @param owner the account that gets the password; its email is in lower case
 * @throws Refusal `general_argument_invalid` when the length is wrong or the password is common,
 *   `password_personal_data`
 */
export async function checkNewPassword(password: string, owner: { email: string; name: string }) {
  checkPasswordLength(password)
  commonPasswords ??= loadCommonPasswords()
  if ((await commonPasswords).has(password.toLowerCase()))
    throw invalidParam('password', 'Password is among the most used ones. Please choose another')
  const plain = normaliseUnicode(password).trim().toLowerCase()
  const localPart = owner.email.slice(0, owner.email.lastIndexOf('@'))
  const personal = [owner.email, localPart, normaliseUnicode(owner.name).trim().toLowerCase()]
  if (personal.includes(plain)) throw new Refusal('password_personal_data')
}

// --- common passwords: loaded at the first sign-up, because many processes never need them

let commonPasswords: Promise<ReadonlySet<string>> | undefined

/**
 * The most common passwords of an allowed length, in lower case. The list is read as a file,
 * because an import would keep all of it in memory.
 */
async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const require = createRequire(import.meta.url)
  const path = require.resolve('@zxcvbn-ts/language-common/src/passwords.json')
  const ranked = JSON.parse(await readFile(path, 'utf8')) as string[]
  const allowed = ranked.filter((password) => password.length >= PASSWORD_MIN_CHARS)
  return new Set(allowed.slice(0, COMMON_PASSWORDS))
}
