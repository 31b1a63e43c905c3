// Remembers, in a signed cookie, that a user has signed in from this browser before. Strangers who
// guess the user's password from everywhere can then be stopped without locking the user out
// (threat-model.md §3). The mark holds no id and gives no rights.
import { createHmac } from 'node:crypto'
import { isSameHash, makeSecret } from '../process/ids.ts'

const MARK = /^([0-9a-f]{32})\.([0-9a-f]{64})$/

export type KnownBrowsers = ReturnType<typeof makeKnownBrowsers>

/** @param key a secret of the server; with another key every browser is unknown */
export function makeKnownBrowsers(key: string) {
  const sign = (userId: string, nonce: string): string =>
    createHmac('sha256', key).update(`${userId} ${nonce}`).digest('hex')
  return {
    /** A mark for the browser that just signed in. */
    issue(userId: string): string {
      const nonce = makeSecret(16)
      return `${nonce}.${sign(userId, nonce)}`
    },
    /** @returns the browser's own random id, undefined when the mark is not one of this user */
    recognise(mark: string | undefined, userId: string | undefined): string | undefined {
      const [, nonce = '', signature = ''] = MARK.exec(mark ?? '') ?? []
      // Also computed for an unknown address, so that it takes as long.
      const expected = sign(userId ?? '', nonce)
      return isSameHash(signature, expected) && userId !== undefined ? nonce : undefined
    },
  }
}
