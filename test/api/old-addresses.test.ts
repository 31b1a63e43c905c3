// The addresses that imported posts had in their old site lead to the posts here.
import { expect, test } from 'vitest'
import { readBuiltPages } from '#backend/pages/built-pages.ts'
import { makeTestBlog } from '#test/support/blog.ts'
import { makeDocuments } from '#test/support/documents.ts'
import { writeDirectly } from '#test/support/write-directly.ts'

test('an old address leads to its post for whoever may read it, else it is missing', async () => {
  const pages = await readBuiltPages()
  await using blog = await makeTestBlog({ BLOG_READING: 'everyone' }, { pages })
  const alice = await blog.makePerson('alice')
  const { post } = makeDocuments(blog)
  const shown = await post(alice, { title: 'A day at sea' })
  const draft = await post(alice, { title: 'Secret', status: 'inactive' })
  await writeDirectly(blog, (file) => {
    const insert = file.prepare('insert into "oldAddress" values (?, ?, ?)')
    for (const address of [
      '/2019/05/sea',
      '/?p=12',
      '/search/old',
      '/posts/hugo',
      '/post/2019/sea',
    ])
      insert.run(address, shown, 'run')
    insert.run('/secret', draft, 'run')
    // A page of this blog comes first.
    insert.run('/login', shown, 'run')
  })
  const read = async (path: string, cookie = '') => {
    const answer = await fetch(blog.url + path, { redirect: 'manual', headers: { cookie } })
    return { status: answer.status, location: answer.headers.get('location') }
  }
  const here = { status: 301, location: `/post/${shown}/a-day-at-sea` }
  for (const path of [
    '/2019/05/sea',
    '/2019/05/SEA/?utm=1',
    '/2019/05/%73ea/',
    '/?p=12',
    '/posts/hugo',
    '/post/2019/sea',
  ])
    expect(await read(path), path).toEqual(here)
  for (const path of ['/feed/', '/rss.xml', '/?feed=rss2'])
    expect(await read(path), path).toEqual({ status: 301, location: '/feed.xml' })
  const missing = { status: 404, location: null }
  for (const path of ['/secret', '/secret/', '/2019/05/other'])
    expect(await read(path), path).toEqual(missing)
  expect(await read('/secret', alice.cookie)).toEqual({
    status: 301,
    location: `/post/${draft}/secret`,
  })
  expect(await read('/login')).toEqual({ status: 200, location: null })
  expect(await read('/?p=13')).toMatchObject({ location: null })
})
