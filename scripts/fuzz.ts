// `npm run test:fuzz`: the property tests with fifty times as many inputs, others in each run. A
// failure names its seed: `FUZZ_SEED=… npm run test:fuzz` finds it again.
import { randomInt } from 'node:crypto'
import { commandFile, runShown, toolEnv } from './processes.ts'

const { FUZZ_FACTOR = '50', FUZZ_SEED = String(randomInt(2 ** 31)) } = process.env
process.exitCode = await runShown(
  process.execPath,
  [
    commandFile('vitest', 'vitest'),
    'run',
    'test/api/properties.test.ts',
    'test/api/properties-attributes.test.ts',
    '--testTimeout=1800000',
    ...process.argv.slice(2),
  ],
  toolEnv({ FUZZ_FACTOR, FUZZ_SEED }),
)
