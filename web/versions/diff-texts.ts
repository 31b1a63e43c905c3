// Compares two texts in HTML: the result is one column of blocks, each unchanged, added, removed,
// or changed in some words. Needs a browser's HTML parser.
import { type Change, diffArrays, diffWordsWithSpace } from 'diff'
import { texts } from '../locales/texts.ts'

export type Part = { kind: 'same' | 'added' | 'removed'; text: string }
export type BlockTag = 'h3' | 'h4' | 'p' | 'li' | 'blockquote' | 'pre'
type ComparedBlock = {
  kind: 'same' | 'added' | 'removed' | 'changed'
  tag: BlockTag
  parts: Part[]
}

/** `index` is its position in the column. */
export type IndexedBlock = ComparedBlock & { index: number }

type Block = { tag: BlockTag; text: string }

/** After this time everything counts as removed and added: comparing must not block the tab. */
const LIMIT_MS = 1500
/** Two blocks that share a smaller part of their words than this are not one changed block. */
const SIMILAR_MIN_SHARE = 0.3

const TAGS: Readonly<Record<string, BlockTag>> = {
  H1: 'h3',
  H2: 'h3',
  H3: 'h3',
  H4: 'h4',
  H5: 'h4',
  H6: 'h4',
  P: 'p',
  LI: 'li',
  DT: 'p',
  DD: 'p',
  PRE: 'pre',
  TR: 'p',
  FIGCAPTION: 'p',
  CAPTION: 'p',
  SUMMARY: 'p',
}
const CONTAINERS =
  'p, h1, h2, h3, h4, h5, h6, li, dt, dd, pre, tr, figcaption, caption, summary, ul, ol, dl, table, blockquote, div, figure, img, hr, iframe, details'

export function compareTexts(before: string, after: string): IndexedBlock[] {
  return compareBlocks(before, after).map((block, index) => ({ ...block, index }))
}

function compareBlocks(before: string, after: string): ComparedBlock[] {
  const old = readBlocks(before)
  const current = readBlocks(after)
  const runs = diffArrays(old, current, {
    comparator: (first, second) => first.tag === second.tag && first.text === second.text,
    timeout: LIMIT_MS,
  })
  if (!runs) return [...old.map(uniformBlock('removed')), ...current.map(uniformBlock('added'))]
  const compared: ComparedBlock[] = []
  for (let index = 0; index < runs.length; index += 1) {
    const run = runs[index]
    const next = runs[index + 1]
    if (!run) continue
    if (run.removed && next?.added) {
      compared.push(...comparePairs(run.value, next.value))
      index += 1
    } else if (run.added && next?.removed) {
      compared.push(...comparePairs(next.value, run.value))
      index += 1
    } else
      compared.push(
        ...run.value.map(uniformBlock(run.added ? 'added' : run.removed ? 'removed' : 'same')),
      )
  }
  return compared
}

/** Compares two titles or other single lines. */
export function compareLines(before: string, after: string): Part[] {
  return toParts(diffWordsWithSpace(before, after, { timeout: LIMIT_MS }), { before, after })
}

/** Compares removed blocks with those in their place: similar ones become one changed block. */
function comparePairs(old: Block[], now: Block[]): ComparedBlock[] {
  const compared: ComparedBlock[] = []
  const unmatched = [...old]
  for (const block of now) {
    const match = unmatched.findIndex(
      (candidate) => candidate.tag === block.tag && areSimilar(candidate.text, block.text),
    )
    if (match < 0) compared.push(uniformBlock('added')(block))
    else {
      compared.push(...unmatched.splice(0, match).map(uniformBlock('removed')))
      const [former] = unmatched.splice(0, 1)
      const parts = compareLines(former?.text ?? '', block.text)
      compared.push({ kind: 'changed', tag: block.tag, parts })
    }
  }
  return [...compared, ...unmatched.map(uniformBlock('removed'))]
}

function areSimilar(first: string, second: string): boolean {
  const firstWords = new Set(first.split(/\s+/))
  const secondWords = new Set(second.split(/\s+/))
  const shared = [...firstWords].filter((word) => secondWords.has(word)).length
  return shared / Math.max(firstWords.size, secondWords.size) >= SIMILAR_MIN_SHARE
}

function uniformBlock(kind: 'same' | 'added' | 'removed') {
  return ({ tag, text }: Block): ComparedBlock => ({ kind, tag, parts: [{ kind, text }] })
}

function toParts(
  changes: Change[] | undefined,
  { before, after }: { before: string; after: string },
): Part[] {
  if (!changes)
    return [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ]
  return changes.map(({ value, added, removed }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  }))
}

/** The text as blocks, without its formatting. */
function readBlocks(html: string): Block[] {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const blocks: Block[] = []
  addBlocks(body, 'p', blocks)
  return blocks
}

function addBlocks(parent: Element, tag: BlockTag, blocks: Block[]): void {
  let loose = ''
  function endLoose() {
    const text = plain(loose, tag)
    if (text) blocks.push({ tag, text })
    loose = ''
  }
  for (const node of parent.childNodes) {
    const special = node instanceof Element ? specialText(node) : undefined
    const isBlock = node instanceof Element && (special || node.matches(CONTAINERS))
    const holdsBlocks = node instanceof Element && node.querySelector(CONTAINERS)
    if (!isBlock && !holdsBlocks) loose += breaksIn(node)
    else {
      endLoose()
      if (special) blocks.push({ tag: 'p', text: special })
      else if (node instanceof Element) addBlocks(node, tagOf(node, tag), blocks)
    }
  }
  endLoose()
}

function tagOf({ tagName }: Element, outer: BlockTag): BlockTag {
  if (tagName === 'BLOCKQUOTE') return 'blockquote'
  const tag = TAGS[tagName]
  return tag === 'p' && outer !== 'p' ? outer : (tag ?? outer)
}

/** The text that stands for an image, a video or a rule. */
function specialText(element: Element): string | undefined {
  const { comparing } = texts
  if (element.tagName === 'IMG') return comparing.picture(element.getAttribute('alt') ?? '')
  if (element.tagName === 'IFRAME') return comparing.video
  return element.tagName === 'HR' ? comparing.rule : undefined
}

function breaksIn(node: Node): string {
  if (node instanceof Element && node.tagName === 'BR') return '\n'
  if (node instanceof Element && ['TD', 'TH'].includes(node.tagName))
    return `${node.textContent ?? ''} `
  if (node instanceof Element) return Array.from(node.childNodes, breaksIn).join('')
  return node.textContent ?? ''
}

function plain(text: string, tag: BlockTag): string {
  return tag === 'pre' ? text.trimEnd() : text.replace(/\s+/g, ' ').trim()
}
