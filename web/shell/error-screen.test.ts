// The status lines of the router's error screen.
import { AppwriteException } from 'appwrite'
import { data, UNSAFE_ErrorResponseImpl as ErrorResponse } from 'react-router'
import { expect, test } from 'vitest'
import { errorStatusOf, statusLineOf } from './error-screen.tsx'

test.each([
  ['a bad request', new ErrorResponse(400, '', null), '400 Bad Request'],
  ['a forbidden page', new ErrorResponse(403, '', null), '403 Forbidden'],
  ['a missing page', new ErrorResponse(404, '', null), '404 Not Found'],
  ['a wrong method', new ErrorResponse(405, '', null), '405 Method Not Allowed'],
  ['any other status', new ErrorResponse(503, '', null), 'Unknown Server Error'],
  ['data that a loader threw late', data(null, { status: 403 }), '403 Forbidden'],
  [
    'a refused call',
    new AppwriteException('There is no such post.', 404, 'document_not_found'),
    '404 Not Found',
  ],
  ['no response', new AppwriteException('Failed to fetch'), 'Unknown Server Error'],
  ['a bug', new TypeError('x is undefined'), 'Unknown Server Error'],
])('the status line for %s', (_name, error, line) => {
  expect(statusLineOf(errorStatusOf(error))).toBe(line)
})
