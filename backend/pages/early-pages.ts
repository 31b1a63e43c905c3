// Kept pages as they are sent before any route is looked for: no hook, no query, no promise. What
// is doubtful about a request is left to the routes (decision 0050).
import { isCopyCurrent } from '../http/conditional.ts'
import type { EarlyAnswer, FindEarly } from '../http/early-answers.ts'
import { chooseEncoding, type Encoding } from '../http/encodings.ts'
import { GUEST } from '../http/viewer.ts'
import type { NotePage } from '../reads/routes.ts'
import type { KeptPage, KeptPages } from './kept-pages.ts'
import { newNonce, nonceSource, pageHeaders } from './page-headers.ts'
import { isFetchedElsewhere } from './page-viewer.ts'

type Sources = {
  headScriptSource: string
  /** Of the styles that stand in the page of an address. */
  styleSourceFor: (address: string) => string | undefined
}

export type EarlyPagesNeeds = Sources & {
  kept: KeptPages
  /** From reads: hears of every page that was answered. */
  notePage?: NotePage
}

const ROUTE = '/*'

export function makeEarlyPages({ kept, notePage, ...sources }: EarlyPagesNeeds): FindEarly {
  const headFor = makeHeads(sources)
  return (request) => {
    const { method = '', url = '', headers } = request
    const page = kept.find(url)
    if (page === undefined || isFetchedElsewhere(headers)) return undefined
    const encoding = chooseEncoding(headers['accept-encoding'])
    const bytes = page.bodies.get(encoding)
    if (bytes === undefined) return undefined
    const isUnchanged = isCopyCurrent(request, page.tag)
    const { names, policyAt, policyAround } = headFor(
      page,
      isUnchanged ? undefined : { encoding, bytes },
    )
    names[policyAt] = policyAround[0] + newNonce() + policyAround[1]
    const status = isUnchanged ? 304 : 200
    return {
      ...{ status, headers: names, bytes: isUnchanged ? undefined : bytes, route: ROUTE },
      note: (ip) => notePage?.({ method, url, headers, ip }, { viewer: GUEST, status }),
    } satisfies EarlyAnswer
  }
}

/**
 * Names and values in turn, as `writeHead` takes them; the policy is put in for each answer, of
 * what is around its nonce.
 */
type Head = { names: string[]; policyAt: number; policyAround: [before: string, after: string] }
/** What is sent of a page; nothing of one that its reader has. */
type Sent = { encoding: Encoding; bytes: Buffer } | undefined

/** Each is made once. */
function makeHeads(sources: Sources): (page: KeptPage, sent: Sent) => Head {
  const all = new WeakMap<KeptPage, Partial<Record<Encoding | 'unchanged', Head>>>()
  return (page, sent) => {
    const heads = all.get(page) ?? {}
    const name = sent?.encoding ?? 'unchanged'
    const known = heads[name]
    if (known) return known
    const made = makeHead(sources, page, sent)
    all.set(page, { ...heads, [name]: made })
    return made
  }
}

function makeHead(
  { headScriptSource, styleSourceFor }: Sources,
  { address, tag, contentType }: KeptPage,
  sent: Sent,
): Head {
  const mark = 'nonce of the answer'
  const isEncoded = sent !== undefined && sent.encoding !== 'identity'
  const headers: Record<string, string> = {
    ...pageHeaders({
      scriptSource: `${nonceSource(mark)} ${headScriptSource}`,
      styleSource: styleSourceFor(address),
      ...{ connectOrigin: '', status: 200, isForAnyone: true, hasSecret: false },
    }),
    etag: tag,
    ...(sent ? { 'content-type': contentType, 'content-length': String(sent.bytes.length) } : {}),
    ...(isEncoded ? { 'content-encoding': sent.encoding } : {}),
  }
  const names = Object.entries(headers).flat()
  const [before = '', after = ''] = headers['content-security-policy']?.split(mark) ?? []
  return {
    names,
    policyAt: names.indexOf('content-security-policy') + 1,
    policyAround: [before, after],
  }
}
