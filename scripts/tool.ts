// Runs the command of a test package with this Node: `node scripts/run.js tool.ts vitest run …`.
// The packages are installed first, if they are not.
import { commandFile, runWithOutput } from './processes.ts'
import { installTestPackages } from './test-packages.ts'

const [packageName = '', ...args] = process.argv.slice(2)
installTestPackages()
process.exitCode = await runWithOutput(process.execPath, [commandFile(packageName), ...args])
