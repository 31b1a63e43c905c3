// HTML from word processors and web pages -> what a person would have made in the editor itself: headings, lists, links, tables,
// bold and italic, and none of the look of the place it came from. Runs in the browser only.

/** Elements that keep their meaning; of all others the content stays. */
const KEPT = new Set(
  (
    'p br hr h1 h2 h3 h4 h5 h6 blockquote pre code strong em u s sub sup a ul ol li dl dt dd ' +
    'table caption thead tbody tfoot tr th td colgroup col figure figcaption img mark kbd del ins'
  ).split(' '),
)
const DROPPED = 'script,style,meta,link,title,head,noscript,template,object,embed,svg,math,button,input,select,textarea,form > input,xml,o\\:p'
const ATTRIBUTES: Record<string, readonly string[]> = {
  a: ['href'],
  img: ['src', 'alt', 'width', 'height'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan', 'scope'],
  col: ['span'],
  ol: ['start'],
}
/** The title is the page's only heading of the first rank. */
const RENAMED: Record<string, string> = { h1: 'h2', b: 'strong', i: 'em', strike: 's', tt: 'code' }
const BLOCKS = 'p,h1,h2,h3,h4,h5,h6,ul,ol,table,blockquote,pre,div,hr,figure'

/**
 * Cleans pasted HTML; cleaning twice changes nothing.
 *
 * @note Word's lists are paragraphs with a bullet drawn in front: they become real lists, levels included.
 */
export function cleanPaste(html: string): string {
  const { body } = new DOMParser().parseFromString(withoutCode(html), 'text/html')
  dropComments(body)
  makeWordLists(body)
  for (const element of body.querySelectorAll(DROPPED)) element.remove()
  for (const element of [...body.querySelectorAll('*')].reverse()) clean(element)
  for (const empty of body.querySelectorAll('p,h1,h2,h3,h4,h5,h6,li,strong,em,u,s,a')) if (isEmpty(empty)) empty.remove()
  const cleaned = body.innerHTML.trim()
  return body.querySelector('pre') ? cleaned : cleaned.replace(/[ \t]*\r?\n[ \t]*/g, ' ')
}

const ATTRIBUTE = /\s+([^\s"'<>/=]+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))?/g

/** Even a document that is never shown reports styles and handlers which the policy refuses: they go before it is parsed. */
export function withoutCode(html: string): string {
  return html
    .replace(/<(style|script)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(ATTRIBUTE, (attribute, name: string) => (/^on/i.test(name) ? '' : attribute)))
}

function dropComments(body: HTMLElement): void {
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_COMMENT)
  const comments: Node[] = []
  while (walker.nextNode()) comments.push(walker.currentNode)
  for (const comment of comments) comment.parentNode?.removeChild(comment)
}

/** One element, after all that is inside it. */
function clean(element: Element): void {
  const name = RENAMED[element.localName] ?? element.localName
  const looks = looksOf(element, name)
  const isDeadLink = name === 'a' && !isGoodAddress(element.getAttribute('href'))
  if (!KEPT.has(name) || looks.isPlain || isDeadLink) {
    unwrap(element, looks.wrappers)
    return
  }
  const made = document.createElement(name)
  for (const attribute of ATTRIBUTES[name] ?? []) {
    const value = element.getAttribute(attribute)
    if (value && (!['href', 'src'].includes(attribute) || isGoodAddress(value))) made.setAttribute(attribute, value)
  }
  made.append(...element.childNodes)
  element.replaceWith(made)
  if (!made.matches(BLOCKS)) wrapInside(made, looks.wrappers)
}

function isGoodAddress(address: string | null): boolean {
  return Boolean(address) && !/^\s*(?:javascript|vbscript|file):/i.test(address ?? '')
}

/** What a style really says: bold, italic, struck, raised. Google's documents say it by spans, and wrap all in a bold that is none. */
function looksOf(element: Element, name: string): { wrappers: string[]; isPlain: boolean } {
  const style = element.getAttribute('style') ?? ''
  const weight = /font-weight\s*:\s*(\w+)/i.exec(style)?.[1] ?? ''
  const isBold = weight === 'bold' || Number(weight) >= 600
  const isPlain = (name === 'strong' && /^(?:normal|[1-5]00)$/.test(weight)) || (name === 'em' && /font-style\s*:\s*normal/i.test(style))
  if (element.localName !== 'span' && element.localName !== 'font') return { wrappers: [], isPlain }
  const wrappers = [
    ...(isBold ? ['strong'] : []),
    ...(/font-style\s*:\s*(?:italic|oblique)/i.test(style) ? ['em'] : []),
    ...(/text-decoration[^:;]*:[^;]*line-through/i.test(style) ? ['s'] : []),
    ...(/vertical-align\s*:\s*super/i.test(style) ? ['sup'] : []),
    ...(/vertical-align\s*:\s*sub\b/i.test(style) ? ['sub'] : []),
  ]
  return { wrappers: element.closest('h1,h2,h3,h4,h5,h6,a') ? wrappers.filter((one) => one !== 'strong') : wrappers, isPlain }
}

function wrapInside(element: Element, wrappers: string[]): void {
  for (const name of wrappers) {
    const made = document.createElement(name)
    made.append(...element.childNodes)
    element.append(made)
  }
}

/** The content takes the element's place; a box with words of its own becomes a paragraph. */
function unwrap(element: Element, wrappers: string[]): void {
  if (element.localName === 'div' && !element.querySelector(BLOCKS) && !element.closest('li,td,th,p') && element.textContent?.trim()) {
    const paragraph = document.createElement('p')
    paragraph.append(...element.childNodes)
    element.replaceWith(paragraph)
    return
  }
  if (element.textContent?.trim()) wrapInside(element, wrappers)
  element.replaceWith(...element.childNodes)
}

function isEmpty(element: Element): boolean {
  return element.textContent?.replace(/[\s\u00a0]/g, '') === '' && !element.querySelector('img,br,hr,table')
}

const WORD_LEVEL = /mso-list:[^;"']*level(\d+)/i

/** Paragraphs of Word that belong to a list, one run after another. */
function makeWordLists(body: HTMLElement): void {
  for (const first of [...body.querySelectorAll('p')]) {
    if (!first.isConnected || wordLevel(first) === 0) continue
    const items: { paragraph: Element; level: number; isOrdered: boolean }[] = []
    for (let next: Element | null = first; next && wordLevel(next) > 0; next = next.nextElementSibling) {
      items.push({ paragraph: next, level: wordLevel(next), isOrdered: takeMarker(next) })
    }
    first.before(nestLists(items))
    for (const { paragraph } of items) paragraph.remove()
  }
}

function wordLevel(element: Element): number {
  return Number(WORD_LEVEL.exec(element.getAttribute('style') ?? '')?.[1] ?? 0)
}

/** Removes the bullet that Word has drawn. @returns whether it was a number or a letter */
function takeMarker(paragraph: Element): boolean {
  const marker = [...paragraph.querySelectorAll('span')].find((span) => /mso-list:\s*ignore/i.test(span.getAttribute('style') ?? ''))
  const text = marker?.textContent?.trim() ?? ''
  marker?.remove()
  return /^\(?[0-9a-z]{1,4}[.)]/i.test(text)
}

function nestLists(items: { paragraph: Element; level: number; isOrdered: boolean }[]): Element {
  const root = document.createElement(items[0]?.isOrdered ? 'ol' : 'ul')
  const open = [{ list: root as Element, level: items[0]?.level ?? 1 }]
  for (const { paragraph, level, isOrdered } of items) {
    while (open.length > 1 && level < (open.at(-1)?.level ?? 0)) open.pop()
    if (level > (open.at(-1)?.level ?? 0)) {
      const list = document.createElement(isOrdered ? 'ol' : 'ul')
      const host = open.at(-1)?.list
      ;(host?.lastElementChild ?? host)?.append(list)
      open.push({ list, level })
    }
    const item = document.createElement('li')
    item.append(...paragraph.childNodes)
    open.at(-1)?.list.append(item)
  }
  return root
}
