// Markdown in the editor: pasted or typed, it becomes rich text, and undo restores it. Prose stays
// prose.
import { expect, test } from '#test/support/browser-blog.ts'
import { beginWith, currentHtml, openNewPost, undoAndRedo } from '#test/support/editor-ui.ts'
import { paste } from '#test/support/paste.ts'
import { makeNewcomer, signUp } from '#test/support/people.ts'
import { TYPING_CASES } from '#test/support/typing-cases.ts'

const MARKDOWN = `## Night trains

Some **bold**, *small* and \`code\` with a [link](https://example.org/a).

- one
  1. two
- [x] three

> said

\`\`\`js
const a = 1 < 2
\`\`\`

| a | b |
|---|---|
| 1 | 2 |

---

![A lamp](https://example.org/lamp.png)`

const RICH = `<h2>Night trains</h2>
<p>Some <strong>bold</strong>, <em>small</em> and <code>code</code> with a <a href="https://example.org/a">link</a>.</p>
<ul class="tasks">
<li>one
<ol>
<li>two</li>
</ol>
</li>
<li class="task done">three</li>
</ul>
<blockquote>
<p>said</p>
</blockquote>
<pre class="language-javascript"><code>const a = 1 &lt; 2</code></pre>
<table>
<thead>
<tr>
<th>a</th>
<th>b</th>
</tr>
</thead>
<tbody>
<tr>
<td>1</td>
<td>2</td>
</tr>
</tbody>
</table>
<hr>
<p><a href="https://example.org/lamp.png">A lamp</a></p>`

test('pasted Markdown becomes rich text, undo and "Keep as typed" restore it, and prose stays as it is', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Mara Mark'))
  await openNewPost(page)
  const notice = page.getByText('Markdown became formatted text.')
  const unconvertedHtml = '<p>see <strong>**no**</strong></p>'

  await paste(page, { text: MARKDOWN })
  await expect.poll(() => currentHtml(page)).toBe(RICH)
  await expect(notice).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(notice).toBeHidden()
  expect(await currentHtml(page)).toMatch(/^<p>## Night trains<\/p>\n<p>Some \*\*bold\*\*/)
  await page.keyboard.press('Control+z')
  expect(await currentHtml(page)).toBe('')

  // Pasted from a code editor, whose HTML only colours the text, into the middle of a line.
  await beginWith(page, '<p>Before after</p>', { word: ' after' })
  await page.keyboard.press('ArrowLeft')
  const html =
    '<meta charset="utf-8"><div style="white-space: pre; font-family: monospace"><div><span>the </span><b style="font-weight:normal"></b></div></div>'
  await paste(page, {
    text: ', **very** `late`,',
    html: html.replace('the ', ', **very** `late`,').replace(/<b .*<\/b>/, ''),
  })
  await expect
    .poll(() => currentHtml(page))
    .toBe('<p>Before, <strong>very</strong> <code>late</code>, after</p>')
  await page.getByRole('button', { name: 'Keep as typed' }).click()
  await expect(notice).toBeHidden()
  expect(await currentHtml(page)).toBe('<p>Before, **very** `late`, after</p>')

  for (const text of ['2 * 3 * 4 and a_b_c', '# is the number sign', 'We * are #1'] as const) {
    await beginWith(page, '<p><br></p>', { inside: 'p' })
    await paste(page, { text })
    await expect.poll(() => currentHtml(page), text).toBe(`<p>${text}</p>`)
  }
  // Text that a page has formatted is not read as Markdown.
  await beginWith(page, '<p><br></p>', { inside: 'p' })
  await paste(page, { text: 'see **no**', html: '<p>see <b>**no**</b></p>' })
  await expect.poll(() => currentHtml(page)).toBe(unconvertedHtml)
  await expect(notice).toBeHidden()
})

test('Markdown is formatted as it is typed, prose is not, and undo and redo cover every step', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Tess Typed'))
  await openNewPost(page)
  const compactHtml = async () => (await currentHtml(page)).replaceAll('\n<', '<')
  for (const [keys, html] of TYPING_CASES) {
    await beginWith(page, '', { inside: 'p' })
    await page.keyboard.type(keys)
    expect.soft(await compactHtml(), keys).toBe(html)
    expect.soft(await undoAndRedo(page), keys).toBe('')
  }
  await beginWith(page, '<p>one</p><ul><li>three</li></ul>', { inside: 'p' })
  await page.keyboard.press('End')
  await page.keyboard.type('\n* * *\ntwo')
  expect(await compactHtml()).toBe('<p>one</p><hr><p>two</p><ul><li>three</li></ul>')
  await beginWith(page, '', { inside: 'p' })
  await page.keyboard.type('`a` **b**')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('c')
  expect(await compactHtml()).toBe('<p><code>a</code> <strong>b</strong><br>c</p>')
  expect(await undoAndRedo(page)).toBe('')
  await beginWith(page, '', { inside: 'p' })
  await page.keyboard.type('*a* ')
  await page.keyboard.press('Control+z')
  expect(await currentHtml(page)).toBe('<p>*a*&nbsp;</p>')
  // Formatting that was undone is not applied again.
  await page.keyboard.type('and')
  expect(await currentHtml(page)).toBe('<p>*a* and</p>')
})

test('text pasted into an open code fence becomes its code, and the caret stays at its end', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Fay Fence'))
  await openNewPost(page)
  for (const pasted of [
    { html: '<p>alpha</p><p><b>beta</b></p>' },
    { html: '<p>alpha</p><p><b>beta</b></p>', text: 'alpha\r\nbeta' },
    { text: 'alpha\nbeta' },
  ]) {
    await beginWith(page, '', { inside: 'p' })
    await page.keyboard.type('```js\nlet a\n')
    await paste(page, pasted)
    await page.keyboard.type(' + c')
    const code = '<pre class="language-javascript"><code>let a\nalpha\nbeta + c</code></pre>'
    expect.soft(await currentHtml(page)).toBe(code)
    expect.soft(await undoAndRedo(page)).toBe('')
    await page.keyboard.type('\n```\nafter')
    expect.soft(await currentHtml(page)).toBe(`${code}\n<p>after</p>`)
  }
  // The empty last line that holds the caret is not part of the code, either while the block is
  // open or afterwards.
  await beginWith(page, '', { inside: 'p' })
  await page.keyboard.type('```js\nlet a\n')
  const open = '<pre class="language-javascript"><code>let a\n</code></pre>'
  expect.soft(await currentHtml(page)).toBe(open)
  await page.keyboard.press('ArrowDown')
  expect.soft(await currentHtml(page)).toBe(open)
})

test('typing or pasting replaces a selection that crosses the start of an open code fence', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Sela Select'))
  await openNewPost(page)
  for (const above of ['head one\n', ''])
    for (const keys of ['Shift+ArrowUp', 'Control+Shift+Home'])
      for (const input of ['typed words', 'pasted words']) {
        await beginWith(page, '', { inside: 'p' })
        await page.keyboard.type(`${above}\`\`\`js\ncode here`)
        for (const key of [keys, keys]) await page.keyboard.press(key)
        if (input.startsWith('typed')) await page.keyboard.type(input)
        else await paste(page, { html: `<p>${input}</p>` })
        const label = `${above}${keys}, ${input}`
        await expect.soft.poll(() => currentHtml(page), label).toContain(input)
        expect.soft(await currentHtml(page), label).not.toContain('code here')
        expect.soft(await undoAndRedo(page), label).toBe('')
      }
})

test('a link whose formatting was undone stays plain text at the end of its line', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Lena Link'))
  await openNewPost(page)
  await beginWith(page, '', { inside: 'p' })
  await page.keyboard.type('see [a](mailto:b@b.example)')
  expect(await currentHtml(page)).toBe('<p>see <a href="mailto:b@b.example">a</a></p>')
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Enter')
  await page.keyboard.type('next')
  expect(await currentHtml(page)).toBe('<p>see [a](mailto:b@b.example)</p>\n<p>next</p>')
})

test('typed fences, backticks and links are formatted, and undo restores the characters', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Tilda Typed'))
  await openNewPost(page)
  await page.keyboard.type('Run `npm i` and see [the page](https://example.org/a) now')
  await expect
    .poll(() => currentHtml(page))
    .toBe('<p>Run <code>npm i</code> and see <a href="https://example.org/a">the page</a> now</p>')
  await page.keyboard.press('Enter')
  await page.keyboard.type('A `b`')
  await page.keyboard.press('Control+z')
  await expect.poll(() => currentHtml(page)).toContain('<p>A `b`</p>')
  await page.keyboard.press('Enter')
  await page.keyboard.type('```js')
  await page.keyboard.press('Enter')
  await page.keyboard.type('if (a) {')
  await page.keyboard.press('Enter')
  await page.keyboard.type('  b()')
  await page.keyboard.press('Enter')
  await page.keyboard.type('```')
  await page.keyboard.press('Enter')
  await page.keyboard.type('After 5 * 3 and a `stray sign')
  await expect
    .poll(() => currentHtml(page))
    .toMatch(
      /<pre class="language-javascript"><code>if \(a\) \{\n {2}b\(\)<\/code><\/pre>\n<p>After 5 \* 3 and a `stray sign<\/p>$/,
    )
})
