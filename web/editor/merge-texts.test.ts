import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '#test/support/fuzz.ts'
import { withWindow } from '#test/support/window.ts'
import { type Block, planMerge, readBlocks } from './merge-texts.ts'

withWindow()

type Texts = { base: string; mine: string; theirs: string }

/** The merged text; a conflict is written as `[mine|theirs]`. */
function merge({ base, mine, theirs }: Texts): string {
  const own = readBlocks(mine)
  const edits = planMerge({ base: readBlocks(base), mine: own, theirs: readBlocks(theirs) })
  return applyEdits(own, edits)
}

function applyEdits(own: Block[], edits: ReturnType<typeof planMerge>): string {
  const blocks = own.map(({ html }) => html)
  for (const { start, end, theirs, isConflict } of (edits ?? []).toReversed()) {
    const both = `[${blocks.slice(start, end).join('')}|${theirs.join('')}]`
    blocks.splice(start, end - start, ...(isConflict ? [both] : theirs))
  }
  return blocks.join('')
}

const p = (...lines: string[]) => lines.map((line) => `<p>${line}</p>`).join('')

const RULES: Record<string, Texts & { merged: string }> = {
  'a paragraph changed elsewhere is taken': {
    base: p('one', 'two', 'three'),
    mine: p('one', 'two', 'three, mine'),
    theirs: p('one, theirs', 'two', 'three'),
    merged: p('one, theirs', 'two', 'three, mine'),
  },
  'neighbouring paragraphs, each changed on one side, are no conflict': {
    base: p('one', 'two', 'three'),
    mine: p('one', 'two, mine', 'three'),
    theirs: p('one, theirs', 'two', 'three, theirs'),
    merged: p('one, theirs', 'two, mine', 'three, theirs'),
  },
  'a paragraph changed on both sides keeps both texts': {
    base: p('one', 'two'),
    mine: p('one', 'two, mine'),
    theirs: p('one', 'two, theirs'),
    merged: `${p('one')}[${p('two, mine')}|${p('two, theirs')}]`,
  },
  'the same change on both sides is made once': {
    base: p('one', 'two'),
    mine: p('one', 'two, more'),
    theirs: p('one', 'two, more'),
    merged: p('one', 'two, more'),
  },
  'a paragraph deleted elsewhere and unchanged here is deleted': {
    base: p('one', 'two', 'three'),
    mine: p('one', 'two', 'three, mine'),
    theirs: p('one', 'three'),
    merged: p('one', 'three, mine'),
  },
  'a paragraph deleted here and changed elsewhere is a conflict': {
    base: p('one', 'two', 'three'),
    mine: p('one', 'three'),
    theirs: p('one', 'two, theirs', 'three'),
    merged: `${p('one')}[|${p('two, theirs')}]${p('three')}`,
  },
  'a paragraph changed here and deleted elsewhere is a conflict': {
    base: p('one', 'two', 'three'),
    mine: p('one', 'two, mine', 'three'),
    theirs: p('one', 'three'),
    merged: `${p('one')}[${p('two, mine')}|]${p('three')}`,
  },
  'paragraphs added at the same position both stay, the one saved first before the other': {
    base: p('one'),
    mine: p('one', 'mine'),
    theirs: p('one', 'theirs'),
    merged: p('one', 'theirs', 'mine'),
  },
  'a paragraph added on both sides stays once': {
    base: p('one'),
    mine: p('one', 'both', 'mine'),
    theirs: p('one', 'both', 'theirs'),
    merged: p('one', 'both', 'theirs', 'mine'),
  },
  'of several paragraphs changed here, only the one that was also changed elsewhere is a conflict':
    {
      base: p('one is short', 'two is long', 'three is odd'),
      mine: p('one is short!', 'two is long!', 'three is odd!', 'four'),
      theirs: p('one is short', 'two is long?', 'three is odd'),
      merged: `${p('one is short!')}[${p('two is long!')}|${p('two is long?')}]${p('three is odd!', 'four')}`,
    },
  'text without a paragraph counts as one': {
    base: 'one <b>two</b>',
    mine: p('one <b>two</b>', 'mine'),
    theirs: 'one <b>two</b> theirs',
    merged: p('one <b>two</b> theirs', 'mine'),
  },
  'what only programs write differently is no change': {
    base: '<pre class="language-js"><code><span class="c-k">let</span> a</code></pre><p>one  two</p>',
    mine: '<pre class="language-js"><code>let a</code></pre>\n<p>one\ntwo&nbsp;</p>',
    theirs: p('theirs'),
    merged: p('theirs'),
  },
}

describe('two versions of a text', () => {
  test.each(Object.entries(RULES))('%s', (_rule, { merged, ...texts }) => {
    expect(merge(texts)).toBe(merged)
  })
})

test('a text of a million characters, rewritten on both sides, is not compared to the end', () => {
  const lines = (word: string): Block[] =>
    Array.from({ length: 60_000 }, (_, at) => ({ key: `${word} ${at % 7} ${at}`, html: '' }))
  const versions = { base: lines('a'), mine: lines('b').slice(1), theirs: lines('c') }
  expect(planMerge(versions)).toBe(undefined)
})

// Random texts: paragraphs of words that occur once, changed on each side.

type Change = { at: number; kind: 'change' | 'delete' | 'insert' | 'split' | 'join' | 'move' }
const changes = fc.array(
  fc.record({
    at: fc.nat(20),
    kind: fc.constantFrom('change', 'delete', 'insert', 'split', 'join', 'move'),
  }),
  { maxLength: 6 },
)
const pairs = fc.record({ size: fc.integer({ min: 1, max: 8 }), own: changes, other: changes })

function makeVersion(base: string[][], list: Change[], name: string): string[][] {
  const version = base.map((words) => [...words])
  for (const [index, { at, kind }] of list.entries()) {
    const place = at % Math.max(1, version.length)
    const words = version[place] ?? []
    const added = `${name}${index}`
    if (kind === 'insert') version.splice(place, 0, [added])
    if (kind === 'delete') version.splice(place, 1)
    if (kind === 'change') version[place] = [...words.slice(1), added]
    if (kind === 'split') version.splice(place, 1, words.slice(0, 1), words.slice(1))
    if (kind === 'join') version.splice(place, 2, [...words, ...(version[place + 1] ?? [])])
    if (kind === 'move') version.push(...version.splice(place, 1))
  }
  return version
}

function makeTexts({ size, own, other }: { size: number; own: Change[]; other: Change[] }) {
  const base = Array.from({ length: size }, (_, at) => [`a${at}`, `b${at}`, `c${at}`])
  return { base, mine: makeVersion(base, own, 'm'), theirs: makeVersion(base, other, 't') }
}

const toBlocks = (version: string[][]): Block[] =>
  version.map((words) => ({ key: words.join(' '), html: `${words.join(' ')} ` }))
const toWords = (text: string) => new Set(text.match(/\w+/g))

function mergeVersions({ base, mine, theirs }: Record<keyof Texts, string[][]>): string {
  const own = toBlocks(mine)
  return applyEdits(own, planMerge({ base: toBlocks(base), mine: own, theirs: toBlocks(theirs) }))
}

test('no word is lost that either side has added, or that both have kept', {
  tags: ['more'],
}, () => {
  fc.assert(
    fc.property(pairs, (pair) => {
      const texts = makeTexts(pair)
      const merged = toWords(mergeVersions(texts))
      const base = new Set(texts.base.flat())
      const mine = new Set(texts.mine.flat())
      const theirs = new Set(texts.theirs.flat())
      const lost = [...mine, ...theirs].filter(
        (word) => !merged.has(word) && (!base.has(word) || (mine.has(word) && theirs.has(word))),
      )
      expect(lost).toEqual([])
    }),
    runs(10_000),
  )
})

test('a version merged with itself, or with the common version, is itself', {
  tags: ['more'],
}, () => {
  fc.assert(
    fc.property(pairs, (pair) => {
      const { base, mine } = makeTexts(pair)
      const text = applyEdits(toBlocks(mine), [])
      expect(mergeVersions({ base, mine, theirs: mine })).toBe(text)
      expect(mergeVersions({ base, mine, theirs: base })).toBe(text)
      expect(mergeVersions({ base, mine: base, theirs: mine })).toBe(text)
    }),
    runs(2000),
  )
})

test('without a conflict, both sides merge to the same words, and to the same text unless both added some at the same position', {
  tags: ['more'],
}, () => {
  fc.assert(
    fc.property(pairs, (pair) => {
      const { base, mine, theirs } = makeTexts(pair)
      const merged = mergeVersions({ base, mine, theirs })
      const mirrored = mergeVersions({ base, mine: theirs, theirs: mine })
      expect(toWords(mirrored)).toEqual(toWords(merged))
      const isInserting = [...pair.own, ...pair.other].some(({ kind }) =>
        /insert|move|split/.test(kind),
      )
      if (!/[[|]/.test(merged) && !isInserting) expect(mirrored).toBe(merged)
    }),
    runs(2000),
  )
})
