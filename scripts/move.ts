// `npm run move`: copies the blog's rows to another database, its files to another place, or both,
// and prints the settings to change. The old places are only read.
import { readFileSync } from 'node:fs'
import { type Moved, moveBlog } from '../backend/archive/move.ts'
import { type Config, readConfig, readEnvironment } from '../backend/settings/config.ts'
import { readDatabase, readS3, type S3Config } from '../backend/settings/read-settings.ts'
import {
  readSettingText,
  SettingError,
  type SettingName,
} from '../backend/settings/setting-definitions.ts'
import { mergeSettingsFile } from '../backend/settings/settings-file.ts'
import { exitWithUsage, parseCommandLine } from './command-line.ts'
import { makeProgressBar } from './progress-bar.ts'
import { runCommand, say } from './run-command.ts'

const USAGE = `npm run move -- --to postgres://…      rows into this PostgreSQL database
npm run move -- --to postgres          rows into the one of BLOG_DATABASE_URL in FILE
npm run move -- --to sqlite            rows into a new blog.sqlite of the data folder
npm run move -- --files-to s3          files into the bucket of BLOG_S3_… in FILE
npm run move -- --files-to folder      files into the data folder
Options: --settings FILE    settings of the new places, as lines NAME=value
--to and --files-to may be given together. Stop the server before.`

type Target = Pick<Config, 'databaseUrl' | 's3'>

async function run(): Promise<void> {
  const { to, 'files-to': filesTo, settings } = readTargets()
  const { dataDir, databaseUrl, s3 } = readConfig(readEnvironment(process.env))
  const targetSettings = readTarget(settings)
  const target = {
    dataDir,
    databaseUrl: to === undefined ? databaseUrl : readRowsTo(to, targetSettings),
    s3: filesTo === undefined ? s3 : readFilesTo(filesTo, targetSettings),
  }
  const bar = makeProgressBar()
  const moved = await moveBlog({ dataDir, databaseUrl, s3 }, target, {
    onProgress: (phase, done, total) => bar.show(PHASES[phase], done, total),
  }).finally(() => bar.end())
  reportMove(moved)
  say('Checked: every row and every file by checksum. What they were moved from is as it was.')
  for (const line of settingsToChange(target, moved, { to, filesTo })) say(line)
}

function readTargets() {
  const options = {
    to: { type: 'string' },
    'files-to': { type: 'string' },
    settings: { type: 'string' },
  } as const
  const { values } = parseCommandLine(USAGE, { options })
  return values.to === undefined && values['files-to'] === undefined ? exitWithUsage(USAGE) : values
}

/** Reads the settings file of the new places. */
function readTarget(path: string | undefined): Target {
  if (path === undefined) return { databaseUrl: undefined, s3: undefined }
  const readText = (name: string): string => {
    try {
      return readFileSync(name, 'utf8')
    } catch (cause) {
      throw new SettingError(`${name} cannot be read`, { cause })
    }
  }
  const env = mergeSettingsFile({}, readText(path), path)
  const text = (name: SettingName): string => readSettingText(env, name, readText)
  return { ...readDatabase(text), s3: readS3(text) }
}

function readRowsTo(to: string, targetSettings: Target): string | undefined {
  if (to === 'sqlite') return undefined
  if (to === 'postgres') {
    if (targetSettings.databaseUrl !== undefined) return targetSettings.databaseUrl
    throw new SettingError('--to postgres: name a file with BLOG_DATABASE_URL, --settings FILE')
  }
  if (/^postgres(ql)?:\/\//.test(to) && URL.canParse(to)) return to
  throw new SettingError(`--to: neither sqlite nor postgres nor a postgres:// address\n${USAGE}`)
}

function readFilesTo(to: string, targetSettings: Target): S3Config | undefined {
  if (to === 'folder') return undefined
  if (to !== 's3') throw new SettingError(`--files-to: neither s3 nor folder\n${USAGE}`)
  if (targetSettings.s3) return targetSettings.s3
  throw new SettingError('--files-to s3: name a file with BLOG_S3_ENDPOINT …, --settings FILE')
}

const PHASES = {
  rows: 'Rows copied',
  'rows checked': 'Rows checked on both sides',
  files: 'Files copied and checked',
}

function reportMove({ rows, files }: Moved): void {
  if (rows !== undefined) say(`${count(rows)} rows moved.`)
  if (!files) return
  say(`${count(files.copied)} files copied, ${count(files.present)} were there already.`)
  if (files.problems.length > 0)
    say(`The blog itself has lost ${count(files.problems.length)} (npm run doctor):`)
  for (const line of files.problems) say(`  ${line}`)
}

function settingsToChange(
  { databaseUrl, s3 }: Target,
  { files }: Moved,
  { to, filesTo }: { to: string | undefined; filesTo: string | undefined },
): string[] {
  const lines = ['Now change these settings, wherever they are set, before the next start:']
  if (to !== undefined && databaseUrl !== undefined) {
    const { host, pathname } = new URL(databaseUrl)
    lines.push(`  BLOG_DATABASE_URL=postgres://…@${host}${pathname}`)
  }
  if (to === 'sqlite') lines.push('  no BLOG_DATABASE_URL')
  if (filesTo !== undefined && s3)
    lines.push(
      `  BLOG_S3_ENDPOINT=${s3.endpoint}`,
      `  BLOG_S3_BUCKET=${s3.bucket}`,
      `  BLOG_S3_REGION=${s3.region}`,
      '  BLOG_S3_ACCESS_KEY, BLOG_S3_SECRET_KEY: as in the file',
    )
  if (filesTo === 'folder') lines.push('  no BLOG_S3_ENDPOINT, _BUCKET, _ACCESS_KEY, _SECRET_KEY')
  lines.push(
    `The data folder and its secrets stay. Once the blog runs there, remove what is left of ${files ? 'the old places' : 'the old database'}.`,
  )
  return lines
}

function count(number: number): string {
  return number.toLocaleString('en')
}

await runCommand('The move', run, {
  advice: (error, saysAll) => [
    ...(error instanceof SettingError ? [] : ['What was to be moved is as it was.']),
    ...(saysAll
      ? []
      : ['The same command starts again; files that were copied already are skipped.']),
  ],
})
