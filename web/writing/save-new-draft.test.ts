import { describe, expect, test, vi } from 'vitest'
import { fail } from '../api/client.ts'
import type { SentDraft } from '../drafts/draft-store.ts'
import type { PostValues } from './post-values.ts'
import { CANCELLED, createSaver, SAVE_ANSWER_MAX_MS, savePost, uploadOnce } from './save-post.ts'
import { BROKEN, image, makeCalls, makePost, TAKEN, VALUES } from './test/fake-calls.ts'

describe('creating a draft', () => {
  const options = { image: undefined, userId: 'alice' }
  const DRAFT: PostValues = { ...VALUES, status: 'inactive' }

  test('needs no image, and sends none', async () => {
    const { calls, log } = makeCalls()
    await savePost(createSaver(calls), DRAFT, options)
    expect(log).toEqual(['create blog1763472000000l Notes  alice'])
  })

  test('does not mistake another draft without an image for this one', async () => {
    const stored = makePost(VALUES.slug, { title: 'Older', featuredImage: '', $updatedAt: 't1' })
    const { calls, log } = makeCalls({ save: [TAKEN], stored })
    expect(await savePost(createSaver(calls), DRAFT, options)).toMatchObject({
      post: { $id: 'blog1763472000001l' },
    })
    expect(log.some((line) => line.startsWith('update'))).toBe(false)
  })

  test('records what it sends before the answer comes, so that the post is found after a crash, even with another title', async () => {
    const first = createSaver(makeCalls({ save: [BROKEN] }).calls)
    const recorded: unknown[] = []
    first.onCreate = () => recorded.push(first.unansweredCreate)
    await savePost(first, DRAFT, options)
    expect(recorded[0]).toMatchObject({ slug: VALUES.slug, data: { title: 'Notes' } })
    // --- a crash: another form continues with the draft of the first ---
    const times = { $createdAt: 't1', $updatedAt: 't1' }
    const stored = makePost(VALUES.slug, { title: 'Notes', status: 'inactive', ...times })
    const { calls, log } = makeCalls({ save: [TAKEN], stored })
    const second = createSaver(calls)
    second.unansweredCreate = recorded[0] as SentDraft
    const changed = { ...DRAFT, title: 'Another title', slug: 'blog1763472009999l' }
    expect(await savePost(second, changed, options)).toMatchObject({
      post: { $id: VALUES.slug, title: 'Another title' },
    })
    expect(log.filter((line) => line.startsWith('create'))).toHaveLength(1)
    expect(second.unansweredCreate?.slug).toBe(undefined)
  })

  test('does not overwrite a draft that was published elsewhere before the answer came, but shows it', async () => {
    const times = { $createdAt: 't2', $updatedAt: 't2', publishedAt: 't2' }
    const stored = makePost(VALUES.slug, { title: 'Notes', status: 'active', ...times })
    const { calls, log } = makeCalls({ save: [TAKEN], stored })
    expect(await savePost(createSaver(calls), DRAFT, options)).toMatchObject({
      conflict: { $id: VALUES.slug },
    })
    expect(log.some((line) => line.startsWith('update'))).toBe(false)
  })

  test('does not overwrite a post that was changed elsewhere, but shows it', async () => {
    const stored = makePost(VALUES.slug, { title: 'Notes', $createdAt: 't1', $updatedAt: 't2' })
    const { calls, log } = makeCalls({ save: [TAKEN], stored })
    expect(await savePost(createSaver(calls), DRAFT, options)).toEqual({ conflict: stored })
    expect(log.some((line) => line.startsWith('update'))).toBe(false)
  })

  test('creates no post under another id while it is unknown whose post has this id', async () => {
    const { calls, log } = makeCalls({ save: [TAKEN] })
    calls.getPost = async () => fail(BROKEN)
    expect(await savePost(createSaver(calls), DRAFT, options)).toEqual({ failure: BROKEN })
    expect(log).toHaveLength(1)
  })

  test('counts an answer that never comes as lost', async () => {
    vi.useFakeTimers()
    const { calls } = makeCalls()
    calls.createPost = () => new Promise(() => {})
    const saver = createSaver(calls)
    const answer = savePost(saver, DRAFT, options)
    await vi.advanceTimersByTimeAsync(SAVE_ANSWER_MAX_MS)
    vi.useRealTimers()
    expect(await answer).toMatchObject({ failure: { code: 0 } })
    expect(saver.unansweredCreate?.slug).toBe(VALUES.slug)
  })

  test('creates no post when it is cancelled during the upload', async () => {
    const { calls, log } = makeCalls()
    const isCancelled = () => log.length > 0
    expect(await savePost(createSaver(calls), VALUES, { ...options, image, isCancelled })).toEqual({
      failure: CANCELLED,
    })
    expect(log).toEqual(['upload a.png'])
  })

  test('sends the image once when the draft is saved during the upload', async () => {
    const { calls, log } = makeCalls()
    const saver = createSaver(calls)
    const stored = { featuredImage: '', $updatedAt: 't0', status: 'inactive' }
    const uploaded = uploadOnce(saver, image)
    await savePost(saver, DRAFT, { image, stored, userId: 'alice' })
    expect(await uploaded).toMatchObject({ ok: true, value: 'f1' })
    await savePost(saver, DRAFT, {
      image,
      stored: { ...stored, featuredImage: 'f1' },
      userId: 'alice',
    })
    expect(log.filter((line) => line.startsWith('upload'))).toHaveLength(1)
    expect(log.at(-1)).toContain(' f1 ')
  })
})
