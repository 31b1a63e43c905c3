// The logo of the blog: which images it can be made from, and how it is served.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { openBlogWithRoles } from '#test/support/blog-with-roles.ts'
import { logoForm, SQUARE, svg } from '#test/support/logos.ts'

const ENTITIES = Array.from(
  { length: 9 },
  (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`,
).join('')
const HOSTILE: [name: string, picture: string | Buffer][] = [
  ['script', svg('<script>alert(1)</script>')],
  ['html', svg('<foreignObject><b xmlns="http://www.w3.org/1999/xhtml">x</b></foreignObject>')],
  ['file', svg('<image href="file:///etc/passwd" width="32" height="32"/>')],
  ['xlink', svg('<use xlink:href="file:///etc/passwd#a"/>')],
  ['address', svg('<path fill="url(http://127.0.0.1:1/a.svg#b)" d="M0 0h9v9z"/>')],
  ['style', svg('<style>@import "http://127.0.0.1:1/a.css";</style>')],
  ['include', svg('<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="/etc/passwd"/>')],
  ['sheet', `<?xml-stylesheet href="/etc/passwd"?>${SQUARE}`],
  ['external entity', `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('&x;')}`],
  ['many laughs', `<!DOCTYPE svg [<!ENTITY l0 "ha">${ENTITIES}]>${svg('<text>&l9;</text>')}`],
  ['50,000 pixels', svg('<path d="M0 0h9v9z"/>', '50000')],
  ['not square', SQUARE.replace('width="32"', 'width="64"')],
  ['another encoding', Buffer.from(SQUARE, 'utf16le')],
  ['no image', 'a lamp'],
  ['nothing', ''],
]

test('an SVG becomes a PNG, which is served from its own address until the logo changes', async () => {
  await using blog = await openBlogWithRoles('SQLite')
  const { asAlice } = blog
  const answer = await blog.call('POST', '/site/logo', { ...asAlice, body: logoForm(SQUARE) })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  const { logo } = answer.body
  const path = `${blog.url}/logo/${logo}/64.png`
  const response = await fetch(path)
  expect(response.headers.get('content-type')).toBe('image/png')
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  const picture = Buffer.from(await response.arrayBuffer())
  expect(await sharp(picture).metadata()).toMatchObject({ format: 'png', width: 64, height: 64 })
  expect((await sharp(picture).stats()).dominant).toMatchObject({ g: 8, b: 8 })
  expect((await fetch(path.replace('64', '63'))).status).toBe(404)
  const [entry] = await blog.activity('?kind=settings')
  expect(entry).toMatchObject({ action: 'changed', subjectName: 'logo' })
  const manifest = await (await fetch(`${blog.url}/manifest.webmanifest`)).text()
  if (manifest.includes('icons')) expect(manifest).toContain(`/logo/${logo}/512.png`)
  expect((await blog.call('DELETE', '/site/logo', asAlice)).body.logo).toBe('')
  expect((await fetch(path)).status).toBe(404)
})

test('share cards show the logo', { tags: ['more'] }, async () => {
  await using blog = await openBlogWithRoles('SQLite')
  const { post } = await blog.makeAuthor()
  await blog.call('POST', '/site/logo', { ...blog.asAlice, body: logoForm(SQUARE) })
  const card = await fetch(`${blog.url}/post/${post}/card.png`)
  const pixel = { left: 1100, top: 538, width: 1, height: 1 }
  const [red, green] = await sharp(Buffer.from(await card.arrayBuffer()))
    .extract(pixel)
    .removeAlpha()
    .raw()
    .toBuffer()
  expect([red, green]).toEqual([204, 0])
})

test('hostile and unsuitable images are refused, and leave the logo as it is', {
  tags: ['more'],
}, async () => {
  await using blog = await openBlogWithRoles('SQLite')
  const { asAlice } = blog
  const small = await sharp({
    create: { width: 255, height: 255, channels: 3, background: '#fff' },
  })
    .png()
    .toBuffer()
  const large = Buffer.concat([Buffer.from(SQUARE), Buffer.alloc(1024 * 1024, ' ')])
  for (const [name, picture] of [...HOSTILE, ['small', small] as const]) {
    const answer = await blog.call('POST', '/site/logo', { ...asAlice, body: logoForm(picture) })
    expect([name, answer.status, answer.body.type]).toEqual([name, 403, 'storage_invalid_file'])
  }
  const answer = await blog.call('POST', '/site/logo', { ...asAlice, body: logoForm(large) })
  expect(answer.status).toBe(413)
  expect((await blog.call('POST', '/site/logo', { ...asAlice, body: {} })).status).toBe(400)
  expect((await blog.call('GET', '/site', asAlice)).body.logo).toBe('')
})

test('an SVG that repeats itself almost endlessly costs at most its time limit', {
  tags: ['more'],
}, async () => {
  await using blog = await openBlogWithRoles('SQLite')
  const levels = Array.from(
    { length: 12 },
    (_, at) => `<g id="a${at + 1}">${`<use href="#a${at}"/>`.repeat(10)}</g>`,
  ).join('')
  const bomb = svg(`<defs><path id="a0" d="M0 0h9v9z"/>${levels}</defs><use href="#a12"/>`)
  const answer = await blog.call('POST', '/site/logo', { ...blog.asAlice, body: logoForm(bomb) })
  // Either the library gives up, or the time limit ends the work.
  expect(['storage_invalid_file', 'general_service_disabled']).toContain(answer.body.type)
  const next = await blog.call('POST', '/site/logo', { ...blog.asAlice, body: logoForm(SQUARE) })
  expect(next.status).toBe(200)
})
