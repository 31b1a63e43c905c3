// Detects the language of a text, for screen readers, hyphenation and search: by its script, or by
// its most frequent short words. undefined unless it is clear: a wrong language is read out worse
// than none.

/** More of a text is not looked at. */
export const SAMPLE_CHARS = 1500
/** The least share of letters in one script, and of words that are frequent in one language. */
const LETTERS_SHARE = 0.5
const WORDS_SHARE = 0.12
const WORDS_AT_LEAST = 4
/** How many times as many as any other language has. */
const LEAD = 1.5

/**
 * In this order: Japanese and Korean also write Han letters, Persian, Urdu and Ukrainian a few that
 * their neighbours do not have.
 */
const BY_LETTERS: readonly [language: string, sign: RegExp, script: RegExp][] = [
  [
    'ja',
    /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
    /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/gu,
  ],
  ['ko', /\p{Script=Hangul}/u, /[\p{Script=Hangul}\p{Script=Han}]/gu],
  ['zh', /\p{Script=Han}/u, /\p{Script=Han}/gu],
  ['he', /\p{Script=Hebrew}/u, /\p{Script=Hebrew}/gu],
  ['ur', /[ٹڈڑےں]/u, /\p{Script=Arabic}/gu],
  ['fa', /[پچژگ]/u, /\p{Script=Arabic}/gu],
  ['ar', /\p{Script=Arabic}/u, /\p{Script=Arabic}/gu],
  ['el', /\p{Script=Greek}/u, /\p{Script=Greek}/gu],
  ['uk', /[іїєґ]/iu, /\p{Script=Cyrillic}/gu],
  ['ru', /[ыэъё]/iu, /\p{Script=Cyrillic}/gu],
  ['th', /\p{Script=Thai}/u, /\p{Script=Thai}/gu],
  ['hi', /\p{Script=Devanagari}/u, /\p{Script=Devanagari}/gu],
]

const FREQUENT_WORDS: Record<string, ReadonlySet<string>> = {
  en: words(
    'the and of to in is was that it for with as on at by not are this but from have had you his her they',
  ),
  de: words(
    'der die das und ist nicht ein eine zu den von mit sich auf für im dem auch als wie es ich wir sie war aber',
  ),
  fr: words(
    'le la les et des est un une du que qui dans pour pas sur au avec ce il elle je nous mais sont était',
  ),
  es: words(
    'el la los las y de que en un una es por con para no se del al lo como más pero su fue está',
  ),
  it: words(
    'il lo la gli e di che in un una è per con non si del della al come più ma sono era nel',
  ),
  pt: words(
    'o a os as e de que em um uma é por com para não se do da ao como mais mas seu foi está',
  ),
  nl: words(
    'de het een en van is niet dat in op te zijn met voor er aan als maar bij ook naar was wij ik',
  ),
  sv: words('och att det som en på är av för med den till inte om ett jag men var har vi från'),
  pl: words('i w na nie z się że do jest to jak za od ale po przez co tak był czy'),
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '))
}

/**
 * @param text plain words, not HTML
 * @returns a BCP 47 tag, undefined when it is not clear
 */
export function languageOf(text: string): string | undefined {
  const sample = text.slice(0, SAMPLE_CHARS)
  const letters = sample.match(/\p{L}/gu)?.length ?? 0
  if (letters === 0) return undefined
  const byLetters = BY_LETTERS.find(
    ([, sign, script]) =>
      sign.test(sample) && (sample.match(script)?.length ?? 0) > letters * LETTERS_SHARE,
  )
  return byLetters?.[0] ?? languageByWords(sample)
}

function languageByWords(sample: string): string | undefined {
  const all = sample.toLowerCase().match(/\p{L}+/gu) ?? []
  const counts = Object.entries(FREQUENT_WORDS)
    .map(([language, small]) => ({ language, count: all.filter((word) => small.has(word)).length }))
    .toSorted((a, b) => b.count - a.count)
  const [first, second] = counts
  if (!first || first.count < WORDS_AT_LEAST || first.count < all.length * WORDS_SHARE)
    return undefined
  return first.count >= (second?.count ?? 0) * LEAD ? first.language : undefined
}
