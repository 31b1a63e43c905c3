// `npm run doctor`: lists what is wrong with this blog, using the server's settings. The exit
// code is 1 when there is a fault.

import { examine } from '../backend/doctor/doctor.ts'
import type { Finding } from '../backend/doctor/finding.ts'
import { type Config, readConfig, readEnvironment } from '../backend/settings/config.ts'
import { SettingError } from '../backend/settings/setting-definitions.ts'
import { parseCommandLine } from './command-line.ts'

const USAGE = 'npm run doctor    says what is wrong with this blog, one line each'

async function* run(): AsyncGenerator<Finding> {
  let config: Config
  try {
    config = readConfig(readEnvironment(process.env))
  } catch (error) {
    if (!(error instanceof SettingError)) throw error
    const text = `${error.message}: the server does not start with it`
    yield { level: 'fault', about: 'settings', text }
    return
  }
  yield* examine({ ...config, env: readEnvironment(process.env), now: () => new Date() })
}

parseCommandLine(USAGE, { options: {} })
for await (const { level, about, text } of run()) {
  const line = text.replaceAll(/\s*\n\s*/g, ' ').trim()
  process.stdout.write(`${level.padEnd(8)}${about.padEnd(12)}${line}\n`)
  if (level === 'fault') process.exitCode = 1
}
