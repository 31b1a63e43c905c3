// `npm run import` of posts: the dry run, a question, the import with its progress. An import that
// is ended goes on when the same command is given again. Undoing one with `--undo`.
import { hash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { findUserByEmail } from '../../backend/accounts/users.ts'
import type { ArchiveContext } from '../../backend/archive/context.ts'
import { applyImport } from '../../backend/archive/import/apply-import.ts'
import { checkImport } from '../../backend/archive/import/check-import.ts'
import { undoImport } from '../../backend/archive/import/undo-import.ts'
import { recordCommandImport, recordCommandUndo } from '../../backend/archive/runs/command-runs.ts'
import { findSource } from '../../backend/archive/sources/find-source.ts'
import { type FileTree, SourceProblem } from '../../backend/archive/sources/source.ts'
import { openContexts } from '../../backend/contexts.ts'
import { readBuiltPages } from '../../backend/pages/built-pages.ts'
import { makeId, readClock } from '../../backend/process/ids.ts'
import { makeLog } from '../../backend/process/log.ts'
import type { Config } from '../../backend/settings/config.ts'
import { SettingError } from '../../backend/settings/setting-definitions.ts'
import type { ImportCheck, ImportChoices, ImportProgress } from '../../contract/archive.ts'
import { confirm, plain } from '../admin/terminal.ts'
import { makeProgressBar } from '../progress-bar.ts'
import { writeCheck, writeImported, writeIssue } from './report.ts'

export const IMPORT_OPTIONS = {
  'dry-run': { type: 'boolean' },
  'old-address': { type: 'string' },
  author: { type: 'string' },
  person: { type: 'string', multiple: true },
  drafts: { type: 'boolean' },
  pages: { type: 'string' },
  'no-pictures': { type: 'boolean' },
  'no-comments': { type: 'boolean' },
  'site-name': { type: 'boolean' },
  report: { type: 'string' },
  undo: { type: 'string' },
  yes: { type: 'boolean' },
} as const

export const IMPORT_USAGE = `Of another program: WordPress, Ghost, Medium, Substack, Markdown.
Options: --dry-run            only says what would be imported
         --old-address URL    of the old site, where its pictures are
         --author EMAIL       everything becomes this person's
         --person KEY=EMAIL   who an author of the export is; KEY=new or KEY=unknown
         --drafts             published posts become drafts, too
         --pages posts|none   pages become posts, or stay out
         --no-pictures, --no-comments, --site-name (name and description of the old site)
         --report FILE        everything that is left out, or changed, one a line
         --yes                does not ask
npm run import -- --undo ID    removes what an import has made
The blog may run meanwhile. The same command continues an import that was ended.`

export type ImportValues = {
  [Name in keyof typeof IMPORT_OPTIONS]?:
    | (Name extends 'person' ? string[] : string | boolean)
    | undefined
}

const NICENESS = 10
/** Beside those of the server (runs/work.ts). */
const WORK_FOLDERS = 'archives'

const PHASES: Record<ImportProgress['phase'], string> = {
  upload: 'Read',
  read: 'Looked at',
  posts: 'Posts imported',
  pictures: 'Pictures',
  comments: 'Comments imported',
  links: 'Links',
  undo: 'Undone',
}

function say(lines: string | string[]): void {
  process.stdout.write(`${[lines].flat().join('\n')}\n`)
}

/** @throws SettingError, SourceProblem */
export async function importPosts(
  config: Config,
  { path, tree, values }: { path: string; tree: FileTree; values: ImportValues },
): Promise<void> {
  const source = await findSource(tree, { mayUseNetwork: true })
  if (!source) throw new SourceProblem('This is no export that can be imported.')
  setPriority(NICENESS)
  await using contexts = await openForCommand(config)
  const context = contexts.archive
  const oldAddress = String(values['old-address'] ?? '')
  const ownerId = await readAuthor(context, values.author)
  const command = [resolve(path), oldAddress, ownerId ?? ''].join('\0')
  const folder = join(
    config.dataDir,
    WORK_FOLDERS,
    `command-${hash('sha256', command).slice(0, 16)}`,
  )
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const bar = makeProgressBar()
  const options = {
    signal: abortOnSignal(),
    onProgress: ({ phase, done, total }: ImportProgress) => bar.show(PHASES[phase], done, total),
  }
  const task = { folder, tree, ownerId, oldAddress }
  const { check, issues } = await checkImport(context, { ...task, source }, options).finally(() =>
    bar.end(),
  )
  const found = [...issues]
  say(writeCheck(check))
  const choices = await readChoices(context, check, values)
  const finish = async (all: typeof found) => {
    if (typeof values.report === 'string')
      await writeFile(values.report, all.map((issue) => `${writeIssue(issue)}\n`).join(''))
    await rm(folder, { recursive: true, force: true })
  }
  if (values['dry-run']) return await finish(found)
  await confirm('Import this?', { isConfirmed: values.yes === true })
  const { runId, startedAt } = await findRun(folder)
  const apply = applyImport(context, { ...task, runId, choices }, options)
  const { imported, issues: later } = await apply.finally(() => bar.end())
  const request = { fileName: basename(path), oldAddress, choices }
  const result = { check, imported }
  const all = [...found, ...later]
  const run = { id: runId, ownerId, startedAt, request, result, issues: all }
  await recordCommandImport(context, run)
  await finish(all)
  say(['', 'Imported:', ...writeImported(imported)])
  for (const issue of later.slice(0, 20)) say(`  ${writeIssue(issue)}`)
  say(`npm run import -- --undo ${runId} removes it again.`)
}

export async function undoPosts(config: Config, values: ImportValues): Promise<void> {
  const runId = String(values.undo)
  await using contexts = await openForCommand(config)
  const bar = makeProgressBar()
  await confirm(`Remove what the import ${plain(runId)} has made?`, {
    isConfirmed: values.yes === true,
  })
  const options = {
    signal: abortOnSignal(),
    onProgress: ({ done, total }: ImportProgress) => bar.show(PHASES.undo, done, total),
  }
  const undone = undoImport(contexts.archive, { runId }, options).finally(() => bar.end())
  const { removed, kept } = await undone
  await recordCommandUndo(contexts.archive, runId, kept)
  say(
    `${removed} posts removed. ${kept} were changed since, or have comments of members: they stay.`,
  )
}

async function openForCommand(config: Config) {
  return await openContexts(config, makeLog('warn'), {
    now: readClock,
    // Without a build the server derives the texts of pages at its next start.
    pages: await readBuiltPages().catch(() => undefined),
    onFatal: () => process.exit(1),
  })
}

/** The first Ctrl+C ends the import at its next batch. */
function abortOnSignal(): AbortSignal {
  const ended = new AbortController()
  const reason = new SettingError('Ended. The same command goes on.')
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => ended.abort(reason))
  return ended.signal
}

/** The run of an earlier, ended command, or a new one. */
async function findRun(folder: string): Promise<{ runId: string; startedAt: string }> {
  const path = join(folder, 'run.json')
  const stored = await readFile(path, 'utf8').catch(() => undefined)
  if (stored !== undefined) return JSON.parse(stored)
  const run = { runId: makeId(), startedAt: new Date().toISOString() }
  await writeFile(path, JSON.stringify(run))
  return run
}

async function readAuthor(context: ArchiveContext, email: unknown): Promise<string | undefined> {
  return typeof email === 'string' ? await readUserId(context, email) : undefined
}

async function readUserId({ db }: ArchiveContext, email: string): Promise<string> {
  const user = await findUserByEmail(db, email).catch(() => undefined)
  if (!user) throw new SettingError(`Nobody here has the address ${plain(email)}`)
  return user.id
}

async function readChoices(
  context: ArchiveContext,
  { people }: ImportCheck,
  values: ImportValues,
): Promise<ImportChoices> {
  const chosen = new Map(people.map(({ key, proposal }) => [key, proposal || 'new']))
  for (const pair of values.person ?? []) {
    const at = pair.lastIndexOf('=')
    const key = pair.slice(0, at)
    const target = pair.slice(at + 1)
    if (at < 1 || !chosen.has(key))
      throw new SettingError(`--person ${plain(pair)}: no such author; write KEY=EMAIL`)
    const isKind = target === 'new' || target === 'unknown'
    chosen.set(key, isKind ? target : await readUserId(context, target))
  }
  const { pages = 'pages' } = values
  if (pages !== 'pages' && pages !== 'posts' && pages !== 'none')
    throw new SettingError('--pages: posts or none')
  return {
    status: values.drafts ? 'inactive' : 'active',
    pages,
    hasPictures: !values['no-pictures'],
    hasComments: !values['no-comments'],
    hasSiteName: values['site-name'] === true,
    people: values.author === undefined ? Object.fromEntries(chosen) : {},
  }
}
