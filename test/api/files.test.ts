// Files over real HTTP: uploads in one piece, who may do what, bytes with ranges and conditions,
// lists.
import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Answer, Person, TestBlog } from '#test/support/blog.ts'
import { KEPT_BLOGS, type KeptBlog } from '#test/support/keepers.ts'
import { drawNoise, drawPhoto } from '#test/support/pictures.ts'

const CONTENT = '/storage/buckets/content/files'
const AVATARS = '/storage/buckets/avatars/files'

type Sending = {
  bucket?: string
  id?: string
  name?: string
  permissions?: string[]
  headers?: Record<string, string>
}

async function upload(
  blog: TestBlog,
  person: Person | undefined,
  bytes: Buffer,
  options: Sending = {},
): Promise<Answer> {
  const {
    bucket = CONTENT,
    id = 'unique()',
    name = 'photo.png',
    permissions,
    headers = {},
  } = options
  const body = new FormData()
  body.append('fileId', id)
  body.append('file', new File([new Uint8Array(bytes)], name))
  for (const one of permissions ?? []) body.append('permissions[]', one)
  return await blog.call('POST', bucket, {
    body,
    headers,
    ...(person ? { cookie: person.cookie } : {}),
  })
}

/** Every finished file, and what waits for its end. */
async function keptFiles(blog: KeptBlog): Promise<string[]> {
  return [
    ...(await blog.keptNames()),
    ...(await readdir(join(blog.dataDir, 'uploads')).catch(() => [])),
  ]
}

function refusal(code: number, type: string) {
  return { status: code, body: { code, type, version: '1.4.13' } }
}

describe.each(KEPT_BLOGS)('files on %s', (_name, makeBlog) => {
  test('an uploaded image is described, shown and downloaded as it was', async () => {
    await using blog = await makeBlog()
    const alice = await blog.makePerson('alice')
    const photo = await drawPhoto('png')
    const { status, body } = await upload(blog, alice, photo, { name: 'pic é.png' })
    expect(status).toBe(201)
    expect(body).toEqual({
      $id: expect.stringMatching(/^[0-9a-f]{20}$/),
      bucketId: 'content',
      $createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/),
      $updatedAt: body.$createdAt,
      $permissions: ['read("any")', `update("user:${alice.id}")`, `delete("user:${alice.id}")`],
      name: 'pic é.png',
      signature: expect.stringMatching(/^[0-9a-f]{32}$/),
      mimeType: 'image/png',
      sizeOriginal: photo.length,
      chunksTotal: 1,
      chunksUploaded: 1,
    })
    const view = await blog.call('GET', `${CONTENT}/${body.$id}/view`)
    expect(view.bytes.equals(photo)).toBe(true)
    expect(Object.fromEntries(view.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': `inline; filename="pic _.png"; filename*=UTF-8''pic%20%C3%A9.png`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=3888000, immutable',
      'content-length': String(photo.length),
      etag: `"${body.signature}"`,
    })
    const download = await blog.call('GET', `${CONTENT}/${body.$id}/download?project=blog`, {
      headers: { 'x-appwrite-project': 'other' },
    })
    expect(download.bytes.equals(photo)).toBe(true)
    expect(download.headers.get('content-disposition')).toMatch(/^attachment; /)
    expect(await readdir(join(blog.dataDir, 'uploads'))).toEqual([])
  })

  test.each([
    { name: 'a guest', person: undefined, sending: {}, answer: refusal(401, 'user_unauthorized') },
    {
      name: 'an unknown bucket',
      sending: { bucket: '/storage/buckets/nowhere/files' },
      answer: refusal(404, 'storage_bucket_not_found'),
    },
    {
      name: 'a permission for somebody else',
      sending: { permissions: ['update("any")'] },
      answer: refusal(401, 'user_unauthorized'),
    },
    {
      name: 'a broken permission',
      sending: { permissions: ['read(any)'] },
      answer: refusal(400, 'general_argument_invalid'),
    },
    {
      name: 'no bytes',
      bytes: Buffer.alloc(0),
      sending: {},
      answer: refusal(400, 'storage_file_empty'),
    },
    {
      name: 'a broken id',
      sending: { id: '.hidden' },
      answer: refusal(400, 'general_argument_invalid'),
    },
    {
      name: 'a wrong extension',
      sending: { name: 'photo.svg' },
      answer: refusal(400, 'storage_file_type_unsupported'),
    },
    {
      name: 'no extension',
      sending: { name: 'photo' },
      answer: refusal(400, 'storage_file_type_unsupported'),
    },
    {
      name: 'an extension that lies',
      sending: { name: 'photo.gif' },
      answer: refusal(400, 'storage_file_type_unsupported'),
    },
    {
      name: 'an svg',
      bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      sending: {},
      answer: refusal(400, 'storage_file_type_unsupported'),
    },
    { name: 'a cut image', part: 0.5, sending: {}, answer: refusal(403, 'storage_invalid_file') },
    {
      name: 'a broken range',
      sending: { headers: { 'content-range': 'bytes 0-9/5' } },
      answer: refusal(400, 'storage_invalid_content_range'),
    },
    {
      name: 'a broken upload id',
      sending: { headers: { 'x-appwrite-id': 'unique()' } },
      answer: refusal(400, 'storage_invalid_appwrite_id'),
    },
  ])(
    'an upload with $name is refused and keeps nothing',
    async ({ bytes, part = 1, sending, answer, ...rest }) => {
      await using blog = await makeBlog()
      const alice = await blog.makePerson('alice')
      const photo = bytes ?? (await drawPhoto('png', { width: 60, height: 40 }))
      expect(
        await upload(
          blog,
          'person' in rest ? rest.person : alice,
          photo.subarray(0, photo.length * part),
          sending,
        ),
      ).toMatchObject(answer)
      expect(await keptFiles(blog)).toEqual([])
      expect((await blog.call('GET', CONTENT, { cookie: alice.cookie })).body).toEqual({
        total: 0,
        files: [],
      })
    },
  )

  test('a form without a file, and one that is no form, are answered with storage_file_empty', async () => {
    await using blog = await makeBlog()
    const { cookie } = await blog.makePerson('alice')
    const body = new FormData()
    body.append('fileId', 'unique()')
    body.append('file', 'just text')
    expect(await blog.call('POST', CONTENT, { cookie, body })).toMatchObject(
      refusal(400, 'storage_file_empty'),
    )
    expect(
      await blog.call('POST', CONTENT, { cookie, body: { fileId: 'unique()' } }),
    ).toMatchObject(refusal(400, 'general_argument_invalid'))
    expect(
      await blog.call('POST', CONTENT, {
        cookie,
        body: 'x',
        headers: { 'content-type': 'text/plain' },
      }),
    ).toMatchObject({ status: 400 })
  })

  test('an avatar has 5 MiB and not one byte more; a request has 6 MiB', async () => {
    await using blog = await makeBlog()
    const alice = await blog.makePerson('alice')
    const limit = 5 * 1024 * 1024
    const photo = await drawPhoto('png')
    const full = Buffer.concat([photo, Buffer.alloc(limit - photo.length)])
    expect(await upload(blog, alice, full, { bucket: AVATARS })).toMatchObject({
      status: 201,
      body: { sizeOriginal: photo.length },
    })
    const over = Buffer.concat([full, Buffer.alloc(1)])
    expect(await upload(blog, alice, over, { bucket: AVATARS })).toMatchObject(
      refusal(400, 'storage_invalid_file_size'),
    )
    expect(await upload(blog, alice, over)).toMatchObject({ status: 201 })
    const tooLong = await upload(blog, alice, Buffer.concat([photo, Buffer.alloc(7 * 1024 * 1024)]))
    expect(tooLong).toMatchObject(refusal(413, 'general_argument_invalid'))
    expect(await keptFiles(blog)).toHaveLength(2)
  })

  test('an id is given once', async () => {
    await using blog = await makeBlog()
    const [alice, bob] = [await blog.makePerson('alice'), await blog.makePerson('bob')]
    const [first, second] = [
      await drawPhoto('png', { width: 60, height: 40 }),
      await drawPhoto('png', { width: 30, height: 40 }),
    ]
    expect(await upload(blog, alice, first, { id: 'mine.1' })).toMatchObject({
      status: 201,
      body: { $id: 'mine.1' },
    })
    for (const person of [alice, bob]) {
      expect(await upload(blog, person, second, { id: 'mine.1' })).toMatchObject(
        refusal(409, 'storage_file_already_exists'),
      )
    }
    const both = await Promise.all([1, 2, 3].map(() => upload(blog, alice, second, { id: 'race' })))
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect((await blog.call('GET', `${CONTENT}/mine.1/view`)).bytes.equals(first)).toBe(true)
    expect(await keptFiles(blog)).toHaveLength(2)
  })

  test('only the uploader and the key see details, rename and delete; bytes are for everybody', async () => {
    await using blog = await makeBlog()
    const [alice, bob] = [await blog.makePerson('alice'), await blog.makePerson('bob')]
    const { body: file } = await upload(
      blog,
      alice,
      await drawPhoto('png', { width: 60, height: 40 }),
    )
    const path = `${CONTENT}/${file.$id}`
    const others = [{}, { cookie: bob.cookie }]
    for (const other of others) {
      expect(await blog.call('GET', path, other)).toMatchObject(
        refusal(404, 'storage_file_not_found'),
      )
      expect(await blog.call('PUT', path, { ...other, body: { name: 'x.png' } })).toMatchObject(
        refusal(401, 'user_unauthorized'),
      )
      expect(await blog.call('DELETE', path, { ...other, body: {} })).toMatchObject(
        refusal(401, 'user_unauthorized'),
      )
      expect((await blog.call('GET', `${path}/view`, other)).status).toBe(200)
    }
    expect((await blog.call('GET', path, { cookie: alice.cookie })).body).toEqual(file)
    const renamed = await blog.call('PUT', path, {
      cookie: alice.cookie,
      body: { name: 'new.png' },
    })
    expect(renamed).toMatchObject({
      status: 200,
      body: { ...file, name: 'new.png', $updatedAt: expect.any(String) },
    })
    for (const name of ['', 'a'.repeat(256), '../x.png', 'a\u0000b', 5]) {
      expect(await blog.call('PUT', path, { cookie: alice.cookie, body: { name } })).toMatchObject(
        refusal(400, 'general_argument_invalid'),
      )
    }
    const key = { 'x-appwrite-key': blog.apiKey }
    expect((await blog.call('GET', path, { headers: key })).body).toMatchObject({ name: 'new.png' })
    const evil = await blog.call('PUT', path, { cookie: alice.cookie, body: { name: 'evil.html' } })
    expect(evil).toMatchObject({ status: 200, body: { name: 'evil.png' } })
    expect((await blog.call('GET', `${path}/download`)).headers.get('content-disposition')).toBe(
      'attachment; filename="evil.png"',
    )
    const gone = await blog.call('DELETE', path, { headers: key, body: {} })
    expect({ status: gone.status, type: gone.headers.get('content-type') }).toEqual({
      status: 204,
      type: null,
    })
    expect(await blog.call('DELETE', path, { cookie: alice.cookie, body: {} })).toMatchObject(
      refusal(404, 'storage_file_not_found'),
    )
    expect(await blog.call('GET', `${path}/view`)).toMatchObject(
      refusal(404, 'storage_file_not_found'),
    )
    await expect.poll(() => keptFiles(blog)).toEqual([])
  })

  test('permissions narrow who sees the bytes; caches then stay private', async () => {
    await using blog = await makeBlog()
    const [alice, bob] = [await blog.makePerson('alice'), await blog.makePerson('bob')]
    const photo = await drawPhoto('png', { width: 60, height: 40 })
    const { body: file } = await upload(blog, alice, photo, { permissions: ['read("users")'] })
    const seenBy = async (id: string) =>
      await Promise.all(
        [{}, { cookie: bob.cookie }, { cookie: alice.cookie }].flatMap((who) =>
          ['view', 'download', 'preview?width=10'].map(
            async (way) => (await blog.call('GET', `${CONTENT}/${id}/${way}`, who)).status,
          ),
        ),
      )
    expect(await seenBy(file.$id)).toEqual([404, 404, 404, 200, 200, 200, 200, 200, 200])
    const own = await blog.call('PUT', `${CONTENT}/${file.$id}`, {
      cookie: alice.cookie,
      body: { permissions: [`read("user:${alice.id}")`] },
    })
    expect(own.body.$permissions).toEqual([`read("user:${alice.id}")`])
    expect(await seenBy(file.$id)).toEqual([404, 404, 404, 404, 404, 404, 200, 200, 200])
    expect(
      await blog.call('DELETE', `${CONTENT}/${file.$id}`, { cookie: bob.cookie, body: {} }),
    ).toMatchObject(refusal(404, 'storage_file_not_found'))
    const view = await blog.call('GET', `${CONTENT}/${file.$id}/view`, { cookie: alice.cookie })
    expect(view.headers.get('cache-control')).toBe('private, max-age=3888000')
  })

  test.each([
    { range: 'bytes=0-0', part: [0, 1] },
    { range: 'bytes=0-9', part: [0, 10] },
    { range: 'bytes=5-', part: [5, undefined] },
    { range: 'bytes=-7', part: [-7, undefined] },
    { range: 'bytes=-99999999', part: [0, undefined] },
    { range: 'bytes=10-99999999', part: [10, undefined] },
  ])('$range gives exactly these bytes', async ({ range, part }) => {
    await using blog = await makeBlog()
    const photo = await drawPhoto('png', { width: 60, height: 40 })
    const { body: file } = await upload(blog, await blog.makePerson('alice'), photo)
    for (const way of ['view', 'download']) {
      const { status, headers, bytes } = await blog.call('GET', `${CONTENT}/${file.$id}/${way}`, {
        headers: { range },
      })
      const wanted = photo.subarray(part[0], part[1])
      const start = photo.length - photo.subarray(part[0]).length
      expect({
        status,
        range: headers.get('content-range'),
        length: headers.get('content-length'),
      }).toEqual({
        status: 206,
        range: `bytes ${start}-${start + wanted.length - 1}/${photo.length}`,
        length: String(wanted.length),
      })
      expect(bytes.equals(wanted)).toBe(true)
    }
  })

  test('ranges that no byte answers are 416; other units and several ranges give the whole; If-Range must match', async () => {
    await using blog = await makeBlog()
    const photo = await drawPhoto('png', { width: 60, height: 40 })
    const { body: file } = await upload(blog, await blog.makePerson('alice'), photo)
    const path = `${CONTENT}/${file.$id}/view`
    for (const range of [
      `bytes=${photo.length}-`,
      'bytes=99999999-',
      'bytes=9-3',
      'bytes=-0',
      'bytes=988',
      'bytes=-',
      'bytes=x-y',
    ]) {
      const answer = await blog.call('GET', path, { headers: { range } })
      expect(answer, range).toMatchObject(refusal(416, 'storage_invalid_range'))
      expect(answer.headers.get('content-range')).toBe(`bytes */${photo.length}`)
      expect(answer.headers.get('content-disposition')).toBe(null)
    }
    for (const range of ['lines=1-2', 'bytes=0-1,4-5'])
      expect((await blog.call('GET', path, { headers: { range } })).status, range).toBe(200)
    const ifRange = async (etag: string) =>
      (await blog.call('GET', path, { headers: { range: 'bytes=0-1', 'if-range': etag } })).status
    expect([await ifRange(`"${file.signature}"`), await ifRange('"other"')]).toEqual([206, 200])
  })

  test('a known ETag is answered 304, HEAD like GET without the bytes', async () => {
    await using blog = await makeBlog()
    const photo = await drawPhoto('png', { width: 60, height: 40 })
    const { body: file } = await upload(blog, await blog.makePerson('alice'), photo)
    for (const way of ['view', 'download', 'preview?width=20']) {
      const whole = await blog.call('GET', `${CONTENT}/${file.$id}/${way}`)
      const etag = whole.headers.get('etag') ?? ''
      const known = await blog.call('GET', `${CONTENT}/${file.$id}/${way}`, {
        headers: { 'if-none-match': `"x", W/${etag}` },
      })
      expect({
        status: known.status,
        length: known.bytes.length,
        etag: known.headers.get('etag'),
      }).toEqual({ status: 304, length: 0, etag })
      const head = await blog.call('HEAD', `${CONTENT}/${file.$id}/${way}`)
      expect({
        status: head.status,
        length: head.headers.get('content-length'),
        etag: head.headers.get('etag'),
      }).toEqual({
        status: 200,
        length: String(whole.bytes.length),
        etag,
      })
    }
  })

  test('a list shows own files only, by queries in both notations and by a word of the name', async () => {
    await using blog = await makeBlog()
    const [alice, bob] = [await blog.makePerson('alice'), await blog.makePerson('bob')]
    const photo = await drawPhoto('png', { width: 60, height: 40 })
    for (const name of ['harbour.png', 'Lamp.png', 'lamp two.png'])
      expect((await upload(blog, alice, photo, { name })).status).toBe(201)
    expect((await upload(blog, bob, photo, { name: 'bob.png' })).status).toBe(201)
    const names = async (query: string, who: object = { cookie: alice.cookie }) => {
      const { body } = await blog.call('GET', `${CONTENT}?${query}`, who)
      return [
        body.total,
        ...(body.files ?? [body.type]).map((file: { name: string }) => file.name ?? file),
      ]
    }
    expect(await names('')).toEqual([3, 'harbour.png', 'Lamp.png', 'lamp two.png'])
    expect(await names('search=LAMP')).toEqual([2, 'Lamp.png', 'lamp two.png'])
    expect(await names(`queries[0]=${encodeURIComponent('equal("name", ["Lamp.png"])')}`)).toEqual([
      1,
      'Lamp.png',
    ])
    expect(
      await names(
        `queries[0]=${encodeURIComponent('{"method":"limit","values":[1]}')}&queries[1]=orderDesc("")`,
      ),
    ).toEqual([3, 'lamp two.png'])
    expect(await names('queries[]=equal("storedName",["x"])')).toEqual([
      undefined,
      'general_argument_invalid',
    ])
    expect(await names('queries[]=select(["name"])')).toEqual([
      undefined,
      'general_argument_invalid',
    ])
    expect(await names('', { headers: { 'x-appwrite-key': blog.apiKey } })).toEqual([
      4,
      'harbour.png',
      'Lamp.png',
      'lamp two.png',
      'bob.png',
    ])
    expect(await blog.call('GET', CONTENT)).toMatchObject(refusal(401, 'user_unauthorized'))
    expect(await names(`search=${'x'.repeat(257)}`)).toEqual([
      undefined,
      'general_argument_invalid',
    ])
  })

  test('new files are counted per person, later chunks are not', async () => {
    await using blog = await makeBlog({ BLOG_RATE_LIMITS: 'on' })
    const alice = await blog.makePerson('alice')
    const photo = await drawPhoto('png', { width: 20, height: 20 })
    const first = await upload(blog, alice, photo)
    expect(first.headers.get('x-ratelimit-limit')).toBe('60')
    expect(first.headers.get('x-ratelimit-remaining')).toBe('59')
    const later = await upload(blog, alice, photo, {
      headers: { 'content-range': 'bytes 5242880-5242899/5242900' },
    })
    expect({ status: later.status, left: later.headers.get('x-ratelimit-remaining') }).toEqual({
      status: 400,
      left: '58',
    })
  })

  test('what only looks like a later chunk counts as a new file', async () => {
    await using blog = await makeBlog({ BLOG_RATE_LIMITS: 'on' })
    const [alice, bob] = [await blog.makePerson('alice'), await blog.makePerson('bob')]
    const large = await drawNoise(6_000_000)
    const range = (from: number, to: number, total = large.length) => ({
      'content-range': `bytes ${from}-${to - 1}/${total}`,
    })
    const send = async (who: Person, from: number, to: number, headers: Record<string, string>) => {
      const { status, headers: answered } = await upload(blog, who, large.subarray(from, to), {
        headers,
        id: 'attic',
      })
      return [status, answered.get('x-ratelimit-remaining')]
    }
    const half = 5 * 1024 * 1024
    const end = half + 100
    const continuing = { 'x-appwrite-id': 'attic' }
    expect(await send(alice, 0, half, range(0, half))).toEqual([201, '59'])
    expect(
      await send(alice, half, large.length, { 'content-range': 'bytes 7-nonsense', ...continuing }),
    ).toEqual([400, '58'])
    expect(await send(alice, half, end, { ...range(half, end, end), ...continuing })).toEqual([
      400,
      '57',
    ])
    expect(
      await send(alice, half, large.length, {
        ...range(half, large.length),
        'x-appwrite-id': 'another',
      }),
    ).toEqual([201, '56'])
    expect(
      await send(bob, half, large.length, { ...range(half, large.length), ...continuing }),
    ).toEqual([401, '59'])
    expect(
      await send(alice, half, large.length, { ...range(half, large.length), ...continuing }),
    ).toEqual([201, null])
    expect(
      await send(alice, half, large.length, { ...range(half, large.length), ...continuing }),
    ).toEqual([409, '55'])
  })

  test('only an upload may be a form: elsewhere it is refused and changes nothing', async () => {
    await using blog = await makeBlog()
    const alice = await blog.makePerson('alice')
    const { body: file } = await upload(
      blog,
      alice,
      await drawPhoto('png', { width: 60, height: 40 }),
    )
    const path = `${CONTENT}/${file.$id}`
    const form = new FormData()
    form.append('name', 'form.png')
    for (const method of ['PUT', 'DELETE'])
      expect(await blog.call(method, path, { cookie: alice.cookie, body: form })).toMatchObject(
        refusal(400, 'general_argument_invalid'),
      )
    expect((await blog.call('GET', path, { cookie: alice.cookie })).body).toEqual(file)
  })

  test('the API key uploads for nobody: everybody sees the image, only the key changes it', async () => {
    await using blog = await makeBlog()
    const noise = await drawNoise(5_000_000)
    const { status, body } = await upload(blog, undefined, noise, {
      headers: { 'x-appwrite-key': blog.apiKey },
    })
    expect({ status, permissions: body.$permissions, size: body.sizeOriginal }).toEqual({
      status: 201,
      permissions: ['read("any")'],
      size: noise.length,
    })
  })

  /** Starts an upload by hand, up to the first byte of the file. */
  function beginRaw(blog: TestBlog, person: Person): ReturnType<typeof request> {
    const headers = {
      'x-appwrite-project': 'blog',
      cookie: person.cookie,
      'content-type': 'multipart/form-data; boundary=xx',
    }
    const raw = request(`${blog.url}/v1${CONTENT}`, { method: 'POST', headers })
    raw.write('--xx\r\ncontent-disposition: form-data; name="fileId"\r\n\r\nunique()\r\n')
    raw.write('--xx\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n')
    return raw
  }

  test('an upload that breaks off leaves nothing', async () => {
    await using blog = await makeBlog()
    const raw = beginRaw(blog, await blog.makePerson('alice'))
    const failed = new Promise((resolve) => raw.on('error', resolve))
    raw.write(Buffer.alloc(300_000))
    await expect.poll(async () => (await keptFiles(blog)).length).toBe(1)
    raw.destroy()
    await failed
    await expect.poll(() => keptFiles(blog)).toEqual([])
    expect(blog.log.filter(({ level }) => Number(level) >= 50)).toEqual([])
  })

  test('a request of unknown length is cut off at the limit', async () => {
    await using blog = await makeBlog()
    const raw = beginRaw(blog, await blog.makePerson('alice'))
    const status = new Promise<number | undefined>((resolve) =>
      raw.on('response', (answer) => resolve(answer.resume().statusCode)),
    )
    for (let sent = 0; sent < 7; sent++) raw.write(Buffer.alloc(1024 * 1024))
    raw.end('\r\n--xx--\r\n')
    expect(await status).toBe(413)
    expect(await keptFiles(blog)).toEqual([])
  })

  test('a form cut short, and one with too many fields, are refused and leave nothing', async () => {
    await using blog = await makeBlog()
    const alice = await blog.makePerson('alice')
    const raw = beginRaw(blog, alice)
    const status = new Promise<number | undefined>((resolve) =>
      raw.on('response', (answer) => resolve(answer.resume().statusCode)),
    )
    raw.end(Buffer.alloc(1000))
    expect(await status).toBe(400)
    const photo = await drawPhoto('png', { width: 20, height: 20 })
    const many = await upload(blog, alice, photo, {
      permissions: Array.from({ length: 101 }, () => 'read("any")'),
    })
    expect(many).toMatchObject(refusal(400, 'general_argument_invalid'))
    expect(
      (
        await upload(blog, alice, photo, {
          permissions: Array.from({ length: 500 }, () => 'read("any")'),
        })
      ).status,
    ).toBe(413)
    expect(await keptFiles(blog)).toEqual([])
  })
})
