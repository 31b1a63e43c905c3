// Expected fields of responses about mailed secrets (api.md §2.1).
import { expect } from 'vitest'

export const ID = /^[0-9a-f]{20}$/
export const WIRE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/
/** The secret of a mailed link; in a response it is empty. */
export const SECRET = /^[0-9a-f]{256}$/
export const INVALID = { code: 401, type: 'user_invalid_token' }
export const TOKEN = {
  $id: expect.stringMatching(ID),
  $createdAt: expect.stringMatching(WIRE_TIME),
  userId: expect.stringMatching(ID),
  secret: '',
}
