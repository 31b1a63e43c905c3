// Programs name the author, the image and the text of a post in their own ways: each is understood,
// answered, and shadows nothing.
import { describe, expect, test } from 'vitest'
import { DATABASES } from '#test/support/databases.ts'
import { openBlogOn } from '#test/support/own-blog.ts'

const INVALID = { status: 400, body: { type: 'document_invalid_structure' } }
const json = (method: string, attribute?: string, values: unknown[] = []) =>
  JSON.stringify({ method, attribute, values })

for (const [kind, tags] of DATABASES)
  describe(`names of roles on ${kind}`, { tags }, () => {
    test('a post is written, found, ordered and selected under any spelling', async () => {
      await using blog = await openBlogOn(kind)
      const { alice, bob } = blog
      const image = await blog.upload(alice)
      const made = await blog.create(
        alice,
        { Title: 'One', body: '<p onclick="x">Hi</p>', featured_image: image, user_id: alice.id },
        { documentId: 'one' },
      )
      expect(made).toMatchObject({
        status: 201,
        body: {
          title: 'One',
          content: '<p>Hi</p>',
          featuredImage: image,
          userid: alice.id,
          userId: alice.id,
          Title: 'One',
          body: '<p>Hi</p>',
          featured_image: image,
          user_id: alice.id,
        },
      })
      expect((await blog.get(undefined, 'one')).body).toEqual(made.body)
      expect((await blog.list(undefined)).body.documents).toEqual([made.body])
      await blog.post(bob, { title: 'Two' }, { documentId: 'two' })

      for (const name of ['userid', 'userId', 'UserID', 'user_id', 'authorId', 'author']) {
        const found = await blog.list(undefined, json('equal', name, [bob.id]))
        expect(found.body.documents.map(({ $id }: { $id: string }) => $id)).toEqual(['two'])
      }
      const ordered = await blog.list(undefined, json('orderDesc', 'TITLE'), 'limit(1)')
      expect(ordered.body.documents[0]).toMatchObject({ $id: 'two' })
      expect((await blog.get(undefined, 'one', 'select(["userId","Image","TITLE"])')).body).toEqual(
        {
          userId: alice.id,
          Image: image,
          TITLE: 'One',
          $databaseId: 'blogdb',
          $collectionId: 'posts',
        },
      )

      const changed = await blog.patch(alice, 'one', { post_content: '<p>New</p>' })
      expect(changed.body).toMatchObject({
        content: '<p>New</p>',
        body: '<p>New</p>',
        post_content: '<p>New</p>',
      })
      expect((await blog.patch(alice, 'one', changed.body)).status).toBe(200)
      expect((await blog.like(bob, 'one', [bob.id])).body).toMatchObject({ like: 1, Title: 'One' })
    })

    test("the author's name is the real one, whatever is sent and however it is spelled", async () => {
      await using blog = await openBlogOn(kind)
      const { alice } = blog
      const sent = { title: 'One', username: 'Mallory', user_name: 'Mallory' }
      const made = await blog.create(alice, sent, { documentId: 'one' })
      const names = { userName: 'alice', username: 'alice', user_name: 'alice' }
      expect(made).toMatchObject({ status: 201, body: names })
      expect((await blog.patch(alice, 'one', { Username: 'Eve' })).body).toMatchObject(names)
      const found = await blog.list(undefined, json('equal', 'username', ['alice']))
      expect(found.body).toMatchObject({ total: 1, documents: [names] })
    })

    test('two spellings that differ, and another author under any name, are refused', async () => {
      await using blog = await openBlogOn(kind)
      const { alice, bob } = blog
      const id = await blog.post(alice)
      const before = await blog.everything()
      const twice = { title: 'x', userid: alice.id, userId: bob.id }
      expect(await blog.create(alice, twice)).toMatchObject(INVALID)
      expect(await blog.patch(alice, id, twice)).toMatchObject(INVALID)
      expect(await blog.patch(alice, id, { title: 'x', TITLE: 'y' })).toMatchObject(INVALID)
      const vote = { likeId: [bob.id], userid: alice.id, userId: bob.id }
      expect(await blog.patch(bob, id, vote)).toMatchObject(INVALID)
      for (const name of ['userid', 'userId', 'user_id', 'AUTHOR_ID', 'author']) {
        const refused = { status: 401, body: { type: 'user_unauthorized' } }
        expect(await blog.create(alice, { title: 'x', [name]: bob.id })).toMatchObject(refused)
        expect(await blog.patch(alice, id, { [name]: bob.id })).toMatchObject(refused)
      }
      for (const name of ['constructor', 'toString', 'Like_Id', 'hidden', 'secret', 'x'])
        expect(await blog.patch(alice, id, { [name]: 'y' })).toMatchObject(INVALID)
      expect(await blog.everything()).toEqual(before)
    })

    test('the names survive the bin and the limit of how many are kept', async () => {
      await using blog = await openBlogOn(kind)
      const { alice } = blog
      const id = await blog.post(alice, { body: '<p>a</p>' })
      await blog.remove(alice, id)
      const deleted = '/databases/blogdb/collections/posts/deleted'
      const [one] = (await blog.call('GET', deleted, { cookie: alice.cookie })).body.deleted
      const restored = await blog.call('POST', `${deleted}/${one.$id}/restore`, {
        cookie: alice.cookie,
        body: {},
      })
      expect(restored.body).toMatchObject({ $id: id, content: '<p>a</p>', body: '<p>a</p>' })
      const names = Array.from({ length: 20 }, (_, at) => `t${'_'.repeat(at + 1)}itle`)
      for (const name of names) await blog.patch(alice, id, { [name]: 'Same' })
      const { body } = await blog.get(alice, id)
      expect(names.filter((name) => body[name] === 'Same')).toEqual(names.slice(4))
      expect(body).not.toHaveProperty('body')
    })
  })
