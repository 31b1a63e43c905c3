// Code of a body is highlighted once, off the thread that answers, within limits of time and size,
// and the text stays what it was; on both databases.

import type { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { CODE_LANGUAGES, PLAIN_CODE } from '#contract/code-languages.ts'
import { threadMs } from '#test/support/cpu-time.ts'
import { describeEachDatabase } from '#test/support/databases.ts'
import { addPeople, makeTestPosts, viewerOf } from '#test/support/posts.ts'
import type { Database } from '../database/schema.ts'
import { highlightCode, plainCode } from './highlight-code.ts'
import { CODE_SAMPLE_MAX_CHARS, makeTexts, putSamples, readSamples } from './post-texts.ts'
import { storeTexts } from './post-texts-store.ts'
import {
  type CodeSample,
  type HighlightAnswer,
  makeTextWork,
  TEXTS_WAITING_MAX,
  TEXTS_WAITING_PER_AUTHOR_MAX,
  type TextWork,
} from './text-work.ts'

const alice = viewerOf('alice')
const patient = makeTextWork({ highlightMs: 60_000 })
const POST = { postId: 'a', authorId: 'alice' }
const BODY = '<p>Look</p><pre class="language-js"><code>let a = 1</code></pre><p>after</p>'
const SHOWN =
  '<p>Look</p><pre class="language-js"><code><span class="c-k">let</span> a = <span class="c-n">1</span></code></pre><p>after</p>'

function textOf(html: string): string {
  return plainCode(html.replace(/<span class="c-[ksnftac]">|<\/span>/g, '')) ?? ''
}

test('keywords, strings, numbers, functions, types, attributes and comments have classes', () => {
  expect(
    highlightCode(
      "export class Trip {\n  fare(berths = 1) {\n    return legs.sum('€') // dear\n  }\n}",
      'javascript',
    ),
  ).toBe(
    [
      '<span class="c-k">export</span> <span class="c-k">class</span> <span class="c-t">Trip</span> {',
      '  <span class="c-f">fare</span>(<span class="c-a">berths</span> = <span class="c-n">1</span>) {',
      '    <span class="c-k">return</span> legs.<span class="c-f">sum</span>(<span class="c-s">&#x27;€&#x27;</span>) <span class="c-c">// dear</span>',
      '  }',
      '}',
    ].join('\n'),
  )
  expect(highlightCode('puts &quot;a #{b}&quot;', 'rb')).toBe(
    'puts <span class="c-s">&quot;a </span>#{b}<span class="c-s">&quot;</span>',
  )
  expect(highlightCode('&lt;a href=&quot;/&quot;&gt;A &amp;amp; B&lt;/a&gt;', 'html')).toBe(
    '&lt;<span class="c-k">a</span> <span class="c-a">href</span>=<span class="c-s">&quot;/&quot;</span>&gt;A <span class="c-n">&amp;amp;</span> B&lt;/<span class="c-k">a</span>&gt;',
  )
})

test.each(CODE_LANGUAGES)(
  '$label of the code dialog is known, by all its names',
  ({ id, aliases }) => {
    for (const name of [id, ...aliases]) {
      const shown = highlightCode('x = &quot;&lt;b&gt;&quot; // 1<br>#2 &amp; 3', name)
      if (id === PLAIN_CODE) expect(shown).toBeUndefined()
      else expect(textOf(shown ?? '')).toBe('x = "<b>" // 1\n#2 & 3')
    }
  },
)

test('only escaped text of a known language is touched', () => {
  for (const [code, language] of [
    ['let <b>a</b>', 'js'],
    ['let a', 'klingon'],
    ['let a &euro;', 'js'],
    ['let a &#x110000;', 'js'],
  ])
    expect(highlightCode(code ?? '', language ?? '')).toBeUndefined()
  for (const html of [
    '<pre>let a</pre>',
    '<p class="language-js">let a</p>',
    '<pre class="language-js"><code>let <em>a</em></code></pre>',
    `<pre class="language-js"><code>${'a'.repeat(CODE_SAMPLE_MAX_CHARS + 1)}</code></pre>`,
  ]) {
    expect(readSamples(html)).toEqual([])
    expect(putSamples(html, ['x'])).toBe(html)
  }
  const both = '<pre><code class="language-css">a{}</code></pre><pre class="language-c">\nb</pre>'
  expect(readSamples(both)).toEqual([
    { language: 'css', code: 'a{}' },
    { language: 'c', code: 'b' },
  ])
  expect(putSamples(both, [null, '<i>$&</i>'])).toBe(
    '<pre><code class="language-css">a{}</code></pre><pre class="language-c">\n<i>$&</i></pre>',
  )
})

test.each([
  ['white space', `<pre>${' '.repeat(400_000)}<b>x</b></pre>`],
  ['line ends before code', `<pre>${'\n'.repeat(400_000)}<code><b>x</b></code></pre>`],
  ['white space after code', `<pre><code>x</code>${' '.repeat(400_000)}<b>x</b></pre>`],
  ['line breaks', `<pre>${'<br> '.repeat(80_000)}<b>x</b></pre>`],
  ['samples in samples', '<pre> '.repeat(60_000)],
])('looking for samples in much of %s takes a moment', (_name, html) => {
  // Twice as much takes twice as long, not four times: that would be minutes.
  expect(threadMs(() => expect(readSamples(html)).toEqual([]))).toBeLessThan(1000)
})

test('code that takes too long is given up with its thread, and others go on', async () => {
  const samples = [{ language: 'js', code: 'const a = foo(1)\n'.repeat(2900) }]
  const hasty = makeTextWork({ highlightMs: 1 }).highlight
  for (let time = 0; time < 2; time++) expect(await hasty(samples, 'a')).toBe('tooLong')
  const answers = await Promise.all(
    Array.from({ length: TEXTS_WAITING_MAX + 3 }, (_one, at) =>
      patient.highlight([{ language: 'js', code: 'let a' }], `author ${at}`),
    ),
  )
  expect(answers.filter((answer) => answer === 'busy')).toHaveLength(2)
  expect(answers[0]).toEqual(['<span class="c-k">let</span> a'])
})

test('a thread that ended by itself is replaced at the next post', async () => {
  const threads: Worker[] = []
  const note = (thread: Worker) => threads.push(thread)
  process.on('worker', note)
  try {
    const highlight = makeTextWork({ highlightMs: 60_000 }).highlight
    const samples = [{ language: 'js', code: 'let a' }]
    const first = await highlight(samples, 'alice')
    await threads[0]?.terminate()
    expect(await highlight(samples, 'alice')).toEqual(first)
    // It ends while it is asked: that is not the sample's fault.
    const asked = highlight(samples, 'alice')
    const ended = threads[1]?.terminate()
    expect(['busy', first]).toContainEqual(await asked)
    await ended
    expect(await highlight(samples, 'alice')).toEqual(first)
    expect(threads).toHaveLength(3)
  } finally {
    process.off('worker', note)
  }
})

test('one author’s code never takes all the places in which code waits', async () => {
  const { highlight } = patient
  const samples = [{ language: 'js', code: 'let a' }]
  const mallory = Array.from({ length: TEXTS_WAITING_MAX }, () => highlight(samples, 'mallory'))
  const alice = await highlight(samples, 'alice')
  const waited = (await Promise.all(mallory)).filter((answer) => answer !== 'busy')
  expect(waited).toHaveLength(1 + TEXTS_WAITING_PER_AUTHOR_MAX)
  expect(alice).toEqual(['<span class="c-k">let</span> a'])
  expect(await highlight(samples, 'mallory')).toEqual(alice)
})

/** A process on this database, with the thread of most; `asked` counts calls of its highlighter. */
function startProcess(
  db: Database,
  {
    rules = 'first',
    answer,
    waitMs = 60_000,
    texts = patient,
  }: { rules?: string; answer?: HighlightAnswer; waitMs?: number; texts?: TextWork } = {},
) {
  let asked = 0
  const highlight = async (samples: CodeSample[]) => {
    asked += 1
    return answer ?? (await texts.highlight(samples, 'alice'))
  }
  const work = { ...texts, highlight }
  const bodies = makeTexts({ work, rules, sanitise: (html) => html, waitMs })
  return {
    asked: () => asked,
    show: (html: string) => bodies.highlight(db, POST, html),
    async save(html: string) {
      const made = await bodies.make(html, { authorId: 'alice', words: 0 })
      await storeTexts(db, { postId: POST.postId, ...made })
      return made.rules === rules
    },
  }
}

describeEachDatabase('highlighted bodies', (open) => {
  async function start() {
    const opened = await open()
    await addPeople(opened.db, ['alice'])
    await makeTestPosts(opened.db).write(alice, 'a')
    return opened
  }

  test('code is highlighted once at the save, for all processes, and for other rules at each answer', async () => {
    await using blog = await start()
    const first = startProcess(blog.db)
    expect(await first.save(BODY)).toBe(true)
    const second = startProcess(blog.db)
    for (const { show } of [first, second, second]) expect(await show(BODY)).toBe(SHOWN)
    expect([first.asked(), second.asked()]).toEqual([1, 0])
    const other = BODY.replace('1', '2')
    expect(await second.show(other)).toBe(SHOWN.replace('1', '2'))
    expect(second.asked()).toBe(1)
    const newer = startProcess(blog.db, { rules: 'second' })
    expect(await newer.show(BODY)).toBe(SHOWN)
    expect(newer.asked()).toBe(1)
  })

  test('what takes too long stays plain and is not tried again; what had no turn is', async () => {
    await using blog = await start()
    const slow = startProcess(blog.db, { answer: 'tooLong' })
    expect(await slow.save(BODY)).toBe(true)
    for (let time = 0; time < 2; time++) expect(await slow.show(BODY)).toBe(BODY)
    expect(slow.asked()).toBe(1)
    const busy = startProcess(blog.db, { answer: 'busy' })
    expect(await busy.save(BODY)).toBe(false)
    for (let time = 0; time < 2; time++) expect(await busy.show(BODY)).toBe(BODY)
    expect(busy.asked()).toBe(3)
    const hurried = startProcess(blog.db, {
      // Its thread has yet to start.
      texts: makeTextWork({ highlightMs: 60_000 }),
      waitMs: 0,
    })
    expect(await hurried.save(BODY)).toBe(false)
    expect(await startProcess(blog.db).show(BODY)).toBe(SHOWN)
  })
})
