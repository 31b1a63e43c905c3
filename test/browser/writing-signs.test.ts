// Random typing full of Markdown characters; `npm run test:writing -- --signs` writes two hundred
// such texts.
import { expect, test } from '#test/support/browser-blog.ts'
import { openNewPost } from '#test/support/editor-ui.ts'
import { becomeWriter } from '#test/writing/article.ts'
import { makeSignsPost, writeSigns } from '#test/writing/signs.ts'

test('random typing loses and moves no word or character, also after undo, redo and saving', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await becomeWriter(page, 0)
  const postId = await makeSignsPost(page)
  await openNewPost(page)
  for (const seed of [1, 2, 6]) {
    const { fault } = await writeSigns(page, { seed, steps: 8, postId })
    expect(fault, `seed ${seed}`).toBe(undefined)
  }
})
