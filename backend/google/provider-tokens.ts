// Encrypts the provider's tokens in the database with AES-256-GCM, bound to the session's user.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const IV_BYTES = 12
const TAG = { authTagLength: 16 }

export type ProviderTokens = ReturnType<typeof makeProviderTokens>

/** @param key 64 hex characters */
export function makeProviderTokens(key: string) {
  const secret = Buffer.from(key, 'hex')
  return {
    /** @param userId the user of the session; the result cannot be decrypted for another user */
    encrypt(token: string, userId: string): string {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', secret, iv, TAG).setAAD(Buffer.from(userId))
      const sealed = [iv, cipher.update(token, 'utf8'), cipher.final(), cipher.getAuthTag()]
      return Buffer.concat(sealed).toString('base64')
    },
    /**
     * @returns undefined when it was encrypted with another key or for another user, or is damaged
     */
    decrypt(sealed: string, userId: string): string | undefined {
      const bytes = Buffer.from(sealed, 'base64')
      const iv = bytes.subarray(0, IV_BYTES)
      const tag = bytes.subarray(-TAG.authTagLength)
      if (bytes.length < IV_BYTES + TAG.authTagLength) return undefined
      const decipher = createDecipheriv('aes-256-gcm', secret, iv, TAG)
      decipher.setAAD(Buffer.from(userId)).setAuthTag(tag)
      const text = decipher.update(bytes.subarray(IV_BYTES, -TAG.authTagLength))
      try {
        return Buffer.concat([text, decipher.final()]).toString('utf8')
      } catch {
        return undefined
      }
    },
  }
}
