// Pages on another origin load published clients as a script, in a real browser, which enforces
// the rules for preflights, cookies and headers. test/api/client-matrix.test.ts checks all calls of
// each client.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { test as base, expect } from '#test/support/browser-blog.ts'
import { clientScript } from '#test/support/client-packages.ts'
import { drawPhoto } from '#test/support/images.ts'

const CLIENTS = ['appwrite-10', 'appwrite-16', 'appwrite-newest']

const test = base.extend<object, { pages: string }>({
  /** The address of a site that has a page for each client. */
  pages: [
    async ({ browserName: _ }, use) => {
      const site = createServer(async ({ url = '' }, answer) => {
        const name = CLIENTS.find((client) => url.startsWith(`/${client}`))
        if (!name) return answer.writeHead(404).end()
        const isScript = url.endsWith('.js')
        answer.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
        answer.end(
          isScript
            ? await readFile(clientScript(name))
            : `<!doctype html><link rel="icon" href="data:,"><script src="/${name}.js"></script>`,
        )
      })
      await new Promise<void>((resolve) => site.listen(0, 'localhost', resolve))
      const address = site.address()
      await use(`http://localhost:${typeof address === 'object' ? address?.port : ''}`)
      await new Promise((resolve) => site.close(resolve))
    },
    { scope: 'worker' },
  ],
  blogEnv: [async ({ pages }, use) => use({ BLOG_ALLOWED_ORIGINS: pages }), { scope: 'worker' }],
})

for (const name of CLIENTS)
  test(`${name} on a page of an allowed origin signs up, uploads, writes, lists, shows and signs out`, {
    tag: '@more',
  }, async ({ visit, blog, pages }) => {
    const { page, expectFault } = await visit()
    expectFault(/request to elsewhere/)
    // The page requests the account before signing in and after signing out.
    expectFault(/status of 401/)
    await page.goto(`${pages}/${name}`)
    const bytes = [...(await drawPhoto('png'))]
    const results = await page.evaluate(useClient, { endpoint: `${blog.url}/v1`, bytes, name })
    expect(results).toEqual({
      codeBefore: 401,
      name,
      titles: ['From elsewhere'],
      width: 20,
      codeAfter: 401,
      cookie: '',
    })
  })

/** Runs in the page. */
async function useClient({
  endpoint,
  bytes,
  name,
}: {
  endpoint: string
  bytes: number[]
  name: string
}) {
  type Post = import('appwrite-newest').Models.Document & { title: string }
  const scope = globalThis as unknown as { Appwrite: typeof import('appwrite-newest') }
  const { Account, Client, Databases, ID, Query, Storage } = scope.Appwrite
  const client = new Client().setEndpoint(endpoint).setProject('blog')
  // Headers that some newer clients send, too, so that the browser makes a preflight for them.
  Object.assign(client.headers, {
    'X-Appwrite-Impersonate-User-Id': 'nobody',
    'X-Appwrite-Dev-Key': 'none',
  })
  const account = new Account(client)
  const databases = new Databases(client)
  const storage = new Storage(client)
  const codeOf = (call: Promise<unknown>) =>
    call.then(
      () => 200,
      ({ code }) => code,
    )
  const codeBefore = await codeOf(account.get())
  const login = [`${name}@example.test`, 'from another origin'] as const
  await account.create(ID.unique(), ...login, name)
  await (account.createEmailPasswordSession ?? Reflect.get(account, 'createEmailSession')).call(
    account,
    ...login,
  )
  const user = await account.get()

  const image = new File([new Uint8Array(bytes)], 'a.png', { type: 'image/png' })
  const { $id: featuredImage } = await storage.createFile('content', ID.unique(), image)
  const data = { title: 'From elsewhere', content: '', featuredImage, userId: user.$id }
  const { $id } = await databases.createDocument('blogdb', 'posts', ID.unique(), data)
  const { documents } = await databases.listDocuments<Post>('blogdb', 'posts', [
    Query.equal('userId', user.$id),
    Query.orderDesc('$createdAt'),
  ])
  const preview = new Image()
  preview.src = String(storage.getFilePreview('content', featuredImage, 20))
  await preview.decode()
  await databases.deleteDocument('blogdb', 'posts', $id)
  await account.deleteSession('current')
  return {
    codeBefore,
    name: user.name,
    titles: documents.map(({ title }) => title),
    width: preview.naturalWidth,
    codeAfter: await codeOf(account.get()),
    cookie: document.cookie,
  }
}
