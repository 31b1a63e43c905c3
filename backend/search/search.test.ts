// A search finds every variant of a letter that readers take for the same letter, in every script.
import { expect, test } from 'vitest'
import { foldWords } from './fold-words.ts'
import { highlightMatches, makeMatcher, snippetOf } from './highlight-matches.ts'
import { parseSearchTerms } from './parse-search.ts'

const marked = (text: string, q: string) =>
  highlightMatches(text, makeMatcher(parseSearchTerms(q)))
    .map(({ text, isHit }) => (isHit ? `[${text}]` : text))
    .join('')
const snippet = (text: string, q: string) => snippetOf(text, makeMatcher(parseSearchTerms(q))).parts

test.each([
  ['Crème brûlée', 'creme brulee'],
  ['CRE\u0301ME', 'creme'],
  ['Straße, STRASSE, STRAẞE', 'strasse strasse strasse'],
  ['İstanbul ISTANBUL ıstanbul', 'istanbul istanbul istanbul'],
  ['Ｆｕｌｌ　ｗｉｄｔｈ１２', 'full width12'],
  ['ﬁne ﬂow', 'fine flow'],
  ['ΣΊΣΥΦΟΣ Σίσυφος', 'σισυφοσ σισυφοσ'],
  ['Ёлка ЙОД', 'елка иод'],
  ['Łódź Ærø Þór', 'lodz aero thor'],
  ["It's l’amour", 'it s l amour'],
  ['off_now night-train', 'off now night train'],
  ['soft\u00adhyphen zero\u200bwidth', 'softhyphen zerowidth'],
  ['كِتَابٌ אָלֶף', 'كتاب אלף'],
  ['हिन्दी में', 'हिन्दी में'],
  ['½ x²', '1 2 x2'],
  ['a😀b', 'a 😀 b'],
  ['!?', ''],
])('%j is folded to %j', (text, folded) => {
  expect(foldWords(text)).toBe(folded)
})

test('each character of a script without spaces is a word', () => {
  expect(foldWords('東京タワー go')).toBe('東 京 タ ワ ー go')
  expect(foldWords('ｶﾞ')).toBe(foldWords('ガ'))
})

test('only the beginning of a very long text is indexed', () => {
  expect(foldWords('word '.repeat(100_000)).length).toBeLessThan(200_001)
  expect(foldWords('ﷺ'.repeat(100_000)).length).toBeLessThan(200_001)
})

test.each([
  ['The night ferry', 'nig ferry', 'The [night] [ferry]'],
  ['A Crème brûlée', 'CREME', 'A [Crème] brûlée'],
  ['one two three', '"one two"', '[one two] three'],
  ['one two three', '“two one”', 'one two three'],
  ['東京タワーへ', 'タワー', '東京[タワー]へ'],
  ['東京タワーへ', '京', '東[京]タワーへ'],
  ['<b>night</b>', 'night', '<b>[night]</b>'],
  ['a b c', 'a bc', '[a] b c'],
  ['Die Straße, STRASSE', 'strass', 'Die [Straße], [STRASSE]'],
  ['«Ёлка—йод»', 'ЙОД', '«Ёлка—[йод]»'],
  ['cre\u0301me, brûlée!', 'CREME "brulee"', '[cre\u0301me], [brûlée]!'],
  ['Night, the train; night-train', '"night train"', 'Night, the train; [night-train]'],
  ['on and one', 'on one', '[on] and [one]'],
])('in %j, %j finds %j', (text, q, shown) => {
  expect(marked(text, q)).toBe(shown)
})

test.each(['', ' ', 'a', '"x"', '!!', 'é', 'a'.repeat(201)])('a search for %j is refused', (q) => {
  expect(() => parseSearchTerms(q)).toThrow('param')
})

test.each([
  ['日', 1],
  ['ab', 1],
  ['a b', 2],
  ['one one ONE', 1],
  [Array.from({ length: 20 }, (_, at) => `word${at}`).join(' '), 8],
])('%j has %i search terms', (q, count) => {
  expect(parseSearchTerms(q)).toHaveLength(count)
})

test('a snippet is the piece with the most search terms, cut between words', () => {
  const text = `${'Far away. '.repeat(60)}Here is a train and then the night comes. ${'More text. '.repeat(60)}`
  const parts = snippet(text, 'night train')
  expect(parts.filter(({ isHit }) => isHit).map(({ text }) => text)).toEqual(['train', 'night'])
  const snippetText = parts.map(({ text }) => text).join('')
  expect(snippetText).toMatch(/^… \w.* \w+\.? …$|^… .* …$/)
  expect(snippetText.length).toBeLessThan(215)
  expect(text).toContain(snippetText.slice(2, -2))
})

test('without a hit a snippet is the beginning of the text', () => {
  expect(snippet('Short.', 'nothing')).toEqual([{ text: 'Short.', isHit: false }])
  expect(snippet('', 'nothing')).toEqual([])
  const [only] = snippet('word '.repeat(100), 'nothing')
  expect(only?.text).toMatch(/^word .* word …$/)
})

test.each(['😀', '👨‍👩‍👧‍👦', '🇩🇪', 'க்ஷி'])('%s is never cut apart', (grapheme) => {
  const [first] = snippet(`x${grapheme.repeat(400)}`, 'nothing')
  expect(first?.text.replaceAll(grapheme, '')).toBe('x …')
})
