// Generates ids and secrets, and computes stored times.
import { hash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'

/** Converting larger numbers to text is slow. */
const HIGH = 2 ** 24

/** A new id of 20 hex characters: 13 from the time in microseconds, 7 random (api.md §1.6). */
export function makeId(nowMs = Date.now()): string {
  const micros = Math.trunc(nowMs * 1000 + (performance.now() % 1) * 1000)
  const high = Math.floor(micros / HIGH)
  const low = (micros - high * HIGH).toString(16).padStart(6, '0')
  const time = high.toString(16).padStart(7, '0') + low
  return time.slice(-13) + randomUUID().slice(0, 7)
}

/** A secret of `bytes` random bytes as hex. */
export function makeSecret(bytes = 32): string {
  return randomBytes(bytes).toString('hex')
}

/** SHA-256 as hex: the stored form of a secret. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret)
}

/** Compares hashes of secrets in constant time. */
export function isSameHash(first: string, second: string): boolean {
  return first.length === second.length && timingSafeEqual(Buffer.from(first), Buffer.from(second))
}

/** The clock of a running server; tests pass their own. */
export const readClock = (): Date => new Date()

export function secondsAfter(time: Date, seconds: number): string {
  return new Date(time.getTime() + seconds * 1000).toISOString()
}

export function secondsBefore(time: Date, seconds: number): string {
  return secondsAfter(time, -seconds)
}
