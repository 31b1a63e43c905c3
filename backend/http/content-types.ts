// Which content types a body may have: the grammar of RFC 9110 §8.3.1 without tabs, so that no
// other program on the way reads a type differently.
import type { FastifyRequest } from 'fastify'
import { isReading } from './origins.ts'

const TOKEN = "[A-Za-z0-9!#$%&'*+.^_`|~-]+"
const QUOTED = String.raw`"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"`
/** Clients leave boundaries of multipart without the quotes that some of their signs need. */
const VALUE = String.raw`(?:${QUOTED}|[\x21\x23-\x2b\x2d-\x3a\x3c-\x7e]+)`
/** Nothing in it can be read in two ways, so that it takes no longer than the text is long. */
const CONTENT_TYPE = new RegExp(`^${TOKEN}/${TOKEN} *(?:;(?: *${TOKEN}=${VALUE})? *)*$`)

/** Of a body that says what it is in a way that nobody should guess at. */
export class MalformedContentType extends Error {
  readonly statusCode = 415
}

/** @throws MalformedContentType; reads ignore their body, and what it says of itself */
export function refuseMalformedType({
  method,
  headers,
}: Pick<FastifyRequest, 'method' | 'headers'>): void {
  const type = headers['content-type']
  if (type === undefined || type === '' || isReading(method)) return
  if (!CONTENT_TYPE.test(type)) throw new MalformedContentType()
}
