// How many inputs property tests try, and which: the same in every run, but for
// `npm run test:fuzz`, which tries many more, and others. `FUZZ_SEED=…` tries those of a run again.
import { randomInt } from 'node:crypto'

const FACTOR = Number(process.env.FUZZ_FACTOR ?? 1)
const SEED = Number(process.env.FUZZ_SEED ?? (FACTOR === 1 ? 9 : randomInt(2 ** 31)))
process.stdout.write(`property tests: FUZZ_SEED=${SEED} FUZZ_FACTOR=${FACTOR}\n`)

export const runs = (count: number) => ({ seed: SEED, numRuns: count * FACTOR })
