// A process that imports, or undoes, and kills itself before its query of a given number:
// `node killed-import.ts FOLDER import|undo NUMBER`. Prints how many queries it made.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { KyselyPlugin } from 'kysely'
import type { ArchiveContext } from '#backend/archive/context.ts'
import { drawPhoto } from './images.ts'
import { importExport, openImportBlog, type TestExport, undo } from './imports.ts'

const [, , dataDir = '', work = 'import', number = '0'] = process.argv
const POSTS = 120

let queries = 0
const killer: KyselyPlugin = {
  transformQuery({ node }) {
    if (++queries === Number(number)) process.kill(process.pid, 'SIGKILL')
    return node
  },
  transformResult: async ({ result }) => result,
}

async function makeExport(): Promise<TestExport> {
  const photo = await drawPhoto('png', { width: 32, height: 18, hue: 40 })
  return {
    people: [{ key: 'bo', name: 'Bo', email: 'bo@old.example' }],
    posts: Array.from({ length: POSTS }, (_, at) => ({
      key: `p${at}`,
      title: `Post ${at}`,
      html: `<p><img src="/uploads/sea.png"><a href="/post-${(at + 70) % POSTS}/">next</a></p>`,
      authors: ['bo'],
      tags: ['sea', `t${at}`],
      url: `https://old.example/post-${at}/`,
    })),
    comments: Array.from({ length: POSTS }, (_, at) => [
      { key: `c${at}`, postKey: `p${at}` },
      { key: `r${at}`, postKey: `p${at}`, parentKey: `c${at}` },
    ]).flat(),
    files: { 'uploads/sea.png': photo },
  }
}

await using blog = await openImportBlog({ dataDir })
const context: ArchiveContext = { ...blog.context, db: blog.context.db.withPlugin(killer) }
const folder = join(dataDir, 'work')
await mkdir(folder, { recursive: true })
if (work === 'undo') await undo({ context })
else await importExport({ context, dataDir }, await makeExport(), { folder })
await context.background.drained()
process.stdout.write(String(queries))
