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

  test('creates nothing when the upload of the image fails', async () => {
    const { calls, log } = makeCalls({ upload: [BROKEN] })
    expect(await savePost(createSaver(calls), VALUES, options)).toEqual({ failure: BROKEN })
    expect(log).toEqual(['upload a.png'])
  })

  test('uses the id of the next millisecond when the id belongs to someone else, but only once', async () => {
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

  test('does not overwrite another post of the same author: the new post gets the id of the next millisecond', async () => {
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

  test('uses the same id and the uploaded image on a second press, and finds the post whose answer was lost', async () => {
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

  test('also saves what was written since the lost answer', async () => {
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

  test('finds the post whose answer was lost under its id, even if the title and the slug have changed since', async () => {
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
    const otherOptions = { image: new File(['y'], 'b.png', { type: 'image/png' }), userId: 'alice' }
    const answer = await savePost(
      saver,
      { ...VALUES, title: 'Other notes', slug: 'blog1763472009999l' },
      otherOptions,
    )
    expect(answer).toMatchObject({
      post: { $id: VALUES.slug, title: 'Other notes', featuredImage: 'f2' },
    })
    expect(log.filter((line) => line.includes('blog1763472009999l'))).toEqual([])
  })

  test('expects, after a server error, that the post may have been stored', async () => {
    const fault: Failure = { message: 'x', code: 500, type: 'general_unknown' }
    const saver = createSaver(makeCalls({ save: [fault] }).calls)
    await savePost(saver, VALUES, options)
    expect(saver.unansweredCreate?.slug).toBe(VALUES.slug)
  })

  test('creates a new post for another text in the form, whatever became of the first', async () => {
    const { calls, log } = makeCalls({ save: [BROKEN] })
    const saver = createSaver(calls)
    await savePost(saver, VALUES, options)
    saver.unansweredCreate = undefined
    saver.unansweredUpdate = { ...VALUES, featuredImage: '' }
    await savePost(saver, { ...VALUES, slug: 'blog1763472009999l' }, options)
    expect(log.at(-1)).toBe('create blog1763472009999l Notes f1 alice')
  })

  test('does not expect that a refused post may have been stored', async () => {
    const refused: Failure = { message: 'no', code: 401, type: 'user_unauthorized' }
    const { calls, log } = makeCalls({ save: [refused] })
    const saver = createSaver(calls)
    await savePost(saver, VALUES, options)
    expect(saver.unansweredCreate?.slug).toBe(undefined)
    await savePost(saver, { ...VALUES, slug: 'blog1763472009999l' }, options)
    expect(log.at(-1)).toBe('create blog1763472009999l Notes f1 alice')
  })

  test('finds the post of a draft by its title after a crash, and creates no second one', async () => {
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

  test('sends the new image, then saves; it leaves removing the old one to the server', async () => {
    const { calls, log } = makeCalls()
    await savePost(createSaver(calls), VALUES, { image, stored, userId: 'alice' })
    expect(log).toEqual([
      'upload a.png',
      'update blog1763472000000l f1 <p>Hi</p> unless newer than t0',
    ])
  })

  test('sends no image when there is no new one', async () => {
    const { calls, log } = makeCalls()
    await savePost(createSaver(calls), VALUES, { image: undefined, stored, userId: 'alice' })
    expect(log).toEqual(['update blog1763472000000l old <p>Hi</p> unless newer than t0'])
  })

  test('leaves the old image alone when saving fails', async () => {
    const { calls, log } = makeCalls({ save: [BROKEN] })
    expect(await savePost(createSaver(calls), VALUES, { image, stored, userId: 'alice' })).toEqual({
      failure: BROKEN,
    })
    expect(log).toEqual([
      'upload a.png',
      'update blog1763472000000l f1 <p>Hi</p> unless newer than t0',
    ])
  })

  test('a newer version is returned, and not overwritten', async () => {
    const newer = makePost(VALUES.slug, { content: '<p>Other</p>', $updatedAt: 't1' })
    const { calls, log } = makeCalls({ save: [NEWER], stored: newer })
    expect(
      await savePost(createSaver(calls), VALUES, { image: undefined, stored, userId: 'alice' }),
    ).toEqual({
      conflict: newer,
    })
    expect(log.filter((line) => line.startsWith('update'))).toHaveLength(1)
  })

  test('a newer version with the same text is not a conflict', async () => {
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

  test('a newer version that this form sent, and whose answer was lost, is not a conflict', async () => {
    const sentVersion = makePost(VALUES.slug, {
      title: 'Notes',
      content: '<p dir="ltr">Hi</p>',
      featuredImage: 'old',
      $updatedAt: 't1',
    })
    const { calls, log } = makeCalls({ save: [BROKEN, NEWER], stored: sentVersion })
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

  test('the version that this form sent is recognised once: a second newer version is a conflict', async () => {
    const sentVersion = makePost(VALUES.slug, { ...SAVED, $updatedAt: 't1' })
    const { calls } = makeCalls({ save: [BROKEN, NEWER, NEWER], stored: sentVersion })
    const saver = createSaver(calls)
    await savePost(saver, VALUES, { image: undefined, stored, userId: 'alice' })
    expect(await savePost(saver, VALUES, { image: undefined, stored, userId: 'alice' })).toEqual({
      conflict: sentVersion,
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
    { origin: 'from another device', sentContent: undefined },
    { origin: 'that a restored text continues', sentContent: '<p>One. Two. Three.</p>' },
  ])('a newer version $origin', ({ sentContent }) => {
    const LONG = '<p>One. Two. Three.</p><p>Four</p>'
    async function saveOver(other: Partial<PostDocument>, values: Partial<PostValues> = {}) {
      const newer = makePost(VALUES.slug, { ...SAVED, ...other, $updatedAt: 't1' })
      const { calls } = makeCalls({ save: [NEWER], stored: newer })
      const saver = createSaver(calls)
      const sentData = { ...VALUES, content: sentContent ?? '', featuredImage: 'old' }
      if (sentContent) saver.unansweredUpdate = sentData
      const valuesToSave = { ...VALUES, content: LONG, ...values }
      const saved = await savePost(saver, valuesToSave, {
        image: undefined,
        stored,
        userId: 'alice',
      })
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
      [{ content: LONG, excerpt: 'Theirs' }],
      [{ content: LONG }, { details: { excerpt: 'Mine' } }],
    ])('that the text to save contains is no conflict: %j', async (other, values) => {
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
      [{ content: LONG, excerpt: 'Theirs' }, { details: { excerpt: 'Mine' } }],
    ])('with anything else in it is a conflict: %j', async (other, values) => {
      expect(await saveOver(other, values)).toBe('conflict')
    })
  })

  test('when the newer version cannot be read, the failure is that of the refused save', async () => {
    const { calls } = makeCalls({ save: [NEWER] })
    expect(
      await savePost(createSaver(calls), VALUES, { image: undefined, stored, userId: 'alice' }),
    ).toEqual({
      failure: NEWER,
    })
  })
})
