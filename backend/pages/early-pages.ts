// Kept pages as they are sent before any route is looked for: no hook, no query, no promise. What
// is doubtful about a request is left to the routes (decision 0050).
import { isCopyCurrent } from '../http/conditional.ts'
import type { EarlyAnswer, FindEarly } from '../http/early-answers.ts'
import { chooseEncoding, type Encoding } from '../http/encodings.ts'
import { GUEST } from '../http/viewer.ts'
import type { NotePage } from '../reads/routes.ts'
import type { KeptPage, KeptPages } from './kept-pages.ts'
import { newNonce, nonceSource, type PageFacts, pageHeaders } from './page-headers.ts'
import { isFetchedElsewhere } from './page-viewer.ts'

export type EarlyPagesNeeds = {
  kept: KeptPages
  headScriptSource: string
  /** From reads: hears of every page that was answered. */
  notePage?: NotePage
}

const ROUTE = '/*'

export function makeEarlyPages({ kept, headScriptSource, notePage }: EarlyPagesNeeds): FindEarly {
  const policyFor = makePolicy(headScriptSource)
  const headFor = makeHeads(headScriptSource)
  return (request) => {
    const { method = '', url = '', headers } = request
    const page = kept.find(url)
    if (page === undefined || isFetchedElsewhere(headers)) return undefined
    const encoding = chooseEncoding(headers['accept-encoding'])
    const bytes = page.bodies.get(encoding)
    if (bytes === undefined) return undefined
    const isUnchanged = isCopyCurrent(request, page.tag)
    const { names, policyAt } = headFor(page, isUnchanged ? undefined : { encoding, bytes })
    names[policyAt] = policyFor(newNonce())
    const status = isUnchanged ? 304 : 200
    return {
      ...{ status, headers: names, bytes: isUnchanged ? undefined : bytes, route: ROUTE },
      note: (ip) => notePage?.({ method, url, headers, ip }, { viewer: GUEST, status }),
    } satisfies EarlyAnswer
  }
}

/** The policy around its nonce. */
function makePolicy(headScriptSource: string): (nonce: string) => string {
  const mark = 'nonce of the answer'
  const policy = pageHeaders(factsOf(headScriptSource, mark))['content-security-policy'] ?? ''
  const [before = '', after = ''] = policy.split(mark)
  return (nonce) => before + nonce + after
}

function factsOf(headScriptSource: string, nonce: string): PageFacts {
  return {
    scriptSource: `${nonceSource(nonce)} ${headScriptSource}`,
    ...{ connectOrigin: '', status: 200, isForAnyone: true, hasSecret: false },
  }
}

/** Names and values in turn, as `writeHead` takes them; the policy is put in for each answer. */
type Head = { names: string[]; policyAt: number }
/** What is sent of a page; nothing of one that its reader has. */
type Sent = { encoding: Encoding; bytes: Buffer } | undefined

/** Each is made once. */
function makeHeads(headScriptSource: string): (page: KeptPage, sent: Sent) => Head {
  const all = new WeakMap<KeptPage, Partial<Record<Encoding | 'unchanged', Head>>>()
  return (page, sent) => {
    const heads = all.get(page) ?? {}
    const name = sent?.encoding ?? 'unchanged'
    const known = heads[name]
    if (known) return known
    const made = makeHead(headScriptSource, page, sent)
    all.set(page, { ...heads, [name]: made })
    return made
  }
}

function makeHead(headScriptSource: string, { tag, contentType }: KeptPage, sent: Sent): Head {
  const isEncoded = sent !== undefined && sent.encoding !== 'identity'
  const names = Object.entries({
    ...pageHeaders(factsOf(headScriptSource, '')),
    etag: tag,
    ...(sent ? { 'content-type': contentType, 'content-length': String(sent.bytes.length) } : {}),
    ...(isEncoded ? { 'content-encoding': sent.encoding } : {}),
  }).flat()
  return { names, policyAt: names.indexOf('content-security-policy') + 1 }
}
