// Merges two versions of a text by its blocks (paragraphs, lists, tables …), against the version
// that both come from. Pure: blocks in, edits of the own text out. Comparing is the package's.
import { diffArrays } from 'diff'

/** A block of a text. `key` is equal for blocks that differ only in how programs write them. */
export type Block = { key: string; html: string }

/**
 * A change of the own text: the other version's blocks go where the own blocks from `start` to
 * `end` are: in their place, or in a conflict after them.
 */
export type MergeEdit = BlockRange & { theirs: string[]; isConflict: boolean }

/** From the block `start` to the one before `end`. */
type BlockRange = { start: number; end: number }
/** Blocks `start` to `end` of the common version have become blocks `from` to `to`. */
type Hunk = BlockRange & { from: number; to: number }
type Versions = { base: Block[]; mine: Block[]; theirs: Block[] }

/** Versions with more changed blocks are not compared to the end: the page must go on reacting. */
const CHANGED_BLOCKS_MAX = 1000
/** The same for blocks that are compared by their words. */
const CHANGED_SIMILAR_MAX = 200
/** Two blocks that share a smaller part of their words than this are not one changed block. */
const SIMILAR_MIN_SHARE = 0.3

/** @returns undefined if too much has changed */
export function planMerge({ base, mine, theirs }: Versions): MergeEdit[] | undefined {
  const own = findHunks(base, mine)
  const other = findHunks(base, theirs)
  if (!own || !other) return undefined
  const edits: MergeEdit[] = []
  // How far the blocks of a version are shifted against the common version.
  const shift = { mine: 0, theirs: 0 }
  while (other.length > 0) {
    const group = takeGroup(own, other)
    const { start, end } = group
    const mineStart = start + shift.mine
    const theirStart = start + shift.theirs
    shift.mine += growthOf(group.own)
    shift.theirs += growthOf(group.other)
    if (group.other.length === 0) continue
    const range = { start: mineStart, end: end + shift.mine }
    const theirBlocks = theirs.slice(theirStart, end + shift.theirs)
    const isInsertion = start === end
    const edit =
      group.own.length === 0
        ? toEdit(range, theirBlocks, false)
        : mergeGroup(mine, range, { theirBlocks, isInsertion })
    if (edit) edits.push(edit)
  }
  return edits
}

function growthOf(hunks: Hunk[]): number {
  return hunks.reduce((sum, { start, end, from, to }) => sum + to - from - (end - start), 0)
}

function toEdit(range: BlockRange, blocks: Block[], isConflict: boolean): MergeEdit {
  return { ...range, theirs: blocks.map(({ html }) => html), isConflict }
}

/** Both versions have changed the same blocks, or have inserted blocks at the same position. */
function mergeGroup(
  mine: Block[],
  { start, end }: BlockRange,
  { theirBlocks, isInsertion }: { theirBlocks: Block[]; isInsertion: boolean },
): MergeEdit | undefined {
  const mineKeys = mine.slice(start, end).map(({ key }) => key)
  const theirKeys = theirBlocks.map(({ key }) => key)
  const shorter = Math.min(mineKeys.length, theirKeys.length)
  let first = 0
  while (first < shorter && mineKeys[first] === theirKeys[first]) first += 1
  let last = 0
  while (last < shorter - first && mineKeys.at(-1 - last) === theirKeys.at(-1 - last)) last += 1
  const rest = theirBlocks.slice(first, theirBlocks.length - last)
  const range = { start: start + first, end: end - last }
  const isPartlySame = first + last > 0
  if (rest.length === 0 && (isPartlySame || range.start === range.end)) return undefined
  // Insertions of both stay, that of the version that was saved first before the other.
  if (isInsertion) return toEdit({ start: range.start, end: range.start }, rest, false)
  return toEdit(range, rest, !isPartlySame || range.start < range.end)
}

/** Takes the next hunks out of both lists that overlap each other; at least one. */
function takeGroup(own: Hunk[], other: Hunk[]) {
  const [hunk] = startsFirst(own[0], other[0]) ? own : other
  const { start = 0, end = 0 } = hunk ?? {}
  const group = { start, end, own: [] as Hunk[], other: [] as Hunk[] }
  for (;;) {
    const isOwn = own[0] !== undefined && overlaps(own[0], group)
    const isOther = other[0] !== undefined && overlaps(other[0], group)
    if (!isOwn && !isOther) return group
    const taken = isOwn ? own.splice(0, 1) : other.splice(0, 1)
    group[isOwn ? 'own' : 'other'].push(...taken)
    group.end = Math.max(group.end, ...taken.map((next) => next.end))
  }
}

function startsFirst(hunk: Hunk | undefined, other: Hunk | undefined): boolean {
  if (!hunk || !other) return hunk !== undefined
  return hunk.start < other.start || (hunk.start === other.start && hunk.end <= other.end)
}

function overlaps(range: BlockRange, other: BlockRange): boolean {
  const isSame = range.start === other.start && range.end === other.end
  return isSame || (range.start < other.end && other.start < range.end)
}

/** The changed ranges of a version, each as small as possible. */
function findHunks(base: Block[], version: Block[]): Hunk[] | undefined {
  const hunks = compare(
    base.map(({ key }) => key),
    version.map(({ key }) => key),
    { maxEditLength: CHANGED_BLOCKS_MAX },
  )
  return hunks?.flatMap((hunk) => splitHunk(base, version, hunk))
}

/** Splits a range into its changed blocks: as many as before, or else those that are similar. */
function splitHunk(base: Block[], version: Block[], hunk: Hunk): Hunk[] {
  const { start, end, from, to } = hunk
  const oldBlocks = base.slice(start, end)
  const newBlocks = version.slice(from, to)
  const gaps =
    oldBlocks.length === newBlocks.length
      ? []
      : compare(oldBlocks.map(wordsOf), newBlocks.map(wordsOf), {
          maxEditLength: CHANGED_SIMILAR_MAX,
          comparator: areSimilar,
        })
  if (!gaps) return [hunk]
  const hunks: Hunk[] = []
  let [at, newAt] = [start, from]
  for (const gap of [...gaps, { start: end - start, end: 0, from: 0, to: 0 }]) {
    for (; at < start + gap.start; at += 1, newAt += 1)
      hunks.push({ start: at, end: at + 1, from: newAt, to: newAt + 1 })
    ;[at, newAt] = [start + gap.end, from + gap.to]
    if (gaps.includes(gap))
      hunks.push({ start: start + gap.start, end: at, from: from + gap.from, to: newAt })
  }
  return hunks
}

function wordsOf({ key }: Block): Set<string> {
  return new Set(key.replace(/<[^>]*>/g, ' ').split(/\s+/))
}

function areSimilar(words: Set<string>, others: Set<string>): boolean {
  const shared = [...words].filter((word) => others.has(word)).length
  return shared / Math.max(words.size, others.size) >= SIMILAR_MIN_SHARE
}

/** @returns undefined if there are more than `maxEditLength` removed and added values */
function compare<Value>(
  before: Value[],
  after: Value[],
  options: { maxEditLength: number; comparator?: (first: Value, second: Value) => boolean },
): Hunk[] | undefined {
  const changes = diffArrays(before, after, options)
  if (!changes) return undefined
  const hunks: Hunk[] = []
  let hunk: Hunk = { start: 0, end: 0, from: 0, to: 0 }
  const addHunk = () => {
    if (hunk.start < hunk.end || hunk.from < hunk.to) hunks.push(hunk)
  }
  for (const { added, removed, count } of changes) {
    if (removed) hunk.end += count
    else if (added) hunk.to += count
    else {
      addHunk()
      const start = hunk.end + count
      const from = hunk.to + count
      hunk = { start, end: start, from, to: from }
    }
  }
  addHunk()
  return hunks
}

// Reading blocks. Needs a browser's HTML parser.

/** Elements that stand in a line of text: at the top of a text they form a paragraph. */
const INLINE =
  'a,abbr,b,bdi,bdo,br,cite,code,del,em,i,img,ins,kbd,mark,q,s,samp,small,span,strike,strong,sub,sup,time,u,var'
/** What the server, or the editor, adds to an element, and takes away again. */
const ADDED_ATTRIBUTE = /^(?:data-|aria-|contenteditable$|rel$|target$|loading$|decoding$|sandbox$)/
/** White space beside the edge of a block is not shown. */
const EDGE = '\u0001'
const BESIDE_BLOCK = new RegExp(` *${EDGE} *`, 'g')
const HIGHLIGHTED = /^c-[a-z]$/

/** The blocks of a text, with the element of each. Loads nothing, and runs no script. */
export function readBlocks(html: string): (Block & { element: Element })[] {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  wrapLooseText(body)
  return [...body.children].map((element) => ({
    element,
    key: keyOf(element, false).replace(BESIDE_BLOCK, ''),
    html: element.outerHTML,
  }))
}

function wrapLooseText(body: HTMLElement): void {
  let paragraph: HTMLElement | undefined
  for (const node of [...body.childNodes]) {
    const isText = node.nodeType === Node.TEXT_NODE
    if (!isText && !(node instanceof Element && node.matches(INLINE))) paragraph = undefined
    else if (paragraph || !isText || /\S/.test(node.nodeValue ?? '')) {
      if (!paragraph) {
        paragraph = body.ownerDocument.createElement('p')
        node.before(paragraph)
      }
      paragraph.append(node)
    }
  }
}

function keyOf(node: Node, isCode: boolean): string {
  if (!(node instanceof Element)) {
    const text = node.nodeType === Node.TEXT_NODE ? (node.nodeValue ?? '') : ''
    return (isCode ? text : text.replace(/\s+/g, ' ')).replaceAll('<', '&lt;')
  }
  const isInCode = isCode || node.tagName === 'PRE'
  const content = Array.from(node.childNodes, (child) => keyOf(child, isInCode)).join('')
  const attributes = [...node.attributes].map(attributeKey).filter(Boolean).sort().join('')
  if (node.tagName === 'SPAN' && attributes === '') return content
  if (node.tagName === 'BR') return '<BR>'
  const key = `<${node.tagName}${attributes}>`
  if (node.matches(INLINE) || isCode) return `${key}${content}</>`
  const inner = isInCode ? content : content.trim().replace(/(?:<BR>)+$/, '')
  return `${EDGE}${key}${isInCode ? '' : EDGE}${inner}${isInCode ? '' : EDGE}</>${EDGE}`
}

function attributeKey({ name, value }: Attr): string {
  if (ADDED_ATTRIBUTE.test(name)) return ''
  const parts = value.trim().split(name === 'style' ? /\s*;\s*/ : /\s+/)
  const words = parts.filter((part) => part !== '' && !HIGHLIGHTED.test(part)).sort()
  if (words.length === 0 && (name === 'class' || name === 'style')) return ''
  if (name !== 'class' && name !== 'style') return ` ${name}=${value === name ? '' : value.trim()}`
  return ` ${name}=${words.map((word) => word.replace(/:\s*/, ': ')).join('; ')}`
}
