// The page of a post around its text: highlighted code, the author's avatar, the box with facts,
// sharing, and the adjacent posts.
import { axeFindings } from '#test/support/axe.ts'
import { expect, test } from '#test/support/browser-blog.ts'
import { makeNewcomer, signUp } from '#test/support/people.ts'
import { writePost } from '#test/support/write-post.ts'

const CODE = `export class Trip {
  fare(berths = 1) {
    return legs.sum('berth') // dear
  }
}`
const CONTENT = `<p>Nobody boards a night train in a hurry.</p><pre class="language-javascript"><code>${CODE}</code></pre><p>Then it is morning.</p>`

test('a right-to-left post is mirrored as a whole, with upright quotes and left-to-right code', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, context } = await visit()
  await signUp(page, makeNewcomer('Rima Right'))
  const content = `<p>تستيقظ المدينة قبل <code>a - b</code> أهلها.</p><blockquote><p>البيوت القديمة لا تنام 12.</p></blockquote><pre>x = 1</pre><p>#رسائل</p>`
  const { request } = context
  await writePost(request, { title: 'The older one', content: '<p>x</p>' })
  const slug = await writePost(request, { title: 'رسائل من مدينة', content })
  const newer = await writePost(request, { title: 'The newer one', content })
  const readLayout = () =>
    page.evaluate(() => {
      const inspect = (css: string) => {
        const element = document.querySelector(css)
        if (!element) throw new Error(css)
        return { box: element.getBoundingClientRect(), style: getComputedStyle(element) }
      }
      const directions = ['.tags', '.author-card', '.prose > p > code', '.prose pre'].map(
        (css) => inspect(css).style.direction,
      )
      const [previous, next] = ['.beside a:first-child', '.beside__next'].map(
        (css) => inspect(css).box,
      )
      const [arrow, word] = ['.beside a:first-child svg', '.beside a:first-child b'].map(
        (css) => inspect(css).box,
      )
      return {
        directions,
        isPreviousOnRight: (previous?.left ?? 0) > (next?.left ?? 0),
        isArrowOutside: (arrow?.right ?? 0) >= (word?.right ?? 0),
        arrows: ['.beside a:first-child svg', '.beside__next svg'].map(
          (css) => inspect(css).style.scale,
        ),
        quote: inspect('.prose blockquote').style.fontStyle,
      }
    })
  await page.goto(`/post/${slug}`)
  expect(await readLayout()).toEqual({
    directions: ['rtl', 'rtl', 'ltr', 'ltr'],
    isPreviousOnRight: true,
    isArrowOutside: true,
    arrows: ['-1 1', '-1 1'],
    quote: 'normal',
  })
  expect(await axeFindings(page)).toEqual([])
  await page.goto(`/post/${newer}`)
  await expect(page.locator('.beside svg')).toHaveCSS('scale', 'none')
})

test("without scripts a post has no button that needs them, and one's own draft has no like button", {
  tag: '@more',
}, async ({ visit }) => {
  const author = await visit()
  const { request } = author.context
  await signUp(author.page, makeNewcomer('Nora Noscript'))
  const slug = await writePost(request, { title: 'Plain', content: CONTENT })
  const draft = await writePost(request, { title: 'Mine', content: '<p>x</p>', status: 'inactive' })
  const { page } = await visit({ javaScriptEnabled: false })
  await page.goto(`/post/${slug}`)
  await expect(page.locator('.code-sample .c-k').first()).toHaveText('export')
  for (const name of ['Copy', 'Copy link', 'Share'])
    await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0)
  await page.locator('.post-info summary').click()
  await expect(page.getByText(/^id /)).toBeVisible()

  await author.page.goto(`/post/${slug}`)
  await expect(author.page.getByRole('button', { name: /^Like this post/ })).toBeVisible()
  await expect(author.page.getByRole('button', { name: 'Share' }), 'no share sheet').toHaveCount(0)
  await author.page.goto(`/post/${draft}`)
  await expect(author.page.getByText('This post is inactive.')).toBeVisible()
  await expect(author.page.getByRole('button', { name: /^Like this post/ })).toHaveCount(0)
})
