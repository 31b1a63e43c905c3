// `npm run restore -- DIR`: the backup DIR, or the newest one in it, into the empty data folder and
// the empty database of the settings.

import { CopyProblem, describeProblem } from '../backend/backups/backup-io.ts'
import { describeBackup } from '../backend/backups/manifest.ts'
import { findBackup, restoreBackup } from '../backend/backups/restore.ts'
import { findEnv, readConfig } from '../backend/settings/config.ts'
import { SettingError } from '../backend/settings/setting-definitions.ts'

const USAGE = `npm run restore -- DIR    restore the backup DIR, or the newest one in DIR,
                          into the empty folder of BLOG_DATA_DIR`

async function run(): Promise<void> {
  const [folder, ...others] = process.argv.slice(2)
  if (folder === undefined || folder.startsWith('-') || others.length > 0)
    throw new SettingError(USAGE)
  const config = readConfig(findEnv(process.env))
  const from = await findBackup(folder)
  say(`Restoring ${from} …`)
  const manifest = await restoreBackup(config, from)
  say(`Restored into ${config.dataDir}: ${describeBackup(manifest)}`)
  say('Verified before and after: checksums, database, rows against files.')
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

try {
  await run()
} catch (error) {
  const isExpected = error instanceof SettingError || error instanceof CopyProblem
  const text = describeProblem(error)
  process.stderr.write(`${isExpected ? text : `The restore failed: ${text}`}\n`)
  process.exitCode = 1
}
