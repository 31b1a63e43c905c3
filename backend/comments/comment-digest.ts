// Digests of comments, to find duplicates: texts that look the same have the same digest. Invisible
// characters are ignored, and letters that look alike count as one letter.
import { hash } from 'node:crypto'
import { normaliseUnicode } from '#contract/plain-text.ts'
import { foldWords } from '../search/fold-words.ts'

const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/gu

/** Letters of other scripts, and the Latin ones that they look like. @source Unicode TS 39 */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: 'ᴀаαɑ',
  b: 'ʙьƅ',
  c: 'ᴄсϲⅽ',
  d: 'ᴅԁժ',
  e: 'ᴇеҽєε',
  f: 'ꜰғք',
  g: 'ɢɡցԍ',
  h: 'ʜһհ',
  i: 'ɪіιɩӏ',
  j: 'ᴊјϳյ',
  k: 'ᴋкκ',
  l: 'ʟ',
  m: 'ᴍм',
  n: 'ɴпηոռ',
  o: 'ᴏоοσօ',
  p: 'ᴘрρ',
  q: 'ԛգզ',
  r: 'ʀгɾᴦ',
  s: 'ѕꜱ',
  t: 'ᴛтτ',
  u: 'ᴜυսцʋ',
  v: 'ᴠνѵ',
  w: 'ᴡԝωѡա',
  x: 'хχ',
  y: 'ʏуγүყ',
  z: 'ᴢ',
  A: 'ꓮАΑᎪ',
  B: 'ꓐВΒᏴ',
  C: 'ꓚСϹᏟ',
  D: 'ꓓᎠ',
  E: 'ꓰЕΕᎬ',
  F: 'ꓝϜ',
  G: 'ꓖԌᏀ',
  H: 'ꓧНΗᎻ',
  I: 'ꓲІΙӀ|',
  J: 'ꓙЈᎫ',
  K: 'ꓗКΚᏦ',
  L: 'ꓡᏞԼ',
  M: 'ꓟМΜᎷ',
  N: 'ꓠΝ',
  O: 'ꓳОΟՕ',
  P: 'ꓑРΡᏢ',
  Q: 'Ԛ',
  R: 'ꓣᎡ',
  S: 'ꓢЅՏᏚ',
  T: 'ꓔТΤᎢ',
  U: 'ꓴՍ',
  V: 'ꓦѴᏙ',
  W: 'ꓪԜᎳ',
  X: 'ꓫХΧ',
  Y: 'ꓬУΥҮ',
  Z: 'ꓜΖᏃ',
}
const LATIN = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([latin, others]) =>
    [...others].map((other) => [other, latin] as const),
  ),
)
const OTHERS = new RegExp(`[${[...LATIN.keys()].join('')}]`, 'gu')
/** Digits and letters that look alike in upper or lower case. */
const ONE = /[il1]/g
const ZERO = /0/g

/** Every dash and every quotation mark has several forms. */
const DASHES = /\p{Pd}/gu
const QUOTES = /[\p{Pi}\p{Pf}\u201a\u201e'"]/gu

/** Texts that a reader cannot tell apart have the same digest. */
export function digestOf(content: string): string {
  const visible = normaliseUnicode(content, 'NFKC')
    .replace(UNSEEN, '')
    .replace(OTHERS, (letter) => LATIN.get(letter) ?? letter)
  const words = foldWords(visible).replaceAll(' ', '').replace(ONE, 'l').replace(ZERO, 'o')
  // Punctuation matters, too: "C#" is not "C++", and a question is not its answer.
  const punctuation = visible
    .replace(/[\p{L}\p{M}\p{N}\s]/gu, '')
    .replace(DASHES, '-')
    .replace(QUOTES, "'")
  return hash('sha256', `${words}\n${punctuation}`, 'base64url').slice(0, 22)
}
