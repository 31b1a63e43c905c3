// One file, a folder and a zip are read alike; what is dangerous is refused.
import { randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { findTempFolder } from '#test/support/temp-folder.ts'
import { openFileTree, readBeginning, readWhole } from './file-tree.ts'
import { findSource } from './find-source.ts'
import { type FileTree, SourceProblem } from './source.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(await findTempFolder(), 'file-tree-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

let zips = 0
/** Writes a zip; `from` and `to` are names of the same length that are exchanged in its bytes. */
async function makeZip(files: Record<string, Buffer | string>, renames: [string, string][] = []) {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  const path = join(folder, `${++zips}.zip`)
  await pipeline(zip.outputStream, createWriteStream(path))
  let bytes = (await readFile(path)).toString('latin1')
  for (const [from, to] of renames)
    bytes = bytes.replaceAll(from, Buffer.from(to).toString('latin1'))
  await writeFile(path, bytes, 'latin1')
  return path
}

async function pathsOf(tree: FileTree): Promise<string[]> {
  const paths: string[] = []
  for await (const { path } of tree.list()) paths.push(path)
  return paths
}

async function textAt(tree: FileTree, path: string): Promise<string | undefined> {
  const stream = await tree.open(path)
  return stream && text(stream)
}

test('one file is a tree of one file', async () => {
  await writeFile(join(folder, 'a.xml'), '<rss/>')
  const tree = await openFileTree(join(folder, 'a.xml'))
  expect(await pathsOf(tree)).toEqual(['a.xml'])
  expect(await textAt(tree, 'a.xml')).toBe('<rss/>')
  expect(await textAt(tree, '../a.xml')).toBe(undefined)
  expect(await findSource(tree)).toBe(undefined)
})

test('the files of a folder come in order, without those of the system', async () => {
  const root = join(folder, 'blog')
  await mkdir(join(root, 'posts'), { recursive: true })
  await mkdir(join(root, '__MACOSX'))
  for (const name of ['b.md', 'posts/a.md', '.DS_Store', '._b.md', '__MACOSX/c', 'u\u0308.png'])
    await writeFile(join(root, name), name)
  const tree = await openFileTree(root)
  expect(await pathsOf(tree)).toEqual(['b.md', '\u00fc.png', 'posts/a.md'])
  expect(await textAt(tree, '\u00fc.png')).toBe('u\u0308.png')
})

test('a link that leads out of the folder is no file of it', async () => {
  const root = join(folder, 'linked')
  await mkdir(root)
  await writeFile(join(folder, 'secret'), 'secret')
  await writeFile(join(root, 'a'), 'a')
  await symlink(join(folder, 'secret'), join(root, 'out'))
  await symlink(folder, join(root, 'all'))
  await symlink(join(root, 'a'), join(root, 'inside'))
  const tree = await openFileTree(root)
  expect(await pathsOf(tree)).toEqual(['a', 'inside'])
  for (const path of ['out', 'all/secret', '../secret', join(folder, 'secret')])
    expect(await textAt(tree, path), path).toBe(undefined)
})

test('the files of a zip are read as in a folder', async () => {
  const tree = await openFileTree(
    await makeZip({ 'b/ä.txt': 'two', 'a.txt': 'one', '__MACOSX/._a.txt': 'x' }),
  )
  expect(await pathsOf(tree)).toEqual(['a.txt', 'b/ä.txt'])
  expect(await textAt(tree, 'b/ä.txt')).toBe('two')
  expect(await textAt(tree, 'c.txt')).toBe(undefined)
  await expect(readWhole(tree, 'a.txt', 2)).rejects.toThrow('a.txt is longer than')
  expect((await readBeginning(tree, 'a.txt', 2)).toString()).toBe('on')
  await tree.close()
})

test.each([
  ['aa/a.txt', '../a.txt'],
  ['aa.txt', '/a.txt'],
  ['aa/a.txt', 'c:/a.txt'],
  ['aa/a.txt', '..\\a.txt'],
])('a zip with %s named %s is refused', async (from, to) => {
  const path = await makeZip({ [from]: 'x' }, [[from, to]])
  await expect(openFileTree(path)).rejects.toThrow('outside the folder')
})

test('a zip with two files of one name is refused', async () => {
  const path = await makeZip({ 'a.txt': 'one', 'b.txt': 'two' }, [['b.txt', 'a.txt']])
  await expect(openFileTree(path)).rejects.toThrow('two files named a.txt')
})

test('a name in another encoding is read as far as it can be', async () => {
  const path = await makeZip({ 'aa.txt': 'x', 'b.txt': 'y' })
  const bytes = (await readFile(path)).toString('latin1').replaceAll('aa.txt', '\x81a.txt')
  await writeFile(path, bytes, 'latin1')
  expect(await pathsOf(await openFileTree(path))).toContain('b.txt')
})

test('a bomb is refused before it is unpacked', async () => {
  const path = await makeZip({ 'a.txt': Buffer.alloc(60_000_000), 'b.txt': '' })
  await expect(openFileTree(path)).rejects.toThrow('a.txt in the zip is a bomb')
})

test('a file that is longer or other than the zip says is damaged', async () => {
  const path = await makeZip({ 'a.txt': 'a'.repeat(5000), 'b.txt': '' })
  const bytes = await readFile(path)
  const directory = bytes.lastIndexOf('PK\x01\x02', bytes.lastIndexOf('PK\x01\x02') - 1, 'latin1')
  const withSize = Buffer.from(bytes)
  withSize.writeUInt32LE(10, directory + 24)
  await writeFile(path, withSize)
  const long = await openFileTree(path)
  await expect(readWhole(long, 'a.txt', 10_000)).rejects.toThrow('a.txt in the zip is damaged.')
  const withSum = Buffer.from(bytes)
  withSum.writeUInt32LE(10, directory + 16)
  await writeFile(path, withSum)
  const other = await openFileTree(path)
  await expect(readWhole(other, 'a.txt', 10_000)).rejects.toThrow('a.txt in the zip is damaged.')
})

test('who stops reading a file of a zip gets no other error than the own', async () => {
  const tree = await openFileTree(await makeZip({ 'a.txt': randomBytes(500_000), 'b.txt': '' }))
  const stream = await tree.open('a.txt')
  const own = new SourceProblem('It is too deep.')
  stream?.once('data', () => stream.destroy(own))
  expect(await once(stream ?? new EventEmitter(), 'close').catch((error) => error)).toBe(own)
  await tree.close()
})

test('an export that is a zip in the zip is named', async () => {
  const tree = await openFileTree(await makeZip({ 'inner/posts.zip': 'x', 'a.pdf': 'x' }))
  await expect(findSource(tree)).rejects.toThrow(
    'inner/posts.zip is a zip in the export. Unpack it, and import what is in it.',
  )
})

test('an encrypted, a broken and an empty zip have clear errors', async () => {
  const path = await makeZip({ 'a.txt': 'x' })
  const bytes = await readFile(path)
  const encrypted = Buffer.from(bytes)
  encrypted.writeUInt16LE(
    encrypted.readUInt16LE(bytes.indexOf('PK\x01\x02') + 8) | 1,
    bytes.indexOf('PK\x01\x02') + 8,
  )
  await writeFile(path, encrypted)
  await expect(openFileTree(path)).rejects.toThrow('needs a password')
  await writeFile(path, bytes.subarray(0, bytes.length - 30))
  await expect(openFileTree(path)).rejects.toThrow('damaged, or no complete zip')
  await expect(openFileTree(join(folder, 'none'))).rejects.toThrow('There is no file or folder')
  expect(await pathsOf(await openFileTree(await makeZip({})))).toEqual([])
})
