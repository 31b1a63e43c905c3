// Substack exports.
import { expect, test } from 'vitest'
import { readExport } from '#test/support/read-export.ts'

const HEAD =
  'post_id,post_date,is_published,email_sent_at,type,audience,title,subtitle,podcast_url\n'
const json = (value: unknown) => JSON.stringify(value).replaceAll('"', '&quot;')

test('posts, pages, drafts and their texts are read; other files are left out', async () => {
  const text = `<div class="captioned-image-container"><figure><a class="image-link image2" href="https://substackcdn.com/x.png"><picture><source srcset="a"><img src="https://substackcdn.com/image/fetch/w_1/https%3A%2F%2Fbucket.example%2Fa.png" alt="A"></picture></a><figcaption class="image-caption">Cap</figcaption></figure></div><div class="subscription-widget-wrap"><p>Subscribe</p></div><p class="button-wrapper"><a>Share</a></p><p>A<a class="footnote-anchor" id="footnote-anchor-1" href="#footnote-1">1</a></p><div class="youtube-wrap"><iframe src="https://www.youtube-nocookie.com/embed/abc?rel=0"></iframe></div><div class="tweet" data-attrs="${json({ url: 'https://x.com/a/status/1' })}">words</div><div class="embedded-post-wrap" data-attrs="${json({ url: 'https://o.example/p/x', title: 'X' })}"></div><div class="image-gallery-embed" data-attrs="${json({ gallery: { images: [{ src: '/1.png' }, { src: '/2.png' }], caption: 'G' } })}"></div><div><hr></div><div class="footnote"><a id="footnote-1" href="#footnote-anchor-1" class="footnote-number">1</a><div class="footnote-content"><p>Note</p></div></div>`
  const found = await readExport(
    {
      'posts.csv': `${HEAD}1.a-day,2019-07-26T20:48:19.814Z,TRUE,,newsletter,everyone,A &#x201C;day&#x201D;,Sub,\n2.pod,2019-07-26T20:48:19.814Z,true,,podcast,only_paid,Pod,,https://x.example/a.mp3\n3.about,2019-07-26T20:48:19.814Z,TRUE,,page,everyone,About,,\n4.idea,,FALSE,,newsletter,everyone,"Idea, ""x""",,\n`,
      'posts/1.a-day.html': text,
      'posts/1.delivers.csv': 'x',
      'posts/9.gone.html': '<p>x</p>',
      'email_list.x.csv': 'email\na@x.example',
    },
    'https://old.example',
  )
  expect(found.kind).toBe('substack')
  expect(found.posts.map(({ key, kind, title, status }) => [key, kind, title, status])).toEqual([
    ['1', 'post', 'A “day”', 'published'],
    ['2', 'post', 'Pod', 'private'],
    ['3', 'page', 'About', 'published'],
    ['4', 'post', 'Idea, "x"', 'draft'],
  ])
  const [day, pod] = found.posts
  expect(day).toMatchObject({
    url: 'https://old.example/p/a-day',
    addresses: ['/p/a-day'],
    addressWords: 'a-day',
    excerpt: 'Sub',
  })
  expect(day?.html.replace(/fn-\w{8}/g, 'fn-key')).toBe(
    '<figure class="image"><img src="https://bucket.example/a.png" alt="A" /><figcaption>Cap</figcaption></figure><p>A<sup class="footnote"><a href="#fn-key">1</a></sup></p><p><iframe src="https://www.youtube-nocookie.com/embed/abc" width="560" height="314" allowfullscreen="allowfullscreen"></iframe></p><p><a href="https://x.com/a/status/1">https://x.com/a/status/1</a></p><p><a href="https://o.example/p/x">X</a></p><figure class="gallery"><figure class="image"><img src="/1.png" alt="" /></figure><figure class="image"><img src="/2.png" alt="" /></figure><figcaption>G</figcaption></figure><hr /><section class="footnotes"><ol><li id="fn-key"><p>Note</p></li></ol></section>',
  )
  expect(pod?.html).toBe('<p><audio src="https://x.example/a.mp3" controls="controls"></audio></p>')
  expect(found.issues.map(({ what, name }) => [what, name])).toEqual([
    ['part', 'posts/3.about.html'],
    ['part', 'posts/4.idea.html'],
    ['file', 'email_list.x.csv'],
    ['file', 'posts/1.delivers.csv'],
    ['post', 'posts/9.gone.html'],
  ])
})

test('what a page of Substack fills is text, or listed; an empty row is no post', async () => {
  const filled = (name: string, values: unknown) =>
    `<div class="${name}" data-attrs="${json(values)}"></div>`
  const { site, posts, issues } = await readExport({
    'posts.csv': `${HEAD}1.a,2019-07-26T20:48:19.814Z,TRUE,,newsletter,everyone,A,,\n2.b,,TRUE,,restack,everyone,,,\n`,
    'posts/1.a.html': `<p>By <span class="mention-wrap" data-attrs="${json({ name: 'Ann' })}"></span></p>${filled('latex-rendered', { persistentExpression: 'a^2' })}${filled('poll-embed', {})}<p class="button-wrapper" data-attrs="${json({ url: 'https://x.example' })}"><a href="https://x.example">Go</a></p>`,
    'email_list.ann.csv': 'email',
  })
  expect(site?.url).toBe('https://ann.substack.com')
  expect(posts.map(({ html }) => html)).toEqual([
    '<p>By <span>Ann</span></p><pre class="language-plaintext"><code>a^2</code></pre><p><a href="https://x.example">Go</a></p>',
  ])
  expect(issues.map(({ name, reason }) => [name, reason])).toEqual([
    ['poll-embed', 'unsupported'],
    ['posts/2.b.html', 'notAPost'],
    ['email_list.ann.csv', 'notAPost'],
  ])
})

test('a list that is no CSV is a clear error', async () => {
  const rows = `${HEAD}1.a,"${'x'.repeat(200_000)}`
  await expect(readExport({ 'posts.csv': rows })).rejects.toThrow('posts.csv is damaged')
})
