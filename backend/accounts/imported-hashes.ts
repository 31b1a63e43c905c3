// Hashes of passwords that the operator brings along from elsewhere: which are taken, how they are
// stored and checked. The next sign-in replaces one by our own. Knows no account and no store.
import { scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { verify as verifyBcrypt } from '@node-rs/bcrypt'
import { invalidParam, type Refusal } from '#contract/errors.ts'

/** What a hash that the operator brings along may cost to check, so that a sign-in stays cheap. */
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
/** bcrypt looks no further. */
const BCRYPT_MAX_BYTES = 72
const SCRYPT = /^\$scrypt\$n=(\d+),r=(\d+),p=(\d+),l=(\d+)\$([\w-]*)\$([0-9a-f]+)$/

/** @throws Refusal `general_argument_invalid` for what is none, or costs too much to check */
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

/** @returns undefined when the stored hash is neither bcrypt nor scrypt */
export function findForeignCheck(stored: string) {
  if (BCRYPT.test(stored)) return (password: string) => verifyBcrypt(password, stored)
  const [, n, r, p, bytes, salt = '', hex = ''] = SCRYPT.exec(stored) ?? []
  if (n === undefined) return undefined
  const cost = { n: Number(n), r: Number(r), p: Number(p), bytes: Number(bytes) }
  return (password: string) => isScryptOf(password, cost, Buffer.from(salt, 'base64url'), hex)
}

const runScrypt = promisify<string, Buffer, number, object, Buffer>(scrypt)

async function isScryptOf(
  password: string,
  { n, r, p, bytes }: ScryptCost,
  salt: Buffer,
  hex: string,
): Promise<boolean> {
  const memory = { maxmem: 128 * r * (n + p + 2) + 1024 }
  const made = await runScrypt(password, salt, bytes, { N: n, r, p, ...memory })
  return timingSafeEqual(made, Buffer.from(hex, 'hex'))
}

/** bcrypt knows only the beginning of a long password: the rest may have been typed wrong. */
export function isWholePassword(password: string, stored: string): boolean {
  return !BCRYPT.test(stored) || Buffer.byteLength(password) <= BCRYPT_MAX_BYTES
}
