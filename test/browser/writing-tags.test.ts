// The tags field of the post form: keys, suggestions, errors, and that no typed text is lost.
import { axeFindings } from '#test/support/axe.ts'
import { expect, test } from '#test/support/browser-blog.ts'
import { chooseImage } from '#test/support/new-post.ts'
import { overflow } from '#test/support/overflow.ts'
import { editorBody, makeNewcomer, signUp } from '#test/support/people.ts'
import { DOCUMENTS, writePost } from '#test/support/write-post.ts'

const HEADERS = { 'x-appwrite-project': 'blog' }
const HINT = 'Enter or a comma ends a tag. A last line like #trains #night in the text works too.'

test('tags are typed by keyboard, suggested, validated, and survive a reload', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, context } = await visit({ viewport: { width: 320, height: 800 } })
  await signUp(page, makeNewcomer('Tove Typed'))
  await writePost(context.request, { title: 'Old', content: '<p>#Letters</p>' })
  await page.goto('/add-post')
  await expect(editorBody(page)).toBeVisible()
  await page.getByLabel('Title', { exact: true }).fill('Tagged')
  const field = page.getByRole('combobox', { name: 'Tags up to 5' })
  const chips = page.getByRole('button', { name: /^Remove the tag / })
  await expect(page.getByText(HINT)).toBeVisible()
  await field.focus()
  await page.keyboard.type('#trains,night')
  await page.keyboard.press('Enter')
  await expect(chips).toHaveText(['#trains', '#night'])
  await page.keyboard.type('TRAINS,')
  await expect(chips).toHaveCount(2)
  await page.keyboard.type('le')
  await expect(page.getByRole('listbox', { name: 'Existing tags' }).getByRole('option')).toHaveText(
    ['#Letters1 post'],
  )
  expect(await axeFindings(page)).toEqual([])
  expect(await overflow(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(chips).toHaveText(['#trains', '#night', '#Letters'])
  await expect(page.getByRole('listbox', { name: 'Existing tags' })).toHaveCount(0)
  await page.keyboard.press('Backspace')
  await expect(chips).toHaveText(['#trains', '#night'])
  await page.keyboard.type('everything I saw')
  await expect(page.getByText('A tag has 30 characters at most and no spaces.')).toBeVisible()
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByRole('alert').getByRole('link', { name: 'tags' })).toBeVisible()
  await field.fill('half')

  await page.reload()
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect(chips).toHaveText(['#trains', '#night', '#half'])
  await field.fill('d,e,f')
  await expect(chips).toHaveCount(5)
  await expect(
    page.getByText('Five tags, that is the most. Remove one to add another.'),
  ).toBeVisible()
  await field.fill('')
  await chips.filter({ hasText: 'half' }).click()
  await expect(field).toBeFocused()
  await chooseImage(page)
  // A typed tag counts even if nothing ends it.
  await field.fill('last')
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.waitForURL(/\/post\/blog\d{13}l$/)
  await expect(page.getByRole('list', { name: 'Tags' }).getByRole('link')).toHaveText([
    'trains',
    'night',
    'd',
    'e',
    'last',
  ])
})

test('the tags of a draft are saved automatically, and those of its last line are not chips', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, context } = await visit()
  await signUp(page, makeNewcomer('Dora Drafted'))
  const data = { status: 'inactive', tags: ['own'] }
  const content = '<p>Text</p><p>#line</p>'
  const id = await writePost(context.request, { title: 'Draft', content })
  await context.request.patch(`${DOCUMENTS}/${id}`, { headers: HEADERS, data: { data } })
  await page.goto(`/edit-post/${id}`)
  await expect(editorBody(page)).toContainText('#line')
  const chips = page.getByRole('button', { name: /^Remove the tag / })
  await expect(chips).toHaveText(['#own'])
  await page.getByRole('combobox', { name: 'Tags up to 5' }).fill('more,')
  await expect(page.getByText(/^Saved \d/).first()).toBeVisible()
  const stored = await context.request.get(`${DOCUMENTS}/${id}`, { headers: HEADERS })
  expect((await stored.json()).tags).toEqual(['own', 'more', 'line'])
  await page.reload()
  await expect(chips).toHaveText(['#own', '#more'])
})
