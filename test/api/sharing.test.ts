// Share cards and oEmbed over real HTTP: what they say of a public post, and that nobody gets
// anything of a post that guests may not read, whoever asks.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { makeTestBlog, type Person } from '#test/support/blog.ts'
import { openBlogOn } from '#test/support/blog-on-database.ts'
import { DATABASES } from '#test/support/databases.ts'
import { DOCUMENTS, makeDocuments } from '#test/support/documents.ts'
import { AVATARS, upload } from '#test/support/files.ts'

const GROUND = [8, 28, 34]
const LIGHT = [246, 220, 143]

async function start(env: Record<string, string> = {}) {
  const blog = await makeTestBlog(env)
  const documents = makeDocuments(blog)
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(blog.url + path, { headers })
    return { status: answer.status, headers: answer.headers, body: await answer.bytes() }
  }
  return {
    ...blog,
    ...documents,
    alice: await blog.makePerson('alice'),
    key: { 'x-appwrite-key': blog.apiKey },
    get: get,
    card: (id: string, headers?: Record<string, string>) => get(`/post/${id}/card.png`, headers),
    async embed(query: Record<string, string>) {
      const answer = await get(`/oembed?${new URLSearchParams(query)}`)
      return { ...answer, text: new TextDecoder().decode(answer.body) }
    },
    async write(author: Person, title: string, data: object = {}, rest = {}) {
      const made = await documents.create(author, { title, content: '<p>a</p>', ...data }, rest)
      expect(made.status).toBe(201)
      return String(made.body.$id)
    },
    [Symbol.asyncDispose]: () => blog[Symbol.asyncDispose](),
  }
}

async function pixels(bytes: Uint8Array) {
  const { data, info } = await sharp(bytes)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return {
    size: [info.width, info.height],
    at: (x: number, y: number) => [...data.subarray((y * info.width + x) * 3).subarray(0, 3)],
    /** How many pixels of a part are not the ground. */
    inkIn(x: number, y: number, width: number, height: number): number {
      let ink = 0
      for (let row = y; row < y + height; row++)
        for (let column = x; column < x + width; column++)
          if (data[(row * info.width + column) * 3 + 1] !== GROUND[1]) ink++
      return ink
    },
  }
}

for (const [kind, tags] of DATABASES)
  test(`what is no id of a post has no card on ${kind}`, { tags }, async () => {
    await using blog = await openBlogOn(kind)
    for (const id of ['%00', 'a%00', '..%2f', '%ff', 'missing', 'x'.repeat(50)])
      for (const card of ['card', 'card-600']) {
        const { status } = await fetch(`${blog.url}/post/${id}/${card}.png`)
        expect([id, status]).toEqual([id, 404])
      }
  })

test('a card is drawn with title and author, and a copy is used while it is current', async () => {
  await using blog = await start()
  const id = await blog.write(blog.alice, 'A letter to the person who left a map in seat 41')
  const { status, headers, body } = await blog.card(id)
  expect([status, headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(headers.get('cache-control')).toBe('public, no-cache')
  expect(headers.get('access-control-allow-origin')).toBeNull()
  expect(headers.get('set-cookie')).toBeNull()
  const image = await pixels(body)
  expect(image.size).toEqual([1200, 630])
  expect([image.at(1190, 10), image.at(10, 10)]).toEqual([LIGHT, GROUND])
  expect(image.inkIn(72, 290, 792, 150)).toBeGreaterThan(5000)
  expect(image.inkIn(170, 520, 300, 40)).toBeGreaterThan(300)

  const etag = headers.get('etag') ?? ''
  expect((await blog.card(id, { 'if-none-match': etag })).status).toBe(304)
  expect((await blog.card(id, { cookie: blog.alice.cookie })).body).toEqual(body)
  expect((await pixels((await blog.get(`/post/${id}/card-600.png?v=1`)).body)).size).toEqual([
    600, 315,
  ])
  await blog.patch(blog.alice, id, { title: 'Bread' })
  const changed = await blog.card(id, { 'if-none-match': etag })
  expect([changed.status, Buffer.compare(changed.body, body)]).not.toEqual([200, 0])
  expect((await pixels(changed.body)).inkIn(72, 200, 792, 150)).toBe(0)
})

test('a card shows the face that everybody may see, and mirrors titles from right to left', async () => {
  await using blog = await start()
  const { alice } = blog
  const face = await sharp({ create: { width: 90, height: 90, channels: 3, background: '#0f0' } })
    .png()
    .toBuffer()
  const file = await (await upload(blog, alice, face, { bucket: AVATARS })).body.$id
  await blog.call('PATCH', '/account/prefs', {
    cookie: alice.cookie,
    body: { prefs: { avatar: file } },
  })
  const id = await blog.write(alice, 'رسائل من مدينة تتنفّس ببطء')
  const image = await pixels((await blog.card(id)).body)
  expect(image.at(1090, 540)).toEqual([0, 255, 0])
  expect([image.at(10, 10), image.at(1190, 10)]).toEqual([LIGHT, GROUND])
  expect(image.inkIn(800, 330, 328, 110)).toBeGreaterThan(2000)
  expect(image.inkIn(60, 330, 300, 110)).toBe(0)
})

test('of posts that guests may not read there is neither card nor description', async () => {
  await using blog = await start()
  const { alice, key } = blog
  const bob = await blog.makePerson('bob')
  const hidden = await blog.write(alice, 'Hidden')
  const etag = (await blog.card(hidden)).headers.get('etag') ?? ''
  const ids = [
    hidden,
    await blog.write(alice, 'Draft', { status: 'inactive' }),
    await blog.write(alice, 'Members', {}, { permissions: ['read("users")'] }),
    await blog.write(bob, 'By a blocked person'),
    await blog.write(alice, 'Deleted'),
    'blog1700000000000l',
  ]
  await blog.call('PATCH', `${DOCUMENTS}/${hidden}/hidden`, {
    headers: key,
    body: { hidden: true },
  })
  await blog.call('PATCH', `/users/${bob.id}/status`, { headers: key, body: { status: false } })
  await blog.remove(alice, ids[4] ?? '')
  for (const id of ids)
    for (const headers of [{}, { cookie: alice.cookie }, key, { 'if-none-match': etag }]) {
      const card = await blog.card(id, headers)
      expect([id, card.status, card.headers.get('etag')]).toEqual([id, 404, null])
      const url = `${blog.url}/post/${id}`
      const embed = await blog.get(`/oembed?url=${encodeURIComponent(url)}`, headers)
      expect([id, embed.status]).toEqual([id, 404])
      expect(new TextDecoder().decode(embed.body)).toContain('document_not_found')
    }
})

test('oEmbed describes a post in JSON and in XML, from each of its addresses', async () => {
  await using blog = await start({ BLOG_SITE_NAME: 'Lamps & <Lights>' })
  const { url: site, alice } = blog
  const title = 'Salt & <b>"pepper"</b> \ufffe it’s'
  const id = await blog.write(alice, title)
  const address = `${site}/post/${id}`
  const json = await blog.embed({ url: address })
  expect(json.headers.get('content-type')).toMatch(/^application\/json/)
  expect(json.headers.get('cache-control')).toBe('public, no-cache')
  expect(json.headers.get('access-control-allow-origin')).toBeNull()
  const shown = (await blog.call('GET', `${DOCUMENTS}/${id}`)).body.title
  expect(JSON.parse(json.text)).toEqual({
    version: '1.0',
    type: 'link',
    title: shown,
    url: address,
    author_name: 'alice',
    provider_name: 'Lamps & <Lights>',
    provider_url: `${site}/`,
    thumbnail_url: expect.stringContaining(`${address}/card.png?v=`),
    thumbnail_width: 1200,
    thumbnail_height: 630,
  })
  for (const other of [`${address}/old-words`, `${address}/?a=b#c`])
    expect((await blog.embed({ url: other })).text).toBe(json.text)
  const etag = json.headers.get('etag') ?? ''
  const again = `/oembed?url=${encodeURIComponent(address)}`
  expect((await blog.get(again, { 'if-none-match': etag })).status).toBe(304)

  const xml = await blog.embed({ url: address, format: 'xml' })
  expect(xml.headers.get('content-type')).toMatch(/^text\/xml/)
  expect(xml.text).toContain('<provider_name>Lamps &amp; &lt;Lights&gt;</provider_name>')
  expect(xml.text).toContain('Salt &amp; &lt;b&gt;"pepper"&lt;/b&gt;')
  expect(xml.text).not.toContain('\ufffe')

  const small = JSON.parse((await blog.embed({ url: address, maxwidth: '640' })).text)
  expect(small).toMatchObject({ thumbnail_width: 600, thumbnail_height: 315 })
  expect((await blog.get(small.thumbnail_url.slice(site.length))).status).toBe(200)
  const none = JSON.parse((await blog.embed({ url: address, maxheight: '100' })).text)
  expect(none).not.toHaveProperty('thumbnail_url')
})

test('oEmbed of an open blog names the author, the address with words, and the image in the room there is', async () => {
  await using blog = await start({ BLOG_READING: 'everyone' })
  const id = await blog.post(blog.alice)
  const { text } = await blog.embed({ url: `${blog.url}/post/${id}`, maxwidth: '300' })
  const embed = JSON.parse(text)
  expect(embed).toMatchObject({
    url: expect.stringMatching(new RegExp(`^${blog.url}/post/${id}/[a-z]`)),
    author_url: `${blog.url}/author/${blog.alice.id}`,
    thumbnail_width: 300,
    thumbnail_height: 157,
  })
  const image = await blog.get(embed.thumbnail_url.slice(blog.url.length))
  expect((await pixels(image.body)).size).toEqual([300, 157])
})

test('oEmbed refuses other formats, other sites and what is no post', async () => {
  await using blog = await start()
  const id = await blog.write(blog.alice, 'A')
  const url = `${blog.url}/post/${id}`
  for (const [query, status] of [
    [{ url, format: 'yaml' }, 501],
    [{}, 400],
    [{ url: 'no address' }, 400],
    [{ url: `${url}?${'a'.repeat(2000)}` }, 400],
    [{ url, maxwidth: '0' }, 400],
    [{ url, maxheight: '-5' }, 400],
    [{ url: `https://elsewhere.example/post/${id}` }, 404],
    [{ url: `${blog.url}/` }, 404],
    [{ url: `${blog.url}/post/${id}/a/b` }, 404],
    [{ url: `${blog.url}/post/%ff` }, 404],
  ] as const)
    expect([query, (await blog.embed(query)).status]).toEqual([query, status])
})
