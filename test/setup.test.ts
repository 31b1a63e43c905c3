// `npm run setup`, answered through a pipe: what it keeps, what it refuses, and that a blog starts
// with it.
// @module-tag more
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat } from 'node:fs/promises'
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

test('three answers make a blog: its name, who reads it, and the account of who runs it', async () => {
  await using data = await makeDataDir()
  const made = await setUp(data.path, ["Olga's lamps", 'everyone', ...OLGA])
  expect(made.code, made.output).toBe(0)
  expect(made.output).not.toContain('lantern meadow quarry')
  const path = join(data.path, 'settings.env')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  const kept = await readFile(path, 'utf8')

  const again = await setUp(data.path, ['', ''])
  expect(again.output).toContain('accounts already')
  expect(await readFile(path, 'utf8')).toBe(kept)

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
  } finally {
    await server.stop()
  }
  const other = await startServer(data.path, { BLOG_READING: 'members' })
  try {
    expect(other.output()).toMatch(/for members\. .*npm run setup.*BLOG_READING/m)
    expect((await fetch(`${other.url}/post`, { redirect: 'manual' })).status).toBe(302)
  } finally {
    await other.stop()
  }
})

test('a name that the file cannot hold is refused before an account is made', async () => {
  await using data = await makeDataDir()
  const refused = await setUp(data.path, [`all of ' \` and "`, 'everyone', ...OLGA])
  expect([refused.code, refused.output]).toEqual([
    1,
    expect.stringContaining('Nothing was changed.'),
  ])
  expect((await setUp(data.path, ['', ''])).output).toContain('No account was made.')
})

test.each([
  ['who may read', ['', 'nobody']],
  ['what the server refuses', ['', 'members', 'Olga', 'olga@nowhere', 'password']],
])('a wrong answer about %s changes nothing', async (_what, answers) => {
  await using data = await makeDataDir()
  const { code, output } = await setUp(data.path, answers)
  expect([code, output]).toEqual([1, expect.stringContaining('Nothing was changed.')])
  await expect(stat(join(data.path, 'settings.env'))).rejects.toThrow('ENOENT')
})
