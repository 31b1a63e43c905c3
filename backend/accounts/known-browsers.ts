// Remembers, in a signed cookie, that somebody signed in from this browser before. Strangers who
// guess a person's password from everywhere can then be stopped without locking that person out
// (threat-model.md §3). Holds no id and gives no rights.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { makeSecret } from '../process/ids.ts'

const MARK = /^([0-9a-f]{32})\.([0-9a-f]{64})$/

export type KnownBrowsers = {
  /** A mark for the browser that just signed in. */
  issue(userId: string): string
  /** @returns a name for the browser when the mark was issued to this person, else undefined */
  recognise(mark: string | undefined, userId: string | undefined): string | undefined
}

/** @param key secret of the server; another key makes every browser unknown */
export function makeKnownBrowsers(key: string): KnownBrowsers {
  const sign = (userId: string, nonce: string): string =>
    createHmac('sha256', key).update(`${userId} ${nonce}`).digest('hex')
  return {
    issue(userId) {
      const nonce = makeSecret(16)
      return `${nonce}.${sign(userId, nonce)}`
    },
    recognise(mark, userId) {
      const [, nonce = '', signature = ''] = MARK.exec(mark ?? '') ?? []
      // Signed for nobody as well: an unknown address takes as long.
      const expected = sign(userId ?? '', nonce)
      const isRight =
        signature.length === expected.length &&
        timingSafeEqual(Buffer.from(signature), Buffer.from(expected))
      return isRight && userId !== undefined ? nonce : undefined
    },
  }
}
