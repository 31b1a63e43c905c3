import { Marked } from 'marked'
import { expect, test } from 'vitest'
import {
  findCompletedSpan,
  findSpans,
  isThematicBreak,
  readFence,
  readFencedCode,
  type Span,
} from './typed-markdown.ts'

const marked = new Marked({ gfm: true })

/** The text as HTML, as if all its markers had been typed. */
function toHtml(text: string): string {
  const changes = findSpans(text, { isDone: true }).flatMap(({ format, open, close }: Span) => {
    const tag = format === 's' ? 'del' : format
    return [
      { from: open[0], to: open[1], html: `<${tag}>` },
      { from: close[0], to: close[1], html: `</${tag}>` },
    ]
  })
  let html = text
  for (const { from, to, html: tag } of changes.sort((first, second) => second.from - first.from))
    html = html.slice(0, from) + tag + html.slice(to)
  return html
}

test.each([
  '5 * 3 * 2',
  'a * b and c * d',
  'SELECT * FROM t WHERE a * b',
  'snake_case_name and __dunder_name',
  'a `b and c',
  '~5 to ~10 and a ~~ b ~~ c',
  'f(*args, **kwargs)',
  'footnote* and other*',
  '`` not closed`',
  '*open and **never closed',
])('%j stays as it was typed', (text) => {
  expect(toHtml(text)).toBe(text)
})

// Of the examples of CommonMark 0.31 for emphasis.
test.each([
  '*foo bar*',
  'a * foo bar*',
  'foo*bar*',
  '5*6*78',
  '_foo bar_',
  '_ foo bar_',
  'foo_bar_',
  '5_6_78',
  'aa_bb_cc',
  'foo-_(bar)_',
  '_foo*',
  '*foo bar *',
  '*(*foo)',
  '*(*foo*)*',
  '*foo*bar',
  '_foo bar _',
  '_(_foo)',
  '_(_foo_)_',
  '_foo_bar',
  '_foo_bar_baz_',
  '_(bar)_.',
  '**foo bar**',
  '** foo bar**',
  'foo**bar**',
  '__foo bar__',
  '__ foo bar__',
  'foo__bar__',
  'foo-__(bar)__',
  '**foo bar **',
  '**(**foo)',
  '*(**foo**)*',
  '**foo**bar',
  '__(bar)__.',
  '_foo __bar__ baz_',
  '_foo _bar_ baz_',
  '*foo *bar**',
  '*foo **bar** baz*',
  '***foo** bar*',
  '*foo**bar**baz*',
  '*foo**bar*',
  '*foo **bar***',
  'foo***bar***baz',
  '** is not empty',
  'foo******bar*********baz',
  '**foo *bar* baz**',
  '***foo* bar**',
  '**foo *bar***',
  '2*3*4',
  'foo *_*',
  'foo **_**',
  '**foo*',
  '*foo**',
  '***foo**',
  '****foo*',
  '**foo***',
  '*foo****',
  '**foo**',
  '****foo****',
  '******foo******',
  '***foo***',
  '_____foo_____',
  '*foo _bar* baz_',
  '*foo __bar *baz bim__ bam*',
  '**foo **bar baz**',
  '*foo *bar baz*',
  'a ~~b~~ *~~c~~*',
  '`a *b` c*',
  '*a `b* c`',
  '*x*y*z*',
  'see *foo*, **bar**; (*baz*)',
])('%j is parsed as in pasted Markdown', (text) => {
  expect(toHtml(text)).toBe(marked.parseInline(text, { async: false }))
})

test('markers take effect at the next character, but not in an address or after a backslash', () => {
  const format = (text: string) => findCompletedSpan(text, { typed: 1 })?.format
  expect(['**a*', '**a**', '**a** ', '*a*', '*a*,'].map(format)).toEqual([
    undefined,
    undefined,
    'strong',
    undefined,
    'em',
  ])
  expect(findCompletedSpan('**a**', { typed: 0, isLineDone: true })?.format).toBe('strong')
  const link = 'see [a](https://b.example)'
  expect(findCompletedSpan(link, { typed: 1 })?.format).toBe('a')
  expect(findCompletedSpan(link, { typed: 0, isLineDone: true })).toBe(undefined)
  // Earlier text is not formatted again.
  expect(format('*a* b')).toBe(undefined)
  expect(['`a`', 'don`t and can`t', '`a *b* '].map(format)).toEqual(['code', undefined, undefined])
  expect(['C:\\*.txt and *.md ', 'https://a.example/_b_/*c* ', '¯\\_(ツ)_/¯ '].map(format)).toEqual(
    [undefined, undefined, undefined],
  )
  expect(findCompletedSpan('[a](https://b.example/c_d_e)', { typed: 1 })).toMatchObject({
    format: 'a',
    address: 'https://b.example/c_d_e',
  })
})

test('a line of three or more equal markers is a thematic break; the code of a closed fence may contain other fences', () => {
  for (const line of [
    '***',
    '---',
    '___',
    '* * *',
    '- - -',
    '_ _ _',
    ' **  * ** * ** * **',
    '-----',
  ])
    expect(isThematicBreak(line), line).toBe(true)
  for (const line of ['**', '+++', '* * a', '--x--', '*-*', '    ***'])
    expect(isThematicBreak(line), line).toBe(false)
  expect(readFence('````md')).toEqual({ fence: '````', name: 'md' })
  expect(readFence('``')).toBe(undefined)
  expect(readFencedCode('a\n```', '```')).toBe('a')
  expect(readFencedCode('a\n`````', '```')).toBe('a')
  expect(readFencedCode('~~~', '~~~')).toBe('')
  for (const [text, fence] of [
    ['a```', '```'],
    ['a\n```', '````'],
    ['a\n```', '~~~'],
  ] as const)
    expect(readFencedCode(text, fence), text).toBe(undefined)
})
