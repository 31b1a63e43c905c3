// Three hundred hostile names and comments stay text in notifications, mails, the feed, Activity
// and the archive of the account.
import { describe, expect, test } from 'vitest'
import { notificationMail } from '#backend/notifications/mail-texts.ts'
import { NAME_MAX_CHARS } from '#contract/limits.ts'
import type { Notification } from '#contract/notifications.ts'
import { openBlogWithRoles } from '#test/support/blog-with-roles.ts'
import { readAtom, textsOf } from '#test/support/feeds.ts'
import { HOSTILE_LINES } from '#test/support/hostile-texts.ts'
import { shareBlog } from '#test/support/shared-blog.ts'
import { SITE_NOW } from '#test/support/site.ts'
import { readZip } from '#test/support/zip.ts'

const COMMENTS = '/databases/blogdb/collections/comments/documents'
/** The names as they are stored: without characters that cannot be printed. */
const stored = (text: string) => text.replaceAll('\u0000', '').toWellFormed().trim()

test('there are three hundred hostile lines, and each is short enough for a name', () => {
  expect(new Set(HOSTILE_LINES).size).toBe(300)
  expect(HOSTILE_LINES.filter((line) => [...line].length > NAME_MAX_CHARS)).toEqual([])
})

test('hostile lines are text in mails: they add no tag, header or link', () => {
  for (const words of HOSTILE_LINES) {
    const notification = {
      $id: 'n',
      kind: 'comment',
      isRead: false,
      time: '',
      count: 1,
      isGone: false,
      people: { total: 1, newest: [{ id: 'a', name: words, avatar: '' }] },
      post: { $id: 'p', title: words },
      commentId: 'c',
      text: words,
      hiddenBy: '',
      reason: '',
      caseId: '',
    } satisfies Notification
    const { subject, text, html } = notificationMail(SITE_NOW, {
      to: 'a@example.test',
      kind: 'comments',
      notifications: [notification],
      secret: 's',
    })
    expect(subject).not.toMatch(/\p{Cc}/u)
    for (const part of [text, html])
      expect(part).not.toMatch(/evil\.example|javascript:top|:\/\/evil/)
    expect(html).not.toMatch(/<(script|img|svg|iframe|form|base|button|!--|!DOCTYPE a)/)
    const links = [...html.matchAll(/ href="([^"]*)"/g)].map(([, href]) => href ?? '')
    expect(links.filter((href) => !href.startsWith(SITE_NOW.publicUrl))).toEqual([])
  }
})

describe('hostile names and comments', { tags: ['more'] }, () => {
  const share = shareBlog(() => openBlogWithRoles('SQLite', { BLOG_READING: 'everyone' }))
  // The number makes each comment unique: many lines differ only in punctuation, which is refused.
  const comments = HOSTILE_LINES.map((words, at) => `${words} ${at}`)

  /** Bob comments on a post by alice, each time with another name. */
  async function writeAll() {
    const blog = await share()
    const { alice, bob, asKey, call, create } = blog
    blog.passTime(48 * 3_600_000)
    const { body: post } = await create(alice, { title: 'A post', content: '<p>text</p>' })
    const asBob = { cookie: bob.cookie }
    const names: string[] = []
    const answers: [status: number, content: string][] = []
    for (const [at, words] of HOSTILE_LINES.entries()) {
      const rename = await call('PATCH', '/account/name', { ...asBob, body: { name: words } })
      if (rename.status === 200) names.push(rename.body.name)
      const body = { documentId: 'unique()', data: { postId: post.$id, content: comments[at] } }
      const comment = await call('POST', COMMENTS, { ...asBob, body })
      answers.push([comment.status, comment.body.content])
      const options = { ...asKey, body: { data: { status: 'shown' } } }
      await call('PATCH', `${COMMENTS}/${comment.body.$id}`, options)
    }
    return { ...blog, postId: String(post.$id), names, name: names.at(-1) ?? '', answers }
  }
  let writing: ReturnType<typeof writeAll> | undefined
  const writeOnce = () => {
    writing ??= writeAll()
    return writing
  }

  test('are returned by the list of comments as they were written', async () => {
    const { answers } = await writeOnce()
    expect(answers).toEqual(comments.map((content) => [201, stored(content)]))
  })

  test('include more than two hundred that are accepted as a name', async () => {
    const { names } = await writeOnce()
    expect(names.length).toBeGreaterThan(200)
  })

  test('are in notifications as they were written', async () => {
    const { asAlice, call, name } = await writeOnce()
    const { body: bell } = await call('GET', '/notifications', asAlice)
    expect(bell.list[0]).toMatchObject({ text: stored(comments.at(-1) ?? '') })
    expect(bell.list[0].people.newest).toMatchObject([{ name }])
  })

  test('are in the feed of the comments as they were written', async () => {
    const { url, postId } = await writeOnce()
    const feed = await (await fetch(`${url}/post/${postId}/comments.xml`)).text()
    const contents = textsOf(feed, '//atom:entry/atom:content')
    expect(readAtom(feed).items.length).toBe(contents.length)
    const storedTexts = new Set(comments.map(stored))
    expect(contents.filter((text) => !storedTexts.has(text))).toEqual([])
  })

  test('make no cell of the Activity table a formula', async () => {
    const { asAlice, bob, call, name } = await writeOnce()
    const setStatus = (body: object) =>
      call('PATCH', `/users/${bob.id}/status`, { ...asAlice, body })
    await setStatus({ status: false, reason: name })
    const csv = (await call('GET', '/operator/activity.csv', asAlice)).body as string
    for (const row of csv.split('\r\n')) expect(row).not.toMatch(/(^|,)"[=+\-@\t]/)
    await setStatus({ status: true })
  })

  test('are in the archive of the account as they were written', async () => {
    const { bob, call } = await writeOnce()
    const signedIn = await call('POST', '/account/sessions/email', { body: bob })
    const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    const zip = await call('GET', '/account/export', { cookie })
    const files = await readZip(zip.bytes)
    const exported = files.find(({ path }) => path === 'comments.json')?.bytes.toString() ?? '[]'
    expect(
      JSON.parse(exported)
        .map(({ content }: { content: string }) => content)
        .sort(),
    ).toEqual(comments.map(stored).sort())
  })
})
