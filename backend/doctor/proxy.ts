// Whether the server runs, and what it sees of visitors who come through the proxy in front.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeProblem } from '../backups/problem.ts'
import { type ProxyView, proxyProbe } from '../http/health.ts'
import { DOCTOR_WAIT_MS, type Patient, type Say } from './finding.ts'

/** An address that nobody has: kept for documents. */
const INVENTED = '203.0.113.77'
const SET_HEADER = 'let it set the header itself (docs/operating.md)'

/** Asks the server on this machine. */
export async function checkServer(patient: Patient, say: Say) {
  const { host, port } = patient
  const name = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}`
  const answer = await ask(`${url}/healthz`).catch(() => undefined)
  if (!answer) return say.warning(`does not run at ${url}: start it, unless it is meant to be off`)
  patient.isRunning = true
  if (!answer.ok) say.fault(`runs at ${url} and answers ${answer.status}: see its log`)
  return `runs at ${url} and is well`
}

/** Asks the public address as a visitor who names an invented client address. */
export async function checkProxy(patient: Patient, say: Say) {
  const { publicUrl, port, dataDir, isRunning } = patient
  if (!isRunning) return undefined
  const kept = await readFile(join(dataDir, 'api-key'), 'utf8').catch(() => '')
  const apiKey = patient.apiKey ?? kept.trim()
  if (apiKey === '')
    return say.warning('the API key cannot be read: run this as the user of the blog')
  const url = publicUrl + proxyProbe(apiKey, Date.now())
  const answer = await ask(url, { 'x-forwarded-for': INVENTED }).catch((error: unknown) => {
    const todo = 'check the proxy, its certificate and the name'
    say.warning(`${publicUrl} does not answer from here: ${describeProblem(error)}: ${todo}`)
  })
  if (!answer) return undefined
  const view = (await answer.json().catch(() => ({}))) as Partial<ProxyView>
  const { peer, forwardedFor, isTrusted } = view
  const other = answer.ok ? 'something else than this blog' : answer.status
  if (!answer.ok || peer === undefined)
    return say.fault(`${publicUrl} answers ${other}: does BLOG_PUBLIC_URL lead to this blog?`)
  const own = new URL(publicUrl)
  // The server itself speaks plain HTTP only.
  const isOwn = own.protocol === 'http:' && Number(own.port || 80) === port
  if (forwardedFor === INVENTED && isOwn) return `none in front of ${publicUrl}`
  if (forwardedFor === INVENTED)
    return say.fault(`it hands on any address that visitors say in X-Forwarded-For: ${SET_HEADER}`)
  const shared = 'so all visitors share its address in the rate limits'
  if (forwardedFor === null)
    return say.fault(`it sends no X-Forwarded-For, ${shared}: ${SET_HEADER}`)
  if (!isTrusted)
    return say.fault(`${peer} is not trusted, ${shared}: set BLOG_TRUSTED_PROXIES=${peer}`)
  return `${peer} names its visitors and is trusted`
}

function ask(url: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(DOCTOR_WAIT_MS) })
}
