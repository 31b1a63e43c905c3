// Made texts for the bench of the search: words as often as in a language (Zipf), the frequent ones
// short, in paragraphs. The same each time.

const FREQUENT =
  'the of and to in a is that for it as was with be by on not he his but at are this have from or had an they which one you were all her she there would their we him been has when who will no more if out so up said what its about than into them can only other time new some could these two may first then do any like my now over such our man me even most made after also did many off before must well back through years much where your way down should because long each just those people too'.split(
    ' ',
  )
const VOCABULARY = 200_000
/** Of the frequencies: the first words are less frequent than 1, 1/2, 1/3 … of the first. */
const SHIFT = 2.7

export type MadeTexts = {
  words: readonly string[]
  /** A whole number from 0 on, below this one. */
  below(max: number): number
  word(): string
  title(): string
  /** HTML of so many words. */
  body(words: number): string
}

export function makeTexts(): MadeTexts {
  const random = makeRandom(1)
  const below = (max: number) => Math.floor(random() * max)
  const words = makeVocabulary(random)
  const sums = new Float64Array(words.length)
  let all = 0
  for (let rank = 0; rank < words.length; rank++) {
    all += 1 / (rank + SHIFT)
    sums[rank] = all
  }
  const word = () => words[firstAbove(sums, random() * all)] ?? ''
  const some = (count: number) => Array.from({ length: count }, word).join(' ')
  return {
    words,
    below,
    word,
    title: () => some(4 + below(8)),
    body(count) {
      let html = ''
      for (let left = count; left > 0; left -= 60) html += `<p>${some(Math.min(60, left))}.</p>`
      return html
    },
  }
}

function makeVocabulary(random: () => number): string[] {
  const words = new Set(FREQUENT)
  const [consonants, vowels] = ['bcdfghjklmnprstvwz', 'aeiou']
  const one = (letters: string) => letters.charAt(Math.floor(random() * letters.length))
  while (words.size < VOCABULARY) {
    const syllables = 2 + Math.floor(random() * 2 + Math.min(2, words.size / 30_000) * random())
    let word = ''
    for (let at = 0; at < syllables; at++)
      word += one(consonants) + one(vowels) + (random() < 0.4 ? one(consonants) : '')
    words.add(word)
  }
  return [...words]
}

function firstAbove(sums: Float64Array, value: number): number {
  let [low, high] = [0, sums.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sums[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** @source Mulberry32 */
function makeRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
