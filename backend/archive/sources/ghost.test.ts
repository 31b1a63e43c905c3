// Ghost exports of all versions.
import { expect, test } from 'vitest'
import { readExport } from '#test/support/read-export.ts'
import { lexicalToHtml, mobiledocToHtml } from './ghost-cards.ts'

const POST = {
  id: 'p1',
  title: 'Lamps < ships',
  slug: 'lamps',
  html: '<p>Text <a href="__GHOST_URL__/other/">o</a></p>',
  status: 'published',
  visibility: 'public',
  type: 'post',
  published_at: '2020-01-02T03:04:05.000Z',
  created_at: '2020-01-01 00:00:00',
  feature_image: '__GHOST_URL__/content/images/a.png',
  custom_excerpt: 'Short',
}
const DATA = {
  posts: [
    POST,
    { ...POST, id: 'p2', type: 'page', slug: 'about', status: 'draft' },
    { ...POST, id: 'p3', page: 1, visibility: 'paid' },
  ],
  users: [
    { id: 'u1', name: 'Ann', email: 'ann@old.example' },
    { id: 'u2', name: 'Bob', email: 'bob@old.example' },
  ],
  tags: [
    { id: 't1', name: 'Sea' },
    { id: 't2', name: '#internal' },
    { id: 't3', name: 'Oil' },
  ],
  posts_tags: [
    { id: 'a', post_id: 'p1', tag_id: 't1', sort_order: 10 },
    { id: 'b', post_id: 'p1', tag_id: 't2', sort_order: 1 },
    { id: 'c', post_id: 'p1', tag_id: 't3', sort_order: 2 },
  ],
  posts_authors: [
    { id: 'd', post_id: 'p1', author_id: 'u2', sort_order: 0 },
    { id: 'e', post_id: 'p1', author_id: 'u1', sort_order: 1 },
  ],
  posts_meta: [{ id: 'm', post_id: 'p1', feature_image_alt: 'A lamp', meta_title: 'M "}]{' }],
  settings: [{ key: 'title', value: 'Old blog' }],
  members: [{ id: 'x' }, { id: 'y' }],
}

test.each([
  ['db', { db: [{ meta: { exported_on: 1, version: '5.8.0' }, data: DATA }] }],
  ['data', { meta: { exported_on: 1, version: '5.8.0' }, data: DATA }],
])('an export with the root "%s" is read', async (_name, root) => {
  const found = await readExport({ 'x.json': JSON.stringify(root) }, 'https://old.example')
  expect(found.kind).toBe('ghost')
  expect(found.site).toMatchObject({ program: 'Ghost 5.8.0', name: 'Old blog' })
  expect(found.people).toEqual([
    { key: 'u1', name: 'Ann', email: 'ann@old.example' },
    { key: 'u2', name: 'Bob', email: 'bob@old.example' },
  ])
  expect(found.posts.map(({ kind, status }) => [kind, status])).toEqual([
    ['post', 'published'],
    ['page', 'draft'],
    ['page', 'private'],
  ])
  expect(found.posts[0]).toMatchObject({
    title: 'Lamps < ships',
    html: '<p>Text <a href="https://old.example/other/">o</a></p>',
    publishedAt: '2020-01-02T03:04:05.000Z',
    createdAt: '2020-01-01T00:00:00.000Z',
    authors: ['u2', 'u1'],
    tags: ['Oil', 'Sea'],
    excerpt: 'Short',
    cover: { url: 'https://old.example/content/images/a.png', alt: 'A lamp', caption: '' },
    url: 'https://old.example/lamps/',
    addresses: ['/lamps/'],
    metaTitle: 'M "}]{',
  })
  expect(found.issues).toEqual([
    { what: 'person', name: 'members', reason: 'unsupported', post: '', detail: '2' },
  ])
})

test.each([
  ['{"db":[{"meta":{"exported_on":1},"data":{"posts":[{"id":"1"', 'it ends in the middle'],
  ['{"data":{"posts":[{id:1}]}}', 'it is no JSON'],
  [`{"data":{"posts":[${'['.repeat(1000)}`, 'is nested too deeply'],
])('%s… is a clear error', async (text, message) => {
  await expect(readExport({ 'x.json': text })).rejects.toThrow(message)
})

const CARDS: [string, Record<string, unknown>, string][] = [
  ['markdown', { markdown: '*a*' }, '<p><em>a</em></p>\n'],
  ['html', { html: '<b>x</b>' }, '<b>x</b>'],
  [
    'image',
    { src: '/a.png', alt: 'A', caption: '<i>c</i>', cardWidth: 'wide' },
    '<figure class="kg-card kg-width-wide"><img src="/a.png" alt="A"><figcaption><i>c</i></figcaption></figure>',
  ],
  [
    'gallery',
    { images: [{ src: '/a.png' }, { src: '/b.png', alt: 'B' }] },
    '<figure class="kg-gallery-card"><img src="/a.png" alt=""><img src="/b.png" alt="B"></figure>',
  ],
  [
    'embed',
    { url: 'https://vimeo.com/1' },
    '<p><iframe src="https://player.vimeo.com/video/1" width="560" height="314" allowfullscreen="allowfullscreen"></iframe></p>',
  ],
  [
    'code',
    { code: 'a < b', language: 'js' },
    '<pre class="language-javascript"><code>a &lt; b</code></pre>',
  ],
  [
    'bookmark',
    { url: 'https://x.example/', metadata: { title: 'T', description: 'D' } },
    '<p><a href="https://x.example/">T</a><br />D</p>',
  ],
  [
    'callout',
    { calloutEmoji: '!', calloutText: 'Mind' },
    '<div class="kg-callout-card"><div>! Mind</div></div>',
  ],
  [
    'toggle',
    { heading: 'H', content: '<p>c</p>' },
    '<details><summary>H</summary><p>c</p></details>',
  ],
  [
    'header',
    { header: 'H', subheader: 'S', buttonUrl: '/x', buttonText: 'Go' },
    '<h2>H</h2><div>S</div><p><a href="/x">Go</a></p>',
  ],
  ['video', { src: '/a.mp4', caption: 'V' }, '<p><video src="/a.mp4"></video></p><p>V</p>'],
  ['hr', {}, '<hr>'],
]
test.each(CARDS)('the card %s is text', (name, payload, html) => {
  const mobiledoc = {
    version: '0.3.1',
    atoms: [],
    markups: [],
    cards: [[name, payload]],
    sections: [[10, 0]],
  }
  expect(mobiledocToHtml(JSON.stringify(mobiledoc), () => {})).toBe(html)
  const lexical = { root: { children: [{ type: name, ...payload }] } }
  expect(lexicalToHtml(JSON.stringify(lexical), () => {})).toBe(html)
})

test('the text of mobiledoc keeps its marks, lists and lines', () => {
  const mobiledoc = {
    atoms: [['soft-return', '', {}]],
    markups: [['strong'], ['a', ['href', 'https://x.example/']]],
    cards: [],
    sections: [
      [1, 'h2', [[0, [], 0, 'A < b']]],
      [
        1,
        'p',
        [
          [0, [0, 1], 1, 'bold'],
          [0, [], 1, ' and'],
          [1, [], 0, 0],
          [0, [], 0, 'end'],
        ],
      ],
      [3, 'ul', [[[0, [], 0, 'item']]]],
      [2, '/a.png'],
    ],
  }
  expect(mobiledocToHtml(JSON.stringify(mobiledoc), () => {})).toBe(
    '<h2>A &lt; b</h2><p><strong><a href="https://x.example/">bold</a> and</strong><br>end</p><ul><li>item</li></ul><p><img src="/a.png"></p>',
  )
})

test('the text of lexical keeps its formats; unknown cards are reported', () => {
  const names: string[] = []
  const text = (value: string, format = 0) => ({ type: 'extended-text', text: value, format })
  const children = [
    {
      type: 'paragraph',
      children: [
        text('a', 3),
        { type: 'linebreak' },
        { type: 'link', url: '/x', children: [text('l')] },
      ],
    },
    {
      type: 'list',
      listType: 'number',
      start: 3,
      children: [{ type: 'listitem', children: [text('i')] }],
    },
    { type: 'signup' },
  ]
  expect(lexicalToHtml(JSON.stringify({ root: { children } }), (name) => names.push(name))).toBe(
    '<p><strong><em>a</em></strong><br><a href="/x">l</a></p><ol start="3"><li>i</li></ol>',
  )
  expect(names).toEqual(['signup'])
})
