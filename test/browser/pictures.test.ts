// Pictures of a post: galleries and wide pictures, the lightbox; embeds, which ask no other site
// before they are pressed; link cards.
import type { BrowserContext } from '@playwright/test'
import { axeFindings } from '#test/support/axe.ts'
import { expect, test } from '#test/support/browser-blog.ts'
import { beginWith, currentHtml, openNewPost } from '#test/support/editor-ui.ts'
import { drawPhoto } from '#test/support/images.ts'
import { paste } from '#test/support/paste.ts'
import { editorBody, makeNewcomer, signUp } from '#test/support/people.ts'
import { showTheme } from '#test/support/show-theme.ts'
import { storeBodyImage, writePost } from '#test/support/write-post.ts'

const SOUND = 'https://soundcloud.com/forss/flickermood'
const POST = 'https://mastodon.social/@Gargron/100254678717223630'
const GIST = 'https://gist.github.com/octocat/6cad326836d38bd3a7ae'
const embed = (address: string, title = address) =>
  `<p class="embed"><a href="${address}">${title}</a></p>`

function galleryOf(image: string, count: number): string {
  const pictures = Array.from(
    { length: count },
    (_, at) =>
      `<figure class="image"><img src="${image}&n=${at}" alt="Wave ${at + 1}"><figcaption>Caption ${at + 1}</figcaption></figure>`,
  )
  return `<figure class="gallery">${pictures.join('')}<figcaption>All waves.</figcaption></figure>`
}

test('a gallery opens in the lightbox, which keys move through and Esc closes at the last picture', {
  tag: '@more',
}, async ({ visit }) => {
  const author = await visit()
  await signUp(author.page, makeNewcomer('Gerda Gallery'))
  const image = await storeBodyImage(author.context.request)
  const slug = await writePost(author.context.request, {
    title: 'Waves',
    content: `<p>Look:</p>${galleryOf(image, 7)}<figure class="image width-full"><img src="${image}" alt="The quay"></figure>`,
  })
  const { page } = await visit()
  await page.goto(`/post/${slug}`)
  const gallery = page.getByRole('figure', { name: 'Gallery, 7 pictures' })
  const pictures = gallery.getByRole('link', { name: /^Open picture/ })
  await expect(pictures).toHaveCount(5)
  const fifth = gallery.getByRole('link', { name: 'Open picture 5 of 7: Wave 5, +2 more' })
  for (const theme of ['dark', 'light'] as const) {
    await showTheme(page, theme)
    expect(await axeFindings(page)).toEqual([])
  }

  // The first press loads the app, and is not lost.
  await pictures.nth(1).click()
  const lightbox = page.getByRole('dialog', { name: 'Pictures' })
  const position = lightbox.getByRole('status')
  await expect(position).toHaveText('2 of 8')
  await expect(lightbox).toContainText('Caption 2')
  expect(page.url()).toMatch(/\/post\//)
  await page.keyboard.press('ArrowRight')
  await expect(position).toHaveText('3 of 8')
  await expect(lightbox.getByRole('img', { name: 'Wave 3' })).toBeVisible()
  await page.keyboard.press('End')
  await expect(position).toHaveText('8 of 8')
  await expect(lightbox.getByRole('img', { name: 'The quay' })).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(position).toHaveText('8 of 8')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowLeft')
  await expect(position).toHaveText('1 of 8')
  expect(await axeFindings(page)).toEqual([])
  await lightbox.getByRole('button', { name: 'Next picture' }).press('Enter')
  await expect(position).toHaveText('2 of 8')
  await page.keyboard.press('Escape')
  await expect(lightbox).toHaveCount(0)
  await expect(pictures.nth(1)).toBeFocused()

  // The last two are on the page only as the number over the fifth.
  await fifth.press('Enter')
  await expect(position).toHaveText('5 of 8')
  await page.keyboard.press('ArrowRight')
  await expect(position).toHaveText('6 of 8')
  await expect(lightbox.getByRole('link', { name: 'Download picture' })).toHaveAttribute(
    'href',
    /\/download\?/,
  )
  await page.keyboard.press('Escape')
  await expect(fifth).toBeFocused()
})

test('without scripts a picture is a link to itself', { tag: '@more' }, async ({ visit }) => {
  const author = await visit()
  await signUp(author.page, makeNewcomer('Nora Noscript'))
  const image = await storeBodyImage(author.context.request)
  const content = galleryOf(image, 2) + embed(SOUND)
  const slug = await writePost(author.context.request, { title: 'Plain waves', content })
  const { page } = await visit({ javaScriptEnabled: false })
  await page.goto(`/post/${slug}`)
  const link = page.getByRole('link', { name: 'Open picture 1 of 2: Wave 1' })
  await expect(link).toHaveAttribute('href', `${image}&n=0`)
  await expect(page.getByRole('link', { name: 'Open there' })).toHaveAttribute('href', SOUND)
  await expect(page.getByRole('button', { name: 'Load and play' })).toBeHidden()
})

test('an embed asks nobody before it is pressed, and then in place and with the focus', {
  tag: '@more',
}, async ({ visit, blog }) => {
  const author = await visit()
  await signUp(author.page, makeNewcomer('Emil Embed'))
  const content = `<p>Listen:</p>${embed(SOUND, 'The chain, deck 3')}${embed(SOUND)}${embed(POST)}${embed(GIST)}`
  const slug = await writePost(author.context.request, { title: 'Sounds', content })
  const { page, context, expectFault } = await visit()
  const asked = await answerOthers(context, blog.url)
  await page.goto(`/post/${slug}`, { waitUntil: 'networkidle' })
  const boxes = page.locator('.embed')
  await expect(boxes.first()).toContainText('The chain, deck 3')
  await expect(boxes.first()).toContainText(
    'From soundcloud.com. Nothing is loaded from there until you press.',
  )
  for (const theme of ['dark', 'light'] as const) {
    await showTheme(page, theme)
    expect(await axeFindings(page)).toEqual([])
  }
  expect(asked, 'before it is pressed').toEqual([])

  expectFault(/^request to elsewhere: https:\/\//)
  const load = page.getByRole('button', { name: 'Load and play' })
  await load.first().click()
  await expect(page.locator('iframe[title="The chain, deck 3"]')).toBeFocused()
  const player =
    'https://w.soundcloud.com/player/?url=https%3A%2F%2Fsoundcloud.com%2Fforss%2Fflickermood'
  await expect.poll(() => asked).toEqual([player])
  const choice = page.getByRole('checkbox', { name: 'Always load from soundcloud.com' })
  await expect(choice).toHaveCount(0)
  await load.press('Enter')
  await expect(choice).toHaveCount(1)
  await page.getByRole('button', { name: 'Load the post' }).press('Enter')
  await expect.poll(() => asked).toContain(`${POST}/embed`)
  await page.getByRole('button', { name: 'Load the code' }).press('Enter')
  await expect.poll(() => asked).toContain(`${GIST}.js`)
  await expect(page.frameLocator('iframe').last().getByText('print("hello")')).toBeVisible()

  await choice.check()
  asked.length = 0
  await page.reload()
  await expect.poll(() => asked).toEqual([player, player])
  await expect(choice.first()).toBeChecked()
  await expect(page.getByRole('button', { name: 'Load the post' })).toBeVisible()
})

test('the page of a frame answers nobody but the frame', async ({ visit, blog }) => {
  const { context } = await visit()
  const address = `${blog.url}/embed?url=${encodeURIComponent(POST)}`
  const read = async (headers: Record<string, string>, url = address) =>
    await context.request.get(url, { headers })
  const own = { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-origin' }
  const frame = await read(own)
  expect(frame.status()).toBe(200)
  expect(frame.headers()['content-security-policy']).toContain('frame-src https://mastodon.social')
  expect(frame.headers()['content-security-policy']).toContain("frame-ancestors 'self'")
  expect((await read({ ...own, 'sec-fetch-dest': 'document' })).status()).toBe(404)
  expect((await read({ ...own, 'sec-fetch-site': 'cross-site' })).status()).toBe(404)
  const bait = `${blog.url}/embed?url=${encodeURIComponent('https://bait.example/')}`
  expect((await read(own, bait)).status()).toBe(404)
})

test('a writer inserts several pictures as a gallery, orders and describes them, and changes it later', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await signUp(page, makeNewcomer('Gwen Gallery'))
  await openNewPost(page)
  const buffer = await drawPhoto('png', { width: 64, height: 36 })
  await page.evaluate(() => window.hugerte.activeEditor.execCommand('openGallery'))
  const dialog = page.getByRole('dialog', { name: 'Gallery' })
  await dialog.getByLabel('Add pictures').setInputFiles(
    ['one', 'two', 'three'].map((name) => ({
      name: `${name}.png`,
      mimeType: 'image/png',
      buffer,
    })),
  )
  const alt = dialog.getByLabel('What is in the picture')
  await alt.nth(0).fill('One')
  await alt.nth(1).fill('Two')
  await dialog.getByRole('button', { name: 'Move picture 1 down' }).press('Enter')
  await expect(alt.nth(0)).toHaveValue('Two')
  await dialog.getByRole('button', { name: 'Remove picture 3' }).press('Enter')
  await dialog.getByLabel('Caption of the gallery').fill('Both')
  expect(await axeFindings(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Insert gallery' }).click()
  const picture = (words: string) =>
    `<figure class="image"><img src="/v1/storage/[^"]+" alt="${words}"></figure>\n`
  const gallery = (...words: string[]) =>
    new RegExp(
      `^<figure class="gallery">\n${words.map(picture).join('')}<figcaption>Both</figcaption>\n</figure>$`,
    )
  await expect.poll(() => currentHtml(page)).toMatch(gallery('Two', 'One'))

  await editorBody(page).locator('.gallery img').first().dblclick()
  await dialog.getByRole('button', { name: 'Remove picture 1' }).press('Enter')
  await alt.fill('Only one')
  await dialog.getByRole('button', { name: 'Save gallery' }).click()
  await expect.poll(() => currentHtml(page)).toMatch(gallery('Only one'))
  await page.keyboard.press('Control+z')
  await expect.poll(() => currentHtml(page)).toMatch(gallery('Two', 'One'))
})

test('alt text and caption of a picture are written beside it', { tag: '@more' }, async ({
  visit,
}) => {
  const { page, context } = await visit()
  await signUp(page, makeNewcomer('Alma Alt'))
  await openNewPost(page)
  const image = await storeBodyImage(context.request)
  await beginWith(page, `<p>alpha</p><p><img src="${image}" alt=""></p>`, { inside: 'p' })
  await editorBody(page).locator('img').click()
  for (const name of ['Alt text', 'Caption']) {
    await page.getByRole('button', { name }).click()
    await expect(page.getByRole('textbox', { name })).toBeFocused()
    await page.keyboard.type(`My ${name}`)
    await page.keyboard.press('Enter')
  }
  const html = `<figure class="image"><img src="${image}" alt="My Alt text">\n<figcaption>My Caption</figcaption>\n</figure>`
  await expect
    .poll(() => currentHtml(page))
    .toBe(`<p>alpha</p>\n${html.replace(' class="image"', '')}`)
})

test('an address alone on its line becomes an embed or a card of a public post, and one undo gives it back', {
  tag: '@more',
}, async ({ visit, blog }) => {
  const { page, context } = await visit()
  await signUp(page, makeNewcomer('Ada Address'))
  const { request } = context
  const slug = await writePost(request, { title: 'Known post', content: '<p>Its words.</p>' })
  const draft = await writePost(request, {
    title: 'Secret',
    content: '<p>Hidden.</p>',
    status: 'inactive',
  })
  await openNewPost(page)
  await paste(page, { text: SOUND })
  const box = `<p class="embed"><a href="${SOUND}">${SOUND}</a></p>`
  await expect.poll(() => currentHtml(page)).toBe(box)
  await page.getByRole('button', { name: 'Keep the address' }).click()
  await expect.poll(() => currentHtml(page)).not.toContain('embed')
  await expect.poll(() => currentHtml(page)).toContain(SOUND)

  await beginWith(page, '<p></p>', { inside: 'p' })
  await editorBody(page).locator('p').click()
  await paste(page, { text: `${blog.url}/post/${slug}` })
  const card = editorBody(page).locator('.link-card')
  await expect(card).toContainText('Known post')
  await expect(card).toContainText('Its words.')
  await expect(card.locator('img')).toHaveAttribute('src', /^\/v1\/storage\//)

  await beginWith(page, '<p></p>', { inside: 'p' })
  await editorBody(page).locator('p').click()
  await page.keyboard.type(`${blog.url}/post/${draft}`)
  const answered = page.waitForResponse((response) => response.url().includes(draft))
  await page.keyboard.press('Enter')
  await answered
  await page.keyboard.type('After')
  await expect(editorBody(page)).toContainText('After')
  expect(await currentHtml(page)).not.toContain('Secret')
})

/** Fakes all other sites. @returns the requested addresses, to which new ones are added */
async function answerOthers(context: BrowserContext, ownUrl: string): Promise<string[]> {
  const addresses: string[] = []
  await context.route(
    (url) => url.origin !== new URL(ownUrl).origin,
    (route) => {
      const url = route.request().url()
      addresses.push(url)
      return url.endsWith('.js')
        ? route.fulfill({
            contentType: 'text/javascript',
            body: `document.write('<pre>print("hello")</pre>')`,
          })
        : route.fulfill({ contentType: 'text/html', body: '<title>Elsewhere</title>' })
    },
  )
  return addresses
}
