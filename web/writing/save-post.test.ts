import { describe, expect, test } from 'vitest'
import type { PostDocument } from '#contract/posts.ts'
import type { Failure } from '../api/client.ts'
import type { PostValues } from './post-values.ts'
import { createSaver, savePost } from './save-post.ts'
import { BROKEN, image, makeCalls, makePost, TAKEN, VALUES } from './test/fake-calls.ts'

describe('creating', () => {
  const options = { image, userId: 'alice' }

  test('sends the image, then the post with it', async () => {
    const { calls, log } = makeCalls()
    expect(await savePost(createSaver(calls), VALUES, options)).toMatchObject({
      post: { $id: VALUES.slug },
    })
    expect(log).toEqual(['upload a.png', 'create blog1763472000000l Notes f1 alice'])
  })

  test('makes nothing when the image did not arrive', async () => {
    const { calls, log } = makeCalls({ upload: [BROKEN] })
    expect(await savePost(createSaver(calls), VALUES, options)).toEqual({ failure: BROKEN })
    expect(log).toEqual(['upload a.png'])
  })

  test('moves on by one millisecond when the id is someone else’s, and only once', async () => {
    const { calls, log } = makeCalls({
      save: [TAKEN, TAKEN],
      stored: makePost(VALUES.slug, { userid: 'bob' }),
    })
    expect(await savePost(createSaver(calls), VALUES, options)).toEqual({ failure: TAKEN })
    expect(log.slice(1)).toEqual([
      'create blog1763472000000l Notes f1 alice',
      'get blog1763472000000l',
      'create blog1763472000001l Notes f1 alice',
    ])
  })

  test('another own post under the same id is not overwritten: the new post moves on by one millisecond', async () => {
    const { calls, log } = makeCalls({
      save: [TAKEN],
      stored: makePost(VALUES.slug, { title: 'Older', featuredImage: 'f0', $updatedAt: 't1' }),
    })
    expect(await savePost(createSaver(calls), VALUES, options)).toMatchObject({
      post: { $id: 'blog1763472000001l' },
    })
    expect(log.slice(1)).toEqual([
      'create blog1763472000000l Notes f1 alice',
      'get blog1763472000000l',
      'create blog1763472000001l Notes f1 alice',
    ])
  })

  test('a second press uses the same id and the image already sent, and finds the post whose answer was lost', async () => {
    const { calls, log } = makeCalls({
      save: [BROKEN, TAKEN],
      stored: makePost(VALUES.slug, { $createdAt: 't1', $updatedAt: 't1' }),
    })
    const saver = createSaver(calls)
    expect(await savePost(saver, VALUES, options)).toEqual({ failure: BROKEN })
    expect(await savePost(saver, VALUES, options)).toMatchObject({ post: { $id: VALUES.slug } })
    expect(log.filter((line) => line.startsWith('upload'))).toEqual(['upload a.png'])
    expect(log.filter((line) => line.startsWith('create'))).toEqual([
      'create blog1763472000000l Notes f1 alice',
      'create blog1763472000000l Notes f1 alice',
    ])
  })

  test('what was written since the lost answer is saved too', async () => {
    const { calls, log } = makeCalls({
      save: [BROKEN, TAKEN],
      stored: makePost(VALUES.slug, { $createdAt: 't1', $updatedAt: 't1' }),
    })
    const saver = createSaver(calls)
    await savePost(saver, VALUES, options)
    expect(
      await savePost(saver, { ...VALUES, content: '<p>Hi, and more</p>' }, options),
    ).toMatchObject({ post: { content: '<p>Hi, and more</p>' } })
    expect(log.at(-1)).toBe('update blog1763472000000l f1 <p>Hi, and more</p> unless newer than t1')
  })

  test('a post whose answer was lost is found under its id, though the title, and with it the slug, is another now', async () => {
    const stored = makePost(VALUES.slug, {
      title: 'Notes',
      $createdAt: 't1',
      $updatedAt: 't1',
    })
    const { calls, log } = makeCalls({ save: [BROKEN, TAKEN], stored })
    const saver = createSaver(calls)
    expect(saver.unansweredCreate?.slug).toBe(undefined)
    await savePost(saver, VALUES, options)
    expect(saver.unansweredCreate?.slug).toBe(VALUES.slug)
    const other = { image: new File(['y'], 'b.png', { type: 'image/png' }), userId: 'alice' }
    const answer = await savePost(
      saver,
      { ...VALUES, title: 'Other notes', slug: 'blog1763472009999l' },
      other,
    )
    expect(answer).toMatchObject({
      post: { $id: VALUES.slug, title: 'Other notes', featuredImage: 'f2' },
    })
    expect(log.filter((line) => line.includes('blog1763472009999l'))).toEqual([])
  })

  test('after a fault of the server the post may be there as well', async () => {
    const fault: Failure = { message: 'x', code: 500, type: 'general_unknown' }
    const saver = createSaver(makeCalls({ save: [fault] }).calls)
    await savePost(saver, VALUES, options)
    expect(saver.unansweredCreate?.slug).toBe(VALUES.slug)
  })

  test('another text in the form is another post, whatever became of the first', async () => {
    const { calls, log } = makeCalls({ save: [BROKEN] })
    const saver = createSaver(calls)
    await savePost(saver, VALUES, options)
    saver.unansweredCreate = undefined
    saver.unansweredUpdate = { ...VALUES, featuredImage: '' }
    await savePost(saver, { ...VALUES, slug: 'blog1763472009999l' }, options)
    expect(log.at(-1)).toBe('create blog1763472009999l Notes f1 alice')
  })

  test('a refused post is not taken for one that may be there', async () => {
    const refused: Failure = { message: 'no', code: 401, type: 'user_unauthorized' }
    const { calls, log } = makeCalls({ save: [refused] })
    const saver = createSaver(calls)
    await savePost(saver, VALUES, options)
    expect(saver.unansweredCreate?.slug).toBe(undefined)
    await savePost(saver, { ...VALUES, slug: 'blog1763472009999l' }, options)
    expect(log.at(-1)).toBe('create blog1763472009999l Notes f1 alice')
  })

  test('after a crash the draft finds its post by the title: no second one is made', async () => {
    const stored = makePost(VALUES.slug, {
      title: 'Notes',
      featuredImage: 'of the first try',
      $createdAt: 't1',
      $updatedAt: 't1',
    })
    const { calls, log } = makeCalls({ save: [TAKEN], stored })
    expect(await savePost(createSaver(calls), VALUES, options)).toMatchObject({
      post: { $id: VALUES.slug },
    })
    expect(log.filter((line) => line.startsWith('create'))).toHaveLength(1)
  })
})

describe('editing', () => {
  const stored = { featuredImage: 'old', $updatedAt: 't0', status: 'active' }
  const SAVED = { title: 'Notes', content: VALUES.content, featuredImage: 'old' }
  const NEWER: Failure = { message: 'newer', code: 409, type: 'document_update_conflict' }

  test('sends the new image, then saves; removing the old one is the server’s', async () => {
    const { calls, log } = makeCalls()
    await savePost(createSaver(calls), VALUES, { image, stored, userId: 'alice' })
    expect(log).toEqual([
      'upload a.png',
      'update blog1763472000000l f1 <p>Hi</p> unless newer than t0',
    ])
  })

  test('without a new image none is sent', async () => {
    const { calls, log } = makeCalls()
    await savePost(createSaver(calls), VALUES, { image: undefined, stored, userId: 'alice' })
    expect(log).toEqual(['update blog1763472000000l old <p>Hi</p> unless newer than t0'])
  })

  test('keeps the old image when saving failed', async () => {
    const { calls, log } = makeCalls({ save: [BROKEN] })
    expect(await savePost(createSaver(calls), VALUES, { image, stored, userId: 'alice' })).toEqual({
      failure: BROKEN,
    })
    expect(log).toEqual([
      'upload a.png',
      'update blog1763472000000l f1 <p>Hi</p> unless newer than t0',
    ])
  })

  test('a newer version is handed back, and nothing is written over it', async () => {
    const newer = makePost(VALUES.slug, { content: '<p>Other</p>', $updatedAt: 't1' })
    const { calls, log } = makeCalls({ save: [NEWER], stored: newer })
    expect(
      await savePost(createSaver(calls), VALUES, { image: undefined, stored, userId: 'alice' }),
    ).toEqual({
      conflict: newer,
    })
    expect(log.filter((line) => line.startsWith('update'))).toHaveLength(1)
  })

  test('a newer version that says the same is no conflict', async () => {
    const same = makePost(VALUES.slug, { ...SAVED, $updatedAt: 't1' })
    const { calls, log } = makeCalls({ save: [NEWER], stored: same })
    const saved = await savePost(createSaver(calls), VALUES, {
      image: undefined,
      stored,
      userId: 'alice',
    })
    expect(saved).toMatchObject({ post: { content: VALUES.content } })
    expect(log.at(-1)).toBe('update blog1763472000000l old <p>Hi</p> unless newer than t1')
  })

  test('a newer version that is the own one, whose answer was lost, is no conflict', async () => {
    const own = makePost(VALUES.slug, {
      title: 'Notes',
      content: '<p dir="ltr">Hi</p>',
      featuredImage: 'old',
      $updatedAt: 't1',
    })
    const { calls, log } = makeCalls({ save: [BROKEN, NEWER], stored: own })
    const saver = createSaver(calls)
    expect(await savePost(saver, VALUES, { image: undefined, stored, userId: 'alice' })).toEqual({
      failure: BROKEN,
    })
    expect(
      await savePost(
        saver,
        { ...VALUES, content: '<p>Hi, more</p>' },
        { image: undefined, stored, userId: 'alice' },
      ),
    ).toMatchObject({
      post: { content: '<p>Hi, more</p>' },
    })
    expect(log.at(-1)).toBe('update blog1763472000000l old <p>Hi, more</p> unless newer than t1')
  })

  test('the own version is recognised once: a second newer version is a conflict', async () => {
    const own = makePost(VALUES.slug, { ...SAVED, $updatedAt: 't1' })
    const { calls } = makeCalls({ save: [BROKEN, NEWER, NEWER], stored: own })
    const saver = createSaver(calls)
    await savePost(saver, VALUES, { image: undefined, stored, userId: 'alice' })
    expect(await savePost(saver, VALUES, { image: undefined, stored, userId: 'alice' })).toEqual({
      conflict: own,
    })
  })

  test.each<Partial<PostDocument>>([
    { content: '<p>Hello</p>' },
    { content: '<h2>Hi</h2>' },
    { title: 'Notes 2' },
    { status: 'inactive' },
    { featuredImage: 'other' },
  ])('after a lost answer, a version with %j is still a conflict', async (other) => {
    const newer = makePost(VALUES.slug, { ...SAVED, ...other, $updatedAt: 't1' })
    const { calls, log } = makeCalls({ save: [BROKEN, NEWER], stored: newer })
    const saver = createSaver(calls)
    await savePost(saver, VALUES, { image: undefined, stored, userId: 'alice' })
    expect(await savePost(saver, VALUES, { image: undefined, stored, userId: 'alice' })).toEqual({
      conflict: newer,
    })
    expect(log.filter((line) => line.startsWith('update'))).toHaveLength(2)
  })

  describe.each([
    { from: 'another device', first: undefined },
    { from: 'a text that was restored', first: '<p>One. Two. Three.</p>' },
  ])('a newer version of $from', ({ first }) => {
    const LONG = '<p>One. Two. Three.</p><p>Four</p>'
    async function saveOver(other: Partial<PostDocument>, values: Partial<PostValues> = {}) {
      const newer = makePost(VALUES.slug, { ...SAVED, ...other, $updatedAt: 't1' })
      const { calls } = makeCalls({ save: [NEWER], stored: newer })
      const saver = createSaver(calls)
      const text = { ...VALUES, content: first ?? '', featuredImage: 'old' }
      if (first) saver.unansweredUpdate = text
      const own = { ...VALUES, content: LONG, ...values }
      const saved = await savePost(saver, own, { image: undefined, stored, userId: 'alice' })
      return 'conflict' in saved ? 'conflict' : 'saved'
    }

    test.each<[Partial<PostDocument>, Partial<PostValues>?]>([
      [{ content: LONG }],
      [{ content: '<p>One. Two. Three.</p>' }],
      [{ content: '<p dir="ltr">One. Three.</p><p>Four</p>' }],
      [{ content: '' }],
      [{ content: LONG, title: 'Note' }],
      [{ content: LONG, status: 'active' }, { status: 'inactive' }],
      [{ content: LONG, tags: ['one'] }, { tags: ['one', 'two'] }],
    ])('that the own text contains is no conflict: %j', async (other, values) => {
      expect(await saveOver(other, values)).toBe('saved')
    })

    test.each<[Partial<PostDocument>, Partial<PostValues>?]>([
      [{ content: '<p>One. Two. Three!</p>' }],
      [{ content: '<p>Four</p><p>One. Two. Three.</p>' }],
      [{ content: `${LONG}<p>Five</p>` }],
      [{ content: '<h2>One. Two. Three.</h2><p>Four</p>' }],
      [{ content: LONG, title: 'Notes of another' }],
      [{ content: LONG, status: 'inactive' }],
      [{ content: LONG, featuredImage: 'other' }],
      [{ content: LONG, tags: ['three'] }, { tags: ['one', 'two'] }],
    ])('that says anything else is a conflict: %j', async (other, values) => {
      expect(await saveOver(other, values)).toBe('conflict')
    })
  })

  test('when the newer version can not be read, the refused save is the failure', async () => {
    const { calls } = makeCalls({ save: [NEWER] })
    expect(
      await savePost(createSaver(calls), VALUES, { image: undefined, stored, userId: 'alice' }),
    ).toEqual({
      failure: NEWER,
    })
  })
})
