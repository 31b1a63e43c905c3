// Encrypts the access tokens of sign-in providers for the database: AES-256-GCM, bound to the user
// of the session. Knows no store.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

export type ProviderTokens = ReturnType<typeof makeProviderTokens>

/** @param key 64 hex characters */
export function makeProviderTokens(key: string) {
  const secret = Buffer.from(key, 'hex')
  return {
    /** @param userId the user of the session; the result opens for no other user */
    seal(token: string, userId: string): string {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(ALGORITHM, secret, iv, { authTagLength: TAG_BYTES }).setAAD(
        Buffer.from(userId),
      )
      return Buffer.concat([
        iv,
        cipher.update(token, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ]).toString('base64')
    },
    /**
     * @returns undefined when it was encrypted with another key or for another user, or is damaged
     */
    open(sealed: string, userId: string): string | undefined {
      const bytes = Buffer.from(sealed, 'base64')
      if (bytes.length < IV_BYTES + TAG_BYTES) return undefined
      const decipher = createDecipheriv(ALGORITHM, secret, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(Buffer.from(userId)).setAuthTag(bytes.subarray(-TAG_BYTES))
      const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES))
      try {
        return Buffer.concat([text, decipher.final()]).toString('utf8')
      } catch {
        return undefined
      }
    },
  }
}
