// Server-made ids and secrets. Knows nothing of what they are for.
import { createHash, randomBytes, randomFillSync } from 'node:crypto'

/** A new id of 20 hex characters: 13 from the time in microseconds, 7 random (api.md §1.6). */
export function makeId(nowMs = Date.now()): string {
  const micros = Math.trunc(nowMs * 1000 + (performance.now() % 1) * 1000)
  return micros.toString(16).padStart(13, '0').slice(-13) + takeRandom(4, 'hex').slice(0, 7)
}

const pool = Buffer.alloc(4096)
let taken = pool.length

/**
 * Random bytes as text, for what every request needs: asking the system each time costs more than
 * the rest of it.
 */
export function takeRandom(bytes: number, encoding: 'hex' | 'base64'): string {
  if (taken + bytes > pool.length) {
    randomFillSync(pool)
    taken = 0
  }
  taken += bytes
  return pool.toString(encoding, taken - bytes, taken)
}

/** A secret of `bytes` random bytes as hex. */
export function makeSecret(bytes = 32): string {
  return randomBytes(bytes).toString('hex')
}

/** SHA-256 as hex: what is stored of a secret. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
