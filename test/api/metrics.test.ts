// The metrics of the running blog: only this host and the API key can read them, and no request can
// add a name to them.
import { expect, test } from 'vitest'
import { makeTestBlog } from '#test/support/blog.ts'

const POSTS = '/databases/blogdb/collections/posts/documents'

test('without the setting /metrics is answered like an unknown page', async () => {
  await using blog = await makeTestBlog()
  const answer = await fetch(`${blog.url}/metrics`, { headers: { 'x-appwrite-key': blog.apiKey } })
  expect(answer.status).toBe(404)
  expect(await answer.text()).toBe(await (await fetch(`${blog.url}/nowhere`)).text())
})

test('only this machine and the API key can read the metrics', async () => {
  await using blog = await makeTestBlog({ BLOG_METRICS: 'on' })
  const statusWith = async (headers: Record<string, string>) =>
    (await fetch(`${blog.url}/metrics`, { headers })).status
  expect(await statusWith({})).toBe(200)
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'x-forwarded-proto']) {
    expect([name, await statusWith({ [name]: '127.0.0.1' })]).toEqual([name, 404])
    expect(await statusWith({ [name]: 'for=1.2.3.4', 'x-appwrite-key': blog.apiKey })).toBe(200)
    expect(await statusWith({ [name]: 'x', 'x-appwrite-key': `${blog.apiKey}x` })).toBe(404)
  }
})

test('routes, database, queues, caches and limits are counted under fixed names', async () => {
  await using blog = await makeTestBlog({ BLOG_METRICS: 'on', BLOG_RATE_LIMITS: 'on' })
  await blog.makePerson('alice')
  await blog.call('GET', POSTS)
  for (let at = 0; at < 20; at++) {
    await blog.call('GET', `/made-up-${at}`)
    await fetch(`${blog.url}/made-up-${at}/%`, { method: 'POST' })
  }
  for (let at = 0; at < 12; at++)
    await blog.call('POST', '/account/recovery', {
      body: { email: 'a@example.test', url: blog.url },
    })
  const text = await (await fetch(`${blog.url}/metrics`)).text()
  expect(text).not.toContain('made-up')
  expect(text).not.toContain('blogdb')
  for (const line of [
    /^http_request_duration_seconds_count\{method="GET",route="\/v1\/databases\/:databaseId\/collections\/:collectionId\/documents",status="200"\} 1$/m,
    /^http_request_duration_seconds_count\{method="GET",route="\/v1\/\*",status="404"\} 20$/m,
    /^database_query_duration_seconds_count\{outcome="done"\} \d+$/m,
    /^queue_tasks\{queue="passwords",state="running"\} 0$/m,
    /^queue_ended_total\{queue="images",reason="refused"\} 0$/m,
    /^cache_lookups_total\{cache="previews",outcome="miss"\} 0$/m,
    /^rate_limit_refusals_total\{limit="[^"@]+"\} 2$/m,
    /^process_resident_memory_bytes \d+$/m,
    /^nodejs_eventloop_lag_p99_seconds /m,
  ])
    expect(text).toMatch(line)
})
