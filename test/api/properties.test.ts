// Properties that hold for every input, tested with arbitrary ones: parsers throw only refusals,
// cleaning a text again changes nothing, and the real server answers every input and never fails.
// The inputs are the same in every run; `npm run test:fuzz` tries many others.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readQueries } from '#backend/database/queries.ts'
import { FILTERS, parseQuery } from '#backend/database/query-text.ts'
import { parseRange } from '#backend/files/image-responses.ts'
import { parseContentRange } from '#backend/files/upload-form.ts'
import { findCookie } from '#backend/http/viewer.ts'
import { makeSanitise } from '#backend/post-texts/sanitise.ts'
import { POST_LIST_SCHEMA } from '#backend/posts/post-data.ts'
import { Refusal } from '#contract/errors.ts'
import type { TestBlog } from '#test/support/blog.ts'
import { leastCpuMs } from '#test/support/cpu-time.ts'
import { anyCharacter, runs } from '#test/support/fuzz.ts'
import { sendRaw } from '#test/support/raw-request.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const sharedBlog = shareBlog()

/** Processor time of an answer. It was at most 30 ms when measured; the rest is for slow hosts. */
const ANSWER_MAX_MS = 1000

/** The value, or undefined after a refusal; any other error fails the test. */
function unlessRefused<Value>(work: () => Value): Value | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

const METHODS = [
  ...FILTERS,
  'orderAsc',
  'orderDesc',
  'orderRandom',
  'limit',
  'offset',
  'cursorAfter',
  'cursorBefore',
  'select',
  'constructor',
  'toString',
]
const method = fc.constantFrom(...METHODS)
const attribute = fc.oneof(
  fc.constantFrom(...Object.keys(POST_LIST_SCHEMA), '*', '', '__proto__', 'constructor'),
  fc.string({ maxLength: 8 }),
)
const value = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(1e308, -0, 5000, '2023-11-20', null, true, '\0', '%', '\u2028', '😀'),
  fc.double(),
  fc.integer(),
)
const values = fc.array(value, { maxLength: 4 })
type JsonQuery = { method: string; attribute: string; values: unknown[] }
const { query: jsonQuery } = fc.letrec<{ query: JsonQuery }>((tie) => ({
  query: fc.record({
    method,
    attribute,
    values: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      values,
      fc.array(tie('query'), { maxLength: 3 }),
    ),
  }),
}))
const textQuery = fc
  .tuple(method, attribute, values)
  .map(([name, column, list]) => `${name}(${JSON.stringify(column)}, ${JSON.stringify(list)})`)
const queryPiece = fc.constantFrom(
  'equal',
  '(',
  ')',
  '[',
  ']',
  ',',
  '"',
  "'",
  '\\',
  '{',
  '}',
  ':',
  '1',
  '-',
  ' ',
  '\0',
  '😀',
  '"title"',
  'null',
)
const anyQuery = fc.oneof(
  jsonQuery.map((query) => JSON.stringify(query)),
  textQuery,
  fc.array(queryPiece, { minLength: 1, maxLength: 14 }).map((pieces) => pieces.join('')),
  fc.string({ minLength: 1, maxLength: 40 }),
)

describe('queries', () => {
  test('any texts are parsed or refused', () => {
    fc.assert(
      fc.property(fc.array(anyQuery, { maxLength: 4 }), (texts) => {
        unlessRefused(() => readQueries(texts, POST_LIST_SCHEMA, { role: 'guest' }))
      }),
      runs(2000),
    )
  })

  test('both notations mean the same', () => {
    const plain = fc.string({ maxLength: 12 }).map((text) => text.replaceAll(/["'\\]/g, ''))
    const listed = fc.array(fc.oneof(plain, fc.integer(), fc.boolean()), {
      minLength: 1,
      maxLength: 4,
    })
    fc.assert(
      fc.property(
        fc.constantFrom('equal', 'notEqual', 'contains'),
        plain,
        listed,
        (name, column, list) => {
          const json = JSON.stringify({ method: name, attribute: column, values: list })
          expect(parseQuery(`${name}("${column}", ${JSON.stringify(list)})`)).toEqual(
            parseQuery(json),
          )
        },
      ),
      runs(500),
    )
  })
})

describe('headers', () => {
  const number = fc.oneof(
    fc.nat(),
    fc.nat({ max: 20 }).map((chunk) => chunk * 5 * 1024 * 1024),
  )
  const range = fc.oneof(
    fc.tuple(number, number, number).map(([a, b, total]) => `bytes ${a}-${b}/${total}`),
    fc.string({ maxLength: 30 }),
  )

  test('a content-range is exactly one chunk, or refused', () => {
    fc.assert(
      fc.property(range, (header) => {
        const chunk = unlessRefused(() => parseContentRange(header))
        if (!chunk) return
        const { start, lengthBytes, sizeBytes, index, total } = chunk
        expect(header).toBe(`bytes ${start}-${start + lengthBytes - 1}/${sizeBytes}`)
        expect(lengthBytes > 0 && start + lengthBytes <= sizeBytes && index < total).toBe(true)
      }),
      { ...runs(1000), examples: [['bytes 5242880-0/1']] },
    )
  })

  test('a range lies within the file, or is refused', () => {
    const rangeHeader = fc.oneof(
      fc
        .tuple(fc.option(fc.integer()), fc.option(fc.nat()))
        .map(([a, b]) => `bytes=${a ?? ''}-${b ?? ''}`),
      fc.string({ maxLength: 20 }).map((text) => `bytes=${text}`),
      fc.string({ maxLength: 20 }),
    )
    fc.assert(
      fc.property(rangeHeader, fc.integer({ min: 1, max: 1_000_000 }), (header, size) => {
        const parsed = unlessRefused(() => parseRange(header, size))
        if (parsed)
          expect(parsed.start >= 0 && parsed.start <= parsed.end && parsed.end < size).toBe(true)
      }),
      runs(1000),
    )
  })

  test('any cookies are parsed', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ maxLength: 10 }), (header, text) => {
        findCookie(header, 'a')
        const encoded = encodeURIComponent(text.toWellFormed())
        expect(findCookie(`b=${header.replaceAll(/[;=]/g, '')}; a=${encoded}`, 'a') ?? '').toBe(
          text.toWellFormed(),
        )
      }),
      runs(500),
    )
  })
})

test('cleaning a body removes all scripts, and cleaning it again changes nothing', () => {
  const sanitise = makeSanitise({
    publicUrl: 'https://blog.example',
    allowedOrigins: ['https://blog.example'],
    contentBucketId: 'content',
  })
  const tag = fc.constantFrom(
    'p',
    'b',
    'li',
    'ul',
    'ol',
    'a',
    'img',
    'td',
    'table',
    'tr',
    'svg',
    'math',
    'style',
    'script',
    'template',
    'noscript',
    'title',
    'iframe',
    'video',
    'figure',
    'span',
    'pre',
    'select',
    'xmp',
    'x-y',
  )
  const name = fc.constantFrom(
    'href',
    'src',
    'style',
    'class',
    'onerror',
    'id',
    'start',
    'width',
    'title',
    'srcdoc',
    'colspan',
  )
  const content = fc.oneof(
    fc.constantFrom(
      'javascript:alert(1)',
      'https://a.example/',
      'color: red',
      'font-size: 5em; border: 3px solid',
      '10',
      '&quot;',
      '\0',
      'data:image/png;base64,AA==',
    ),
    fc.string({ maxLength: 10 }),
  )
  const piece = fc.oneof(
    fc.tuple(tag, name, content).map(([element, key, text]) => `<${element} ${key}="${text}">`),
    tag.map((element) => `</${element}>`),
    fc.constantFrom(
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '<',
      '>',
      '&lt;',
      '&amp;#60;',
      '"',
      '<br/>',
      '<p',
      '\u2028',
    ),
    fc.string({ maxLength: 6 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const clean = unlessRefused(() => sanitise(pieces.join('')))
      if (clean === undefined) return
      expect(sanitise(clean)).toBe(clean)
      expect(clean).not.toMatch(/<script|<style|<svg|(?:href|src|poster)="[^"]*javascript:/i)
      expect(clean).not.toMatch(/<[a-z0-9]+(?: [a-z]+="[^"]*")* on/i)
    }),
    runs(600),
  )
})

describe('the server answers', () => {
  const DOCUMENTS = '/v1/databases/blogdb/collections/posts/documents'
  /** Any characters that the value of a header may contain. */
  const headerText = fc.string({ unit: anyCharacter, maxLength: 60 }).map((text) =>
    Buffer.from(text)
      .toString('latin1')
      .replaceAll(/[\0\r\n]/g, ''),
  )

  async function answer(blog: TestBlog, head: string, body = ''): Promise<number> {
    let status = 0
    const ms = await leastCpuMs(1, async () => {
      const response = await sendRaw(
        blog.url,
        `${head}\r\nhost: x\r\nconnection: close\r\nx-appwrite-project: blog\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      )
      status = response.status
    })
    expect(ms).toBeLessThan(ANSWER_MAX_MS)
    return status
  }

  test('any queries', async () => {
    const blog = await sharedBlog()
    await fc.assert(
      fc.asyncProperty(fc.array(anyQuery, { maxLength: 3 }), async (texts) => {
        const params = texts.map((text) => `queries[]=${encodeURIComponent(text.toWellFormed())}`)
        const status = await answer(blog, `GET ${DOCUMENTS}?${params.join('&')} HTTP/1.1`)
        expect([200, 400, 431]).toContain(status)
      }),
      runs(50),
    )
  })

  test('any cookies and other tokens', async () => {
    const blog = await sharedBlog()
    const headerStart = fc.constantFrom(
      'cookie: a_session_blog=',
      'cookie: ',
      'x-appwrite-session: ',
      'x-fallback-cookies: ',
      'x-appwrite-key: ',
    )
    await fc.assert(
      fc.asyncProperty(headerStart, headerText, async (header, text) => {
        expect([400, 401]).toContain(
          await answer(blog, `GET /v1/account HTTP/1.1\r\n${header}${text}`),
        )
      }),
      runs(50),
    )
  })

  test('any form, chunk and content type', async () => {
    const blog = await sharedBlog()
    const { cookie } = await blog.makePerson('alice')
    const line = fc.constantFrom(
      '--x',
      '--x--',
      '',
      'content-disposition: form-data; name="file"; filename="a.png"',
      'content-disposition: form-data; name="fileId"',
      'content-disposition: form-data',
      'content-type: image/png',
      'unique()',
      '\x89PNG\r\n\x1a\n',
      'GIF89a',
    )
    const form = fc
      .array(fc.oneof(line, headerText), { maxLength: 14 })
      .map((lines) => lines.join('\r\n'))
    const completeForm = form.map(
      (part) =>
        `--x\r\ncontent-disposition: form-data; name="fileId"\r\n\r\nunique()\r\n--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n${part}\r\n--x--\r\n`,
    )
    const type = fc.oneof(fc.constant('multipart/form-data; boundary=x'), headerText)
    const extraHeader = fc.oneof(
      fc.constant('x: y'),
      headerText.map((text) => `content-range: ${text}`),
      fc.constant('content-range: bytes 0-5242879/9000000\r\nx-appwrite-id: one'),
    )
    await fc.assert(
      fc.asyncProperty(
        type,
        extraHeader,
        fc.oneof(form, completeForm),
        async (contentType, header, body) => {
          const head = `POST /v1/storage/buckets/content/files HTTP/1.1\r\ncookie: ${cookie}\r\ncontent-type: ${contentType}\r\n${header}`
          const status = await answer(blog, head, body)
          expect(status >= 400 && status < 500, `${status}`).toBe(true)
        },
      ),
      runs(50),
    )
  })
})
