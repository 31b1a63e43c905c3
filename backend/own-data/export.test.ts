// Archives are written while they are read; names of files in them are safe.
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { readZip } from '#test/support/zip.ts'
import { type ArchiveEntry, makeArchive } from '../process/zip-archive.ts'
import { makeSafeName } from './export.ts'

const AT = new Date('2023-11-20T13:37:00.000Z')

function entry(path: string, open: () => Promise<Readable | undefined>): ArchiveEntry {
  return { path, changedAt: AT, isCompressible: true, open }
}

test('entries are read back unchanged, and each is opened only when it is its turn', async () => {
  const opened: string[] = []
  const texts = ['one', 'two', 'Grüße 💡'.repeat(10_000)]
  const archive = makeArchive(
    texts.map((text, index) =>
      entry(`folder/${index}.txt`, async () => {
        opened.push(`${index} after ${opened.length}`)
        return Readable.from([text])
      }),
    ),
  )
  expect(opened.length).toBeLessThan(2)
  const entries = await readZip(await buffer(archive))
  expect(entries.map(({ path, bytes }) => [path, bytes.toString()])).toEqual(
    texts.map((text, index) => [`folder/${index}.txt`, text]),
  )
  expect(opened).toEqual(['0 after 0', '1 after 1', '2 after 2'])
})

test('an entry for a file that is gone is empty', async () => {
  const entries = await readZip(
    await buffer(
      makeArchive([
        entry('a', async () => undefined),
        entry('b', async () => Readable.from(['b'])),
      ]),
    ),
  )
  expect(entries.map(({ bytes }) => bytes.toString())).toEqual(['', 'b'])
})

test('an entry that fails makes the whole archive fail', async () => {
  const refusing = makeArchive([
    entry('a', async () => {
      throw new Error('not today')
    }),
  ])
  await expect(buffer(refusing)).rejects.toThrow('not today')
  const breaking = new Readable({ read: () => void breaking.destroy(new Error('broke off')) })
  await expect(buffer(makeArchive([entry('a', async () => breaking)]))).rejects.toThrow('broke off')
})

test('when the reader stops reading, the open entry is closed and no other is opened', async () => {
  const endless = new Readable({
    read: () => void endless.push(Buffer.alloc(1000, Math.random().toString())),
  })
  let isNextOpen = false
  const archive = makeArchive([
    entry('endless', async () => endless),
    entry('next', async () => {
      isNextOpen = true
      return undefined
    }),
  ])
  for await (const _piece of archive) break
  expect(archive.destroyed).toBe(true)
  await expect.poll(() => endless.destroyed).toBe(true)
  expect(isNextOpen).toBe(false)
})

describe('names inside', () => {
  test.each([
    ['photo.png', 'photo.png'],
    ['Grüße aus Łódź (2).jpeg', 'Grüße aus Łódź (2).jpeg'],
    ['../../etc/passwd', '_.._etc_passwd'],
    ['..\\..\\boot.ini', '_.._boot.ini'],
    ['C:\\photo.png', 'C_photo.png'],
    ['a\0b\nc.png', 'a_b_c.png'],
    ['  .hidden ', 'hidden'],
    ['trailing. . ', 'trailing'],
    ['', 'file'],
    ['...', 'file'],
    ['.png', 'png'],
    ['con.png', 'con.png'],
    ['LPT1', 'LPT1'],
    ['console.png', 'console.png'],
    ['<b>|"*?.gif', '_b_.gif'],
    ['\u202egnp.exe', '_gnp.exe'],
    [`${'x'.repeat(300)}.png`, `${'x'.repeat(100)}.png`],
    ['\ud800.png', '_.png'],
  ])('%j becomes %j', (name, safe) => expect(makeSafeName(7, name)).toBe(`7-${safe}`))
})
