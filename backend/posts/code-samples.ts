// The code samples in a body that follows the rules of sanitise.ts: where they are, in which
// language, and what is written there.

/** Of one sample, and of all samples of a post together: those behind it stay plain. */
export const CODE_SAMPLE_MAX_CHARS = 50_000
const CODE_SAMPLES_MAX_CHARS = 150_000

/** `code` is HTML: escaped text and line breaks. */
export type CodeSample = { language: string; code: string }

/** No two parts next to each other take the same signs: the cost grows with the text alone. */
const SAMPLE =
  /(<pre(?:\s[^<>]*)?>\n?)(\s*<code(?:\s[^<>]*)?>)?([^<]*(?:<br[^<>]*>[^<]*)*)((?:<\/code>\s*)?<\/pre>)/g
const LANGUAGE = /\sclass="(?:[^"]*\s)?language-([^\s"]+)/
const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  amp: '&',
}

/** Those that name a language, in their order; what is beyond the limits is left out. */
export function readSamples(html: string): CodeSample[] {
  const samples: CodeSample[] = []
  replaceSamples(html, (sample) => {
    samples.push(sample)
    return undefined
  })
  return samples
}

/** The body with these in place of its samples, in the order of {@link readSamples}. */
export function putSamples(html: string, highlighted: readonly (string | null)[]): string {
  let at = 0
  return replaceSamples(html, () => highlighted[at++] ?? undefined)
}

function replaceSamples(html: string, replace: (sample: CodeSample) => string | undefined): string {
  if (!html.includes('<pre')) return html
  let left = CODE_SAMPLES_MAX_CHARS
  return html.replace(
    SAMPLE,
    (all: string, pre: string, code: string | undefined, inside: string, end: string) => {
      const language = (LANGUAGE.exec(code ?? '') ?? LANGUAGE.exec(pre))?.[1]
      if (!language || inside.length > Math.min(left, CODE_SAMPLE_MAX_CHARS)) return all
      left -= inside.length
      const shown = replace({ language, code: inside })
      return shown === undefined ? all : `${pre}${code ?? ''}${shown}${end}`
    },
  )
}

/** The code as it was written; undefined for what is no plain text. */
export function plainCode(html: string): string | undefined {
  const text = html.replace(/<br[^<>]*>/g, '\n')
  if (text.includes('<')) return undefined
  let isKnown = true
  const code = text.replace(/&(#x[\da-f]{1,6}|#\d{1,7}|[a-z]+);/gi, (_all, name: string) => {
    const character = characterOf(name)
    if (character === undefined) isKnown = false
    return character ?? ''
  })
  return isKnown ? code : undefined
}

function characterOf(name: string): string | undefined {
  if (!name.startsWith('#')) return ENTITIES[name]
  const isHex = name[1] === 'x' || name[1] === 'X'
  const point = isHex ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : undefined
}
