// The code of a body is highlighted once, in a worker, within limits of time and size, and its text
// stays the same; on both databases.

import type { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { CODE_LANGUAGES, PLAIN_CODE } from '#contract/code-languages.ts'
import { threadCpuMs } from '#test/support/cpu-time.ts'
import { describeEachDatabase } from '#test/support/databases.ts'
import { addPeople, makeTestPosts, viewerOf } from '#test/support/posts.ts'
import type { Database } from '../database/schema.ts'
import { highlightCode, plainCode } from './highlight-code.ts'
import {
  CODE_SAMPLE_MAX_CHARS,
  findSamples,
  makePostTextsFrom,
  replaceSamplesBy,
} from './post-texts.ts'
import { storeDerivedTexts } from './post-texts-store.ts'
import {
  type CodeSample,
  type HighlightAnswer,
  makeTextWorkerPool,
  TEXTS_WAITING_MAX,
  TEXTS_WAITING_PER_AUTHOR_MAX,
  type TextWorkerPool,
} from './text-worker-pool.ts'

const alice = viewerOf('alice')
const patient = makeTextWorkerPool({ highlightMs: 60_000 })
const POST = { postId: 'a', authorId: 'alice' }
const BODY = '<p>Look</p><pre class="language-js"><code>let a = 1</code></pre><p>after</p>'
const HIGHLIGHTED =
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
  '$label of the code dialog is highlighted under each of its names',
  ({ id, aliases }) => {
    for (const name of [id, ...aliases]) {
      const highlighted = highlightCode('x = &quot;&lt;b&gt;&quot; // 1<br>#2 &amp; 3', name)
      if (id === PLAIN_CODE) expect(highlighted).toBeUndefined()
      else expect(textOf(highlighted ?? '')).toBe('x = "<b>" // 1\n#2 & 3')
    }
  },
)

test('only escaped text in a known language is highlighted', () => {
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
    expect(findSamples(html)).toEqual([])
    expect(replaceSamplesBy(html, ['x'])).toBe(html)
  }
  const both = '<pre><code class="language-css">a{}</code></pre><pre class="language-c">\nb</pre>'
  expect(findSamples(both)).toEqual([
    { language: 'css', code: 'a{}' },
    { language: 'c', code: 'b' },
  ])
  expect(replaceSamplesBy(both, [null, '<i>$&</i>'])).toBe(
    '<pre><code class="language-css">a{}</code></pre><pre class="language-c">\n<i>$&</i></pre>',
  )
})

test.each([
  ['white space', `<pre>${' '.repeat(400_000)}<b>x</b></pre>`],
  ['line ends before code', `<pre>${'\n'.repeat(400_000)}<code><b>x</b></code></pre>`],
  ['white space after code', `<pre><code>x</code>${' '.repeat(400_000)}<b>x</b></pre>`],
  ['line breaks', `<pre>${'<br> '.repeat(80_000)}<b>x</b></pre>`],
  ['samples in samples', '<pre> '.repeat(60_000)],
])('finding samples among many %s takes linear time', (_name, html) => {
  // Quadratic time would take minutes.
  expect(threadCpuMs(() => expect(findSamples(html)).toEqual([]))).toBeLessThan(1000)
})

test('code that takes too long is abandoned with its thread, and other code is still highlighted', async () => {
  const samples = [{ language: 'js', code: 'const a = foo(1)\n'.repeat(2900) }]
  const impatient = makeTextWorkerPool({ highlightMs: 1 }).highlight
  for (let time = 0; time < 2; time++) expect(await impatient(samples, 'a')).toBe('tooLong')
  const answers = await Promise.all(
    Array.from({ length: TEXTS_WAITING_MAX + 3 }, (_, at) =>
      patient.highlight([{ language: 'js', code: 'let a' }], `author ${at}`),
    ),
  )
  expect(answers.filter((answer) => answer === 'busy')).toHaveLength(2)
  expect(answers[0]).toEqual(['<span class="c-k">let</span> a'])
})

test('a thread that ended by itself is replaced at the next post', async () => {
  const threads: Worker[] = []
  const addThread = (thread: Worker) => threads.push(thread)
  process.on('worker', addThread)
  try {
    const highlight = makeTextWorkerPool({ highlightMs: 60_000 }).highlight
    const samples = [{ language: 'js', code: 'let a' }]
    const first = await highlight(samples, 'alice')
    await threads[0]?.terminate()
    expect(await highlight(samples, 'alice')).toEqual(first)
    // The thread ends while it highlights: the sample is not to blame.
    const answer = highlight(samples, 'alice')
    const termination = threads[1]?.terminate()
    expect(['busy', first]).toContainEqual(await answer)
    await termination
    expect(await highlight(samples, 'alice')).toEqual(first)
    expect(threads).toHaveLength(3)
  } finally {
    process.off('worker', addThread)
  }
})

test('the code of one author never fills the whole queue', async () => {
  const { highlight } = patient
  const samples = [{ language: 'js', code: 'let a' }]
  const mallory = Array.from({ length: TEXTS_WAITING_MAX }, () => highlight(samples, 'mallory'))
  const alice = await highlight(samples, 'alice')
  const accepted = (await Promise.all(mallory)).filter((answer) => answer !== 'busy')
  expect(accepted).toHaveLength(1 + TEXTS_WAITING_PER_AUTHOR_MAX)
  expect(alice).toEqual(['<span class="c-k">let</span> a'])
  expect(await highlight(samples, 'mallory')).toEqual(alice)
})

/** A process on this database; `highlightings` counts the calls of its highlighter. */
function startProcess(
  db: Database,
  {
    rulesVersion = 'first',
    answer,
    waitMs = 60_000,
    workers = patient,
  }: {
    rulesVersion?: string
    answer?: HighlightAnswer
    waitMs?: number
    workers?: TextWorkerPool
  } = {},
) {
  let highlightings = 0
  const highlight = async (samples: CodeSample[]) => {
    highlightings += 1
    return answer ?? (await workers.highlight(samples, 'alice'))
  }
  const postTexts = makePostTextsFrom({
    workers: { ...workers, highlight },
    rulesVersion,
    sanitise: (html) => html,
    waitMs,
  })
  return {
    highlightings: () => highlightings,
    highlight: (html: string) => postTexts.highlight(db, POST, html),
    async save(html: string) {
      const texts = await postTexts.derive(html, { authorId: 'alice', words: 0 })
      await storeDerivedTexts(db, { postId: POST.postId, ...texts })
      return texts.rules === rulesVersion
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

  test('code is highlighted once, at the save, for all processes; under newer rules, for each answer', async () => {
    await using blog = await start()
    const first = startProcess(blog.db)
    expect(await first.save(BODY)).toBe(true)
    const second = startProcess(blog.db)
    for (const { highlight } of [first, second, second])
      expect(await highlight(BODY)).toBe(HIGHLIGHTED)
    expect([first.highlightings(), second.highlightings()]).toEqual([1, 0])
    const other = BODY.replace('1', '2')
    expect(await second.highlight(other)).toBe(HIGHLIGHTED.replace('1', '2'))
    expect(second.highlightings()).toBe(1)
    const newer = startProcess(blog.db, { rulesVersion: 'second' })
    expect(await newer.highlight(BODY)).toBe(HIGHLIGHTED)
    expect(newer.highlightings()).toBe(1)
  })

  test('code that takes too long stays plain and is not tried again; after a full queue it is', async () => {
    await using blog = await start()
    const slow = startProcess(blog.db, { answer: 'tooLong' })
    expect(await slow.save(BODY)).toBe(true)
    for (let time = 0; time < 2; time++) expect(await slow.highlight(BODY)).toBe(BODY)
    expect(slow.highlightings()).toBe(1)
    const busy = startProcess(blog.db, { answer: 'busy' })
    expect(await busy.save(BODY)).toBe(false)
    for (let time = 0; time < 2; time++) expect(await busy.highlight(BODY)).toBe(BODY)
    expect(busy.highlightings()).toBe(3)
    const hurried = startProcess(blog.db, {
      // The thread has yet to start.
      workers: makeTextWorkerPool({ highlightMs: 60_000 }),
      waitMs: 0,
    })
    expect(await hurried.save(BODY)).toBe(false)
    expect(await startProcess(blog.db).highlight(BODY)).toBe(HIGHLIGHTED)
  })
})
