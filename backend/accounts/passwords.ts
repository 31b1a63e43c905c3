// Hashing and checking of passwords: argon2id, a few at a time. Independent of accounts.
import { scrypt, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { hash, verify } from '@node-rs/argon2'
import { verify as verifyBcrypt } from '@node-rs/bcrypt'
import { invalidParam, Refusal } from '#contract/errors.ts'
import { PASSWORD_MAX_CHARS, PASSWORD_MIN_CHARS } from '#contract/limits.ts'
import { normalised } from '#contract/plain-text.ts'
import { makeBoundedQueue, type QueueCaller } from '../process/bounded-queue.ts'
import { makeSecret } from '../process/ids.ts'
import { cacheForSeconds } from '../process/single-flight.ts'

/** How many of the most common passwords are refused. */
const COMMON_PASSWORDS = 10_000
/** How many password checks may wait. More: 503 `general_service_disabled`. */
export const HASH_QUEUE_MAX = 64
/** How many of them may be of one network, and how long each may wait. Beyond: 503. */
export const HASH_QUEUE_SHARE = 32
export const HASH_WAIT_MAX_MS = 5000
/** argon2id, of 19 MiB (threat-model.md §6). */
const HASH_COST = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }
export type HashCost = typeof HASH_COST

/** One of Node's own four threads, which file access needs too, stays free. */
export const MAX_CONCURRENT_HASHES = Math.min(availableParallelism(), 3)

export type Passwords = ReturnType<typeof makePasswords>

export function makePasswords(cost: HashCost = HASH_COST) {
  const hashPrefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`
  const inQueue = makeBoundedQueue({
    atOnce: MAX_CONCURRENT_HASHES,
    waiting: HASH_QUEUE_MAX,
    waitingPerKey: HASH_QUEUE_SHARE,
    waitMaxMs: HASH_WAIT_MAX_MS,
  })
  const dummyHash = cacheForSeconds(() => hash(makeSecret(), cost), { seconds: Infinity })
  return {
    /**
     * @returns a string in PHC format, parameters included.
     * @param caller  whose share of the queue it takes, and the signal that drops it
     * @throws Refusal `general_service_disabled` when too many wait, or for too long
     */
    hash: (password: string, caller?: QueueCaller): Promise<string> =>
      inQueue(() => hash(password, cost), caller),
    /** How every hash begins that was made with today's parameters. */
    hashPrefix,
    /** Statistics of the queue of hashes. */
    stats: inQueue.stats,
    /**
     * Takes as long for `stored` undefined (no such user, or no password) as for a wrong password.
     * @throws as `hash`
     */
    async isRight(password: string, stored: string | undefined, caller?: QueueCaller) {
      // Made even if it is not needed, so that the first unknown address takes no longer than the
      // first known one.
      const dummy = await dummyHash()
      const isSame = await inQueue(() => isPasswordOf(password, stored ?? dummy), caller)
      return isSame && stored !== undefined
    },
    /** Whether a stored hash was made elsewhere, or with other parameters than today's. */
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
  // A character has at most two code units: longer texts need no counting.
  const chars = password.length > PASSWORD_MAX_CHARS * 2 ? password.length : [...password].length
  const says = `Password must be between ${PASSWORD_MIN_CHARS} and ${PASSWORD_MAX_CHARS} characters long`
  if (chars < PASSWORD_MIN_CHARS || chars > PASSWORD_MAX_CHARS) throw invalidParam(param, says)
}

/**
 * Checks all rules of a new password.
 *
 * @param owner whose password it becomes; the e-mail in lower case
 * @throws Refusal `general_argument_invalid` for its length or a common password,
 *   `password_personal_data`
 */
export async function checkNewPassword(password: string, owner: { email: string; name: string }) {
  checkPasswordLength(password)
  commonPasswords ??= loadCommonPasswords()
  if ((await commonPasswords).has(password.toLowerCase()))
    throw invalidParam('password', 'Password is among the most used ones. Please choose another')
  const plain = normalised(password).trim().toLowerCase()
  const localPart = owner.email.slice(0, owner.email.lastIndexOf('@'))
  const personal = [owner.email, localPart, normalised(owner.name).trim().toLowerCase()]
  if (personal.includes(plain)) throw new Refusal('password_personal_data')
}

// --- passwords that attackers try first: loaded at the first sign-up, not at start, because most
// starts never need them

let commonPasswords: Promise<ReadonlySet<string>> | undefined

/**
 * The most common ones that are long enough to be allowed at all, in lower case. Read as a file and
 * not imported, so that the nine tenths that are not kept can be freed.
 */
async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const require = createRequire(import.meta.url)
  const path = require.resolve('@zxcvbn-ts/language-common/src/passwords.json')
  const ranked = JSON.parse(await readFile(path, 'utf8')) as string[]
  const allowed = ranked.filter((one) => one.length >= PASSWORD_MIN_CHARS)
  return new Set(allowed.slice(0, COMMON_PASSWORDS))
}

// --- hashes that the operator imports: which are accepted, how they are stored and checked. The
// next sign-in replaces one by our own.

/** What an imported hash may cost to check, so that a sign-in stays cheap. */
const BCRYPT_COST = { min: 4, max: 12 }
/** `work` is the memory times the passes. */
const ARGON2_MAX = { kib: 65_536, passes: 10, work: 4 * 65_536, threads: 8 }
/** `blocks` of 128 bytes in all; `width` of them in one pass over memory. */
const SCRYPT_MAX = { blocks: 524_288, width: 1024, bytes: 128, saltChars: 256 }
const SCRYPT_BYTES_MIN = 16

/** What scrypt was called with; `bytes` is the length of its result. */
export type ScryptCost = { n: number; r: number; p: number; bytes: number }

const ARGON2 =
  /^\$argon2(?:id|i|d)\$v=19\$m=(\d{1,6}),t=(\d{1,3}),p=(\d{1,3})\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{16,172}$/
const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/
/** bcrypt ignores the rest. */
const BCRYPT_MAX_BYTES = 72
const SCRYPT = /^\$scrypt\$n=(\d+),r=(\d+),p=(\d+),l=(\d+)\$([\w-]*)\$([0-9a-f]+)$/

/**
 * @throws Refusal `general_argument_invalid` for another text, or one that costs too much to check
 */
export function readArgon2Hash(text: string): string {
  const [, memory = 0, passes = 0, threads = 0] = (ARGON2.exec(text) ?? []).map(Number)
  const { kib, work } = ARGON2_MAX
  const isEach = (value: number, max: number) => value >= 1 && value <= max
  const isSmall = isEach(threads, ARGON2_MAX.threads) && isEach(passes, ARGON2_MAX.passes)
  const isFine = memory >= 8 * threads && memory <= kib && memory * passes <= work
  if (!isSmall || !isFine) throw notTaken(`argon2 hash of at most ${kib} KiB`)
  return text
}

/** @throws as {@link readArgon2Hash} */
export function readBcryptHash(text: string): string {
  const cost = Number(BCRYPT.exec(text)?.[1])
  if (!(cost >= BCRYPT_COST.min && cost <= BCRYPT_COST.max))
    throw notTaken(`bcrypt hash with a cost of at most ${BCRYPT_COST.max}`)
  return text
}

/**
 * @param hex the hash as the reference takes it
 * @throws as {@link readArgon2Hash}
 */
export function readScryptHash(hex: string, salt: string, cost: ScryptCost): string {
  const { n, r, p, bytes } = cost
  const { blocks, width } = SCRYPT_MAX
  const isPower = Number.isInteger(Math.log2(n)) && n >= 2 && r >= 1 && p >= 1
  const isLength = bytes >= SCRYPT_BYTES_MIN && bytes <= SCRYPT_MAX.bytes
  if (!isPower || !isLength || n * r * p > blocks || r * p > width)
    throw notTaken(
      `scrypt hash with n a power of two, n * r * p <= ${blocks} and r * p <= ${width}`,
    )
  const isHash = /^[0-9a-f]+$/i.test(hex) && hex.length === bytes * 2
  if (!isHash || salt.length > SCRYPT_MAX.saltChars)
    throw notTaken(`scrypt hash of ${bytes} bytes as hex`)
  const saltText = Buffer.from(salt).toString('base64url')
  return `$scrypt$n=${n},r=${r},p=${p},l=${bytes}$${saltText}$${hex.toLowerCase()}`
}

export function notTaken(what: string): Refusal {
  return invalidParam('password', `Value must be this: ${what}`)
}

const runScrypt = promisify<string, Buffer, number, object, Buffer>(scrypt)

async function isPasswordOf(password: string, stored: string): Promise<boolean> {
  if (BCRYPT.test(stored)) return verifyBcrypt(password, stored)
  const found = SCRYPT.exec(stored)
  if (!found) return verify(stored, password)
  const [n = 0, r = 0, p = 0, bytes = 0] = found.slice(1, 5).map(Number)
  const [salt = '', hex = ''] = found.slice(5)
  const memory = { maxmem: 128 * r * (n + p + 2) + 1024 }
  const given = Buffer.from(salt, 'base64url')
  const made = await runScrypt(password, given, bytes, { N: n, r, p, ...memory })
  return timingSafeEqual(made, Buffer.from(hex, 'hex'))
}

/** bcrypt checks only the beginning of a long password: the rest may have been mistyped. */
export function isWholePassword(password: string, stored: string): boolean {
  return !BCRYPT.test(stored) || Buffer.byteLength(password) <= BCRYPT_MAX_BYTES
}
