// Bodies that are no HTML are kept letter for letter, and shown escaped.
import { expect, test } from 'vitest'
import { DATABASES } from '#test/support/databases.ts'
import { openBlogOn } from '#test/support/own-blog.ts'

for (const [kind, tags] of DATABASES)
  test(`a text body is stored untouched and shown escaped on ${kind}`, { tags }, async () => {
    await using blog = await openBlogOn(kind, { BLOG_CONTENT: 'text' })
    const { alice } = blog
    const content = '# Hi <b>\n\n<script>alert("1")</script>\n  - a & b\r\n{"a":[1]}'
    const id = await blog.post(alice, { content })
    expect((await blog.get(undefined, id)).body.content).toBe(content)
    expect((await blog.list(undefined)).body.documents[0].content).toBe(content)
    const shown = (await blog.get(undefined, id, 'select(["highlightedContent"])')).body
    expect(shown.highlightedContent).toBe(
      '<p># Hi &lt;b&gt;</p><p>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;<br>\u00a0\u00a0- a &amp; b<br>{&quot;a&quot;:[1]}</p>',
    )
    const documents = '/databases/blogdb/collections/posts/documents'
    await blog.patch(alice, id, { content: 'new' })
    const caller = { cookie: alice.cookie }
    const { versions } = (await blog.call('GET', `${documents}/${id}/versions`, caller)).body
    const restore = `${documents}/${id}/versions/${versions[1].$id}/restore`
    const restored = await blog.call('POST', restore, { ...caller, body: {} })
    expect(restored.body.content).toBe(content)
    expect(await blog.patch(alice, id, { content: 'a\0b' })).toMatchObject({ status: 400 })
  })
