// The server keeps a paste as the editor has cleaned it, although the two share no code.
import { expect, test } from 'vitest'
import { makeSanitise } from '#backend/post-texts/sanitise.ts'
import { HOSTILE_HTML } from '#test/support/hostile-texts.ts'
import { PASTE_CASES } from '#test/support/paste-cases.ts'
import { SITE, withWindow } from '#test/support/window.ts'
import { cleanPasteWithObjects } from '#web/editor/paste-with-objects.ts'

withWindow()

const sanitise = makeSanitise({
  publicUrl: SITE,
  allowedOrigins: [SITE],
  contentBucketId: 'content',
})

test.each([
  ...PASTE_CASES.map(([from, html]) => [from, html] as const),
  ...HOSTILE_HTML.map((html) => [html, html] as const),
])('saving changes nothing of a cleaned paste: %s', async (_from, html) => {
  const clean = await cleanPasteWithObjects(html)
  expect(written(sanitise(clean))).toBe(written(clean))
})

/**
 * The same text as browsers write it, its attributes in one order, without what the server adds to
 * links.
 */
function written(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const link of body.querySelectorAll('.footnote-back')) link.remove()
  for (const element of body.querySelectorAll('*')) {
    const attributes = [...element.attributes]
      .filter(({ name, value }) => name !== 'rel' && !value.startsWith('fnref-'))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    for (const { name } of [...element.attributes]) element.removeAttribute(name)
    for (const { name, value } of attributes) element.setAttribute(name, value)
  }
  return body.innerHTML.replace(/\s+(?=<|$)/g, '')
}
