// `npm run export -- DIR`: writes the blog into the folder DIR, whether the server runs or not: a
// site that opens without a server, Markdown, and the data.
import { createWriteStream, existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { GuestPages } from '../backend/archive/export/export-options.ts'
import { writeArchive } from '../backend/archive/export/write-archive.ts'
import { zipFolder } from '../backend/archive/export/zip-folder.ts'
import type { Manifest } from '../backend/archive/manifest.ts'
import { openContexts } from '../backend/contexts.ts'
import { sqlitePath } from '../backend/database/database.ts'
import { openGuestPages } from '../backend/guest-pages.ts'
import { makeLog } from '../backend/process/log.ts'
import { type Config, readConfig, readEnvironment } from '../backend/settings/config.ts'
import { SettingError } from '../backend/settings/setting-definitions.ts'
import { EXPORT_PARTS, type ExportPart } from '../contract/archive.ts'
import { exitWithUsage, parseCommandLine } from './command-line.ts'
import { makeProgressBar } from './progress-bar.ts'
import { runCommand, say } from './run-command.ts'

const USAGE = `npm run export -- DIR     the whole blog into the folder DIR
Options: --site           a site that opens without a server
         --markdown       every post as Markdown
         --data           the data, for npm run import; without these three options all of them
         --people         with email addresses, password hashes, invitations and Activity
         --zip            also packs DIR into DIR.zip
The blog may run meanwhile. The same command continues an export that was ended.`

const OPTIONS = {
  site: { type: 'boolean' },
  markdown: { type: 'boolean' },
  data: { type: 'boolean' },
  people: { type: 'boolean' },
  zip: { type: 'boolean' },
} as const

const PHASES: Record<ExportPart, string> = {
  site: 'Pages of the site',
  markdown: 'Posts as Markdown',
  data: 'Files and rows',
}
const MIB = 1024 * 1024

async function run(): Promise<void> {
  const { values, positionals } = parseCommandLine(USAGE, { options: OPTIONS, maxPositionals: 1 })
  const folder = resolve(positionals[0] ?? exitWithUsage(USAGE))
  const chosen = EXPORT_PARTS.filter((part) => values[part])
  const parts = chosen.length > 0 ? chosen : EXPORT_PARTS
  const hasPeople = values.people === true
  const config = readConfig(readEnvironment(process.env))
  if (config.databaseUrl === undefined && !existsSync(sqlitePath(config.dataDir)))
    throw new SettingError(`There is no blog in ${config.dataDir}: BLOG_DATA_DIR names its folder`)
  const { manifest, sizeBytes } = await exportBlog(config, { folder, parts, hasPeople })
  say(`Exported to ${folder}: ${describe(manifest)}, ${(sizeBytes / MIB).toFixed(1)} MiB.`)
  if (manifest.lost.length > 0)
    say(`The blog itself has lost the bytes of ${manifest.lost.length} files (npm run doctor).`)
  if (values.zip) {
    const path = `${folder}.zip`
    await pipeline(
      await zipFolder(folder),
      createWriteStream(`${path}.part`, { mode: 0o600, flush: true }),
    )
    await rename(`${path}.part`, path)
    say(`Packed into ${path}.`)
  }
  say(
    hasPeople
      ? 'It has email addresses and password hashes: keep it as safe as the blog itself.'
      : 'It has no email addresses and no password hashes: --people adds them.',
  )
}

type Task = { folder: string; parts: readonly ExportPart[]; hasPeople: boolean }

async function exportBlog(config: Config, task: Task) {
  const log = makeLog('warn')
  const now = () => new Date()
  const onFatal = (error: unknown) => void process.stderr.write(`${String(error)}\n`)
  await using contexts = await openContexts(config, log, { now, pages: undefined, onFatal })
  const guestPages = task.parts.includes('site') ? await openGuestPages(config, log) : undefined
  const bar = makeProgressBar()
  try {
    return await writeArchive(
      contexts.archive,
      // Only the site asks for pages.
      { ...task, ownerId: undefined, ...(guestPages ?? ({} as GuestPages)) },
      {
        signal: new AbortController().signal,
        onProgress: ({ part, done, total }) => bar.show(PHASES[part], done, total),
      },
    )
  } finally {
    bar.end()
    await guestPages?.close()
  }
}

function describe({ parts, counts, files }: Manifest): string {
  const { user = 0, post = 0, comment = 0 } = counts.data ?? {}
  const data = counts.data
    ? `, ${count(user)} people, ${count(post)} posts, ${count(comment)} comments`
    : ''
  return `${parts.join(', ')}${data}, ${count(files.count)} files`
}

function count(number: number): string {
  return number.toLocaleString('en')
}

await runCommand('The export', run)
