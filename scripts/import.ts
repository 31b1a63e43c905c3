// `npm run import -- PATH`: imports an export of this program or another: a file, a folder or a
// zip. An archive of a blog makes an empty blog the same one.

import { findManifest, isEmptyBlog } from '../backend/archive/import/recognise-archive.ts'
import { restoreArchive } from '../backend/archive/import/restore-archive.ts'
import { openFileTree } from '../backend/archive/sources/file-tree.ts'
import { type FileTree, SourceProblem } from '../backend/archive/sources/source.ts'
import { type Config, readConfig, readEnvironment } from '../backend/settings/config.ts'
import { plain } from './admin/terminal.ts'
import { exitWithUsage, parseCommandLine } from './command-line.ts'
import { IMPORT_OPTIONS, IMPORT_USAGE, importPosts, undoPosts } from './import/import-posts.ts'
import { makeProgressBar } from './progress-bar.ts'
import { runCommand, say } from './run-command.ts'

const USAGE = `npm run import -- PATH    imports an export: a file, a folder or a zip
An archive of npm run export makes an empty blog the same blog: stop its server before.
${IMPORT_USAGE}`

const PHASES = {
  'archive checked': 'Archive checked',
  files: 'Files copied and checked',
  rows: 'Rows copied',
  'rows checked': 'Rows checked on both sides',
}

/** An archive is restored as a whole; imports of posts go on when they are given again. */
let isAllOrNothing = true

async function run(): Promise<void> {
  const parsed = parseCommandLine(USAGE, { options: IMPORT_OPTIONS, maxPositionals: 1 })
  const { positionals, values } = parsed
  const config = readConfig(readEnvironment(process.env))
  if (values.undo !== undefined && positionals.length === 0) return undoPosts(config, values)
  const [path = exitWithUsage(USAGE)] = positionals
  const tree = await openFileTree(path)
  try {
    const manifest = await findManifest(tree)
    if (manifest?.parts.includes('data') && !manifest.owner && (await isEmptyBlog(config)))
      await restore(config, tree)
    else {
      isAllOrNothing = false
      await importPosts(config, { path, tree, values })
    }
  } finally {
    await tree.close()
  }
}

async function restore(config: Config, tree: FileTree): Promise<void> {
  const bar = makeProgressBar()
  const { manifest, operators } = await restoreArchive(config, tree, {
    onProgress: (phase, done, total) => bar.show(PHASES[phase], done, total),
  }).finally(() => bar.end())
  const { user = 0, post = 0, file = 0 } = manifest.counts.data ?? {}
  say(
    `Imported: ${plain(manifest.blog.name)} of ${manifest.createdAt}, ${user} people, ${post} posts, ${file} files. Checked: every row and every file by checksum.`,
  )
  if (manifest.lost.length > 0) say(`Files without bytes in the archive: ${manifest.lost.length}.`)
  if (manifest.hasPeople) {
    say('People sign in as before; sessions have ended. Operators of the blog are:')
    for (const { name, email } of operators) say(`  ${plain(name)} (${plain(email)})`)
    return
  }
  say('It is an archive without people: nobody has a password or an email address.')
  if (operators.length === 0) return say('It has no operator: npm run admin -- role names one.')
  say('Start the blog, and make a link that signs its operator in once:')
  for (const { name, email } of operators)
    say(`  npm run admin -- link ${plain(email)}    (${plain(name)})`)
  say('Then set address and password under Settings. Others get in by such a link, too.')
}

await runCommand('The import', run, {
  isExpected: (error) => error instanceof SourceProblem,
  advice: () => (isAllOrNothing ? ['Nothing was changed.'] : []),
})
