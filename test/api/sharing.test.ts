// Share cards and oEmbed over real HTTP: what they contain of a public post, and that no caller
// gets anything of a post that guests may not read.
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { makeTestBlog, type Person } from '#test/support/blog.ts'
import { openBlogOn } from '#test/support/blog-on-database.ts'
import { DATABASES } from '#test/support/databases.ts'
import { DOCUMENTS, makeDocuments } from '#test/support/documents.ts'
import { AVATARS, upload } from '#test/support/files.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

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
    get,
    card: (id: string, headers?: Record<string, string>) => get(`/post/${id}/card.png`, headers),
    async embed(query: Record<string, string>) {
      const answer = await get(`/oembed?${new URLSearchParams(query)}`)
      return { ...answer, text: new TextDecoder().decode(answer.body) }
    },
    async write(author: Person, title: string, data: object = {}, rest = {}) {
      const answer = await documents.create(author, { title, content: '<p>a</p>', ...data }, rest)
      expect(answer.status).toBe(201)
      return String(answer.body.$id)
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
    /** The number of pixels in an area that do not have the background colour. */
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
  test(`an ID without a post has no card on ${kind}`, { tags }, async () => {
    await using blog = await openBlogOn(kind)
    for (const id of ['%00', 'a%00', '..%2f', '%ff', 'missing', 'x'.repeat(50)])
      for (const card of ['card', 'card-600']) {
        const { status } = await fetch(`${blog.url}/post/${id}/${card}.png`)
        expect([id, status]).toEqual([id, 404])
      }
  })

const share = shareBlog(() => start())

test('a card shows the title and the author of a post', async () => {
  const { write, card, alice } = await share()
  const { status, headers, body } = await card(
    await write(alice, 'A letter to the person who left a map in seat 41'),
  )
  expect([status, headers.get('content-type')]).toEqual([200, 'image/png'])
  const image = await pixels(body)
  expect(image.size).toEqual([1200, 630])
  expect([image.at(1190, 10), image.at(10, 10)]).toEqual([LIGHT, GROUND])
  expect(image.inkIn(72, 290, 792, 150)).toBeGreaterThan(5000)
  expect(image.inkIn(170, 520, 300, 40)).toBeGreaterThan(300)
})

test('a card is the same for every reader, and caches may store it', async () => {
  const { write, card, alice } = await share()
  const id = await write(alice, 'Bread')
  const { headers, body } = await card(id)
  expect(headers.get('cache-control')).toBe('public, no-cache')
  expect(headers.get('access-control-allow-origin')).toBeNull()
  expect(headers.get('set-cookie')).toBeNull()
  expect((await card(id, { cookie: alice.cookie })).body).toEqual(body)
})

test('a cached card stays valid until the title changes', async () => {
  const { write, card, patch, alice } = await share()
  const id = await write(alice, 'A letter to the person who left a map in seat 41')
  const { headers, body } = await card(id)
  const copy = { 'if-none-match': headers.get('etag') ?? '' }
  expect((await card(id, copy)).status).toBe(304)
  await patch(alice, id, { title: 'Bread' })
  const changed = await card(id, copy)
  expect(changed.status).toBe(200)
  expect(Buffer.compare(changed.body, body)).not.toBe(0)
  expect((await pixels(changed.body)).inkIn(72, 200, 792, 150)).toBe(0)
})

test('a card is also available at half the size', async () => {
  const { write, get, alice } = await share()
  const { body } = await get(`/post/${await write(alice, 'Bread')}/card-600.png?v=1`)
  expect((await pixels(body)).size).toEqual([600, 315])
})

test('a card shows an avatar that everybody may see', async () => {
  const blog = await share()
  const author = await blog.makePerson('carla')
  const green = { width: 90, height: 90, channels: 3, background: '#0f0' } as const
  const photo = await sharp({ create: green }).png().toBuffer()
  const avatar = (await upload(blog, author, photo, { bucket: AVATARS })).body.$id
  const body = { prefs: { avatar } }
  await blog.call('PATCH', '/account/prefs', { cookie: author.cookie, body })
  const id = await blog.write(author, 'رسائل')
  const image = await pixels((await blog.card(id)).body)
  expect(image.at(1090, 540)).toEqual([0, 255, 0])
})

test('the card of a title that is read from right to left is mirrored', async () => {
  const { write, card, alice } = await share()
  const image = await pixels((await card(await write(alice, 'رسائل من مدينة تتنفّس ببطء'))).body)
  expect([image.at(10, 10), image.at(1190, 10)]).toEqual([LIGHT, GROUND])
  expect(image.inkIn(800, 330, 328, 110)).toBeGreaterThan(2000)
  expect(image.inkIn(60, 330, 300, 110)).toBe(0)
})

test('posts that guests may not read have neither card nor description', async () => {
  const blog = await share()
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

describe('oEmbed', () => {
  const siteName = 'Lamps & <Lights>'
  const shareNamed = shareBlog(() => start({ BLOG_SITE_NAME: siteName }))

  /** A post whose title has characters that must be escaped, and its address. */
  async function startWithPost() {
    const blog = await shareNamed()
    const id = await blog.write(blog.alice, 'Salt & <b>"pepper"</b> \ufffe it’s')
    return { ...blog, id, address: `${blog.url}/post/${id}` }
  }

  test('describes a post in JSON', async () => {
    const { url, get, embed, id, address } = await startWithPost()
    const { headers, text } = await embed({ url: address })
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    const { title } = JSON.parse(
      new TextDecoder().decode((await get(`/v1${DOCUMENTS}/${id}?project=blog`)).body),
    )
    expect(JSON.parse(text)).toEqual({
      version: '1.0',
      type: 'link',
      title,
      url: address,
      author_name: 'alice',
      provider_name: siteName,
      provider_url: `${url}/`,
      thumbnail_url: expect.stringContaining(`${address}/card.png?v=`),
      thumbnail_width: 1200,
      thumbnail_height: 630,
    })
  })

  test('describes a post in XML, without characters that XML forbids', async () => {
    const { embed, address } = await startWithPost()
    const { headers, text } = await embed({ url: address, format: 'xml' })
    expect(headers.get('content-type')).toMatch(/^text\/xml/)
    expect(text).toContain('<provider_name>Lamps &amp; &lt;Lights&gt;</provider_name>')
    expect(text).toContain('Salt &amp; &lt;b&gt;"pepper"&lt;/b&gt;')
    expect(text).not.toContain('\ufffe')
  })

  test('describes a post under each of its addresses', async () => {
    const { embed, address } = await startWithPost()
    const { text } = await embed({ url: address })
    for (const other of [`${address}/old-words`, `${address}/?a=b#c`])
      expect((await embed({ url: other })).text).toBe(text)
  })

  test('lets caches store a description, and answers 304 while it is current', async () => {
    const { get, embed, address } = await startWithPost()
    const { headers } = await embed({ url: address })
    expect(headers.get('cache-control')).toBe('public, no-cache')
    expect(headers.get('access-control-allow-origin')).toBeNull()
    const copy = { 'if-none-match': headers.get('etag') ?? '' }
    expect((await get(`/oembed?url=${encodeURIComponent(address)}`, copy)).status).toBe(304)
  })

  test('names the card that fits into the requested size, or none', async () => {
    const { url, get, embed, address } = await startWithPost()
    const small = JSON.parse((await embed({ url: address, maxwidth: '640' })).text)
    expect(small).toMatchObject({ thumbnail_width: 600, thumbnail_height: 315 })
    expect((await get(small.thumbnail_url.slice(url.length))).status).toBe(200)
    const none = JSON.parse((await embed({ url: address, maxheight: '100' })).text)
    expect(none).not.toHaveProperty('thumbnail_url')
  })
})

describe('oEmbed of an open blog', () => {
  const shareOpen = shareBlog(() => start({ BLOG_READING: 'everyone' }))

  test('names the author’s page and the readable address', async () => {
    const { url, post, embed, alice } = await shareOpen()
    const id = await post(alice)
    const { text } = await embed({ url: `${url}/post/${id}` })
    expect(JSON.parse(text)).toMatchObject({
      url: expect.stringMatching(new RegExp(`^${url}/post/${id}/[a-z]`)),
      author_url: `${url}/author/${alice.id}`,
    })
  })

  test('names the post’s image in the requested size', async () => {
    const { url, post, get, embed, alice } = await shareOpen()
    const id = await post(alice)
    const { text } = await embed({ url: `${url}/post/${id}`, maxwidth: '300' })
    const description = JSON.parse(text)
    expect(description).toMatchObject({ thumbnail_width: 300, thumbnail_height: 157 })
    const image = await get(description.thumbnail_url.slice(url.length))
    expect((await pixels(image.body)).size).toEqual([300, 157])
  })
})

test('oEmbed refuses other formats, other sites and addresses that are not those of posts', async () => {
  const blog = await share()
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
