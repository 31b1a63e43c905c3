// `npm run setup`, answered through a pipe: what it sets, what it refuses, and that a blog starts
// with it.
// @module-tag more
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findPort, ROOT } from '#scripts/processes.ts'
import { makeDataDir, startServer } from '#test/support/process.ts'

async function setUp(dataDir: string, answers: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(ROOT, 'scripts/setup.ts')], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH ?? '',
      PORT: String(await findPort()),
      BLOG_DATA_DIR: dataDir,
      ...env,
    },
  })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => void output.push(text))
  child.stdin.end(answers.map((answer) => `${answer}\n`).join(''))
  const [code] = await once(child, 'close')
  return { code, output: output.join('') }
}

const OLGA = ['Olga Operator', 'olga@example.test', 'lantern meadow quarry']

test('the answers to the questions set the name, the readers and the operator of the blog', async () => {
  await using data = await makeDataDir()
  const result = await setUp(data.path, ["Olga's lamps", 'everyone', ...OLGA])
  expect(result.code, result.output).toBe(0)
  expect(result.output).toContain('olga@example.test is the operator')
  expect(result.output).not.toContain('lantern meadow quarry')

  const secondResult = await setUp(data.path, ['', ''])
  expect(secondResult.output).toContain('The blog has an operator')

  const server = await startServer(data.path)
  try {
    expect(server.output()).toContain("Olga's lamps is open at")
    expect(server.output()).toMatch(/^Everybody may read it\. .*npm run setup.*BLOG_READING/m)
    const [, email = '', password = ''] = OLGA
    const signedIn = await fetch(`${server.url}/v1/account/sessions/email`, {
      method: 'POST',
      headers: { 'x-appwrite-project': 'blog', 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    expect(signedIn.status).toBe(201)
    expect((await fetch(`${server.url}/post`, { redirect: 'manual' })).status).toBe(200)
    // A running server shows the next answers at once.
    const port = new URL(server.url).port
    await setUp(data.path, ['Lamps', 'members'], { PORT: port })
    expect(await (await fetch(`${server.url}/login`)).text()).toContain('Lamps</bdi></a>')
    expect((await fetch(`${server.url}/post`, { redirect: 'manual' })).status).toBe(302)
  } finally {
    await server.stop()
  }
  const other = await startServer(data.path, { BLOG_READING: 'everyone' })
  try {
    expect(other.output()).toMatch(/^Everybody may read it\. .*npm run setup.*BLOG_READING/m)
    expect((await fetch(`${other.url}/post`, { redirect: 'manual' })).status).toBe(200)
  } finally {
    await other.stop()
  }
})

test('where the environment fixes a value, the answer changes nothing and the output says so', async () => {
  await using data = await makeDataDir()
  const env = { BLOG_SITE_NAME: 'Fixed' }
  const { code, output } = await setUp(data.path, ['Other', '', '', ''], env)
  expect([code, output]).toEqual([0, expect.stringContaining('siteName is set on the server')])
  expect(output).toContain('No operator was named')
})

test.each([
  ['who may read', ['', 'nobody']],
  ['what the server refuses', ['Lamps', 'members', 'Olga', 'olga@nowhere', 'password']],
])('a wrong answer about %s changes nothing', async (_what, answers) => {
  await using data = await makeDataDir()
  const { code, output } = await setUp(data.path, answers)
  expect([code, output]).toEqual([1, expect.stringContaining('Nothing was changed.')])
  expect((await setUp(data.path, ['', '', '', ''])).output).toContain('Name of the blog [Web App]')
})
