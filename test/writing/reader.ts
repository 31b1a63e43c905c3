// Runs in the page of the editor (text-model.ts puts it there): reads the text, finds places in it,
// and sets the caret. Imports nothing but types.
import type { Run } from './text-model.ts'

type RunInPage = Run & { nodes: Text[]; element: Element }
type Seen = { token: string; index: number; end: number; element: Element }
type State = { tokens: string[]; runs: RunInPage[]; objects: Seen[]; open: RunInPage | undefined }
const BLOCKS =
  'p, h1, h2, h3, h4, h5, h6, li, ul, ol, blockquote, div, table, tbody, thead, tr, td, th, figure, figcaption, pre, hr, section, aside, nav'
/** A paste ends shortly after its key, a dropped image after its upload. */
const SETTLED_WITHIN_MS = 10_000
const POLL_MS = 20
const isElementIn = (node: Node): node is Element => node.nodeType === Node.ELEMENT_NODE
const live = () => window.hugerte.activeEditor

function close(state: State): void {
  const run = state.open
  state.open = undefined
  if (!run) return
  run.words = run.text.split(/\s+/).filter((word) => word !== '')
  state.tokens.push(...run.words)
  state.runs.push(run)
}

function nameOf(element: Element): string | undefined {
  const source = element.getAttribute('data-mce-p-src') ?? element.getAttribute('src') ?? ''
  if (element.matches('sup.footnote')) return '[note]'
  if (element.matches('nav.contents')) return '[contents]'
  if (element.matches('p.embed')) {
    const link = element.querySelector('a')
    return `[embed ${link?.getAttribute('data-mce-href') ?? link?.getAttribute('href')}]`
  }
  if (element.matches('figure.gallery')) {
    const names = [...element.querySelectorAll('img')].map((image) => image.getAttribute('alt'))
    return `[gallery ${names.join(' ')}]`
  }
  if (element.matches('iframe, [data-mce-object]')) return `[video ${source.split('/').at(-1)}]`
  if (element.matches('img')) return `[image ${element.getAttribute('alt')}]`
  if (element.matches('hr')) return '[rule]'
  if (element.matches('table')) return '[table]'
  if (element.matches('pre[class*="language-"]')) return `[code ${element.textContent}]`
  return undefined
}

function visit(node: Node, state: State, body: Element): void {
  if (node.nodeType === Node.TEXT_NODE) addText(node as Text, state, body)
  if (node.nodeType !== Node.ELEMENT_NODE) return
  const element = node as Element
  // The server writes the links from notes back to the text.
  if (element.matches('[data-mce-bogus="all"], .mce-offscreen-selection, .footnote-back')) return
  if (element.matches('br')) {
    if (state.open) state.open.text += ' '
    else if (element.parentElement) begin(state, element.parentElement, body)
    return
  }
  const isBlock = element.matches(BLOCKS)
  const name = nameOf(element)
  if (isBlock || name) close(state)
  let object: Seen | undefined
  if (name) {
    object = { token: name, index: state.tokens.length, end: 0, element }
    state.tokens.push(name)
    state.objects.push(object)
  }
  const captions = name?.startsWith('[gallery') ? element.querySelectorAll('figcaption') : []
  const inside = !name || name === '[table]' ? element.childNodes : captions
  for (const child of inside) visit(child, state, body)
  if (isBlock) close(state)
  if (object) object.end = state.tokens.length
}

function begin(state: State, holder: Element, body: Element): RunInPage {
  const block = holder.closest(
    'p, h1, h2, h3, h4, h5, h6, li, td, th, figcaption, pre, blockquote, div',
  )
  const element = block ?? holder
  const neighbour = (isForward: boolean) => {
    let at: Element = element
    while (at.parentElement && at.parentElement !== body) at = at.parentElement
    let next = isForward ? at.nextElementSibling : at.previousElementSibling
    while (next?.matches('[data-mce-bogus="all"]'))
      next = isForward ? next.nextElementSibling : next.previousElementSibling
    return next
  }
  const isObject = (one: Element | null) =>
    one !== null &&
    (one.matches('hr, table, figure, [contenteditable="false"]') ||
      ((one.textContent ?? '').trim() === '' && one.querySelector('img') !== null))
  const run: RunInPage = {
    start: state.tokens.length,
    words: [],
    text: '',
    nodes: [],
    holder: element.nodeName.toLowerCase(),
    isTop: element.parentElement === body,
    isWhole: element.querySelector('sup.footnote') === null,
    hasObjectBefore: isObject(neighbour(false)),
    hasObjectAfter: isObject(neighbour(true)),
    element,
  }
  state.open = run
  return run
}

function addText(node: Text, state: State, body: Element): void {
  const isBetween = node.data.trim() === '' && !state.open
  if (isBetween && !/\u00a0/.test(node.data)) return
  const run = state.open ?? begin(state, node.parentElement as Element, body)
  run.nodes.push(node)
  run.text += node.data.replaceAll(/[\uFEFF\u200B]/g, '').replaceAll('\u00a0', ' ')
}

function walk(body: Element): State {
  const state: State = { tokens: [], runs: [], objects: [], open: undefined }
  for (const child of body.childNodes) visit(child, state, body)
  close(state)
  return state
}

function pointIn(run: RunInPage, offset: number): [Node, number] {
  let remaining = offset
  for (const node of run.nodes) {
    for (let at = 0; at <= node.data.length; at++) {
      if (remaining === 0 && (at < node.data.length || node === run.nodes.at(-1))) return [node, at]
      if (at < node.data.length && !/[\uFEFF\u200B]/.test(node.data[at] ?? '')) remaining--
    }
  }
  const last = run.nodes.at(-1)
  return last ? [last, last.data.length] : [run.element, 0]
}

const runAt = (index: number): RunInPage => {
  const run = walk(live().getBody()).runs[index]
  if (!run) throw new Error(`no run ${index}`)
  return run
}
const shift = () => {
  const frame = document.querySelector('iframe.tox-edit-area__iframe')
  return frame?.getBoundingClientRect() ?? new DOMRect()
}
const bare = ({ nodes: _nodes, element: _element, ...run }: RunInPage): Run => run

window.reader = {
  read(html) {
    const body = html === undefined ? live().getBody() : document.createElement('body')
    if (html !== undefined)
      body.append(...new DOMParser().parseFromString(html, 'text/html').body.childNodes)
    const { tokens, runs } = walk(body)
    return { tokens, runs: runs.map(bare) }
  },
  readSaved() {
    const html = live().getContent()
    return { ...window.reader.read(), tokens: window.reader.read(html).tokens, html }
  },
  shows: (expected) => walk(live().getBody()).tokens.join(' ') === expected.join(' '),
  async settle(expected) {
    const endMs = performance.now() + SETTLED_WITHIN_MS
    for (;;) {
      const isOver = performance.now() > endMs
      if (isOver || window.reader.shows(expected)) {
        const saved = window.reader.readSaved()
        if (isOver || saved.tokens.join(' ') === expected.join(' ')) return saved
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  },
  place(index, offset) {
    const run = runAt(index)
    const [node, at] = pointIn(run, offset)
    const range = live().getBody().ownerDocument.createRange()
    range.setStart(node, at)
    const rect = () => range.getClientRects()[0] ?? run.element.getBoundingClientRect()
    const top = () => rect().top + shift().top
    if (top() < 220 || top() > innerHeight - 160) scrollBy(0, top() - innerHeight / 2)
    return { x: rect().left + shift().left, y: top(), height: rect().height }
  },
  caret() {
    const { startContainer, startOffset, collapsed } = live().selection.getRng()
    // Two touches at one place select a word.
    if (!collapsed) return { run: -1, offset: -1 }
    const runs = walk(live().getBody()).runs
    for (const [index, run] of runs.entries()) {
      let passed = 0
      for (const node of run.nodes) {
        const part = node === startContainer ? node.data.slice(0, startOffset) : node.data
        passed += part.replaceAll(/[\uFEFF\u200B]/g, '').length
        if (node === startContainer) return { run: index, offset: passed }
      }
      if (run.nodes.length === 0 && run.element.contains(startContainer))
        return { run: index, offset: 0 }
      if (run.element === startContainer)
        return { run: index, offset: startOffset === 0 ? 0 : run.text.length }
    }
    return { run: -1, offset: -1 }
  },
  set(index, offset, end = offset) {
    const run = runAt(index)
    const range = live().getBody().ownerDocument.createRange()
    range.setStart(...pointIn(run, offset))
    range.setEnd(...pointIn(run, end))
    live().focus()
    live().selection.setRng(range)
    live().nodeChanged()
  },
  objects: () =>
    walk(live().getBody())
      .objects.filter(({ token }) => token !== '[note]')
      .map(({ token, index, end, element }) => {
        const figure = token.startsWith('[gallery') ? null : element.closest('figure')
        const words = (figure?.querySelector('figcaption')?.textContent ?? '')
          .split(/\s+/)
          .filter((word) => word !== '')
        const { top, bottom } = element.getBoundingClientRect()
        return { token, index, end: end + words.length, top, bottom }
      }),
  notes() {
    const body = live().getBody()
    const state: State = { tokens: [], runs: [], objects: [], open: undefined }
    const starts: number[] = []
    for (const child of body.childNodes) {
      if (isElementIn(child) && child.matches('section.footnotes'))
        for (const note of child.querySelectorAll(':scope > ol > li')) {
          starts.push(state.tokens.length)
          visit(note, state, body)
          close(state)
        }
      else visit(child, state, body)
      close(state)
    }
    return starts
  },
  blocks() {
    const body = live().getBody()
    const ends: { end: number; top: number; bottom: number }[] = []
    const state: State = { tokens: [], runs: [], objects: [], open: undefined }
    for (const child of body.children) {
      visit(child, state, body)
      close(state)
      // Nothing stays after the notes.
      if (child.matches('[data-mce-bogus="all"], .mce-offscreen-selection, .footnotes')) continue
      const { top, bottom } = child.getBoundingClientRect()
      ends.push({ end: state.tokens.length, top, bottom })
    }
    return ends
  },
}
