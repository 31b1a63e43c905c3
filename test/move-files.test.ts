// Moving the files of a blog to an S3 server and back, with its database and without.
// @module-tag more
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { makeDisk } from '#backend/files/disk.ts'
import { makeS3 } from '#backend/files/s3.ts'
import type { S3Config } from '#backend/settings/read-settings.ts'
import { uploadPhoto } from '#test/support/backup-writes.ts'
import { makeBucket } from '#test/support/blob-stores.ts'
import { makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { makePostgresDatabase } from '#test/support/databases.ts'
import { CONTENT, upload } from '#test/support/files.ts'
import { drawNoise } from '#test/support/images.ts'
import { makeDataDir } from '#test/support/process.ts'
import { runScript } from '#test/support/run-script.ts'

const PHOTOS = 12
const CHUNK = 5 * 1024 * 1024

/** The settings of a bucket, as a file and as an environment has them. */
async function makeSettings(folder: string, { endpoint, bucket, ...keys }: S3Config, url = '') {
  const env = {
    BLOG_S3_ENDPOINT: endpoint,
    BLOG_S3_BUCKET: bucket,
    BLOG_S3_ACCESS_KEY: keys.accessKey,
    BLOG_S3_SECRET_KEY: keys.secretKey,
    ...(url && { BLOG_DATABASE_URL: url }),
  }
  const path = join(folder, 'new.env')
  const lines = Object.entries(env).map(([name, value]) => `${name}=${value}\n`)
  await writeFile(path, lines.join(''))
  return { env, path }
}

describe.skipIf(!inject('hasS3'))('with an S3 server', () => {
  test('database and files move to PostgreSQL and S3 and back, and every image stays the same', async () => {
    await using folder = await makeDataDir()
    const postgres = await makePostgresDatabase({ isEmpty: true })
    const { env, path } = await makeSettings(folder.path, await makeBucket(), postgres.url)
    const blogEnv = { BLOG_DATA_DIR: folder.path }
    const images = new Map<string, Buffer>()
    let cookie = ''
    let address = ''
    {
      await using blog = await makeTestBlog(blogEnv)
      address = blog.url
      const alice = await blog.makePerson('alice')
      cookie = alice.cookie
      for (let at = 0; at < PHOTOS; at++) {
        const id = await uploadPhoto(blog, alice)
        images.set(id, (await blog.call('GET', `${CONTENT}/${id}/view`, alice)).bytes)
      }
    }
    const away = ['--to', 'postgres', '--files-to', 's3', '--settings', path]
    const outcome = await runScript('move.ts', away, blogEnv)
    expect(outcome).toMatchObject({ code: 0, err: '' })
    expect(outcome.out).toContain(`${PHOTOS} files copied, 0 were there already`)
    await rename(join(folder.path, 'files'), join(folder.path, 'files.old'))
    await rename(join(folder.path, 'blog.sqlite'), join(folder.path, 'blog.sqlite.old'))
    const expectImages = async (settings: Record<string, string>) => {
      await using blog = await makeTestBlog({ ...blogEnv, ...settings, BLOG_PUBLIC_URL: address })
      for (const [id, bytes] of images)
        expect((await blog.call('GET', `${CONTENT}/${id}/view`, { cookie })).bytes).toEqual(bytes)
    }
    await expectImages(env)

    const moveBack = await runScript('move.ts', ['--to', 'sqlite', '--files-to', 'folder'], {
      ...blogEnv,
      ...env,
    })
    expect(moveBack).toMatchObject({ code: 0, err: '' })
    await expectImages({})
    await postgres.drop()
  })

  test('an upload begun before the move can be finished after it', async () => {
    await using folder = await makeDataDir()
    const postgres = await makePostgresDatabase({ isEmpty: true })
    const { env, path } = await makeSettings(folder.path, await makeBucket(), postgres.url)
    const blogEnv = { BLOG_DATA_DIR: folder.path }
    const large = await drawNoise(6_000_000)
    const send = (blog: TestBlog, cookie: string, from: number) => {
      const end = Math.min(from + CHUNK, large.length)
      return upload(blog, undefined, large.subarray(from, end), {
        id: 'large',
        headers: {
          cookie,
          'content-range': `bytes ${from}-${end - 1}/${large.length}`,
          ...(from > 0 && { 'x-appwrite-id': 'large' }),
        },
      })
    }
    let cookie = ''
    let address = ''
    {
      await using blog = await makeTestBlog(blogEnv)
      address = blog.url
      cookie = (await blog.makePerson('alice')).cookie
      expect((await send(blog, cookie, 0)).status).toBe(201)
    }
    const away = ['--to', 'postgres', '--files-to', 's3', '--settings', path]
    expect(await runScript('move.ts', away, blogEnv)).toMatchObject({ code: 0, err: '' })
    await rename(join(folder.path, 'uploads'), join(folder.path, 'uploads.old'))
    {
      await using blog = await makeTestBlog({ ...blogEnv, ...env, BLOG_PUBLIC_URL: address })
      const { status, body } = await send(blog, cookie, CHUNK)
      expect([status, body.chunksUploaded]).toEqual([201, 2])
      expect((await blog.call('GET', `${CONTENT}/large/view`, { cookie })).bytes).toEqual(large)
    }
    await postgres.drop()
  })

  test('files already in the bucket are verified instead of sent, and damaged ones are sent again', async () => {
    await using folder = await makeDataDir()
    const config = await makeBucket()
    const { path } = await makeSettings(folder.path, config)
    const blogEnv = { BLOG_DATA_DIR: folder.path }
    {
      await using blog = await makeTestBlog(blogEnv)
      const alice = await blog.makePerson('alice')
      for (let at = 0; at < PHOTOS; at++) await uploadPhoto(blog, alice)
    }
    const move = () => runScript('move.ts', ['--files-to', 's3', '--settings', path], blogEnv)
    // What a kill left: half a file on its way, and others not sent yet.
    const spool = join(folder.path, '.moving', 'uploads')
    await mkdir(spool, { recursive: true })
    const [name = ''] = await readdir(join(folder.path, 'files'))
    await writeFile(join(spool, `${name}.s3.part`), 'half')
    expect(await move()).toMatchObject({ code: 0, err: '' })
    const bucket = makeS3(config, { spool: makeDisk(join(folder.path, 'spool')) })
    await bucket.put(name, [Buffer.from('damaged')], 100)
    const secondMove = await move()
    expect(secondMove.out).toContain(`1 files copied, ${PHOTOS - 1} were there already`)

    await bucket.put(`${'a'.repeat(20)}-${'b'.repeat(16)}`, [Buffer.from('other')], 100)
    const outcome = await move()
    expect([outcome.code, outcome.err]).toEqual([1, expect.stringContaining('is not empty')])
  })
})
