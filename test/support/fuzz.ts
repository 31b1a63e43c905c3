// Number and seed of the inputs of property tests: the same in every run, except that
// `npm run test:fuzz` uses many more and a random seed. `FUZZ_SEED=…` repeats a run.
import { randomInt } from 'node:crypto'
import fc from 'fast-check'

const FACTOR = Number(process.env.FUZZ_FACTOR ?? 1)
const SEED = Number(process.env.FUZZ_SEED ?? (FACTOR === 1 ? 9 : randomInt(2 ** 31)))
process.stdout.write(`property tests: FUZZ_SEED=${SEED} FUZZ_FACTOR=${FACTOR}\n`)

export const runs = (count: number) => ({ seed: SEED, numRuns: count * FACTOR })

const SURROGATES = { first: 0xd800, count: 0x800 }

/**
 * Any character of Unicode, as the `unit` of a text: the package's own `binary` takes 1.5 seconds
 * to create.
 */
export const anyCharacter = fc
  .nat(0x10ffff - SURROGATES.count)
  .map((at) => String.fromCodePoint(at < SURROGATES.first ? at : at + SURROGATES.count))
