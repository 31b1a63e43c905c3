// `npm run restore -- DIR`: the backup DIR, or the newest one in it, into the empty data folder and
// the empty database of the settings; `--replace` moves the contents of the data folder away first.

import { describeBackup } from '../backend/backups/manifest.ts'
import { findBackup, restoreBackup } from '../backend/backups/restore.ts'
import { readConfig, readEnvironment } from '../backend/settings/config.ts'
import { exitWithUsage, parseCommandLine } from './command-line.ts'
import { runCommand, say } from './run-command.ts'

const USAGE = `npm run restore -- DIR    restore the backup DIR, or the newest one in DIR,
                          into the empty folder of BLOG_DATA_DIR
Options: --replace        move what that folder holds into a folder of it first (SQLite)`

async function run(): Promise<void> {
  const options = { replace: { type: 'boolean' } } as const
  const { values, positionals } = parseCommandLine(USAGE, { options, maxPositionals: 1 })
  const [folder = exitWithUsage(USAGE)] = positionals
  const config = readConfig(readEnvironment(process.env))
  const backupFolder = await findBackup(folder)
  say(`Restoring ${backupFolder} …`)
  const manifest = await restoreBackup(config, backupFolder, {
    isReplacing: values.replace === true,
  })
  say(`Restored into ${config.dataDir}: ${describeBackup(manifest)}`)
  say('Verified before and after: checksums, database, rows against files.')
}

await runCommand('The restore', run)
