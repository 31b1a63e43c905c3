// Pictures are fetched only from the old site, only at public addresses, and within bounds.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { CONTENT_FILE_MAX_BYTES } from '#contract/limits.ts'
import { type FetchOptions, isPublicAddress, makeFetchPicture } from './fetch-picture.ts'

async function serve(answer: RequestListener) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    host: `old.example:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function fetchFrom(host: string, path: string, options: FetchOptions['test'] = {}) {
  const fetcher = makeFetchPicture({
    hosts: new Set([host]),
    signal: new AbortController().signal,
    test: { allowsLoopback: true, resolve: async () => ['127.0.0.1'], ...options },
  })
  return fetcher.fetch(`http://${host}${path}`).finally(() => fetcher.close())
}

test.for([
  ['127.0.0.1', false],
  ['10.0.0.8', false],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['0.0.0.0', false],
  ['::1', false],
  ['::ffff:192.168.0.1', false],
  ['::7f00:1', false],
  ['64:ff9b::a00:1', false],
  ['2002:a00:1::', false],
  ['fd00::1', false],
  ['fe80::1', false],
  ['localhost', false],
  ['93.184.216.34', true],
  ['2606:2800:220:1::1', true],
] as const)('whether %s is public is %s', ([address, isPublic]) => {
  expect(isPublicAddress(address)).toBe(isPublic)
})

test('a picture of the old site is fetched with its name, at the address that was checked', async () => {
  await using server = await serve((request, response) => response.end(request.headers.host))
  const fetched = await fetchFrom(server.host, '/a.png')
  expect(fetched).toEqual({ bytes: Buffer.from(server.host) })
})

test('a name that resolves to a private address, also beside a public one, is refused', async () => {
  const asked: string[] = []
  await using server = await serve((request, response) => {
    asked.push(String(request.url))
    response.end()
  })
  for (const addresses of [['127.0.0.1'], ['93.184.216.34', '127.0.0.1'], []]) {
    const refused = fetchFrom(server.host, '/a.png', {
      allowsLoopback: false,
      resolve: async () => addresses,
    })
    expect(await refused).toMatchObject({ reason: 'pictureRefused' })
  }
  expect(asked).toEqual([])
})

test('a name is resolved once: a second answer cannot lead elsewhere', async () => {
  await using server = await serve((_request, response) => response.end('picture'))
  let answers = 0
  const fetcher = makeFetchPicture({
    hosts: new Set([server.host]),
    signal: new AbortController().signal,
    test: {
      allowsLoopback: true,
      resolve: async () => (answers++ === 0 ? ['127.0.0.1'] : ['169.254.169.254']),
    },
  })
  for (const path of ['/a.png', '/b.png'])
    expect(await fetcher.fetch(`http://${server.host}${path}`)).toMatchObject({
      bytes: Buffer.from('picture'),
    })
  fetcher.close()
  expect(answers).toBe(1)
})

test.for([
  'http://169.254.169.254/latest/meta-data',
  'http://localhost:22/',
  'file:///etc/passwd',
  '//evil.example/a.png',
])('a redirect to %s is not followed', async (location) => {
  await using server = await serve((_request, response) =>
    response.writeHead(302, { location }).end(),
  )
  expect(await fetchFrom(server.host, '/a.png')).toMatchObject({ reason: 'pictureRefused' })
})

test('a redirect within the old site is followed, but not for ever', async () => {
  await using server = await serve((request, response) => {
    if (request.url === '/a.png') response.writeHead(301, { location: '/b.png' }).end()
    else if (request.url === '/b.png') response.end('picture')
    else response.writeHead(302, { location: '/loop' }).end()
  })
  expect(await fetchFrom(server.host, '/a.png')).toEqual({ bytes: Buffer.from('picture') })
  expect(await fetchFrom(server.host, '/loop')).toMatchObject({ reason: 'pictureRefused' })
})

test.for([
  'http://other.example/a.png',
  'ftp://old.example/a.png',
  'http://old.example:6379/',
  'no',
])('%s is not of the old site', async (address) => {
  const fetcher = makeFetchPicture({
    hosts: new Set(['old.example']),
    signal: new AbortController().signal,
    test: { resolve: async () => ['127.0.0.1'] },
  })
  expect(await fetcher.fetch(address)).toMatchObject({ reason: 'pictureRefused' })
})

test('a body without an end is cut off', async () => {
  await using server = await serve((_request, response) => {
    const piece = Buffer.alloc(4 * 1024 * 1024)
    const more = () => {
      while (!response.destroyed && response.write(piece));
    }
    response.on('drain', more)
    more()
  })
  const fetched = await fetchFrom(server.host, '/a.png')
  expect(fetched).toEqual({ reason: 'pictureRefused', detail: 'size' })
  expect(CONTENT_FILE_MAX_BYTES).toBe(30_000_000)
})

test('a server that is silent, or slow for too long, is given up', async () => {
  await using silent = await serve(() => {})
  const limits = { silenceMaxMs: 50, pictureMaxMs: 200 }
  expect(await fetchFrom(silent.host, '/a.png', limits)).toMatchObject({
    reason: 'pictureUnreachable',
  })
  await using slow = await serve((_request, response) => {
    const timer = setInterval(() => response.write('x'), 10)
    response.on('close', () => clearInterval(timer))
  })
  expect(await fetchFrom(slow.host, '/a.png', limits)).toMatchObject({
    reason: 'pictureUnreachable',
  })
})

test('a site that does not answer any more is asked only a few times', async () => {
  let asked = 0
  await using server = await serve((_request, response) => {
    asked++
    response.destroy()
  })
  const fetcher = makeFetchPicture({
    hosts: new Set([server.host]),
    signal: new AbortController().signal,
    test: { allowsLoopback: true, resolve: async () => ['127.0.0.1'] },
  })
  for (let at = 0; at < 30; at++)
    expect(await fetcher.fetch(`http://${server.host}/${at}.png`)).toMatchObject({
      reason: 'pictureUnreachable',
    })
  fetcher.close()
  expect(asked).toBeLessThan(20)
})
