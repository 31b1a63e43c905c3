// Heads of answers that are sent again and again: their headers are checked and joined once, and
// only what differs is put in for each answer. Making them anew costs more than sending them.
import type { ServerResponse } from 'node:http'
import { makeId, makeSecret } from '../process/ids.ts'
import { baseHeaders } from './broken-requests.ts'
import { STATUS_CODES, validateHeaderName, validateHeaderValue } from './node-http.ts'

/** The place in a header where each answer has a piece of its own. Nobody can name it. */
export const FILLED = makeSecret(12)

/** The lines around that place, without those that every answer has. */
export type Head = { status: 200 | 304; before: string; after: string }

/** @throws TypeError for what no header may hold */
export function prepareHead(status: Head['status'], headers: Record<string, string>): Head {
  let text = ''
  for (const [name, value] of Object.entries(headers)) {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    text += `${name}: ${value}\r\n`
  }
  const [before = '', after = ''] = text.split(FILLED)
  return { status, before, after }
}

/** @param piece stands at {@link FILLED}, and is not checked */
export type SendHead = (response: ServerResponse, head: Head, piece: string) => void

/** Where Node keeps the head of an answer once it is made; no function of it takes a whole one. */
type Headed = { _header?: string | null }

/** @param keepAliveMs how long connections stay open without a request */
export function makeSendHead(isHttps: boolean, keepAliveMs: () => number): SendHead {
  const common = prepareHead(200, baseHeaders({ requestId: FILLED, isHttps }))
  const readEnd = makeEnd(keepAliveMs)
  return (response, { status, before, after }, piece) => {
    const lines = common.before + makeId() + common.after + before + piece + after
    const headed = response as Headed
    // A connection that closes says so in its head, as Node does it.
    if (headed._header !== null || !response.shouldKeepAlive) {
      response.writeHead(status, lines.trimEnd().split('\r\n').flatMap(readLine))
      return
    }
    response.statusCode = status
    headed._header = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}${readEnd()}`
  }
}

function readLine(line: string): [name: string, value: string] {
  const at = line.indexOf(': ')
  return [line.slice(0, at), line.slice(at + 2)]
}

/** What Node adds to a head. Made once a second. */
function makeEnd(keepAliveMs: () => number): () => string {
  let second = 0
  let end = ''
  return () => {
    const now = Math.floor(Date.now() / 1000)
    if (now !== second) {
      second = now
      const date = new Date(now * 1000).toUTCString()
      const timeout = Math.floor(keepAliveMs() / 1000)
      end = `Date: ${date}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${timeout}\r\n\r\n`
    }
    return end
  }
}
