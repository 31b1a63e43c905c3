// Archives that are damaged, or that an attacker has written.
import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { brotliCompressSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { changeArchive, exportTo, fillBlog, folderEnv } from '#test/support/archives.ts'
import { makeDataDir } from '#test/support/process.ts'
import { openFileTree } from '../sources/file-tree.ts'
import type { FileTree } from '../sources/source.ts'
import { restoreArchive } from './restore-archive.ts'

let root: Awaited<ReturnType<typeof makeDataDir>>
let sound = ''

beforeAll(async () => {
  root = await makeDataDir()
  sound = join(root.path, 'sound')
  const env = folderEnv(root.path, 'blog')
  await fillBlog(env)
  await exportTo(sound, env, { hasPeople: true })
  return () => root[Symbol.asyncDispose]()
})

async function restore(tree: FileTree, dataDir: string) {
  const storage = { dataDir, databaseUrl: undefined, s3: undefined }
  await restoreArchive(storage, tree, { onProgress: () => {} })
}

type Change = (text: string) => string | Buffer
/** Replaces in the first line of a table. */
const replace =
  (from: string | RegExp, to: string): Change =>
  (text) => {
    expect(text).toMatch(from)
    return text.replace(from, to)
  }
const version = (body: Buffer) => replace(/"body":"[^"]*"/, `"body":"${body.toString('base64')}"`)
const user = 'data/user.jsonl'

test.each<[what: string, path: string, change: Change, message: string]>([
  ['a newer format', 'manifest.json', replace('"format": 1', '"format": 2'), 'newer program'],
  ['a damaged manifest', 'manifest.json', () => '{"archive": "lamplight"', 'is damaged'],
  ['a huge manifest', 'manifest.json', () => ' '.repeat(2_000_000), 'too large'],
  ['checksums that were changed', 'SHA256SUMS', (text) => `${text}x`, 'SHA256SUMS is damaged'],
  ['a table that is unknown', 'data/secret.jsonl', () => '{}\n', 'does not know its file'],
  ['a newer database', 'data/schema.json', () => '{"lastMigration":"0999-x"}', 'update this'],
  ['a column that is unknown', user, replace('"about"', '"isKing":1,"about"'), 'column "isKing"'],
  ['a prototype as a column', user, replace('{', '{"__proto__":{},'), 'column "__proto__"'],
  ['a column that is missing', user, replace(/"name":"[^"]*",/, ''), '"name" is no text'],
  ['a number as a text', user, replace(/"name":"[^"]*"/, '"name":7'), '"name" is no text'],
  ['a text as a number', user, replace('"isBlocked":0', '"isBlocked":"0"'), 'is no integer'],
  ['a number with a fraction', user, replace('"isBlocked":0', '"isBlocked":0.5'), 'no integer'],
  ['a number past 2^53', user, replace('"isBlocked":0', '"isBlocked":9007199254740993'), 'integer'],
  ['half a character', user, replace(/"name":"/, '"name":"\\ud800'), '"name" is no text'],
  ['preferences that are no JSON', user, replace(/"prefs":"[^}]*}"/, '"prefs":"{"'), 'no JSON'],
  ['a time that is none', user, replace(/"createdAt":"[^"]*"/, '"createdAt":"x"'), 'is no time'],
  ['an id that is a path', user, replace(/"id":"[^"]*"/, '"id":"../x"'), '"id" is no id'],
  ['a row that is a list', user, () => '[]\n', 'no JSON object'],
  ['bytes that are no UTF-8', user, () => Buffer.from([0xff, 0x0a]), 'is no UTF-8'],
  ['a row too few', user, (text) => text.slice(text.indexOf('\n') + 1), 'counts others'],
  ['a long line', user, () => 'x'.repeat(20_000_000), 'Line 1 of data/user.jsonl is longer'],
  [
    'a name of bytes that is a path',
    'data/file.jsonl',
    replace(/"storedName":"[^"]*"/, '"storedName":"../../etc/passwd"'),
    'no name of bytes',
  ],
  [
    'a file that is a page',
    'data/file.jsonl',
    replace('"image/png"', '"text/html"'),
    '"mimeType" is no image',
  ],
  [
    'a file outside the folder',
    'data/file.jsonl',
    replace(/"sha256":"[^"]*"/, '"sha256":"../data/user.jsonl"'),
    'there is no file',
  ],
  [
    'bytes of another file',
    'data/file.jsonl',
    replace(/"signature":"[^"]*"/, `"signature":"${'0'.repeat(32)}"`),
    'its bytes are not those',
  ],
  ['a text that is a bomb', 'data/postVersion.jsonl', version(bomb()), 'no compressed text'],
  ['a text that is none', 'data/postVersion.jsonl', version(Buffer.from('x')), 'no compressed'],
  [
    'the code to set up a blog',
    'data/siteValue.jsonl',
    replace('setUpAt', 'setupCode'),
    'one host',
  ],
  [
    'details that are none',
    'data/postDetails.jsonl',
    replace(/"details":"(?:[^"\\]|\\.)*"/, '"details":"{\\"canonicalUrl\\":\\"javascript:1\\"}"'),
    '"details" are none',
  ],
  [
    'a link that is a script',
    'data/siteValue.jsonl',
    replace(
      /"name":"setUpAt","value":"[^"]*"/,
      '"name":"links","value":"[{\\"name\\":\\"x\\",\\"to\\":\\"javascript:1\\"}]"',
    ),
    'no such value',
  ],
  [
    'a colour that is none',
    'data/siteValue.jsonl',
    replace(/"name":"setUpAt","value":"[^"]*"/, '"name":"accent","value":"red}</style>"'),
    'no such value',
  ],
  [
    'a row without the one it belongs to',
    'data/postLike.jsonl',
    replace(/"userId":"[^"]*"/, '"userId":"nobody"'),
    'refuses rows',
  ],
])('an archive with %s is refused and changes nothing', async (what, path, change, message) => {
  const archive = join(root.path, what.replaceAll(/\W/g, '-'))
  const target = join(root.path, `${what.replaceAll(/\W/g, '-')}-blog`)
  await changeArchive(sound, archive, path, (bytes) => change(bytes.toString()))
  const tree = await openFileTree(archive)
  await expect(restore(tree, target)).rejects.toThrow(message)
  expect(existsSync(join(target, 'blog.sqlite'))).toBe(false)
})

function bomb(): Buffer {
  return brotliCompressSync(Buffer.alloc(100_000_000))
}

test('an archive with a line of two gigabytes is refused before it fills the memory', async () => {
  const archive = join(root.path, 'line')
  await changeArchive(sound, archive, user, (bytes) => bytes)
  const tree = await openFileTree(archive)
  let sent = 0
  const endless = function* () {
    const piece = Buffer.alloc(1_000_000, 'x')
    for (; sent < 2000; sent++) yield piece
  }
  let reads = 0
  const hostile: FileTree = {
    ...tree,
    // The checksum is verified with the first reading, the rows are read with the second.
    open: (path) => {
      if (path !== user || ++reads < 2) return tree.open(path)
      return Promise.resolve(Readable.from(endless(), { objectMode: false }))
    },
  }
  await expect(restore(hostile, join(root.path, 'line-blog'))).rejects.toThrow('is longer than')
  expect(sent).toBeLessThan(30)
})

test('an archive is not imported into a blog that has anything', async () => {
  const target = join(root.path, 'twice')
  const tree = await openFileTree(sound)
  await restore(tree, target)
  const before = await readdir(join(target, 'files'))
  await expect(restore(tree, target)).rejects.toThrow('is not empty')
  expect(await readdir(join(target, 'files'))).toEqual(before)
  await mkdir(join(target, 'other'))
})
