// `npm run backup -- DIR`: makes a backup in DIR, whether the server runs or not. `--verify`
// verifies the backups in DIR instead, or the one that DIR is.
import { resolve } from 'node:path'
import { makeBackup } from '../backend/backups/backup.ts'
import { listBackups } from '../backend/backups/backup-folder.ts'
import { describeBackup, verifyBackup } from '../backend/backups/manifest.ts'
import { findBackup } from '../backend/backups/restore.ts'
import { readConfig, readEnvironment } from '../backend/settings/config.ts'
import { SettingError } from '../backend/settings/setting-definitions.ts'
import { exitWithUsage, parseCommandLine } from './command-line.ts'
import { runCommand, say } from './run-command.ts'

const USAGE = `npm run backup -- DIR             make a backup in the folder DIR
npm run backup -- --verify DIR    verify the backups in DIR, or the one that DIR is
Options: --without-files          leave the files of an S3 server where they are`

const OPTIONS = { verify: { type: 'boolean' }, 'without-files': { type: 'boolean' } } as const

async function run(): Promise<boolean> {
  const { values, positionals } = parseCommandLine(USAGE, { options: OPTIONS, maxPositionals: 1 })
  const [folder = exitWithUsage(USAGE)] = positionals
  if (values.verify) return await verifyAll(folder)
  const config = readConfig(readEnvironment(process.env))
  if (values['without-files'] && !config.s3)
    throw new SettingError('--without-files is for files at an S3 server, and none is set')
  const backup = await makeBackup(config, folder, {
    now: () => new Date(),
    withFiles: !values['without-files'],
  })
  const { linkedFiles, copiedFiles } = backup.figures
  say(`Backup made: ${resolve(backup.path)}`)
  say(describeBackup(backup.manifest))
  say(
    `${copiedFiles} files copied, ${linkedFiles} unchanged ones linked to the backup before. Verified: checksums, database, rows against files.`,
  )
  return true
}

async function verifyAll(folder: string): Promise<boolean> {
  const names = await listBackups(folder)
  const paths = names.length > 0 ? names.map((name) => resolve(folder, name)) : []
  if (paths.length === 0) paths.push(await findBackup(folder))
  let isSound = true
  for (const path of paths) {
    const { manifest, faults } = await verifyBackup(path)
    if (manifest && faults.length === 0) say(`${path} is sound: ${describeBackup(manifest)}`)
    else {
      isSound = false
      for (const line of [`${path} is DAMAGED:`, ...faults]) process.stderr.write(`${line}\n`)
    }
  }
  return isSound
}

await runCommand('The backup', async () => {
  if (!(await run())) process.exitCode = 1
})
