import { expect, test } from 'vitest'
import { leastCpuMs } from '#test/support/cpu-time.ts'
import { SLOW_HTML, SLOW_MARKDOWN } from '#test/support/hostile-texts.ts'
import { sampled } from '#test/support/sampled.ts'
import { looksLikeMarkdown } from './detect-markdown.ts'
import { withoutActiveContent } from './paste-cleaning.ts'
import { parseSheet } from './paste-styles.ts'
import { findSpans } from './typed-markdown.ts'

/** Ten times the slowest case; without a bound it took half a minute. */
const WORK_MAX_MS = 400
const labelled = (text: string) => [`${text.slice(0, 30)}…`, text] as const

test.each([
  ...SLOW_HTML.map(labelled),
  labelled(`<p ${'a="b" '.repeat(20_000)}>x</p>`),
  labelled(`<style>${'.a{b:c}'.repeat(20_000)}</style>`),
])('malicious HTML takes bounded time before it is parsed: %s', async (_label, html) => {
  const work = async () => [withoutActiveContent(html), parseSheet(html)]
  expect(await leastCpuMs(3, work)).toBeLessThan(WORK_MAX_MS)
})

test.each(SLOW_MARKDOWN.map(labelled))(
  'detecting Markdown takes bounded time: %s',
  async (_label, text) => {
    expect(await leastCpuMs(3, async () => looksLikeMarkdown(text))).toBeLessThan(WORK_MAX_MS)
  },
)

for (const [tags, markers] of sampled(['*a', '_a*', '[', '`a', '``` `', '~~a', 'http://'], 3))
  test(`a line of ${markers} takes bounded time at each key`, { tags }, async () => {
    // As many characters as the editor reads at each key (markdown-shortcuts.ts).
    const line = markers.repeat(2000 / markers.length)
    expect(await leastCpuMs(3, async () => findSpans(line, { isDone: true }))).toBeLessThan(
      WORK_MAX_MS,
    )
  })
