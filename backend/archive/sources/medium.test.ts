// Medium exports.
import { expect, test } from 'vitest'
import { readExport } from '#test/support/read-export.ts'

const page = (title: string, body: string, footer: string, subtitle = '') =>
  `<html><head><title>${title}</title></head><body><article class="h-entry"><header><h1 class="p-name">${title}</h1></header>${subtitle && `<section data-field="subtitle" class="p-summary">${subtitle}</section>`}<section data-field="body" class="e-content">${body}</section><footer>${footer}</footer></article></body></html>`
const part = (html: string) =>
  `<section class="section"><div class="section-divider"><hr class="section-divider"></div><div class="section-content"><div class="section-inner">${html}</div></div></section>`
const FOOTER =
  '<p>By <a href="https://medium.com/@ann" class="p-author h-card">Ann</a> on <a href="https://medium.com/p/3f2a3f2a3f2a"><time class="dt-published" datetime="2018-08-11T11:23:34.123Z">x</time></a></p><a class="p-tag" href="#">Sea</a><p><a href="https://medium.com/@ann/a-day-3f2a3f2a3f2a" class="p-canonical">c</a></p>'

test('a file without a text is listed', async () => {
  const post = page('A', part('<p class="graf">x</p>'), FOOTER)
  const { posts, issues } = await readExport({ 'posts/a-1.html': post, 'posts/b-2.html': '' })
  expect(posts).toHaveLength(1)
  expect(issues).toMatchObject([{ what: 'file', name: 'posts/b-2.html', reason: 'unreadable' }])
})

test('posts, drafts, people and tags are read; responses and other files are left out', async () => {
  const body =
    part(
      '<h3 class="graf graf--h3 graf--title">A day</h3><h4 class="graf graf--h4 graf--subtitle">At sea</h4><p class="graf graf--p">Text</p><h3 class="graf graf--h3">Part</h3><pre class="graf graf--pre" data-code-block-lang="python"><span>a = 1<br>b</span></pre><figure class="graf graf--figure"><div class="aspectRatioPlaceholder"><div class="aspectRatioPlaceholder-fill"></div><img class="graf-image" src="https://cdn.example/a.png" alt="A"></div><figcaption class="imageCaption">Cap</figcaption></figure><figure class="graf graf--iframe"><iframe src="https://www.youtube.com/embed/abc"></iframe></figure>',
    ) + part('<p class="graf">End</p>')
  const found = await readExport({
    'posts/2018-08-11_A-day-3f2a3f2a3f2a.html': page('A day', body, FOOTER, 'At sea'),
    'posts/draft_Idea-aabbccddeeff.html': page(
      'Idea',
      part('<p class="graf">x</p>'),
      '<a href="https://medium.com/p/aabbccddeeff">View original.</a>',
    ),
    'posts/2019-01-01_I-agree-001122334455.html': page(
      'I agree with',
      part('<p class="graf graf--p">I agree with you</p>'),
      FOOTER.replace(/<a class="p-tag".*?<\/a>/, ''),
    ),
    'profile/profile.html':
      '<h3 class="p-name">Ann Lee</h3><a class="u-url" href="https://medium.com/@ann">@ann</a><li><b>Email address:</b> ann@old.example</li>',
    'claps/claps-0001.html': '<p>x</p>',
  })
  expect(found.kind).toBe('medium')
  expect(found.site).toMatchObject({ name: 'Ann Lee', url: 'https://medium.com/@ann' })
  expect(found.people).toEqual([{ key: '@ann', name: 'Ann', email: 'ann@old.example' }])
  expect(found.posts.map(({ title, status }) => [title, status])).toEqual([
    ['A day', 'published'],
    ['Idea', 'draft'],
  ])
  expect(found.posts[0]).toMatchObject({
    key: '3f2a3f2a3f2a',
    html: '<p>Text</p><h2>Part</h2><pre class="language-python"><code>a = 1\nb</code></pre><figure class="image"><img src="https://cdn.example/a.png" alt="A" /><figcaption>Cap</figcaption></figure><p><iframe src="https://www.youtube-nocookie.com/embed/abc" width="560" height="314" allowfullscreen="allowfullscreen"></iframe></p><hr /><p>End</p>',
    publishedAt: '2018-08-11T11:23:34.123Z',
    authors: ['@ann'],
    tags: ['Sea'],
    excerpt: 'At sea',
    url: 'https://medium.com/@ann/a-day-3f2a3f2a3f2a',
    addresses: ['/@ann/a-day-3f2a3f2a3f2a', '/a-day-3f2a3f2a3f2a', '/p/3f2a3f2a3f2a'],
    addressWords: 'a-day',
  })
  expect(found.issues.map(({ what, reason }) => [what, reason])).toEqual([
    ['file', 'notAPost'],
    ['comment', 'notAPost'],
  ])
})
