// The small parts of the process: background work, ids, the log, secrets in the data folder.
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { isId } from '#contract/ids.ts'
import { makeBackground } from './background.ts'
import { hashSecret, makeId, makeSecret } from './ids.ts'
import { makeLog } from './log.ts'
import { makeDataFolder, readOrMakeSecret } from './secrets.ts'

function collectLog() {
  const lines: string[] = []
  return { lines, log: makeLog('info', { write: (line) => void lines.push(line) }) }
}

describe('background work', () => {
  test('is awaited, including work that other work has started', async () => {
    const background = makeBackground(makeLog('silent'))
    const steps: string[] = []
    background.run('outer', async () => {
      background.run('inner', async () => void steps.push('inner'))
      steps.push('outer')
    })
    expect(steps).toEqual([])
    await background.drained()
    expect(steps).toEqual(['outer', 'inner'])
  })

  test('failures of one kind are logged once a second with their count', async () => {
    vi.useFakeTimers()
    const { lines, log } = collectLog()
    const background = makeBackground(log)
    for (let attempt = 1; attempt <= 100; attempt++)
      background.run('record the use of a session', async () => {
        throw new Error(`no room ${attempt}`)
      })
    await background.drained()
    expect(lines).toHaveLength(1)
    vi.advanceTimersByTime(10_000)
    vi.useRealTimers()
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { err: { message: 'no room 1' } },
      { err: { message: 'no room 100' }, count: 99 },
    ])
  })

  test('a failure is logged under its name and does not stop other work', async () => {
    const { lines, log } = collectLog()
    const background = makeBackground(log)
    let ran = false
    background.run('sweep', () => {
      throw new Error('no disk')
    })
    background.run('other', async () => {
      ran = true
    })
    await background.drained()
    expect(ran).toBe(true)
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { task: 'sweep', err: { message: 'no disk' }, msg: 'background work failed' },
    ])
  })
})

describe('ids and secrets', () => {
  test('an id is 20 hex characters that begin with the time', () => {
    const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
    const id = makeId(nowMs)
    expect(id).toMatch(/^[0-9a-f]{20}$/)
    expect(isId(id)).toBe(true)
    expect(Math.floor(Number.parseInt(id.slice(0, 13), 16) / 1000)).toBe(nowMs)
  })

  test('a thousand ids generated at once all differ', () => {
    const nowMs = Date.now()
    expect(new Set(Array.from({ length: 1000 }, () => makeId(nowMs))).size).toBe(1000)
  })

  test('a secret is 256 random bits, and its hash is SHA-256', () => {
    expect(makeSecret()).toMatch(/^[0-9a-f]{64}$/)
    expect(makeSecret()).not.toBe(makeSecret())
    expect(hashSecret('abc')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
  })

  test('a secret of the data folder is generated once, and only its owner may read it', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'lamplight-secret-'))
    const folder = join(parent, 'data')
    try {
      await makeDataFolder(folder, makeLog('silent'))
      const secret = await readOrMakeSecret(folder, 'api-key')
      expect(secret).toMatch(/^[0-9a-f]{64}$/)
      expect(await readOrMakeSecret(folder, 'api-key')).toBe(secret)
      expect(await readOrMakeSecret(folder, 'other-key')).not.toBe(secret)
      expect(await readFile(join(folder, 'api-key'), 'utf8')).toBe(`${secret}\n`)
      expect([
        (await stat(folder)).mode & 0o777,
        (await stat(join(folder, 'api-key'))).mode & 0o777,
      ]).toEqual([0o700, 0o600])
    } finally {
      await rm(parent, { recursive: true })
    }
  })
})

describe('a secret of the data folder', () => {
  test('is the same for processes that start at once, and leaves no temporary file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lamplight-secret-'))
    const secrets = await Promise.all(
      Array.from({ length: 8 }, () => readOrMakeSecret(folder, 'api-key')),
    )
    expect(new Set(secrets).size).toBe(1)
    expect(await readdir(folder)).toEqual(['api-key'])
    await rm(folder, { recursive: true })
  })

  test.each(['', 'cut off', 'x'.repeat(64)])(
    'is never read from a damaged file: %j',
    async (text) => {
      const folder = await mkdtemp(join(tmpdir(), 'lamplight-secret-'))
      await writeFile(join(folder, 'api-key'), text)
      await expect(readOrMakeSecret(folder, 'api-key')).rejects.toThrow('is damaged')
      expect(await readFile(join(folder, 'api-key'), 'utf8')).toBe(text)
      await rm(folder, { recursive: true })
    },
  )
})

test('the log writes one JSON line per entry and redacts secrets', () => {
  const { lines, log } = collectLog()
  log.info(
    {
      headers: { cookie: 'hush-1', authorization: 'hush-2', host: 'x' },
      sent: { password: 'hush-3', secret: 'hush-4' },
    },
    'a line',
  )
  log.debug('too quiet')
  expect(lines).toHaveLength(1)
  expect(lines[0]).not.toContain('hush')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 30,
    msg: 'a line',
    headers: { host: 'x' },
  })
})
