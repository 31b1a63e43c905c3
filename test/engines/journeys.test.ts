// What people do with a blog, in Firefox and in WebKitGTK, without errors in the console and
// without violations of the content security policy.
// @module-tag more
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFirefox, findWebKit } from '#scripts/other-browsers.ts'
import { drawPhoto } from '../support/images.ts'
import { makeDataDir, readErrorEntries, startServer } from '../support/process.ts'
import { startFirefox } from './firefox.ts'
import { CONTROL, ENTER, type Engine, makePage, type Page } from './page.ts'
import { startWebKit } from './webkit.ts'

const firefox = findFirefox()
const webKit = findWebKit()
const ENGINES: { name: string; start: (() => Promise<Engine>) | undefined }[] = [
  { name: 'Firefox', start: firefox ? () => startFirefox(firefox) : undefined },
  { name: 'WebKitGTK', start: webKit ? () => startWebKit(webKit) : undefined },
]

const FOUNDER = { name: 'Mara Ellison', email: 'mara@example.test', password: 'a lamp on the pier' }
const MEMBER = { name: 'Rita Reader', email: 'rita@example.test', password: 'rita reads at night' }
const TITLE = 'The harbour at six'

describe.for(ENGINES)('in $name', ({ name, start }) => {
  const ends = new AsyncDisposableStack()
  /** @returns the faults that the browser reported */
  let visit: (journey: (page: Page) => Promise<void>) => Promise<string[]>
  let image = ''
  let postPath = ''

  beforeAll(async () => {
    if (!start) return
    const data = ends.use(await makeDataDir())
    const server = await startServer(data.path)
    ends.defer(async () => {
      await server.stop()
      expect(readErrorEntries(server), 'the server log').toEqual([])
    })
    const folder = await mkdtemp(join(tmpdir(), 'lamplight-images-'))
    ends.defer(() => rm(folder, { recursive: true }))
    image = join(folder, 'harbour.jpg')
    await writeFile(image, await drawPhoto('jpeg', { width: 640, height: 360 }))
    const engine = ends.use(await start())
    visit = async (journey) => {
      // A driver may crash when a journey that failed is closed, which must not hide why it failed.
      await using session = await engine.openSession()
      const page = makePage(session, server.url)
      await journey(page)
      // A last call also fetches the faults that the page has collected.
      await page.evaluate(() => {})
      return session.faults()
    }
  })

  afterAll(() => ends.disposeAsync())

  test('a founder sets up a blog and writes the first post with a picture', async (context) => {
    if (!start) return context.skip(`${name} is not installed`)
    const faults = await visit(async (page) => {
      await page.open('/setup')
      await page.startApp()
      await page.fill('Name', FOUNDER.name)
      await page.fill('Email', FOUNDER.email)
      await page.fill('Password', FOUNDER.password)
      await page.click('button', 'Open the blog')
      await page.see('Your blog is open')
      await page.startApp()
      await page.click('link', 'Write the first post')
      await page.fill('Title', TITLE)
      await page.fillEditor('At six the water is ')
      await page.click('button', 'Bold')
      await page.type('grey')
      await page.chooseFile('#image', image)
      await page.see('harbour.jpg')
      await page.click('button', 'Submit')
      await page.seeAddress(/^\/post\/blog\d+l$/)
      await page.see('At six the water is grey')
      expect(await page.evaluate(() => document.querySelector('strong')?.innerText)).toBe('grey')
      expect(await page.drawnWidth('.featured-image img')).toBeGreaterThan(300)
      postPath = await page.evaluate(() => location.pathname)
    })
    expect(faults).toEqual([])
  })

  test('a guest reads the post, signs up, likes it and comments', async (context) => {
    if (!start) return context.skip(`${name} is not installed`)
    const faults = await visit(async (page) => {
      await page.open(postPath)
      await page.see(TITLE)
      expect(await page.drawnWidth('.featured-image img')).toBeGreaterThan(300)
      await page.startApp()
      await page.click('link', 'Log in')
      await page.click('link', "Don't have any account? Sign Up")
      await page.fill('Name', MEMBER.name)
      await page.fill('Email', MEMBER.email)
      await page.fill('Password', MEMBER.password)
      await page.click('button', 'Sign up')
      await page.see(`Welcome, ${MEMBER.name}`)
      await page.open(postPath)
      await page.startApp()
      await page.click('button', 'Like this post, 0 likes')
      await page.waitForControl('button', 'Like this post, 1 like')
      await page.fill('Write a comment', 'It is the same here.')
      await page.press(CONTROL, ENTER)
      await page.see('Posted. Others see it once it has been approved.')
    })
    expect(faults).toEqual([])
  })

  test('an operator opens the operator pages and changes the name of the blog', async (context) => {
    if (!start) return context.skip(`${name} is not installed`)
    const faults = await visit(async (page) => {
      await page.open('/login')
      await page.startApp()
      await page.fill('Email', FOUNDER.email)
      await page.fill('Password', FOUNDER.password)
      await page.click('button', 'Sign in')
      await page.see(`Welcome, ${FOUNDER.name}`)
      await page.click('button', `Account menu, ${FOUNDER.name}`)
      await page.click('menuitem', 'Manage blog')
      await page.seeTitle('Overview')
      await page.click('link', 'Comments and reports 1 waiting')
      await page.see('It is the same here.')
      await page.click('button', 'Approve')
      await page.see('Approved.')
      for (const title of ['People', 'Posts', 'Activity', 'Backups']) {
        await page.click('link', title)
        await page.seeTitle(title)
      }
      await page.click('link', 'Kept mails')
      await page.seeTitle('Mails kept on this server')
      await page.click('link', 'Blog settings')
      await page.fill('Name of the blog', 'Harbour Notes')
      await page.press(ENTER)
      await page.see('Saved.')
      await expect
        .poll(() => page.evaluate(() => document.title))
        .toBe('Blog settings · Manage blog · Harbour Notes')
    })
    expect(faults).toEqual([])
  })

  test('console errors and violations of the content security policy are collected', async (context) => {
    if (!start) return context.skip(`${name} is not installed`)
    const faults = await visit(async (page) => {
      await page.open('/login')
      await page.evaluate(() => {
        console.error('a broken lamp')
        const style = document.createElement('style')
        style.textContent = 'body { color: red }'
        document.head.append(style)
      })
      await page.startApp()
    })
    expect(faults).toEqual([
      'a broken lamp',
      expect.stringMatching(/^Content-Security-Policy: .*inline style|^style-src-elem inline$/),
    ])
  })
})
