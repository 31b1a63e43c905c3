// Server-made ids and secrets. Knows nothing of what they are for.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A new id of 20 hex characters: 13 from the time in microseconds, 7 random (api.md §1.6). */
export function makeId(nowMs = Date.now()): string {
  const micros = Math.trunc(nowMs * 1000 + (performance.now() % 1) * 1000)
  return toHex(micros).padStart(13, '0').slice(-13) + takeRandom(7, 'hex')
}

/** The time beyond 16 seconds, as number and text: a large number becomes text slowly. */
const HIGH = 2 ** 24
let [high, highText] = [0, '0']

function toHex(micros: number): string {
  const now = Math.floor(micros / HIGH)
  if (now !== high) [high, highText] = [now, now.toString(16)]
  return highText + (micros - now * HIGH).toString(16).padStart(6, '0')
}

const POOL_BYTES = 6144
const pools = { hex: { text: '', taken: 0 }, base64: { text: '', taken: 0 } }

/**
 * Random characters, for what every request needs: asking the system each time costs more than the
 * rest of it. Base64 has no padding.
 */
export function takeRandom(chars: number, encoding: 'hex' | 'base64'): string {
  const pool = pools[encoding]
  if (pool.taken + chars > pool.text.length) {
    pool.text = randomBytes(POOL_BYTES).toString(encoding)
    pool.taken = 0
  }
  pool.taken += chars
  return pool.text.slice(pool.taken - chars, pool.taken)
}

/** A secret of `bytes` random bytes as hex. */
export function makeSecret(bytes = 32): string {
  return randomBytes(bytes).toString('hex')
}

/** SHA-256 as hex: what is stored of a secret. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret)
}

/** Compares hashes of secrets in a time that does not tell how much of them is the same. */
export function isSameHash(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
