// Kept pages as they are sent before any route is looked for: no hook, no query, no promise. What
// is doubtful about a request is left to the routes (decision 0050).
import { isCopyCurrent } from '../http/conditional.ts'
import type { EarlyAnswer, FindEarly } from '../http/early-answers.ts'
import { chooseEncoding, type Encoding } from '../http/encodings.ts'
import { FILLED, type Head, prepareHead } from '../http/prepared-heads.ts'
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
    const head = headFor(page, isUnchanged ? undefined : { encoding, bytes })
    const { status } = head
    return {
      ...{ head, piece: newNonce(), bytes: isUnchanged ? undefined : bytes, route: ROUTE },
      note: (ip) => notePage?.({ method, url, headers, ip }, { viewer: GUEST, status }),
    } satisfies EarlyAnswer
  }
}

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
  const isEncoded = sent !== undefined && sent.encoding !== 'identity'
  return prepareHead(sent ? 200 : 304, {
    ...pageHeaders({
      scriptSource: `${nonceSource(FILLED)} ${headScriptSource}`,
      styleSource: styleSourceFor(address),
      ...{ connectOrigin: '', status: 200, isForAnyone: true, hasSecret: false },
    }),
    etag: tag,
    ...(sent ? { 'content-type': contentType, 'content-length': String(sent.bytes.length) } : {}),
    ...(isEncoded ? { 'content-encoding': sent.encoding } : {}),
  })
}
