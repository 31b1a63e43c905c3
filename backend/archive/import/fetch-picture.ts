// Fetches pictures of the old site (threat-model.md §8 "Imports"): only from its own hosts, only at
// public addresses, each host resolved once, without redirects to other hosts, bounded in size and
// time. What comes back is untrusted bytes; the image process decodes them.
import { lookup } from 'node:dns/promises'
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import type { Readable } from 'node:stream'
import ipaddr from 'ipaddr.js'
import type { ImportIssue } from '#contract/archive.ts'
import { CONTENT_FILE_MAX_BYTES } from '#contract/limits.ts'

/** How long one picture may take, redirects included, and how long its server may be silent. */
const PICTURE_MAX_MS = 30_000
const SILENCE_MAX_MS = 10_000
const RESOLVE_MAX_MS = 10_000
const REDIRECTS_MAX = 3
const CONNECTIONS = 4
/** After so many failures in a row a host counts as gone; the wait for each would add up. */
const FAILURES_MAX = 8
const PORTS = ['', '80', '443']

export type FetchFailure = { reason: ImportIssue['reason']; detail: string }
export type FetchedPicture = { bytes: Buffer } | FetchFailure

export function isFailure(result: object): result is FetchFailure {
  return 'reason' in result
}

export type FetchPicture = ReturnType<typeof makeFetchPicture>

export type FetchOptions = {
  hosts: ReadonlySet<string>
  signal: AbortSignal
  /** Tests allow the loopback address and any port, and have names and times of their own. */
  test?: {
    allowsLoopback?: boolean
    resolve?: (hostname: string) => Promise<string[]>
    pictureMaxMs?: number
    silenceMaxMs?: number
  }
}

export function makeFetchPicture(options: FetchOptions) {
  const agents = {
    'http:': new HttpAgent({ keepAlive: true, maxSockets: CONNECTIONS }),
    'https:': new HttpsAgent({ keepAlive: true, maxSockets: CONNECTIONS }),
  }
  const hosts = makeHosts(options)
  const { pictureMaxMs = PICTURE_MAX_MS, silenceMaxMs = SILENCE_MAX_MS } = options.test ?? {}

  async function fetchOne(url: URL, signal: AbortSignal): Promise<FetchedPicture> {
    let current = url
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
      const address = await hosts.findAddress(current)
      if (typeof address !== 'string') return address
      const response = await open(current, address, signal)
      const { statusCode = 0, headers } = response
      if (statusCode === 200) return readPictureBytes(response)
      response.destroy()
      if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined)
        return { reason: 'pictureMissing', detail: String(statusCode) }
      const next = URL.parse(headers.location, current)
      if (!next) return { reason: 'pictureRefused', detail: 'redirect' }
      current = next
    }
    return { reason: 'pictureRefused', detail: 'redirects' }
  }

  function open(url: URL, address: string, signal: AbortSignal): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const isSecure = url.protocol === 'https:'
    const hostname = url.hostname.replace(/^\[|\]$/g, '')
    const request = (isSecure ? requestHttps : requestHttp)({
      // The address that was checked, whatever the name resolves to by now.
      host: address,
      servername: isIP(hostname) ? '' : hostname,
      port: url.port || (isSecure ? 443 : 80),
      path: url.pathname + url.search,
      headers: { host: url.host, accept: 'image/*', 'accept-encoding': 'identity' },
      agent: agents[url.protocol as keyof typeof agents],
      signal,
      timeout: silenceMaxMs,
    })
    request.on('timeout', () => request.destroy(new Error('The server is silent')))
    request.on('response', resolve)
    request.on('error', reject)
    request.end()
    return promise
  }

  return {
    /** Never throws for what the other server does. @throws when `signal` is aborted */
    async fetch(address: string): Promise<FetchedPicture> {
      options.signal.throwIfAborted()
      const url = URL.parse(address)
      if (!url) return { reason: 'pictureRefused', detail: '' }
      if (hosts.isGone(url)) return { reason: 'pictureUnreachable', detail: url.host }
      const signal = AbortSignal.any([options.signal, AbortSignal.timeout(pictureMaxMs)])
      try {
        const fetched = await fetchOne(url, signal)
        hosts.recordAnswer(url)
        return fetched
      } catch (error) {
        options.signal.throwIfAborted()
        hosts.recordFailure(url)
        return { reason: 'pictureUnreachable', detail: describe(error) }
      }
    },
    close(): void {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

/** Reads a stream to its end, unless that is more than a picture may have. */
export async function readPictureBytes(stream: Readable): Promise<FetchedPicture> {
  const pieces: Buffer[] = []
  let sizeBytes = 0
  for await (const piece of stream as AsyncIterable<Buffer>) {
    sizeBytes += piece.length
    if (sizeBytes > CONTENT_FILE_MAX_BYTES) {
      stream.destroy()
      return { reason: 'pictureRefused', detail: 'size' }
    }
    pieces.push(piece)
  }
  return { bytes: Buffer.concat(pieces) }
}

function describe(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return String(code ?? name ?? '')
}

/** Which hosts may be asked, at which address, and which have stopped answering. */
function makeHosts({
  hosts,
  test: { allowsLoopback = false, resolve = resolveName } = {},
}: FetchOptions) {
  const addresses = new Map<string, Promise<string | FetchFailure>>()
  const failures = new Map<string, number>()

  async function findPublicAddress(hostname: string): Promise<string | FetchFailure> {
    const found = isIP(hostname) ? [hostname] : await resolve(hostname)
    const isAllowed = (address: string) =>
      isPublicAddress(address) || (allowsLoopback && ipaddr.process(address).range() === 'loopback')
    // One private address among public ones is an attack, or no site for the public.
    if (found.length === 0 || !found.every(isAllowed))
      return { reason: 'pictureRefused', detail: 'address' }
    return found[0] ?? ''
  }
  return {
    /** @throws when the name cannot be resolved */
    async findAddress(url: URL): Promise<string | FetchFailure> {
      const isAllowed =
        /^https?:$/.test(url.protocol) &&
        hosts.has(url.host) &&
        url.username + url.password === '' &&
        (allowsLoopback || PORTS.includes(url.port))
      if (!isAllowed) return { reason: 'pictureRefused', detail: url.host }
      const hostname = url.hostname.replace(/^\[|\]$/g, '')
      const address = addresses.get(hostname) ?? findPublicAddress(hostname)
      addresses.set(hostname, address)
      return address.catch((error: unknown) => {
        addresses.delete(hostname)
        throw error
      })
    },
    isGone: ({ host }: URL) => (failures.get(host) ?? 0) >= FAILURES_MAX,
    recordAnswer: ({ host }: URL) => failures.delete(host),
    recordFailure: ({ host }: URL) => failures.set(host, (failures.get(host) ?? 0) + 1),
  }
}

/** Whether an address belongs to the public internet, also one that is written within another. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  // IPv6 of the internet is 2000::/3; other ranges have further forms of IPv4 addresses.
  const isInternet = parsed.kind() === 'ipv4' || (parsed.toByteArray()[0] ?? 0) >> 5 === 1
  return isInternet && parsed.range() === 'unicast'
}

async function resolveName(hostname: string): Promise<string[]> {
  const timeout = AbortSignal.timeout(RESOLVE_MAX_MS)
  const { promise, reject } = Promise.withResolvers<never>()
  timeout.addEventListener('abort', () => reject(new Error('The name is not resolved')))
  const found = await Promise.race([lookup(hostname, { all: true }), promise])
  return found.map(({ address }) => address)
}
