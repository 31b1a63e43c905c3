// Responses without a route have the same headers as all others, and count as requests.
import { afterEach, describe, expect, test } from 'vitest'
import { closeServer, openServer } from '#test/support/bare-server.ts'
import { sendRaw } from '#test/support/raw-request.ts'
import { makeRateLimits } from './rate-limits.ts'

afterEach(closeServer)

const HEAD = 'HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-appwrite-project: blog\r\n'
const EARLY = [
  { what: 'no HTTP', bytes: 'HELLO\r\n\r\n', status: 400 },
  {
    what: 'headers too large',
    bytes: `GET / ${HEAD}x: ${'a'.repeat(20_000)}\r\n\r\n`,
    status: 431,
  },
  {
    what: 'two lengths',
    bytes: `POST /v1/echo ${HEAD}content-length: 1\r\ncontent-length: 2\r\n\r\n`,
    status: 400,
  },
  {
    what: 'an unknown expectation',
    bytes: `GET /v1/ping ${HEAD}expect: wonders\r\n\r\n`,
    status: 400,
  },
  { what: 'CONNECT', bytes: 'CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n', status: 400 },
  { what: 'no host', bytes: 'GET /v1/ping HTTP/1.1\r\nconnection: close\r\n\r\n', status: 400 },
  { what: 'an undecodable path', bytes: `GET /% ${HEAD}\r\n`, status: 404 },
  { what: 'an undecodable path of the API', bytes: `GET /v1/% ${HEAD}\r\n`, status: 404 },
  {
    what: 'a write to an undecodable path',
    bytes: `POST /% ${HEAD}content-length: 0\r\n\r\n`,
    status: 404,
  },
  { what: 'an endless parameter', bytes: `GET /v1/${'a'.repeat(400)} ${HEAD}\r\n`, status: 404 },
  {
    what: 'another project',
    bytes: 'GET /v1/refused HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
    status: 404,
  },
  {
    what: 'a foreign origin',
    bytes: `POST /v1/echo ${HEAD}origin: https://evil.example\r\ncontent-length: 0\r\n\r\n`,
    status: 403,
  },
  {
    what: 'a tab in the content type',
    bytes: `POST /v1/echo ${HEAD}content-type: application/json\t; a=b\r\ncontent-length: 2\r\n\r\n{}`,
    status: 415,
  },
  { what: 'OPTIONS', bytes: `OPTIONS /v1/echo ${HEAD}\r\n`, status: 204 },
  {
    what: 'an unknown method',
    bytes: `PUT /v1/echo ${HEAD}content-length: 0\r\n\r\n`,
    status: 404,
  },
  { what: 'HEAD', bytes: `HEAD /v1/refused ${HEAD}\r\n`, status: 404 },
]

test.each(EARLY)('$what: $status with the headers of all answers', async ({ bytes, status }) => {
  const { url } = await openServer({ publicUrl: 'https://blog.example' })
  const answer = await sendRaw(url, bytes)
  expect([answer.status, answer.headers]).toEqual([
    status,
    expect.objectContaining({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-request-id': expect.stringMatching(/^.{8,}$/),
      'strict-transport-security': 'max-age=31536000',
    }),
  ])
  expect(answer.headers).not.toHaveProperty('server')
  if (status >= 400) expect(answer.headers['cache-control']).toContain('no-store')
})

test('each early answer counts as a request from its address', async () => {
  for (const { what, bytes } of EARLY) {
    const requestCounts: number[] = []
    const limits = makeRateLimits({ isOn: true })
    const namesOf = (counts: { name: string }[]) =>
      counts.filter(({ name }) => name === 'anything').length
    const { url } = await openServer({
      rateLimits: {
        ...limits,
        take(counts) {
          requestCounts.push(namesOf(counts))
          return limits.take(counts)
        },
        add: (counts) => void requestCounts.push(namesOf(counts)),
      },
    })
    await sendRaw(url, bytes)
    expect([what, requestCounts.reduce((total, count) => total + count, 0)]).toEqual([what, 1])
    await closeServer()
  }
})

describe('content types', () => {
  test.each([
    ['application/json', 200],
    ['application/json; charset=utf-8', 200],
    ['application/json;charset="utf-8"', 200],
    ['Application/JSON ; a=b;', 200],
    ['application/json\t; a=b', 415],
    ['application/json;\ta=b', 415],
    ['application/json; a', 415],
    ['application/json, text/plain', 415],
    ['application/json x', 415],
    ['application json', 415],
    ['application/json; a="b', 415],
    ['text/plain', 400],
    ['application/x-www-form-urlencoded', 400],
    ['application/jsonx', 400],
  ])('%j is answered with %i', async (type, status) => {
    const { url, calls } = await openServer()
    const answer = await sendRaw(
      url,
      `POST /v1/echo ${HEAD}content-type: ${type}\r\ncontent-length: 7\r\n\r\n{"a":1}`,
    )
    expect([answer.status, calls]).toEqual([status, status === 200 ? ['echo'] : []])
    if (status !== 200)
      expect(JSON.parse(answer.body)).toMatchObject({
        code: status,
        type: 'general_argument_invalid',
      })
  })

  test('a long content type takes time linear in its length', async () => {
    const { url } = await openServer()
    const type = `application/json${'; '.repeat(7000)}\t;`
    const answer = await sendRaw(
      url,
      `POST /v1/echo ${HEAD}content-type: ${type}\r\ncontent-length: 0\r\n\r\n`,
    )
    expect(answer.status).toBe(415)
  })

  test('reads ignore the content type', async () => {
    const { url } = await openServer()
    const answer = await sendRaw(url, `GET /v1/nothing ${HEAD}content-type: a\tb\r\n\r\n`)
    expect(answer.status).toBe(204)
  })
})
