// Markdown of site generators, of Obsidian and of plain folders.
import { expect, test } from 'vitest'
import { readExport } from '#test/support/read-export.ts'

async function onlyPost(files: Record<string, string>, path?: string) {
  const { posts } = await readExport(files)
  const post = posts.find(({ key }) => path === undefined || key === path)
  if (!post) throw new Error('no post')
  return post
}

async function htmlOf(text: string, files: Record<string, string> = {}): Promise<string> {
  return (await onlyPost({ 'posts/a.md': `---\ntitle: A\n---\n${text}`, ...files }, 'posts/a.md'))
    .html
}

test('Jekyll: values, dates in names, drafts, pages, addresses', async () => {
  const found = await readExport({
    '_config.yml': 'title: Lamps\nurl: https://old.example\npermalink: pretty',
    '_posts/2021-9-1-first-post.md':
      '---\ntitle: First\ncategories: News Ships\ntags: [a b, c]\ntag: One tag\nauthor: Ann Lee\nredirect_from:\n  - /old/\ndescription: Short\nimage: /img/a.png\n---\n![x](/img/a.png) {{ site.baseurl }}',
    '_posts/2021-09-02-second.md':
      '---\ntitle: "Second: part"\npublished: false\ndate: 2021-09-02 10:00:00 +0200\n---\n[first]({% post_url 2021-9-1-first-post %})\n\n{% highlight ruby %}\nputs `1`\n{% endhighlight %}',
    '_drafts/idea.md': '# Idea\n\nText',
    'about.md': '---\ntitle: About\npermalink: /about-us/\n---\nUs',
    'README.md': '# Read me',
    'notes.md': 'No sign of a post',
    'index.html': '<p>made</p>',
    'img/a.png': 'x',
  })
  expect(found.kind).toBe('markdown')
  expect(found.site).toMatchObject({ program: 'Jekyll', name: 'Lamps', url: 'https://old.example' })
  const posts = Object.fromEntries(found.posts.map((post) => [post.key, post]))
  expect(posts['_posts/2021-9-1-first-post.md']).toMatchObject({
    kind: 'post',
    title: 'First',
    html: '<p><img src="tree:img/a.png" alt="x" /></p>',
    status: 'published',
    publishedAt: '2021-09-01T00:00:00.000Z',
    authors: ['Ann Lee'],
    tags: ['a b', 'c', 'News', 'Ships', 'One tag'],
    excerpt: 'Short',
    cover: { url: 'tree:img/a.png', alt: '', caption: '' },
    url: 'tree:_posts/2021-9-1-first-post.md',
    addresses: ['/news/ships/2021/09/01/first-post/', '/old/'],
    addressWords: 'first-post',
  })
  expect(posts['_posts/2021-09-02-second.md']).toMatchObject({
    title: 'Second: part',
    html: '<p><a href="tree:_posts/2021-9-1-first-post.md">first</a></p><pre class="language-ruby"><code>puts `1`</code></pre>',
    status: 'draft',
    publishedAt: '',
    createdAt: '2021-09-02T08:00:00.000Z',
    addresses: [],
  })
  expect(posts['_drafts/idea.md']).toMatchObject({
    title: 'Idea',
    html: '<p>Text</p>',
    status: 'draft',
  })
  expect(posts['about.md']).toMatchObject({ kind: 'page', addresses: ['/about-us/'] })
  expect(found.people).toEqual([{ key: 'Ann Lee', name: 'Ann Lee', email: '' }])
  expect(found.issues.map(({ name, reason }) => [name, reason])).toEqual([
    ['README.md', 'notAPost'],
    ['index.html', 'notAPost'],
    ['notes.md', 'notAPost'],
  ])
})

test('Hugo: TOML and JSON, page bundles, sections, aliases, shortcodes', async () => {
  const found = await readExport({
    'site/hugo.toml': 'title = "Ships"\nbaseURL = "https://old.example/"',
    'site/content/posts/sea/index.md':
      '+++\ntitle = "Sea"\ndate = 2020-02-03T04:05:06Z\nlastmod = 2020-03-01\ndraft = false\naliases = ["/s/"]\n[cover]\nimage = "wave.jpg"\nalt = "Wave"\n[taxonomies]\ntags = ["x"]\n+++\n![w](wave.jpg)\n\n{{< figure src="wave.jpg" alt="W" caption="At *sea*" >}}\n\n{{< youtube abc >}}\n\n{{% notice tip %}}\nMind\n{{% /notice %}}\n\n{{< unknown "x" >}} `{{< youtube y >}}`\n\n[b]({{< ref "b.md" >}})',
    'site/content/posts/sea/wave.jpg': 'x',
    'site/content/posts/b.md': '{\n"title": "B",\n"draft": true\n}\nText',
    'site/content/_index.md': '---\ntitle: Home\n---\n',
  })
  expect(found.site).toMatchObject({ program: 'Hugo', name: 'Ships', url: 'https://old.example/' })
  const [b, sea] = found.posts
  expect(b).toMatchObject({ title: 'B', status: 'draft', html: '<p>Text</p>' })
  expect(sea).toMatchObject({
    title: 'Sea',
    publishedAt: '2020-02-03T04:05:06.000Z',
    updatedAt: '2020-03-01T00:00:00.000Z',
    tags: ['x'],
    cover: { url: 'tree:site/content/posts/sea/wave.jpg', alt: 'Wave', caption: '' },
    addresses: ['/posts/sea/', '/s/'],
    addressWords: 'sea',
  })
  const picture = 'tree:site/content/posts/sea/wave.jpg'
  expect(sea?.html).toBe(
    [
      `<p><img src="${picture}" alt="w" /></p>`,
      `<figure class="image"><img src="${picture}" alt="W" /><figcaption>At *sea*</figcaption></figure>`,
      '<p><iframe src="https://www.youtube-nocookie.com/embed/abc" width="560" height="314" allowfullscreen="allowfullscreen"></iframe></p>',
      '<aside class="callout"><p>Mind</p></aside>',
      '<p><code>{{&lt; youtube y &gt;}}</code></p>',
      '<p><a href="tree:site/content/posts/b.md">b</a></p>',
    ].join(''),
  )
  expect(found.issues.map(({ what, name, reason }) => [what, name, reason])).toEqual([
    ['file', 'site/content/_index.md', 'notAPost'],
    ['part', 'unknown', 'shortcode'],
  ])
})

test('Obsidian: names are titles, and links name notes', async () => {
  const found = await readExport({
    '.obsidian/app.json': '{}',
    'Sea Log.md':
      'See [[Other note|that]], [[folder/Other note#Part]], [[Gone]] ==now== %%not this%%\n\n![[Wave 1.png|300]]\n\n> [!note] Mind\n> the gap\n\n- [ ] Milk\n- [x] Bread',
    'folder/Other note.md': '---\ntags: [a, "#b"]\n---\nText ^id1',
    'Wave 1.png': 'x',
    '.trash/Old.md': 'Old',
  })
  expect(found.posts.map(({ title, tags }) => [title, tags])).toEqual([
    ['Sea Log', []],
    ['Other note', ['a', 'b']],
  ])
  expect(found.posts.map(({ html }) => html)).toEqual([
    '<p>See <a href="tree:folder/Other note.md">that</a>, <a href="tree:folder/Other note.md">folder/Other note › Part</a>, Gone <mark>now</mark></p><p><img src="tree:Wave 1.png" alt="" /></p><aside class="callout"><p><strong>Mind</strong></p><p>the gap</p></aside><ul class="tasks"><li class="task">Milk</li><li class="task done">Bread</li></ul>'.replace(
      '<br />',
      '',
    ),
    '<p>Text</p>',
  ])
})

test('footnotes, tables, samples, raw HTML and relative links', async () => {
  const text =
    'A[^1] b[^n].\n\n[^1]: One\n[^n]: Two\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```js\nif (a < b) {{< x >}}\n```\n\n<details><summary>S</summary>\n\nIn *it*\n\n</details>\n\n[b](./b.md#part) [c](c.md)\n{: .class}'
  const html = await htmlOf(text, { 'posts/b.md': 'x' })
  expect(html.replace(/fn-\w{8}/g, 'fn-key')).toBe(
    '<p>A<sup class="footnote"><a href="#fn-key">1</a></sup> b<sup class="footnote"><a href="#fn-key">1</a></sup>.</p><table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody><tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody></table><pre class="language-javascript"><code>if (a &lt; b) {{&lt; x &gt;}}</code></pre><details><summary>S</summary><p>In <em>it</em></p></details><p><a href="tree:posts/b.md#part">b</a> <a href="c.md">c</a></p><section class="footnotes"><ol><li id="fn-key"><p>One</p></li><li id="fn-key"><p>Two</p></li></ol></section>',
  )
})

test('sounds, videos and documents are listed; their names stay', async () => {
  const text =
    '<video controls>\n<source src="sea.mp4">\n<source src="sea.ogg">\n</video>\n\n[Paper](a.pdf) [x](https://x.example/b.pdf)'
  const { posts, issues } = await readExport({ 'posts/a.md': text, 'posts/sea.mp4': 'x' })
  expect(posts[0]?.html).toBe(
    '<p><a href="tree:posts/sea.mp4">sea.mp4</a></p><p><a href="a.pdf">Paper</a> <a href="https://x.example/b.pdf">x</a></p>',
  )
  const files = issues.filter(({ what }) => what === 'file')
  expect(files.map(({ name }) => name)).toEqual(['posts/sea.mp4', 'sea.ogg', 'a.pdf'])
})

test.each([
  ['title: a: b\ntags: x, y', { title: 'a: b', tags: ['x', 'y'] }],
  ['title: "\\u00fc"', { title: 'ü' }],
  ['title: [1, 2]\nslug: s', { title: 'A file', addressWords: 's' }],
  ['title: 2021\ndate: never', { title: '2021', status: 'published' }],
  [
    'a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c]\ntitle: Bomb',
    { title: 'Bomb' },
  ],
  [`title: Deep\na: ${'['.repeat(25_000)}`, { title: 'Deep' }],
  ['__proto__: {title: x}\ntitle: Plain', { title: 'Plain' }],
])('values that are not quite YAML: %#', async (values, expected) => {
  expect(await onlyPost({ 'posts/a-file.md': `---\n${values}\n---\nText` })).toMatchObject(expected)
})

const FIGURE =
  '<figure class="image"><img src="tree:img/p.png" alt="A" /><figcaption>C</figcaption></figure>'
test.each([
  ['{% include figure.html src="/img/p.png" alt="A" caption="C" %}', FIGURE],
  ['{{< pic src="/img/p.png" alt="A" caption="C" >}}', FIGURE],
  [
    '![A]({{ "/img/p.png" | relative_url }}){: .wide }',
    '<p><img src="tree:img/p.png" alt="A" /></p>',
  ],
  ['{% include x.html %}{% if a %}Words{% endif %} {{ page.title }}', '<p>Words</p>'],
  ['{% raw %}{{ a }}{% endraw %}', '<p>{{ a }}</p>'],
  [
    '```\n{% raw %}{{ a }}{% endraw %}\n```',
    '<pre class="language-plaintext"><code>{{ a }}</code></pre>',
  ],
  [
    '{% codeblock lang:js %}\na\n{% endcodeblock %}',
    '<pre class="language-javascript"><code>a</code></pre>',
  ],
  ['* Contents\n{:toc}\n\n## A {#b}\n{: .c}', '<h2>A</h2>'],
  ['```css\n{.a}\n```', '<pre class="language-css"><code>{.a}</code></pre>'],
  [
    ':::tip Mind\n\nthe gap\n\n:::',
    '<aside class="callout"><p><strong>Mind</strong></p><p>the gap</p></aside>',
  ],
  [
    '{{ youtube(id="abc") }}',
    '<p><iframe src="https://www.youtube-nocookie.com/embed/abc" width="560" height="314" allowfullscreen="allowfullscreen"></iframe></p>',
  ],
  ['<aside>\n💡 Mind\n\n</aside>', '<aside class="callout"><p>💡 Mind</p></aside>'],
])('what programs add to Markdown is text, or goes: %s', async (text, html) => {
  expect(await htmlOf(text, { 'package.json': '{}', 'img/p.png': 'x' })).toBe(html)
})

test('elements of MDX go, and their words stay', async () => {
  const text =
    '---\ntitle: A\n---\nimport A from "./a"\nexport const b = 1\n\n<Tip kind="x">\n\n*Words*\n\n</Tip>\n'
  const post = await onlyPost({ 'package.json': '{}', 'blog/a.mdx': text })
  expect(post.html).toBe('<aside class="callout"><p><em>Words</em></p></aside>')
})

test.each([
  ['Pelican', { 'a.md': 'Title: T\nDate: 2020-01-02\nAuthors: Ann, Bo\n\nText' }],
  ['Hexo', { 'a.md': 'title: T\ndate: 2020-01-02\nauthors: Ann, Bo\n---\nText' }],
  [
    'Notion',
    { [`T ${'0a'.repeat(16)}.md`]: '# T\n\nCreated: January 2, 2020\nAuthors: Ann, Bo\n\nText' },
  ],
])('values of %s without a fence are read', async (_name, files) => {
  expect(await onlyPost(files)).toMatchObject({
    title: 'T',
    publishedAt: '2020-01-02T00:00:00.000Z',
    authors: ['Ann', 'Bo'],
    html: '<p>Text</p>',
  })
})

test('a folder of plain texts is read: lines stay, names are titles', async () => {
  const { kind, posts, issues } = await readExport({ 'A day.txt': 'One\ntwo\n\n<b>' })
  expect(kind).toBe('markdown')
  expect(posts[0]).toMatchObject({ title: 'A day', html: '<p>One<br />two</p><p>&lt;b&gt;</p>' })
  expect(issues.map(({ reason }) => reason)).toEqual(['noDate'])
})

test('Hexo, languages, folders of the site and lists of authors are known', async () => {
  const { site, posts, people } = await readExport({
    '_config.yml': 'url: https://old.example\nroot: /',
    'source/_posts/a.md':
      '---\ntitle: A\ndate: 2020-01-02\ncategories:\n- [x, y]\nauthor: ann\n---\n![p](p.png)',
    'source/_posts/a/p.png': 'x',
    'source/_posts/b/index.de.md': '---\ntitle: B\n---\nText',
    '_data/authors.yml': 'ann:\n  name: Ann Lee\n  email: ann@old.example',
  })
  expect(site?.program).toBe('Hexo')
  expect(posts[0]).toMatchObject({
    html: '<p><img src="tree:source/_posts/a/p.png" alt="p" /></p>',
    tags: ['x', 'y'],
    addresses: ['/2020/01/02/a/'],
    authors: ['ann'],
  })
  expect(posts[1]?.addresses).toEqual(['/de/_posts/b/'])
  expect(people).toEqual([{ key: 'ann', name: 'Ann Lee', email: 'ann@old.example' }])
})

test('a line at the top that is no front matter is text', async () => {
  const post = await onlyPost({ 'a.md': '---\nOnly a rule' })
  expect(post.html).toBe('<hr /><p>Only a rule</p>')
})

test.each([
  ['Latin 1', Buffer.from('---\ntitle: S\u00fcd\n---\n', 'latin1')],
  ['UTF-16', Buffer.from('\ufeff---\ntitle: S\u00fcd\n---\n', 'utf16le')],
])('a file in %s is read', async (_name, bytes) => {
  const { posts } = await readExport({ 'a.md': bytes })
  expect(posts.map(({ title }) => title)).toEqual(['Süd'])
})

test('what takes too long or is nested too deeply is left out, and the rest is read', {
  timeout: 60_000,
}, async () => {
  const found = await readExport({
    'a.md': `${'> '.repeat(30_000)}x`,
    'b.md': 'Text',
    'c.md': 'a'.repeat(4_000_001),
    'd.md': `# ${'t'.repeat(1_000_000)}\n\nText`,
  })
  expect(found.posts.map(({ key, title }) => [key, title.length])).toEqual([
    ['b.md', 1],
    ['d.md', 1_000_000],
  ])
  const issues = found.issues.filter(({ reason }) => reason !== 'noDate')
  expect(issues.map(({ name, reason }) => [name, reason])).toEqual([
    ['a', 'unreadable'],
    ['c.md', 'tooLong'],
  ])
})
