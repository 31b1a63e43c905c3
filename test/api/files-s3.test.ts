// Special cases of files that are stored on an S3 server: wrong settings at the start, and a server
// that fails. All else is tested for both stores in files*.test.ts and blob-stores.test.ts.
// @module-tag more
import {
  DeleteBucketCommand,
  DeleteObjectCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3'
import { describe, expect, inject, test } from 'vitest'
import { makeBucket } from '#test/support/blob-stores.ts'
import { makeTestBlog } from '#test/support/blog.ts'
import { CONTENT } from '#test/support/files.ts'
import { drawPhoto } from '#test/support/images.ts'
import { makeDataDir, runServer } from '#test/support/process.ts'

describe.skipIf(!inject('hasS3'))('files on an S3 server', () => {
  test.each([
    {
      name: 'a wrong secret',
      settings: { BLOG_S3_SECRET_KEY: 'not-the-secret' },
      message: 'BLOG_S3_ACCESS_KEY, BLOG_S3_SECRET_KEY',
    },
    {
      name: 'a bucket that does not exist',
      settings: { BLOG_S3_BUCKET: 'not-made' },
      message: 'BLOG_S3_BUCKET: there is no bucket "not-made"',
    },
    {
      name: 'nothing at the address',
      settings: { BLOG_S3_ENDPOINT: 'http://127.0.0.1:9' },
      message: 'BLOG_S3_ENDPOINT: no good answer',
    },
  ])(
    '$name prevents the start with one line that names the setting and reveals no secret',
    async ({ settings: wrongSettings, message }) => {
      await using data = await makeDataDir()
      const { endpoint, bucket, accessKey, secretKey } = await makeBucket()
      const settings = {
        BLOG_S3_ENDPOINT: endpoint,
        BLOG_S3_BUCKET: bucket,
        BLOG_S3_ACCESS_KEY: accessKey,
        BLOG_S3_SECRET_KEY: secretKey,
      }
      const { code, output } = await runServer({
        PORT: '0',
        BLOG_DATA_DIR: data.path,
        ...settings,
        ...wrongSettings,
      })
      expect(code).toBe(1)
      expect(output).toContain(message)
      expect(output.trim().split('\n')).toHaveLength(1)
      expect([output.includes(secretKey), output.includes('not-the-secret')]).toEqual([
        false,
        false,
      ])
    },
  )

  test('when the S3 server fails, images and uploads answer 503, other calls work, and no file is listed twice', async () => {
    const { endpoint, bucket, accessKey, secretKey, region } = await makeBucket()
    await using blog = await makeTestBlog({
      BLOG_S3_ENDPOINT: endpoint,
      BLOG_S3_BUCKET: bucket,
      BLOG_S3_ACCESS_KEY: accessKey,
      BLOG_S3_SECRET_KEY: secretKey,
    })
    const { cookie } = await blog.makePerson('alice')
    const send = async () => {
      const body = new FormData()
      body.append('fileId', 'unique()')
      body.append(
        'file',
        new File([new Uint8Array(await drawPhoto('png', { width: 60, height: 40 }))], 'photo.png'),
      )
      return await blog.call('POST', CONTENT, { body, cookie })
    }
    const file = `${CONTENT}/${(await send()).body.$id}`
    const client = new S3Client({
      endpoint,
      region,
      forcePathStyle: true,
      credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
    })
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }))
    expect(Contents.map(({ Key }) => Key)).toEqual([expect.stringMatching(/^files\/[\w-]+$/)])
    for (const { Key } of Contents)
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }))
    expect(await blog.call('GET', `${file}/view`)).toMatchObject({
      status: 404,
      body: { type: 'storage_file_not_found' },
    })
    await client.send(new DeleteBucketCommand({ Bucket: bucket }))
    client.destroy()

    const unavailable = { status: 503, body: { type: 'general_service_disabled' } }
    for (const answer of [
      await blog.call('GET', `${file}/view`),
      await blog.call('GET', `${file}/preview?width=20`),
      await send(),
    ]) {
      expect(answer).toMatchObject(unavailable)
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    }
    expect(await blog.call('GET', CONTENT, { cookie })).toMatchObject({
      status: 200,
      body: { total: 1 },
    })
    expect((await blog.call('GET', '/account', { cookie })).status).toBe(200)
  })
})
