// WordPress exports: what each item becomes, and hostile files.
import { expect, test } from 'vitest'
import { threadCpuMs } from '#test/support/cpu-time.ts'
import { readExport } from '#test/support/read-export.ts'
import { convertWordpress } from './wordpress-text.ts'

const RSS =
  '<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">'
const HEAD = `<channel><title>Lamps &amp; ships</title><link>https://old.example</link><generator>https://wordpress.org/?v=6.8.1</generator>
<wp:author><wp:author_login>ann</wp:author_login><wp:author_email>ann@old.example</wp:author_email><wp:author_display_name><![CDATA[Ann Lee]]></wp:author_display_name></wp:author>
<wp:author><wp:author_login>bob@old.example</wp:author_login><wp:author_email>bob@old.example</wp:author_email><wp:author_display_name>Bob</wp:author_display_name></wp:author>`
const wxr = (items: string, start = '<?xml version="1.0" encoding="UTF-8"?>\n') =>
  `${start}${RSS}${HEAD}${items}</channel></rss>`

type Values = Record<string, string>
const element = (name: string, value: string) => `<${name}><![CDATA[${value}]]></${name}>`
function item(values: Values, more = ''): string {
  const whole: Values = {
    title: 'A title',
    link: 'https://old.example/2019/05/a-title/',
    'dc:creator': 'ann',
    'content:encoded': '<p>Text</p>',
    'wp:post_id': '12',
    'wp:post_date': '2019-05-03 10:00:00',
    'wp:post_date_gmt': '2019-05-03 08:00:00',
    'wp:post_name': 'a-title',
    'wp:status': 'publish',
    'wp:post_type': 'post',
    ...values,
  }
  const elements = Object.entries(whole).map(([name, value]) => element(name, value))
  return `<item>${elements.join('')}${more}</item>`
}
const meta = (key: string, value: string) =>
  `<wp:postmeta>${element('wp:meta_key', key)}${element('wp:meta_value', value)}</wp:postmeta>`
const picture = (id: string, more = '') =>
  item(
    {
      'wp:post_id': id,
      'wp:post_type': 'attachment',
      'wp:status': 'inherit',
      'wp:post_parent': '12',
      'wp:attachment_url': `https://old.example/wp-content/uploads/${id}.jpg`,
      'excerpt:encoded': `Caption ${id}`,
    },
    more,
  )

async function firstPost(items: string) {
  const { posts } = await readExport({ 'export.xml': wxr(items) })
  const [post] = posts
  if (!post) throw new Error('no post')
  return post
}

test('a cover and pictures of a gallery that the file does not have are listed', async () => {
  const content = { 'content:encoded': '[gallery ids="7,8"]' }
  const items = item(content, meta('_thumbnail_id', '9')) + picture('8')
  const { issues } = await readExport({ 'a.xml': wxr(items) })
  expect(issues).toMatchObject([
    { what: 'picture', name: '7', reason: 'pictureMissing', post: 'A title' },
    { what: 'picture', name: '9', reason: 'pictureMissing', post: 'A title' },
  ])
})

test('a post with bytes that are no characters of its file is listed', async () => {
  const bytes = Buffer.from(wxr(item({ title: 'A plain title', 'content:encoded': 'Caf\xe9' })))
  const at = bytes.indexOf('Caf') + 'Caf'.length
  const damaged = Buffer.concat([
    bytes.subarray(0, at),
    Buffer.from([0xe9]),
    bytes.subarray(at + 2),
  ])
  const { issues } = await readExport({ 'a.xml': damaged })
  expect(issues).toMatchObject([
    { what: 'part', name: 'A plain title Caf\ufffd', reason: 'unreadable', post: 'A plain title' },
  ])
})

test('site, people, posts, pages, pictures and comments are read', async () => {
  const comment = (id: string, parent: string, more: Values = {}) => {
    const values: Values = {
      id,
      author: 'Cleo',
      author_email: 'cleo@x.example',
      date_gmt: '2019-05-04 09:00:00',
      content: 'Nice <b>lamp</b>',
      approved: '1',
      type: '',
      parent,
      ...more,
    }
    const elements = Object.entries(values).map(([name, value]) =>
      element(`wp:comment_${name}`, value),
    )
    return `<wp:comment>${elements.join('')}</wp:comment>`
  }
  const comments =
    comment('1', '0') +
    comment('2', '1', { approved: '0' }) +
    comment('3', '0', { approved: 'spam' }) +
    comment('4', '0', { type: 'pingback' })
  const terms =
    '<category domain="post_tag" nicename="oil"><![CDATA[Oil &amp; light]]></category><category domain="category" nicename="uncategorized">Uncategorized</category><category domain="category" nicename="sea">Sea</category><category domain="post_format" nicename="x">Aside</category>'
  const found = await readExport({
    'export.xml': wxr(
      item({ 'excerpt:encoded': '<p>Short</p>' }, terms + meta('_thumbnail_id', '15') + comments) +
        item({
          'wp:post_id': '13',
          'wp:post_type': 'page',
          title: 'About',
          'wp:post_name': 'about',
        }) +
        picture('15', meta('_wp_attachment_image_alt', 'A lamp')),
    ),
  })
  expect(found.kind).toBe('wordpress')
  expect(found.site).toEqual({
    program: 'WordPress 6.8.1',
    name: 'Lamps & ships',
    description: '',
    url: 'https://old.example',
  })
  expect(found.people.map(({ key, name, email }) => [key, name, email])).toEqual([
    ['ann', 'Ann Lee', 'ann@old.example'],
    ['bob@old.example', 'Bob', 'bob@old.example'],
  ])
  const lamp = {
    url: 'https://old.example/wp-content/uploads/15.jpg',
    alt: 'A lamp',
    caption: 'Caption 15',
  }
  expect(found.pictures).toEqual([lamp])
  expect(found.posts.map(({ kind }) => kind)).toEqual(['post', 'page'])
  expect(found.posts[0]).toMatchObject({
    key: '12',
    title: 'A title',
    html: '<p>Text</p>',
    status: 'published',
    publishedAt: '2019-05-03T08:00:00.000Z',
    authors: ['ann'],
    tags: ['Oil & light', 'Sea'],
    excerpt: 'Short',
    cover: lamp,
    url: 'https://old.example/2019/05/a-title/',
    addresses: ['/?p=12', '/a-title'],
    addressWords: 'a-title',
  })
  expect(found.posts[1]?.addresses).toEqual(['/?page_id=13', '/?p=13', '/about'])
  expect(
    found.comments.map(({ key, parentKey, isApproved }) => [key, parentKey, isApproved]),
  ).toEqual([
    ['1', '', true],
    ['2', '1', false],
  ])
  expect(found.issues.map(({ what, reason, detail }) => [what, reason, detail])).toEqual([
    ['comment', 'spam', 'spam'],
    ['comment', 'unsupported', 'pingback'],
  ])
})

test.each([
  [{ 'wp:status': 'draft', 'wp:post_date_gmt': '0000-00-00 00:00:00' }, 'draft', ''],
  [{ 'wp:status': 'pending' }, 'draft', ''],
  [{ 'wp:status': 'private' }, 'private', '2019-05-03T08:00:00.000Z'],
  [{ 'wp:post_password': 'x' }, 'private', '2019-05-03T08:00:00.000Z'],
  [
    { 'wp:status': 'future', 'wp:post_date_gmt': '2099-01-01 08:00:00' },
    'scheduled',
    '2099-01-01T08:00:00.000Z',
  ],
  [{ 'wp:post_date_gmt': '0000-00-00 00:00:00' }, 'published', '2019-05-03T10:00:00.000Z'],
  [
    { 'wp:post_date_gmt': '', 'wp:post_date': '', pubDate: 'Tue, 27 Jan 2015 14:56:57 +0000' },
    'published',
    '2015-01-27T14:56:57.000Z',
  ],
])('%o is %s at "%s"', async (values, status, publishedAt) => {
  expect(await firstPost(item(values as Values))).toMatchObject({ status, publishedAt })
})

test.each([
  [{ 'wp:post_type': 'product' }, ['post', 'unsupported', 'product']],
  [{ 'wp:post_type': 'nav_menu_item' }, ['part', 'notAPost', 'nav_menu_item']],
  [{ 'wp:status': 'trash' }, ['post', 'notAPost', 'trash']],
  [{ 'content:encoded': 'a'.repeat(4_000_001) }, ['post', 'tooLong', '']],
  [
    { 'content:encoded': '<b>'.repeat(2000) },
    ['post', 'unreadable', 'Its elements are nested more than a thousand levels deep.'],
  ],
])('%# is left out with its reason, and the next post is read', async (values, issue) => {
  const { posts, issues } = await readExport({
    'a.xml': wxr(item(values as Values) + item({ 'wp:post_id': '13' })),
  })
  expect(posts.map(({ key }) => key)).toEqual(['13'])
  expect(issues.map(({ what, reason, detail }) => [what, reason, detail])).toEqual([issue])
})

test('several authors, and authors that are not listed, are kept', async () => {
  const authors =
    '<category domain="author" nicename="cap-bob-old-example">Bob</category><category domain="author" nicename="dora">Dora D</category><category domain="author" nicename="dora">Dora D</category>'
  const { posts, people } = await readExport({
    'a.xml': wxr(item({}, authors) + item({ 'wp:post_id': '13', 'dc:creator': 'eve@x.example' })),
  })
  expect(posts.map(({ authors }) => authors)).toEqual([
    ['bob@old.example', 'dora'],
    ['eve@x.example'],
  ])
  expect(people.slice(2)).toEqual([
    { key: 'dora', name: 'Dora D', email: '' },
    { key: 'eve@x.example', name: 'eve', email: 'eve@x.example' },
  ])
})

test('an export in several files is one, whatever their names', async () => {
  const { posts } = await readExport({
    'one.txt': wxr(item({}, meta('_thumbnail_id', '15'))),
    two: wxr(picture('15') + item({ 'wp:post_id': '13' })),
    'uploads/2019/15.jpg': 'x',
  })
  expect(posts.map(({ key, cover }) => [key, cover?.caption])).toEqual([
    ['12', 'Caption 15'],
    ['13', undefined],
  ])
})

test.each([
  ['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-8 with its mark', (text: string) => Buffer.from(`\ufeff${text}`)],
  [
    'UTF-8 with its mark, declared as another',
    (text: string) => Buffer.from(`\ufeff${text.replace('UTF-8', 'windows-1252')}`),
  ],
  ['Latin 1', (text: string) => Buffer.from(text.replace('UTF-8', 'ISO-8859-1'), 'latin1')],
])('a file in %s is read', async (_name, encode) => {
  const { posts } = await readExport({ 'a.xml': encode(wxr(item({ title: 'Süd' }))) })
  expect(posts.map(({ title }) => title)).toEqual(['Süd'])
})

test('control characters, bare ampersands and a text in several pieces are tolerated', async () => {
  const post = await firstPost(
    `<item><wp:post_type>post</wp:post_type><wp:post_id>1</wp:post_id><title>A & B\u0001</title><link>https://old.example/?a=1&b=2</link><content:encoded><![CDATA[<p>a ]]]]><![CDATA[> b</p>]]></content:encoded></item>`,
  )
  expect(post).toMatchObject({ title: 'A & B', html: '<p>a ]]&gt; b</p>' })
})

test.each([
  [wxr(item({})).slice(0, -30), 'Line 4: the text ends in the middle.'],
  [wxr('<item><title>x</item>'), 'Line 4: this is not XML (unexpected close tag).'],
  [wxr('<item>'.repeat(60)), 'Line 4: the elements are nested too deeply.'],
  [
    wxr(`<item ${Array.from({ length: 200 }, (_, at) => `a${at}="1"`).join(' ')}>`),
    'Line 4: an element has too many attributes.',
  ],
  [
    wxr(`<${'a'.repeat(400_000)}>`),
    'Line 4: this is not XML (max buffer length exceeded: tagname).',
  ],
  [
    wxr('', '<?xml version="1.0" encoding="klingon"?>'),
    'a.xml is in an encoding that is not known: klingon.',
  ],
])('a broken file has an error with its line: %#', async (text, message) => {
  await expect(readExport({ 'a.xml': text })).rejects.toThrow(message)
})

test('no entity is taken from the file', async () => {
  const bomb = '<!DOCTYPE rss [<!ENTITY a SYSTEM "file:///etc/passwd"><!ENTITY b "bbbb">]>'
  const { posts } = await readExport({
    'a.xml': wxr('<item><wp:post_id>1</wp:post_id><title>&a;&b;</title></item>', bomb),
  })
  expect(posts.map(({ title }) => title)).toEqual(['&a;&b;'])
})

const media = {
  gallery: (ids?: readonly string[]) =>
    (ids ?? ['own']).map((id) => ({ url: `/${id}.jpg`, alt: id, caption: '' })),
  block: (id: string) => `<p>Block ${id}</p>`,
  leaveOut() {},
}
const convert = (text: string) => convertWordpress(text, '', media)

test.each([
  ['One\ntwo\n\nThree', '<p>One<br />two</p><p>Three</p>'],
  ['<ul>\n<li>a</li>\n</ul>\nText', '<ul><li>a</li></ul><p>Text</p>'],
  ['<pre>a\n\nb</pre>', '<pre class="language-plaintext"><code>a\n\nb</code></pre>'],
  [
    'https://youtu.be/abc',
    '<p><iframe src="https://www.youtube-nocookie.com/embed/abc" width="560" height="314" allowfullscreen="allowfullscreen"></iframe></p>',
  ],
  [
    '[caption id="x" align="alignleft" width="9"]<a href="/a.jpg"><img src="/a-300x200.jpg" alt="A" class="alignleft" /></a> The <em>sea</em>[/caption]',
    '<figure class="image align-left"><img src="/a.jpg" alt="A" /><figcaption>The <em>sea</em></figcaption></figure>',
  ],
  [
    '[gallery ids="1,2"]',
    '<figure class="gallery"><figure class="image"><img src="/1.jpg" alt="1" /></figure><figure class="image"><img src="/2.jpg" alt="2" /></figure></figure>',
  ],
  [
    'a [gallery] b',
    '<p>a</p><figure class="gallery"><figure class="image"><img src="/own.jpg" alt="own" /></figure></figure><p>b</p>',
  ],
  [
    '[code language="js"]a < b && [c]\n\nd[/code]',
    '<pre class="language-javascript"><code>a &lt; b &amp;&amp; [c]\n\nd</code></pre>',
  ],
  [
    '[embed width="9"]https://vimeo.com/123[/embed]',
    '<p><iframe src="https://player.vimeo.com/video/123" width="560" height="314" allowfullscreen="allowfullscreen"></iframe></p>',
  ],
  ['[audio src="/a.mp3"]', '<p><a href="/a.mp3">a.mp3</a></p>'],
  ['[video mp4="/a.mp4"][/video]', '<p><a href="/a.mp4">a.mp4</a></p>'],
  ['[[gallery]] [sic] [x-y] [/z]', '<p>[gallery] [sic] [x-y] [/z]</p>'],
  ['[caption]no picture', '<p>[caption]no picture</p>'],
  [
    '<!-- wp:paragraph --><p class="has-text-align-center">a</p><!-- /wp:paragraph -->\n\n<!-- wp:block {"ref":7} /-->',
    '<p style="text-align: center;">a</p><p>Block 7</p>',
  ],
  [
    '<!-- wp:code --><pre class="wp-block-code"><code lang="php" class="language-php">a<br>b</code></pre><!-- /wp:code -->',
    '<pre class="language-php"><code>a\nb</code></pre>',
  ],
  [
    '<!-- wp:table --><figure class="wp-block-table"><table><tbody><tr><td>1</td></tr></tbody></table><figcaption>T</figcaption></figure>',
    '<table><caption>T</caption><tbody><tr><td>1</td></tr></tbody></table>',
  ],
  [
    '<!-- wp:embed --><figure class="wp-block-embed"><div class="wp-block-embed__wrapper">\nhttps://vimeo.com/1\n</div><figcaption>V</figcaption></figure>',
    '<p><iframe src="https://player.vimeo.com/video/1" width="560" height="314" allowfullscreen="allowfullscreen"></iframe></p><p>V</p>',
  ],
  [
    '<!-- wp:gallery --><figure class="wp-block-gallery alignwide"><ul class="blocks-gallery-grid"><li><figure><img src="/1.jpg" alt="a"/><figcaption>One</figcaption></figure></li></ul><figcaption>All</figcaption></figure>',
    '<figure class="gallery width-wide"><figure class="image"><img src="/1.jpg" alt="a" /><figcaption>One</figcaption></figure><figcaption>All</figcaption></figure>',
  ],
  [
    '<!-- wp:columns --><div class="wp-block-columns"><div class="wp-block-column"><p>a</p></div><div class="wp-block-column"><blockquote><p>q</p><cite>Me</cite></blockquote></div></div><div class="wp-block-buttons"><div class="wp-block-button"><a class="wp-block-button__link" href="/x">Go</a></div></div>',
    '<p>a</p><blockquote><p>q</p><p><cite>Me</cite></p></blockquote><p><a href="/x">Go</a></p>',
  ],
])('%s', (text, html) => {
  expect(convert(text)).toBe(html)
})

const VIDEO =
  '<p><iframe src="https://www.youtube-nocookie.com/embed/abc" width="560" height="314" allowfullscreen="allowfullscreen"></iframe></p>'
test.each([
  ['[et_row][et_text a="b"]<p>Words</p>[/et_text][/et_row]', '<p>Words</p>', ['et_text', 'et_row']],
  [
    '[slider][slide]x[/slide][/slider] and [form id="3"]',
    '<p>x and</p>',
    ['slide', 'slider', 'form'],
  ],
  ['[tab title="One"]Words[/tab]', '<p><strong>One</strong></p><p>Words</p>', ['tab']],
  [
    '[btn link="https://x.example/"]Go[/btn]',
    '<p><a href="https://x.example/">Go</a></p>',
    ['btn'],
  ],
  [
    '[pic_one image="7"]',
    '<figure class="image"><img src="/7.jpg" alt="7" /></figure>',
    ['pic_one'],
  ],
  [
    '[et_pic src="/a.png" alt="A" /]',
    '<figure class="image"><img src="/a.png" alt="A" /></figure>',
    ['et_pic'],
  ],
  ['[youtube https://www.youtube.com/watch?v=abc&w=640]', VIDEO, []],
  ['[youtube=http://www.youtube.com/watch?v=abc]', VIDEO, []],
  ['[python]\na\n[/python]', '<pre class="language-python"><code>a</code></pre>', []],
  ['[cc lang="bash"]ls[/cc]', '<pre class="language-bash"><code>ls</code></pre>', []],
  [
    '<!-- wp:x/code {"language":"css"} -->\n<pre class="y">a</pre><!-- /wp:x/code -->',
    '<pre class="language-css"><code>a</code></pre>',
    [],
  ],
  [
    'One\n\ntwo<!-- wp:paragraph --><p>a\nb</p><!-- /wp:paragraph -->',
    '<p>One</p><p>two</p><p>a\nb</p>',
    [],
  ],
  [
    '<figure><video src="/a.mp4"></video><figcaption>V</figcaption></figure>',
    '<p><a href="/a.mp4">a.mp4</a></p><p>V</p>',
    [],
  ],
  [
    '<a href="/x"><div>One</div><p>two</p></a>',
    '<p><a href="/x">One</a></p><p><a href="/x">two</a></p>',
    [],
  ],
  [
    '<table class="tr-caption-container"><tr><td><img src="/a.png"></td></tr><tr><td class="tr-caption">C</td></tr></table>',
    '<figure class="image"><img src="/a.png" alt="" /><figcaption>C</figcaption></figure>',
    [],
  ],
])('words, pictures and addresses of %s stay', (text, html, unknown) => {
  const names: string[] = []
  const leaveOut = (name: string) => void names.push(name)
  expect(convertWordpress(text, '', { ...media, leaveOut })).toBe(html)
  expect(names).toEqual(unknown)
})

test('footnotes of the block editor are notes of the text', () => {
  const text =
    '<!-- wp:paragraph --><p>A<sup data-fn="u-1" class="fn"><a id="u-1-link" href="#u-1">1</a></sup></p><!-- /wp:paragraph --><!-- wp:footnotes /-->'
  const html = convertWordpress(text, '[{"id":"u-1","content":"The <em>note</em>"}]', media)
  expect(html).toMatch(
    /^<p>A<sup class="footnote"><a href="#fn-(\w+)">1<\/a><\/sup><\/p><section class="footnotes"><ol><li id="fn-\1"><p>The <em>note<\/em><\/p><\/li><\/ol><\/section>$/,
  )
})

test.each([
  ['[caption]', ''],
  ['[caption][code]', ''],
  ['[gallery ids="1', ''],
  ['[a ', ''],
  ['<sup><a href="#n" id="m">1</a></sup>', '<li id="n"><a href="#m">x</a></li>'],
  ['<figure><img src="a">', ''],
  ['<ul><li>', ''],
  ['<br>\n\n', ''],
  ['<!-- wp:x {"a":', ''],
])('%s a hundred thousand times costs linear time', { timeout: 60_000 }, (part, end) => {
  const costMs = (times: number) => threadCpuMs(() => tryConvert(part.repeat(times) + end))
  expect(costMs(40_000)).toBeLessThan(12 * Math.max(costMs(10_000), 30))
})

function tryConvert(text: string): void {
  try {
    convert(text)
  } catch (error) {
    expect(String(error)).toContain('nested')
  }
}
