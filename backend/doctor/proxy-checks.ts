// Whether the server runs, and what it sees of visitors who come through the proxy in front.
import { DOCTOR_WAIT_MS } from '#contract/server-limits.ts'
import { type Finding, fault, ok, reasonOf, warning } from './finding.ts'
import { makeProbe, type ProxyView } from './proxy-probe.ts'

export type ServerAddress = {
  host: string
  port: number
  publicUrl: string
  /** Undefined when it cannot be read: then the proxy cannot be asked about. */
  apiKey: string | undefined
}

/** An address that nobody has: kept for documents. */
const INVENTED = '203.0.113.77'

/** Asks the server on this machine. @returns whether it runs */
export async function checkServer({ host, port }: ServerAddress): Promise<[Finding, boolean]> {
  const about = 'server'
  const name = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}`
  try {
    const answer = await ask(`${url}/healthz`)
    if (answer.ok) return [ok(about, `runs at ${url} and is well`), true]
    return [fault(about, `runs at ${url} and answers ${answer.status}`, 'see its log'), true]
  } catch {
    return [
      warning(about, `does not run at ${url}`, 'start it, unless it is meant to be off'),
      false,
    ]
  }
}

/** Asks the public address, once plainly and once with an invented client address. */
export async function checkProxy(address: ServerAddress): Promise<Finding> {
  const about = 'proxy'
  const { publicUrl, apiKey } = address
  if (apiKey === undefined)
    return warning(about, 'the API key cannot be read', 'run this as the user of the blog')
  try {
    const plain = await probe(publicUrl, apiKey, {})
    if (typeof plain === 'string')
      return fault(about, `${publicUrl} ${plain}`, 'does BLOG_PUBLIC_URL lead to this blog?')
    const invented = await probe(publicUrl, apiKey, { 'x-forwarded-for': INVENTED })
    return judge(address, plain, typeof invented === 'string' ? plain : invented)
  } catch (error) {
    return warning(
      about,
      `${publicUrl} does not answer from here: ${reasonOf(error)}`,
      'check the proxy, its certificate and the name',
    )
  }
}

/** @param invented what the server saw of the request that named an invented address */
function judge({ publicUrl, port }: ServerAddress, plain: ProxyView, invented: ProxyView): Finding {
  const about = 'proxy'
  const url = new URL(publicUrl)
  // The server itself speaks plain HTTP only.
  const isOwn = url.protocol === 'http:' && Number(url.port || 80) === port
  const hasProxy = !isOwn || plain.forwardedFor !== null
  if (!hasProxy) return ok(about, `none in front of ${publicUrl}`)
  if (invented.forwardedFor === INVENTED)
    return fault(
      about,
      'it hands on the X-Forwarded-For of visitors, who can name any address',
      'let it set the header itself (docs/operating.md)',
    )
  if (plain.forwardedFor === null)
    return fault(
      about,
      'it sends no X-Forwarded-For, so all visitors share its address in the rate limits',
      'let it set the header (docs/operating.md)',
    )
  if (!plain.isTrusted)
    return fault(
      about,
      `${plain.peer} is not trusted, so all visitors share its address in the rate limits`,
      `set BLOG_TRUSTED_PROXIES=${plain.peer}`,
    )
  return ok(about, `${plain.peer} names its visitors and is trusted`)
}

/** @returns what is wrong with the answer, as the end of a sentence, when it is not the blog's */
async function probe(
  publicUrl: string,
  apiKey: string,
  headers: Record<string, string>,
): Promise<ProxyView | string> {
  const answer = await ask(publicUrl + makeProbe(apiKey, Date.now()), headers)
  if (!answer.ok) return `answers ${answer.status}`
  const view = (await answer.json().catch(() => ({}))) as Partial<ProxyView>
  const { peer, forwardedFor, isTrusted } = view
  if (peer === undefined || forwardedFor === undefined || isTrusted === undefined)
    return 'answers something else than this blog'
  return { peer, forwardedFor, isTrusted }
}

function ask(url: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(DOCTOR_WAIT_MS) })
}
